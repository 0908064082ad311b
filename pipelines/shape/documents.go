package shape

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"pipeline/transform"
)

// The bounds of what is counted: memory does not grow with the number of documents or of names.
const (
	maxDepth   = 24     // what is deeper is not looked at
	maxNodes   = 20_000 // paths of a family
	maxNewKeys = 64     // names of one object that no list has
)

// parsedTexts are the fields whose text is JSON itself, which package transform parses.
var parsedTexts = setOf("params", "rawArgs", "result", "value")

// documents counts the documents of a family.
type documents struct {
	family string
	root   *node
	nodes  int
	number int // of the present document
}

// node has the counts of one path.
type node struct {
	path    string
	name    string
	types   map[string]int64
	sizes   map[string]int64
	values  map[string]int64 // nil: no enumeration
	known   transform.Fields
	members map[string]*node // by what their paths add: .name, [] or {}
	news    map[string]bool  // names of members that no list has
	seen    int              // in how many documents
	last    int              // the last of these
}

func newDocuments(family string) *documents {
	d := &documents{family: family}
	d.root = d.node("$", "", transform.FieldsOf(family))
	return d
}

func (d *documents) node(path, name string, known transform.Fields) *node {
	d.nodes++
	n := &node{path: path, name: name, types: map[string]int64{}, sizes: map[string]int64{}, known: known,
		members: map[string]*node{}, news: map[string]bool{}}
	if enumerations[d.family][path] || words[name] != nil {
		n.values = map[string]int64{}
	}
	return n
}

// add counts a document. What is no JSON is counted by its size.
func (d *documents) add(text []byte) {
	d.number++
	d.root.see(d)
	switch {
	case len(text) == 0:
		return
	case !isDocument(text):
		d.root.size("bytes", len(text))
		return
	}
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	d.value(in, d.root, 0)
}

func isDocument(text []byte) bool {
	text = bytes.TrimSpace(text)
	return len(text) > 0 && (text[0] == '{' || text[0] == '[') && json.Valid(text)
}

func (n *node) see(d *documents) {
	if n.last != d.number {
		n.last, n.seen = d.number, n.seen+1
	}
}

func (n *node) size(kind string, bytes int) {
	n.types[kind]++
	n.sizes[powerOfTwo(bytes)]++
}

// powerOfTwo is the next power of two, as a text.
func powerOfTwo(n int) string {
	if n < 2 {
		return strconv.Itoa(n)
	}
	return strconv.Itoa(1 << bits.Len(uint(n-1)))
}

// value counts the next value of a document. The document is valid: there are no errors.
func (d *documents) value(in *json.Decoder, n *node, depth int) {
	token, err := in.Token()
	if err != nil {
		return
	}
	n.see(d)
	switch v := token.(type) {
	case nil:
		n.types["null"]++
	case bool:
		n.types["boolean"]++
	case json.Number:
		n.types["number"]++
		n.word(v)
	case string:
		d.text(v, n, depth)
	case json.Delim:
		if v == '{' {
			n.types["object"]++
			for in.More() {
				name, _ := in.Token()
				text, _ := name.(string)
				d.below(in, d.member(n, text), depth)
			}
		} else {
			n.types["array"]++
			for in.More() {
				d.below(in, d.child(n, "[]", n.name, n.known), depth)
			}
		}
		_, _ = in.Token() // the end
	}
}

// below counts a value in another one, unless it is too deep.
func (d *documents) below(in *json.Decoder, n *node, depth int) {
	if n == nil || depth >= maxDepth {
		var left json.RawMessage
		_ = in.Decode(&left)
		return
	}
	d.value(in, n, depth+1)
}

func (d *documents) text(text string, n *node, depth int) {
	if !parsedTexts[n.name] || depth >= maxDepth || !isDocument([]byte(text)) {
		n.size("text", len(text))
		n.word(text)
		return
	}
	n.types["json"]++
	in := json.NewDecoder(strings.NewReader(text))
	in.UseNumber()
	d.value(in, d.child(n, "{}", n.name, n.known), depth+1)
}

// word counts the value of an enumeration.
func (n *node) word(token any) {
	if n.values == nil {
		return
	}
	word := wordOf(n.name, token)
	if _, have := n.values[word]; !have && len(n.values) > maxValues+1 {
		return // there are too many: see said
	}
	n.values[word]++
}

// member is the node of a field; nil if there are too many. A name that no list has counts as * unless Cursor gives the
// names of the object.
func (d *documents) member(n *node, name string) *node {
	known := transform.KnowsField(name)
	if m := n.members["."+name]; m != nil && (known || n.news[name]) {
		return m
	}
	isNew := !known && n.known.Declared() && transform.IsFieldName(name) && len(n.news) < maxNewKeys
	if !known && !isNew {
		name = other
	}
	if n.members["."+name] == nil && d.nodes >= maxNodes {
		return nil
	}
	if isNew {
		n.news[name] = true
	}
	return d.child(n, "."+name, name, n.known.Below(name))
}

// child is the node whose path adds a step to that of another one.
func (d *documents) child(n *node, step, name string, known transform.Fields) *node {
	if n.members[step] == nil {
		n.members[step] = d.node(n.path+step, name, known)
	}
	return n.members[step]
}

// merge adds the counts of other documents.
func (d *documents) merge(from *documents) { d.mergeNode(d.root, from.root) }

func (d *documents) mergeNode(into, from *node) {
	into.seen += from.seen
	add(into.types, from.types)
	add(into.sizes, from.sizes)
	if into.values != nil {
		add(into.values, from.values)
	}
	for step, m := range from.members {
		d.mergeNode(d.child(into, step, m.name, m.known), m)
	}
}

// fields are the counts of all paths, names sorted.
func (d *documents) fields() (out []Field) {
	if len(d.root.types) == 0 {
		return nil
	}
	d.forgetRareNames(d.root)
	d.list(d.root, &out)
	return out
}

// forgetRareNames counts names that no list has, and that few documents have, as *.
func (d *documents) forgetRareNames(n *node) {
	for name := range n.news {
		if m := n.members["."+name]; m.seen < oftenRows {
			delete(n.members, "."+name)
			d.mergeNode(d.child(n, "."+other, other, transform.Fields{}), m)
		}
	}
	for _, m := range n.members {
		d.forgetRareNames(m)
	}
}

func (d *documents) list(n *node, out *[]Field) {
	all := int64(0)
	for _, count := range n.types {
		all += count
	}
	*out = append(*out, Field{Path: n.path, Types: n.types,
		Null: math.Round(float64(n.types["null"])/float64(max(all, 1))*100) / 100, Sizes: some(n.sizes),
		Values: some(n.said())})
	for _, step := range slices.Sorted(maps.Keys(n.members)) {
		d.list(n.members[step], out)
	}
}

// said are the values of an enumeration, as far as they may be said: none of a field with too many, and none that few
// documents have.
func (n *node) said() map[string]int64 {
	if len(n.values) > maxValues {
		return nil
	}
	out := map[string]int64{}
	for word, count := range n.values {
		if count < oftenValues {
			word = other
		}
		out[word] += count
	}
	return out
}
