// Package jsondoc reads JSON documents: one scan checks a document by its grammar and notes where each value lies, and
// nothing is decoded until somebody asks. It knows how values become what columns hold, never what a document says.
// Unlike encoding/json it refuses documents that are no UTF-8.
package jsondoc

import (
	"slices"
	"unicode/utf8"
)

// This file has the values of a document.

// parsed is a document that was checked, with its values.
type parsed struct {
	text    []byte
	nodes   []node
	unicode bool // the text has \u somewhere
	of      *Documents
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

// Value is one value of a document. The zero value is none.
type Value struct {
	in *parsed
	at uint32
}

// Documents has the memory of documents that are read one after the other, and what is remembered of their objects.
// Without it (nil), each document has memory of its own, and nothing is remembered.
type Documents struct {
	all     []*parsed
	used    int
	layouts layouts
}

// manyNodes is how many nodes a document may have if its memory is to be kept for the next one.
const manyNodes = 1 << 16

// Reset says that no value is needed any more.
func (m *Documents) Reset() {
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
func (m *Documents) next() *parsed {
	if m == nil {
		return &parsed{}
	}
	if m.used == len(m.all) {
		m.all = append(m.all, &parsed{of: m})
	}
	m.used++
	return m.all[m.used-1]
}

// Parse checks a whole document and returns its value. The error is a reason of the quarantine, but not errNotObject.
func (m *Documents) Parse(raw []byte) (Value, error) {
	if len(raw) == 0 {
		return Value{}, ErrEmpty
	}
	if d := m.next(); d.scan(raw) {
		return Value{in: d}, nil
	}
	if m != nil {
		m.used--
	}
	switch {
	case !utf8.Valid(raw):
		return Value{}, ErrNotUTF8
	case Depth(raw) > MaxDepth:
		return Value{}, ErrTooDeep
	}
	return Value{}, ErrBadJSON
}

// ParseObject is Parse for a document that must be an object.
func (m *Documents) ParseObject(raw []byte) (Value, error) {
	v, err := m.Parse(raw)
	if err == nil && !v.IsObject() {
		err = ErrNotObject
	}
	return v.Object(), err
}

// Parse is parse for a document that is kept.
func Parse(raw []byte) (Value, error) { return (*Documents)(nil).Parse(raw) }

// ParseObject is Parse for a document that must be an object.
func ParseObject(raw []byte) (Value, error) { return (*Documents)(nil).ParseObject(raw) }

func (v Value) node() *node { return &v.in.nodes[v.at] }

// Kind is the first byte of a value, 0 for none.
func (v Value) Kind() byte {
	if v.in == nil {
		return 0
	}
	return v.node().kind
}

func (v Value) IsObject() bool { return v.Kind() == '{' }
func (v Value) IsArray() bool  { return v.Kind() == '[' }
func (v Value) IsString() bool { return v.Kind() == '"' }

// Exists reports whether there is a value: null is one.
func (v Value) Exists() bool { return v.in != nil }

// orNone returns no value for null.
func (v Value) orNone() Value {
	if v.Kind() == 'n' {
		return Value{}
	}
	return v
}

// Says reports whether there is a value, and it is neither null nor "".
func (v Value) Says() bool { return v.orNone().Exists() && string(v.Raw()) != `""` }

// Raw is a value's text in its document. It must not be changed.
func (v Value) Raw() []byte {
	if v.in == nil {
		return nil
	}
	n := v.node()
	return v.in.text[n.from:n.to:n.to]
}

// DocumentSize is the size of a value's document in bytes: whoever holds the value holds as many.
func (v Value) DocumentSize() int { return len(v.in.text) }

func (v Value) String() string { return string(v.Raw()) }

// Name is the decoded name of a member.
func (v Value) Name() []byte {
	n := v.node()
	name := v.in.text[n.name:n.nameEnd:n.nameEnd]
	if n.nameEscaped {
		return decodeEscapes(nil, name)
	}
	return name
}

// TextBytes returns the decoded string. It must not be changed: it may be a part of the document. It is nil if v is no
// string. U+0000 becomes U+2400.
func (v Value) TextBytes() []byte {
	if !v.IsString() {
		return nil
	}
	n := v.node()
	inner := v.in.text[n.from+1 : n.to-1 : n.to-1]
	if !n.escaped {
		return inner
	}
	return decodeEscapes(make([]byte, 0, len(inner)), inner)
}

// Inside iterates over the members of an object or the elements of an array. There are none in any other value.
func (v Value) Inside(yield func(Value) bool) {
	if !v.IsObject() && !v.IsArray() {
		return
	}
	nodes := v.in.nodes
	for at, end := v.at+1, v.at+v.node().size; at < end; at += nodes[at].size {
		if !yield(Value{v.in, at}) {
			return
		}
	}
}

// Members iterates over the members of an object; there are none if v is none.
func (v Value) Members(yield func(Value) bool) {
	if v.IsObject() {
		v.Inside(yield)
	}
}

// HasMembers reports whether v is an object with a member.
func (v Value) HasMembers() bool { return v.IsObject() && v.node().size > 1 }

// Get returns the last member of v with that name (as encoding/json does with duplicates). There is none if it is null,
// or v is no object.
func (v Value) Get(name string) (found Value) {
	if o := v.laidOut(); o != nil {
		if place := o.last(name); place >= 0 {
			found = Value{v.in, o.members[place]}
		}
		return found.orNone()
	}
	if !v.IsObject() {
		return Value{}
	}
	nodes := v.in.nodes
	for at, end := v.at+1, v.at+v.node().size; at < end; at += nodes[at].size {
		n := &nodes[at]
		if (n.nameEscaped || int(n.nameEnd-n.name) == len(name)) && string(Value{v.in, at}.Name()) == name {
			found = Value{v.in, at}
		}
	}
	return found.orNone()
}

// First returns the first of the named members that says something.
func (v Value) First(names ...string) Value {
	for _, name := range names {
		if member := v.Get(name); member.Says() {
			return member
		}
	}
	return Value{}
}

// Object returns v, or none if it is no object.
func (v Value) Object() Value {
	if !v.IsObject() {
		return Value{}
	}
	return v
}

// Elements iterates over the elements; there are none if v is no array.
func (v Value) Elements(yield func(Value) bool) {
	if v.IsArray() {
		v.Inside(yield)
	}
}

// Array returns the elements, or none if v is no array.
func (v Value) Array() (out []Value) {
	for e := range v.Elements {
		out = append(out, e)
	}
	return out
}

// Length is the number of elements, 0 if v is no array.
func (v Value) Length() (n int64) {
	for range v.Elements {
		n++
	}
	return n
}

// Listed is length; nil if v is no array.
func (v Value) Listed() *int64 {
	if !v.IsArray() {
		return nil
	}
	return new(v.Length())
}

// Forget empties an array that a kept document has under a name: nobody will ask for its elements again, and they may
// be most of the document. All other values must be looked up anew.
func (v Value) Forget(name string) {
	list := v.Get(name)
	if v.at > 0 || !list.IsArray() || v.in.of != nil {
		return
	}
	n := list.node()
	from, size := list.at+1, n.size-1
	n.size, v.node().size = 1, v.node().size-size
	v.in.nodes = append(slices.Clone(v.in.nodes[:from]), v.in.nodes[from+size:]...)
}

// Unquoted returns the document that is stored as JSON in a string, or v itself if v is no such string.
func (v Value) Unquoted() Value {
	doc, _ := v.Unquote()
	return doc
}

// Unquote is Unquoted with a size: that of the string's text, or of the JSON itself.
func (v Value) Unquote() (doc Value, size int) {
	if !v.IsString() {
		return v, len(v.Raw())
	}
	text := v.TextBytes()
	inner, err := v.in.of.Parse(text)
	if err != nil {
		return v, len(text)
	}
	return inner.orNone(), len(text)
}

// IsEmpty reports whether a value holds nothing.
func IsEmpty(v Value) bool {
	switch raw := v.Raw(); len(raw) { // valid JSON: the first letter tells
	case 0:
		return true
	case len("[]"):
		return raw[0] == '[' || raw[0] == '{' || raw[0] == '"'
	case len("null"):
		return raw[0] == 'n'
	}
	return false
}
