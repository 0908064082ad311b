package transform

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-faster/jx"

	"pipeline/sql/schema"

	"pipeline/extract"
)

// This file is the only one that knows the JSON library.

// maxDepth is how deep a document may nest; jx stops at the same depth.
const maxDepth = 10000

// value is one JSON value, undecoded, of a document that was checked whole; nil is an absent one.
type value []byte

// field is one member of an object.
type field struct {
	name  string
	value value
}

// object is a JSON object's members in the order of the text.
type object []field

// Reasons why a document cannot be used, as the quarantine names them, in the order in which they count.
var (
	errEmpty     = errors.New("empty")
	errNotUTF8   = errors.New("not_utf8")
	errTooDeep   = errors.New("too_deep")
	errBadJSON   = errors.New("bad_json")
	errNotObject = errors.New("not_object")
)

// parseDocument checks a whole document and returns it; the error is one of the reasons above (errNotObject apart).
func parseDocument(raw []byte) (value, error) {
	switch {
	case len(raw) == 0:
		return nil, errEmpty
	case !utf8.Valid(raw):
		return nil, errNotUTF8
	case !validJSON(raw):
		if nesting(raw) > maxDepth {
			return nil, errTooDeep
		}
		return nil, errBadJSON
	}
	return value(bytes.TrimSpace(raw)), nil
}

// Usable reports that a row's value is what every row of a conversation is, a JSON object.
func Usable(d *extract.Document) bool {
	_, err := parseObject(d.Value)
	return err == nil
}

// parseObject is parseDocument for a document that must be an object.
func parseObject(raw []byte) (object, error) {
	if len(raw) == 0 {
		return nil, errEmpty
	}
	if !utf8.Valid(raw) {
		return nil, errNotUTF8
	}
	d := decoder(raw)
	if d.Next() == jx.Object { // one pass both checks and cuts
		if o, err := members(d, make(object, 0, 72)); err == nil && d.Skip() == io.EOF {
			return o, nil
		}
	}
	if _, err := parseDocument(raw); err != nil {
		return nil, err
	}
	return nil, errNotObject
}

func decoder(raw []byte) *jx.Decoder { return jx.DecodeBytes(raw) }

func validJSON(raw []byte) bool { return decoder(raw).Validate() == nil }

func members(d *jx.Decoder, o object) (object, error) {
	err := d.ObjBytes(func(d *jx.Decoder, key []byte) error {
		name := internName(key)
		raw, err := d.Raw()
		o = append(o, field{name, value(raw)})
		return err
	})
	return o, err
}

// nesting counts how deep brackets nest outside strings.
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

// get returns the last member of that name (as encoding/json does with duplicates), nil if there is none or it is null.
func (o object) get(name string) value {
	for i := len(o) - 1; i >= 0; i-- {
		if o[i].name == name {
			return o[i].value.orNil()
		}
	}
	return nil
}

// first returns the first of the named members that is there and neither null nor ”.
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
func (v value) object() object {
	if !v.isObject() {
		return nil
	}
	o, err := members(decoder(v), object{})
	if err != nil { // a checked document cannot fail
		return nil
	}
	return o
}

// array returns the elements, or none if v is no array.
func (v value) array() []value {
	if !v.isArray() {
		return nil
	}
	var out []value
	if err := decoder(v).Arr(func(d *jx.Decoder) error {
		d.Next() // to the first byte of the element
		raw, err := d.Raw()
		out = append(out, value(bytes.TrimSpace(raw)))
		return err
	}); err != nil {
		return nil
	}
	return out
}

// get is a member of v, nil if v is no object.
func (v value) get(name string) value { return v.object().get(name) }

// unquoted is a document that is stored as a string of JSON: the document, or v itself if v is no such string.
func (v value) unquoted() value {
	doc, _ := v.unquote()
	return doc
}

// unquote is unquoted, and the size of what is stored: of a string's text, or of the JSON itself.
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

// text is the decoded string, "" if v is no string. U+0000 becomes U+2400.
func (v value) text() string { return string(v.textBytes()) }

// textBytes is text, not to be changed: it may be a part of v.
func (v value) textBytes() []byte {
	if !v.isString() {
		return nil
	}
	inner := v[1 : len(v)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return inner
	}
	text, err := decoder(value(cleanJSON(v))).StrAppend(make([]byte, 0, len(inner))) // it would take a surrogate pair for lost that follows a lone one
	if err != nil {
		return nil
	}
	return withoutNul(text)
}

// str is the decoded string, nil if v is no string or an empty one.
func (v value) str() *string {
	if s := v.text(); s != "" {
		return &s
	}
	return nil
}

// scalar is the text of a string, number or boolean, nil otherwise and for ”.
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

// number is the value of a number, or of a string of digits.
func (v value) number() (float64, bool) {
	if len(v) == 0 {
		return 0, false
	}
	text := string(v)
	if v.isString() {
		text = strings.TrimSpace(v.text())
	}
	if text == "" || text[0] != '-' && text[0] != '+' && (text[0] < '0' || text[0] > '9') {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil && !math.IsInf(f, 0) && !math.IsNaN(f)
}

// integer is number cut to an integer; nil where it does not fit.
func (v value) integer() *int64 {
	if len(v) == 0 {
		return nil
	}
	if n, err := strconv.ParseInt(string(v), 10, 64); err == nil {
		return &n
	}
	f, ok := v.number()
	if !ok || f >= math.MaxInt64 || f <= math.MinInt64 {
		return nil
	}
	n := int64(f)
	return &n
}

// count is integer for what cannot be negative.
func (v value) count() *int64 {
	if n := v.integer(); n != nil && *n >= 0 {
		return n
	}
	return nil
}

// boolean is true or false, also as 1 and 0 (columns of the header table); nil otherwise.
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

// isTrue reports that v says true.
func (v value) isTrue() bool {
	b := v.boolean()
	return b != nil && *b
}

// json is v as it is stored in a JSON column; a string that holds JSON is unpacked, one that does not stays a JSON string.
// Absent, null and ” are NULL.
func (v value) json() schema.JSON { return v.unquoted().column() }

// column is json for what is unquoted.
func (v value) column() schema.JSON {
	if v = v.orNil(); v == nil || string(v) == `""` {
		return nil
	}
	return cleanJSON(v)
}

// mayHave reports whether an object may have a member of that name: looking for it costs less than cutting the object into its members.
func (v value) mayHave(name string) bool {
	return bytes.Contains(v, []byte(name)) || bytes.Contains(v, []byte(`\u`))
}

// cleanJSON replaces escapes that the warehouse cannot hold: U+0000 by U+2400, a lone surrogate by U+FFFD.
func cleanJSON(v []byte) schema.JSON {
	if !bytes.Contains(v, []byte(`\u`)) {
		return schema.JSON(v)
	}
	var out []byte // set at the first replacement
	done := 0
	for i := 0; i+5 < len(v); i++ {
		if v[i] != '\\' {
			continue
		}
		if v[i+1] != 'u' {
			i++
			continue
		}
		with, size := cleanEscape(v[i:])
		if with != "" {
			out = append(append(out, v[done:i]...), with...)
			done = i + size
		}
		i += size - 1
	}
	if out == nil {
		return schema.JSON(v)
	}
	return schema.JSON(append(out, v[done:]...))
}

// cleanEscape looks at the \uXXXX that v begins with: what to write for it ("" to keep it) and how many bytes it takes.
func cleanEscape(v []byte) (with string, size int) {
	switch r := hex4(v[2:6]); {
	case r == 0:
		return `\u2400`, 6
	case r >= 0xD800 && r < 0xDC00:
		if len(v) >= 12 && v[6] == '\\' && v[7] == 'u' {
			if low := hex4(v[8:12]); low >= 0xDC00 && low < 0xE000 {
				return "", 12
			}
		}
		return `\ufffd`, 6
	case r >= 0xDC00 && r < 0xE000:
		return `\ufffd`, 6
	}
	return "", 6
}

func hex4(v []byte) uint64 {
	n, err := strconv.ParseUint(string(v), 16, 32)
	if err != nil {
		return 1 // a checked document has four digits
	}
	return n
}

// internName turns the name of a member into a string; the frequent ones cost no allocation.
func internName(key []byte) string {
	if name, ok := frequentNames[string(key)]; ok {
		return name
	}
	return string(withoutNul(key))
}

// withoutNul writes U+2400 for U+0000: the driver would cut the text there.
func withoutNul(s []byte) []byte {
	if bytes.IndexByte(s, 0) < 0 {
		return s
	}
	return bytes.ReplaceAll(s, []byte{0}, []byte("\u2400"))
}
