package transform

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"

	"pipeline/extract"
	"pipeline/sql/schema"
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
type shape map[string]shape

// knownFields has the shapes of the families' documents.
var knownFields = sync.OnceValue(func() map[string]shape { return declared(fieldsRead + fieldsText) })

// declared parses shapes from lines of FAMILY: NAME... and FAMILY FIELD: NAME... (fields.txt explains the format).
func declared(text string) map[string]shape {
	families := map[string]shape{}
	for line := range strings.Lines(text) {
		of, names, ok := strings.Cut(line, ":")
		if !ok || line[0] == '#' {
			continue
		}
		family, field, below := strings.Cut(of, " ")
		if families[family] == nil {
			families[family] = shape{}
		}
		into := families[family]
		if below {
			if into[field] == nil {
				into[field] = shape{}
			}
			into = into[field]
		}
		for _, name := range strings.Fields(names) {
			if from, ok := strings.CutPrefix(name, "="); ok {
				for known := range families[from] {
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
func (s shape) add(name string) {
	if _, known := s[name]; !known {
		s[name] = nil
	}
}

// has reports whether a field is known.
func (s shape) has(name []byte) bool {
	_, known := s[string(name)]
	return known
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

func typeBit(v value) uint8 {
	switch v.kind() {
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

// look counts the unknown fields of a document.
func (c *fieldCounts) look(family string, o object) {
	known := knownFields()[family]
	if known == nil || c == nil {
		return
	}
	c.document++
	for i := range o {
		c.field(family, "$", known, o[i].name, o[i].value)
	}
}

// lookBelow counts the unknown fields of an object that a field of the document holds as text.
func (c *fieldCounts) lookBelow(family, field string, o object) {
	for i := range o {
		c.field(family, "$."+field, knownFields()[family][field], o[i].name, o[i].value)
	}
}

// lookAt is look for a document that is not parsed yet, or that is an array of objects.
func (c *fieldCounts) lookAt(family string, doc value) {
	if doc.isObject() {
		c.look(family, doc.object())
		return
	}
	if known := knownFields()[family]; known != nil {
		c.document++
		c.inner(family, "$", known, doc)
	}
}

// field counts a field if it is unknown, and looks into the value of a known one.
func (c *fieldCounts) field(family, parent string, known shape, name []byte, v value) {
	below, ok := known[string(name)]
	switch {
	case !ok:
		c.count(family, parent, string(name), v)
	case below != nil:
		c.inner(family, parent+"."+string(name), below, v)
	}
}

// inner looks at the fields of an object, or of the objects in an array.
func (c *fieldCounts) inner(family, parent string, known shape, v value) {
	switch {
	case v.isObject():
		for member := range v.inside {
			if name := member.name(); !known.has(name) {
				c.count(family, parent, string(name), member)
			}
		}
	case v.isArray():
		for element := range v.elements {
			if element.isObject() {
				c.inner(family, parent+"[]", known, element)
			}
		}
	}
}

// count counts an unknown field.
func (c *fieldCounts) count(family, parent, name string, v value) {
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

// fieldsOf returns the counts for a store's shared rows.
func (s *Shared) fieldsOf(store string) *fieldCounts {
	if s.fields[store] == nil {
		s.fields[store] = &fieldCounts{}
	}
	return s.fields[store]
}

// UnknownFields returns the unknown fields in the shared rows of some stores.
func (s *Shared) UnknownFields(sourceID string, stores []string) (out []schema.UnknownField) {
	for _, store := range slices.Sorted(slices.Values(stores)) {
		out = append(out, s.fields[store].rows(sourceID)...)
	}
	return out
}

// rows returns the counts as rows of the warehouse, sorted by family and path.
func (c *fieldCounts) rows(sourceID string) []schema.UnknownField {
	if c == nil {
		return nil
	}
	var out []schema.UnknownField
	for key, n := range c.counts {
		out = append(out, schema.UnknownField{SourceID: sourceID, Family: key.family, Path: key.path, Type: typeNames(n.types), Rows: n.rows})
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
