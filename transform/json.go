package transform

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"pipeline/sql/schema"

	"pipeline/extract"
)

// value is one JSON value, undecoded, of a document that was checked whole; nil if there is none.
type value []byte

// field is one member of an object. Its name is a slice of the document.
type field struct {
	name  []byte
	value value
}

// object has a JSON object's members in the order of the text.
type object []field

// Reasons why a document cannot be used, in the words of the quarantine. If several apply, the first counts.
var (
	errEmpty     = errors.New("empty")
	errNotUTF8   = errors.New("not_utf8")
	errTooDeep   = errors.New("too_deep")
	errBadJSON   = errors.New("bad_json")
	errNotObject = errors.New("not_object")
)

// parseDocument checks a whole document and returns it. The error is one of the reasons above, except errNotObject.
func parseDocument(raw []byte) (value, error) {
	switch {
	case len(raw) == 0:
		return nil, errEmpty
	case !utf8.Valid(raw):
		return nil, errNotUTF8
	case !scanner(raw).document(nil):
		if nesting(raw) > maxDepth {
			return nil, errTooDeep
		}
		return nil, errBadJSON
	}
	return value(bytes.TrimSpace(raw)), nil
}

// Usable reports whether a row's value is a JSON object, as every row of a conversation must be.
func Usable(d *extract.Document) bool {
	text := scanner(d.Value)
	return text.isObject() && utf8.Valid(text) && text.document(nil)
}

// parseObject is parseDocument for a document that must be an object.
func parseObject(raw []byte) (object, error) { return parseObjectInto(make(object, 0, 16), raw) }

// parseObjectInto is parseObject that reuses the memory of an object that is no longer needed.
func parseObjectInto(scratch object, raw []byte) (object, error) {
	if len(raw) == 0 {
		return nil, errEmpty
	}
	if !utf8.Valid(raw) {
		return nil, errNotUTF8
	}
	if o := scratch[:0]; scanner(raw).isObject() && scanner(raw).document(&o) {
		return o, nil
	}
	if _, err := parseDocument(raw); err != nil {
		return nil, err
	}
	return nil, errNotObject
}

// members appends the members of a checked object to o.
func members(v value, o object) object {
	for c := cut(v); ; {
		name, member, ok := c.member()
		if !ok {
			return o
		}
		o = append(o, field{decodedName(name), member})
	}
}

// decodedName returns a name with its escapes decoded.
func decodedName(name []byte) []byte {
	if bytes.IndexByte(name, '\\') < 0 {
		return name
	}
	return decodeEscapes(nil, name)
}

// nesting returns how deep brackets nest outside strings.
func nesting(raw []byte) int {
	depth, deepest, inString := 0, 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return deepest
}

// get returns the last member with that name (as encoding/json does with duplicates); nil if there is none or it is
// null.
func (o object) get(name string) value {
	for i := len(o) - 1; i >= 0; i-- {
		if string(o[i].name) == name {
			return o[i].value.orNil()
		}
	}
	return nil
}

// first returns the first of the named members that is present and neither null nor "".
func (o object) first(names ...string) value {
	for _, name := range names {
		if v := o.get(name); v != nil && string(v) != `""` {
			return v
		}
	}
	return nil
}

func (v value) orNil() value {
	if len(v) == 0 || v[0] == 'n' {
		return nil
	}
	return v
}

func (v value) isObject() bool { return len(v) > 0 && v[0] == '{' }
func (v value) isArray() bool  { return len(v) > 0 && v[0] == '[' }
func (v value) isString() bool { return len(v) > 0 && v[0] == '"' }

// object returns the members, or nil if v is no object.
func (v value) object() object { return v.objectIn(nil) }

// objectIn is object in the caller's memory, if that is large enough.
func (v value) objectIn(scratch object) object {
	if !v.isObject() {
		return nil
	}
	if scratch == nil {
		scratch = make(object, 0, 8)
	}
	return members(v, scratch[:0])
}

// elements iterates over the elements; there are none if v is no array.
func (v value) elements(yield func(value) bool) {
	if !v.isArray() {
		return
	}
	for c := cut(v); ; {
		if e, ok := c.element(); !ok || !yield(e) {
			return
		}
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

// get returns a member of v; nil if v is no object.
func (v value) get(name string) (found value) {
	if !v.isObject() {
		return nil
	}
	for c := cut(v); ; {
		switch n, member, ok := c.member(); {
		case !ok:
			return found.orNil()
		case string(n) == name, bytes.IndexByte(n, '\\') >= 0 && string(decodedName(n)) == name:
			found = member
		}
	}
}

// first is object.first for the members of v.
func (v value) first(names ...string) value {
	for _, name := range names {
		if member := v.get(name); member != nil && string(member) != `""` {
			return member
		}
	}
	return nil
}

// unquoted returns the document that is stored as JSON in a string, or v itself if v is no such string.
func (v value) unquoted() value {
	doc, _ := v.unquote()
	return doc
}

// unquote is unquoted with a size: that of the string's text, or of the JSON itself.
func (v value) unquote() (doc value, size int) {
	if !v.isString() {
		return v, len(v)
	}
	text := v.textBytes()
	inner, err := parseDocument(text)
	if err != nil {
		return v, len(text)
	}
	return inner.orNil(), len(text)
}

// text returns the decoded string, "" if v is no string. U+0000 becomes U+2400.
func (v value) text() string { return string(v.textBytes()) }

// textBytes is text that must not be changed: it may be a slice of v.
func (v value) textBytes() []byte {
	if !v.isString() {
		return nil
	}
	inner := v[1 : len(v)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return inner
	}
	return decodeEscapes(make([]byte, 0, len(inner)), inner)
}

// str returns the decoded string; nil if v is no string or an empty one.
func (v value) str() *string {
	if s := v.text(); s != "" {
		return &s
	}
	return nil
}

// scalar returns the text of a string, number or boolean; nil for anything else and for "".
func (v value) scalar() *string {
	switch {
	case len(v) == 0 || v.isObject() || v.isArray() || v[0] == 'n':
		return nil
	case v.isString():
		return v.str()
	}
	s := string(v)
	return &s
}

// number returns the value of a number, or of a string of digits.
func (v value) number() (float64, bool) {
	if len(v) == 0 {
		return 0, false
	}
	text := string(v)
	if v.isString() {
		text = strings.TrimSpace(v.text())
		if strings.ContainsAny(text, "_xX") { // Go accepts these in numbers, JSON does not
			return 0, false
		}
	}
	if text == "" || text[0] != '-' && text[0] != '+' && (text[0] < '0' || text[0] > '9') {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil && !math.IsInf(f, 0) && !math.IsNaN(f)
}

// integer is number without its fraction; nil if it does not fit.
func (v value) integer() *int64 {
	if len(v) == 0 || v[0] == 't' || v[0] == 'f' || v.isObject() || v.isArray() {
		return nil
	}
	if !v.isString() {
		if n, err := strconv.ParseInt(string(v), 10, 64); err == nil {
			return &n
		}
	}
	f, ok := v.number()
	if !ok || f >= math.MaxInt64 || f <= math.MinInt64 {
		return nil
	}
	n := int64(f)
	return &n
}

// count is integer for a count or a measure; nil if it is negative or too large for one.
func (v value) count() *int64 { return countable(v.integer()) }

// boolean returns true or false, also for 1 and 0 (columns of the header table); nil for anything else.
func (v value) boolean() *bool {
	var b bool
	switch string(v) {
	case "true", "1":
		b = true
	case "false", "0":
	default:
		return nil
	}
	return &b
}

// isTrue reports whether v is true.
func (v value) isTrue() bool {
	b := v.boolean()
	return b != nil && *b
}

// json returns v for a JSON column. A string that holds JSON is unpacked; any other string stays a JSON string. A
// missing value, null and "" become NULL.
func (v value) json() schema.JSON { return v.unquoted().column() }

// column is json for a value that is unquoted already.
func (v value) column() schema.JSON {
	if v = v.orNil(); v == nil || string(v) == `""` {
		return nil
	}
	return cleanJSON(v)
}

// mayHave reports whether an object may have a member with that name. This costs less than splitting the object into
// its members.
func (v value) mayHave(name string) bool {
	return bytes.Contains(v, []byte(name)) || bytes.Contains(v, []byte(`\u`))
}
