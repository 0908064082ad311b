package graph

import (
	"iter"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// This file reads the wire format of protobuf: fields with a number and a type, whose meaning only the reader of the
// message knows.

// A message is a kind of protobuf message. Cursor has numbered the fields of its messages without gaps, so the highest
// number that is known says which fields are known, even if nothing reads them.
type message struct {
	name  string // in keys of UnknownFields
	known protowire.Number
}

// A field of a message.
type field struct {
	of  message
	num protowire.Number
	typ protowire.Type
	n   uint64 // value of a number
	b   []byte // value of a text, a hash, a message
}

// maxUnknown is how many keys UnknownFields may have. Damaged bytes could give any number.
const maxUnknown = 200

// otherFields counts the unknown fields beyond maxUnknown keys.
const otherFields = "(other)"

// timeEnd is the first time that is taken as no time, in the year 10000.
const timeEnd = 253402300800000

// fields yields the fields of a message. Bytes that are no message end it: what came before them counts, and the node
// is named as bad.
func (r *reader) fields(m message, b []byte) iter.Seq[field] {
	return func(yield func(field) bool) {
		if !r.node() {
			return
		}
		for len(b) > 0 {
			f, n := consume(b)
			if n < 0 {
				r.bad(m)
				return
			}
			b, f.of = b[n:], m
			if f.num > m.known {
				r.unknown(m.name + "." + strconv.Itoa(int(f.num)))
			}
			if !yield(f) {
				return
			}
		}
	}
}

// consume reads the first field of a message, and returns its length; a negative one if there is none. Groups are none:
// proto3 has no groups.
func consume(b []byte) (f field, length int) {
	num, typ, n := protowire.ConsumeTag(b)
	if n < 0 {
		return f, n
	}
	f.num, f.typ = num, typ
	value := -1
	switch typ {
	case protowire.VarintType:
		f.n, value = protowire.ConsumeVarint(b[n:])
	case protowire.Fixed64Type:
		f.n, value = protowire.ConsumeFixed64(b[n:])
	case protowire.Fixed32Type:
		var v uint32
		v, value = protowire.ConsumeFixed32(b[n:])
		f.n = uint64(v)
	case protowire.BytesType:
		f.b, value = protowire.ConsumeBytes(b[n:])
	}
	if value < 0 {
		return f, -1
	}
	return f, n + value
}

// isMessage reports whether bytes are whole fields. Most other bytes are not.
func isMessage(b []byte) bool {
	for len(b) > 0 {
		_, n := consume(b)
		if n < 0 {
			return false
		}
		b = b[n:]
	}
	return true
}

// is reports whether a field has a type. One that has another is counted, and not read.
func (r *reader) is(f field, typ protowire.Type) bool {
	if f.typ != typ {
		r.unknown(f.of.name + "." + strconv.Itoa(int(f.num)) + "/" + strconv.Itoa(int(f.typ)))
	}
	return f.typ == typ
}

// unknown counts a field that no reader knows.
func (r *reader) unknown(key string) {
	if r.c.UnknownFields == nil {
		r.c.UnknownFields = map[string]int64{}
	}
	if _, ok := r.c.UnknownFields[key]; !ok && len(r.c.UnknownFields) >= maxUnknown {
		key = otherFields
	}
	r.c.UnknownFields[key]++
}

// text reads a text.
func (r *reader) text(f field, to *string) {
	if r.is(f, protowire.BytesType) {
		*to = valid(f.b)
	}
}

// number reads a number.
func (r *reader) number(f field, to **int64) {
	if r.is(f, protowire.VarintType) {
		n := int64(f.n)
		*to = &n
	}
}

// time reads a time. 0, and what lies behind the year 9999, is none.
func (r *reader) time(f field, to **int64) {
	if r.is(f, protowire.VarintType) && f.n > 0 && f.n < timeEnd {
		n := int64(f.n)
		*to = &n
	}
}

// flag reads a truth value.
func (r *reader) flag(f field, to *bool) {
	if r.is(f, protowire.VarintType) {
		*to = f.n != 0
	}
}

// name reads a number that stands for a name. One without a name becomes its digits, and 0 becomes nothing.
func (r *reader) name(f field, names []string, to *string) {
	if !r.is(f, protowire.VarintType) {
		return
	}
	if f.n < uint64(len(names)) {
		*to = names[f.n]
	} else {
		*to = strconv.FormatUint(f.n, 10)
	}
}

// inner reads a message inside of a message.
func (r *reader) inner(f field, read func(b []byte)) {
	if r.is(f, protowire.BytesType) {
		read(f.b)
	}
}

// entry reads a map's entry: 1 is the key, 2 the value.
func (r *reader) entry(f field, read func(key string, value []byte)) {
	r.inner(f, func(b []byte) {
		var key string
		var value []byte
		for e := range r.fields(message{f.of.name + ".entry", 2}, b) {
			switch e.num {
			case 1:
				r.text(e, &key)
			case 2:
				r.inner(e, func(b []byte) { value = b })
			}
		}
		read(key, value)
	})
}

// hash reads the name of a blob. The number of the field says that it is one, never its length.
func (r *reader) hash(f field, read func(Hash)) {
	switch {
	case !r.is(f, protowire.BytesType):
	case len(f.b) != len(Hash{}):
		r.bad(f.of)
	default:
		read(Hash(f.b))
	}
}

// valid is a text without what is no UTF-8.
func valid(b []byte) string { return strings.ToValidUTF8(string(b), "\uFFFD") }
