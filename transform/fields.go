package transform

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"

	"pipeline/extract"
	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// This file counts fields of documents that no code here reads or knows: they are new in Cursor. Names that are data,
// and an unlimited number of names, must fill neither memory nor the table.

//go:generate go test . -run ^TestFieldsRead$ -update

// fieldsText are the fields that are known and that a person wrote down, most of them because no reader asks for them.
//
//go:embed fields.txt
var fieldsText string

// fieldsRead are those that readers ask for: go generate finds them in the code.
//
//go:embed fields_read.txt
var fieldsRead string

// shape is what is known of an object: the names of its fields, and for some fields the shape of their value.
type shape struct {
	path   string            // where such objects are in the document
	fields map[string]*shape // nil for a field whose value has no known shape
	toSee  jsondoc.Picker    // picks the fields that are unknown, or whose value has a shape
}

func newShape(path string) *shape {
	s := &shape{path: path, fields: map[string]*shape{}}
	s.toSee.Pick = func(name []byte) (int, bool) {
		below, known := s.fields[string(name)]
		return 0, !known || below != nil
	}
	return s
}

// knownFields has the shapes of the families' documents.
var knownFields = sync.OnceValue(func() map[string]*shape { return declared(fieldsRead + fieldsText) })

// declared parses shapes from lines of FAMILY: NAME... and FAMILY FIELD: NAME... (fields.txt explains the format).
func declared(text string) map[string]*shape {
	families := map[string]*shape{}
	for line := range strings.Lines(text) {
		of, names, ok := strings.Cut(line, ":")
		if !ok || line[0] == '#' {
			continue
		}
		family, field, below := strings.Cut(of, " ")
		if families[family] == nil {
			families[family] = newShape("$")
		}
		into := families[family]
		if below {
			if into.fields[field] == nil {
				into.fields[field] = newShape("$." + field)
			}
			into = into.fields[field]
		}
		for _, name := range strings.Fields(names) {
			if from, ok := strings.CutPrefix(name, "="); ok {
				for known := range families[from].fields {
					into.add(known)
				}
				continue
			}
			into.add(name)
		}
	}
	return families
}

// add adds a field whose value has no known shape.
func (s *shape) add(name string) {
	if _, known := s.fields[name]; !known {
		s.fields[name] = nil
	}
}

// fieldCounts counts the documents that hold unknown fields.
type fieldCounts struct {
	counts   map[fieldKey]*fieldCount
	distinct map[string]int // by family
	document int            // number of the present document
}

type fieldKey struct{ family, path string }

type fieldCount struct {
	rows  int64
	last  int   // the last document that was counted
	types uint8 // bits of jsonTypes
}

// jsonTypes are the types of a value, by the bits of fieldCount.types.
var jsonTypes = []string{"array", "boolean", "number", "object", "string", "null", "protobuf"}

// protobufType is the bit of a field of a node in the agent's graph.
const protobufType = 64

// unknownType is the bit of a type that no reader of transcripts knows: it is a text.
const unknownType = 16

func typeBit(v jsondoc.Value) uint8 {
	switch v.Kind() {
	case 0:
		return 0
	case '[':
		return 1
	case 't', 'f':
		return 2
	case '{':
		return 8
	case '"':
		return 16
	case 'n':
		return 32
	}
	return 4
}

// look counts the unknown fields of a document that is an object, or an array of objects.
func (c *fieldCounts) look(family string, doc jsondoc.Value) {
	known := knownFields()[family]
	if known == nil || c == nil {
		return
	}
	c.document++
	c.see(family, known, doc)
}

// lookBelow counts the unknown fields of an object that a field of the document holds as text.
func (c *fieldCounts) lookBelow(family, field string, o jsondoc.Value) {
	if below := knownFields()[family].fields[field]; below != nil {
		c.see(family, below, o)
	}
}

// see counts the unknown fields of an object, or of the objects in an array.
func (c *fieldCounts) see(family string, known *shape, v jsondoc.Value) {
	for _, member := range v.Picked(&known.toSee) {
		if below := known.fields[string(member.Name())]; below != nil {
			c.see(family, below, member)
		} else {
			c.count(family, known.path, member)
		}
	}
	for element := range v.Elements {
		for _, member := range element.Picked(&known.toSee) {
			if _, ok := known.fields[string(member.Name())]; !ok {
				c.count(family, known.path+"[]", member)
			}
		}
	}
}

// count counts an unknown field.
func (c *fieldCounts) count(family, parent string, v jsondoc.Value) {
	name := string(v.Name())
	key := fieldKey{family, parent + "." + name}
	n := c.counts[key]
	if n == nil {
		if !isFieldName(name) || c.distinct[family] == schema.MaxUnknownFields {
			key.path = parent + ".*"
		}
		if n = c.counts[key]; n == nil {
			n = &fieldCount{}
			if c.counts == nil {
				c.counts, c.distinct = map[fieldKey]*fieldCount{}, map[string]int{}
			}
			c.counts[key] = n
			if !strings.HasSuffix(key.path, "*") {
				c.distinct[family]++
			}
		}
	}
	n.types |= typeBit(v)
	if n.last != c.document {
		n.rows, n.last = n.rows+1, c.document
	}
}

// isFieldName tells the name of a field from a name that is data: a field's name consists of words.
func isFieldName(name string) bool {
	if name == "" || len(name) > 64 {
		return false
	}
	for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '_' || r == '$' }) {
		if !extract.IsWord(word) {
			return false
		}
	}
	return strings.Trim(name, "_$") != ""
}

// rows returns the counts as rows of the warehouse, sorted by family and path.
func (c *fieldCounts) rows(sourceID string) []schema.UnknownField {
	if c == nil {
		return nil
	}
	var out []schema.UnknownField
	for key, n := range c.counts {
		out = append(out, schema.UnknownField{SourceID: sourceID, Family: key.family, Path: key.path,
			Type: typeNames(n.types), Rows: n.rows})
	}
	slices.SortFunc(out, func(a, b schema.UnknownField) int {
		return cmp.Or(strings.Compare(a.Family, b.Family), strings.Compare(a.Path, b.Path))
	})
	return out
}

// typeNames lists the types of a field's values. It lists null only if there is no other type.
func typeNames(types uint8) string {
	var names []string
	for i, name := range jsonTypes {
		if types&(1<<i) != 0 && (name != "null" || types == 32) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
