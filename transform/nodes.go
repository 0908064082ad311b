package transform

import (
	"unicode/utf8"

	"pipeline/transform/depth"
)

// This file has the values of a JSON document. One scan of the document checks it and notes where each value lies.
// Nothing is decoded until somebody asks.

// parsed is a document that was checked, with its values.
type parsed struct {
	text    []byte
	nodes   []node
	unicode bool // the text has \u somewhere
	of      *documents
	laid    []laidOut // objects whose layout somebody needed
	members []uint32  // of these objects
}

// node is where a value lies in its document. The nodes of what is inside the value follow its own.
type node struct {
	from, to      uint32
	name, nameEnd uint32 // of a member, without its quotes
	size          uint32 // number of nodes: its own, and those of what is inside
	laid          uint32 // number of the object in parsed.laid, from 1; 0: not looked for yet
	kind          byte   // the first byte of the value
	escaped       bool   // a string with escapes
	nameEscaped   bool
}

// value is one value of a document. The zero value is none.
type value struct {
	in *parsed
	at uint32
}

// documents has the memory of documents that are read one after the other, and what is remembered of their objects.
// Without it (nil), each document has memory of its own, and nothing is remembered.
type documents struct {
	all     []*parsed
	used    int
	layouts layouts
}

// manyNodes is how many nodes a document may have if its memory is to be kept for the next one.
const manyNodes = 1 << 16

// reset says that no value is needed any more.
func (m *documents) reset() {
	if m == nil {
		return
	}
	for _, d := range m.all[:m.used] {
		if d.text = nil; cap(d.nodes) > manyNodes {
			d.nodes = nil
		}
	}
	m.used = 0
}

// next returns a document to scan into.
func (m *documents) next() *parsed {
	if m == nil {
		return &parsed{}
	}
	if m.used == len(m.all) {
		m.all = append(m.all, &parsed{of: m})
	}
	m.used++
	return m.all[m.used-1]
}

// parse checks a whole document and returns its value. The error is a reason of the quarantine, but not errNotObject.
func (m *documents) parse(raw []byte) (value, error) {
	if len(raw) == 0 {
		return value{}, errEmpty
	}
	if d := m.next(); d.scan(raw) {
		return value{in: d}, nil
	}
	if m != nil {
		m.used--
	}
	switch {
	case !utf8.Valid(raw):
		return value{}, errNotUTF8
	case depth.Of(raw) > maxDepth:
		return value{}, errTooDeep
	}
	return value{}, errBadJSON
}

// parseObject is parse for a document that must be an object.
func (m *documents) parseObject(raw []byte) (value, error) {
	v, err := m.parse(raw)
	if err == nil && !v.isObject() {
		err = errNotObject
	}
	return v.object(), err
}

// parseDocument is parse for a document that is kept.
func parseDocument(raw []byte) (value, error) { return (*documents)(nil).parse(raw) }

// parseObject is parseDocument for a document that must be an object.
func parseObject(raw []byte) (value, error) { return (*documents)(nil).parseObject(raw) }

func (v value) node() *node { return &v.in.nodes[v.at] }

// kind is the first byte of a value, 0 for none.
func (v value) kind() byte {
	if v.in == nil {
		return 0
	}
	return v.node().kind
}

func (v value) isObject() bool { return v.kind() == '{' }
func (v value) isArray() bool  { return v.kind() == '[' }
func (v value) isString() bool { return v.kind() == '"' }

// exists reports whether there is a value: null is one.
func (v value) exists() bool { return v.in != nil }

// orNone returns no value for null.
func (v value) orNone() value {
	if v.kind() == 'n' {
		return value{}
	}
	return v
}

// says reports whether there is a value, and it is neither null nor "".
func (v value) says() bool { return v.orNone().exists() && string(v.raw()) != `""` }

// raw is a value's text in its document. It must not be changed.
func (v value) raw() []byte {
	if v.in == nil {
		return nil
	}
	n := v.node()
	return v.in.text[n.from:n.to:n.to]
}

func (v value) String() string { return string(v.raw()) }

// name is the decoded name of a member.
func (v value) name() []byte {
	n := v.node()
	name := v.in.text[n.name:n.nameEnd:n.nameEnd]
	if n.nameEscaped {
		return decodeEscapes(nil, name)
	}
	return name
}

// textBytes returns the decoded string. It must not be changed: it may be a part of the document. It is nil if v is no
// string. U+0000 becomes U+2400.
func (v value) textBytes() []byte {
	if !v.isString() {
		return nil
	}
	n := v.node()
	inner := v.in.text[n.from+1 : n.to-1 : n.to-1]
	if !n.escaped {
		return inner
	}
	return decodeEscapes(make([]byte, 0, len(inner)), inner)
}

// inside iterates over the members of an object or the elements of an array. There are none in any other value.
func (v value) inside(yield func(value) bool) {
	if !v.isObject() && !v.isArray() {
		return
	}
	nodes := v.in.nodes
	for at, end := v.at+1, v.at+v.node().size; at < end; at += nodes[at].size {
		if !yield(value{v.in, at}) {
			return
		}
	}
}

// members iterates over the members of an object; there are none if v is none.
func (v value) members(yield func(value) bool) {
	if v.isObject() {
		v.inside(yield)
	}
}

// hasMembers reports whether v is an object with a member.
func (v value) hasMembers() bool { return v.isObject() && v.node().size > 1 }

// get returns the last member of v with that name (as encoding/json does with duplicates). There is none if it is null,
// or v is no object.
func (v value) get(name string) (found value) {
	if o := v.laidOut(); o != nil {
		if place := o.last(name); place >= 0 {
			found = value{v.in, o.members[place]}
		}
		return found.orNone()
	}
	if !v.isObject() {
		return value{}
	}
	nodes := v.in.nodes
	for at, end := v.at+1, v.at+v.node().size; at < end; at += nodes[at].size {
		n := &nodes[at]
		if (n.nameEscaped || int(n.nameEnd-n.name) == len(name)) && string(value{v.in, at}.name()) == name {
			found = value{v.in, at}
		}
	}
	return found.orNone()
}

// first returns the first of the named members that says something.
func (v value) first(names ...string) value {
	for _, name := range names {
		if member := v.get(name); member.says() {
			return member
		}
	}
	return value{}
}

// object returns v, or none if it is no object.
func (v value) object() value {
	if !v.isObject() {
		return value{}
	}
	return v
}

// elements iterates over the elements; there are none if v is no array.
func (v value) elements(yield func(value) bool) {
	if v.isArray() {
		v.inside(yield)
	}
}

// array returns the elements, or none if v is no array.
func (v value) array() (out []value) {
	for e := range v.elements {
		out = append(out, e)
	}
	return out
}

// length is the number of elements, 0 if v is no array.
func (v value) length() (n int64) {
	for range v.elements {
		n++
	}
	return n
}

// listed is length; nil if v is no array.
func (v value) listed() *int64 {
	if !v.isArray() {
		return nil
	}
	return ptr(v.length())
}

// unquoted returns the document that is stored as JSON in a string, or v itself if v is no such string.
func (v value) unquoted() value {
	doc, _ := v.unquote()
	return doc
}

// unquote is unquoted with a size: that of the string's text, or of the JSON itself.
func (v value) unquote() (doc value, size int) {
	if !v.isString() {
		return v, len(v.raw())
	}
	text := v.textBytes()
	inner, err := v.in.of.parse(text)
	if err != nil {
		return v, len(text)
	}
	return inner.orNone(), len(text)
}

// isEmpty reports whether a value holds nothing.
func isEmpty(v value) bool {
	switch raw := v.raw(); len(raw) { // valid JSON: the first letter tells
	case 0:
		return true
	case len("[]"):
		return raw[0] == '[' || raw[0] == '{' || raw[0] == '"'
	case len("null"):
		return raw[0] == 'n'
	}
	return false
}
