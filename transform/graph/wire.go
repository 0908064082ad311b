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

// A dest is where a field of a message goes. Its type says how the field is read:
//
//	*string, *[]string          a text
//	*bool                       a truth value
//	**int64                     a number
//	moment                      a time: 0, and what lies behind the year 9999, is none
//	oneOf                       a number that stands for a name
//	**Hash, *[]Hash, func(Hash) the name of a blob. The number of the field says that it is one, never its length
//	func([]byte)                a message
//	func(string, []byte)        an entry of a map
//	func(field)                 anything else
type dest struct {
	num protowire.Number
	to  any
}

// A moment is where a time goes, in ms since 1970.
type moment struct{ to **int64 }

// A oneOf is where the name goes that a number stands for. A number without a name becomes its digits, and 0 becomes
// nothing.
type oneOf struct {
	names []string
	to    *string
}

// read reads the fields of a message that have a place to go to. It reports whether the message has any field that is
// known, whether it goes anywhere or not.
func (r *reader) read(m message, b []byte, dests ...dest) (known bool) {
	for f := range r.fields(m, b) {
		known = known || f.num <= m.known
		for _, d := range dests {
			if d.num == f.num {
				r.put(f, d.to)
			}
		}
	}
	return known
}

// put reads a field as its dest says. A field of another type than its dest is counted as unknown.
func (r *reader) put(f field, to any) {
	switch to := to.(type) {
	case func(field):
		to(f)
	case **int64, moment, *bool, oneOf:
		if r.is(f, protowire.VarintType) {
			putNumber(f.n, to)
		}
	case **Hash:
		r.hash(f, func(h Hash) { *to = &h })
	case *[]Hash:
		r.hash(f, func(h Hash) { *to = append(*to, h) })
	case func(Hash):
		r.hash(f, to)
	case func(string, []byte):
		r.entry(f, to)
	case func([]byte):
		if r.is(f, protowire.BytesType) {
			to(f.b)
		}
	default:
		if r.is(f, protowire.BytesType) && !r.walks {
			putText(f.b, to)
		}
	}
}

func putNumber(n uint64, to any) {
	switch to := to.(type) {
	case **int64:
		v := int64(n)
		*to = &v
	case moment:
		if v := int64(n); n > 0 && n < timeEnd {
			*to.to = &v
		}
	case *bool:
		*to = n != 0
	case oneOf:
		if n < uint64(len(to.names)) {
			*to.to = to.names[n]
		} else {
			*to.to = strconv.FormatUint(n, 10)
		}
	}
}

func putText(b []byte, to any) {
	switch to := to.(type) {
	case *string:
		*to = valid(b)
	case *[]string:
		*to = append(*to, valid(b))
	}
}

// entry reads a map's entry: 1 is the key, 2 the value.
func (r *reader) entry(f field, to func(key string, value []byte)) {
	r.put(f, func(b []byte) {
		var key string
		var value []byte
		r.read(message{f.of.name + ".entry", 2}, b, dest{1, &key}, dest{2, func(b []byte) { value = b }})
		to(key, value)
	})
}

// hash reads the name of a blob.
func (r *reader) hash(f field, to func(Hash)) {
	switch {
	case !r.is(f, protowire.BytesType):
	case len(f.b) != len(Hash{}):
		r.bad(f.of)
	default:
		to(Hash(f.b))
	}
}

// valid is a text without what is no UTF-8.
func valid(b []byte) string { return strings.ToValidUTF8(string(b), "\uFFFD") }
