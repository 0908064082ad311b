package storetest

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// JSON is written by hand, as a store is large and encoding/json can write neither what Cursor wrote (a
// fixed order of names, lone surrogates) nor what no encoder would.

// object is a JSON object under construction.
type object struct {
	b    []byte
	open bool
	mask *template // fields that were written, where the object has a template
	seen [2]uint64
}

// raw adds a field whose value is already JSON.
func (o *object) raw(name, json string) {
	o.name(name)
	o.b = append(o.b, json...)
}

func (o *object) name(name string) {
	if o.open {
		o.b = append(o.b, ',')
	} else {
		o.b = append(o.b, '{')
		o.open = true
	}
	if o.mask != nil {
		if i, ok := o.mask.index[name]; ok {
			o.seen[i/64] |= 1 << (i % 64)
		}
	}
	o.b = append(o.b, '"')
	o.b = append(o.b, name...)
	o.b = append(o.b, '"', ':')
}

func (o *object) str(name, s string) {
	o.name(name)
	o.b = appendText(o.b, s)
}

func (o *object) int(name string, n int64) {
	o.name(name)
	o.b = strconv.AppendInt(o.b, n, 10)
}

func (o *object) bool(name string, v bool) { o.raw(name, strconv.FormatBool(v)) }

// some and the like add a field that has something to say: no empty text, no 0, nothing that is not so.
func (o *object) some(name, s string) {
	if s != "" {
		o.str(name, s)
	}
}

func (o *object) someRaw(name, json string) {
	if json != "" {
		o.raw(name, json)
	}
}

func (o *object) someInt(name string, n int64) {
	if n != 0 {
		o.int(name, n)
	}
}

func (o *object) flag(name string, is bool) {
	if is {
		o.bool(name, true)
	}
}

// pairs adds fields, name and JSON in turn.
func (o *object) pairs(fields []string) {
	for i := 0; i+1 < len(fields); i += 2 {
		o.raw(fields[i], fields[i+1])
	}
}

// end closes the object, after the fields of its template that nobody wrote.
func (o *object) end() []byte {
	if o.mask != nil {
		for i, f := range o.mask.fields {
			if o.seen[i/64]&(1<<(i%64)) == 0 {
				o.raw(f[0], f[1])
			}
		}
	}
	if !o.open {
		o.b = append(o.b, '{')
	}
	return append(o.b, '}')
}

func (o *object) String() string { return string(o.end()) }

// A template lists the fields that every object of a kind has, with the values of an empty one.
type template struct {
	fields [][2]string
	index  map[string]int
}

func newTemplate(fields [][2]string) *template {
	t := &template{fields, map[string]int{}}
	for i, f := range fields {
		t.index[f[0]] = i
	}
	return t
}

// quoted is s as a JSON string.
func quoted(s string) string { return string(appendText(nil, s)) }

// list is a JSON array of values that are already JSON.
func list(values []string) string { return "[" + strings.Join(values, ",") + "]" }

// appendText appends s as a JSON string, as JSON.stringify writes it. Go strings hold no lone surrogates,
// so a text of the plan has the three bytes that UTF-8 would give one; they come out as an escape.
func appendText(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' && !isSurrogate(s[i:]) {
			i++
			continue
		}
		b = append(b, s[from:i]...)
		switch {
		case c >= 0x80:
			r := 0xd000 | uint(s[i+1]&0x3f)<<6 | uint(s[i+2]&0x3f)
			b = append(b, '\\', 'u', hex[r>>12], hex[r>>8&15], hex[r>>4&15], hex[r&15])
			i += 2
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, '\\', 'n')
		case c == '\t':
			b = append(b, '\\', 't')
		case c == '\r':
			b = append(b, '\\', 'r')
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		from = i
	}
	b = append(b, s[from:]...)
	return append(b, '"')
}

// isSurrogate: s begins with the bytes of a surrogate half.
func isSurrogate(s string) bool { return len(s) >= 3 && s[0] == 0xed && s[1] >= 0xa0 }

// stored is a text of the plan as a warehouse must hold it: U+0000 as U+2400, a lone surrogate as U+FFFD.
func stored(s string) string {
	if !strings.ContainsAny(s, "\x00") && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == 0:
			b.WriteString("\u2400")
		case isSurrogate(s[i:]):
			b.WriteString("\ufffd")
			i += 2
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}
