package btree

import (
	"encoding/binary"
	"math"
)

// The types of a value.
const (
	Null    = "null"
	Integer = "integer"
	Real    = "real"
	Text    = "text"
	Blob    = "blob"
)

// A field is where a column's value lies in a record.
type field struct {
	code  uint64 // its serial type
	begin int64
	size  int64
}

// fields finds the columns of a record, given its first bytes. ok is false if they are not all of the record, or head is too short to tell.
func fields(head []byte, whole int64, out []field) (ok bool) {
	size, at := varint(head)
	if at == 0 || size > uint64(len(head)) || int64(size) > whole {
		return false
	}
	begin := int64(size)
	for i := range out {
		code, k := varint(head[at:size])
		if k == 0 {
			return false
		}
		at += k
		n := bytesOf(code)
		if n < 0 || begin+n > whole {
			return false
		}
		out[i] = field{code, begin, n}
		begin += n
	}
	return at == int(size) && begin == whole
}

// bytesOf returns how many bytes a value of a serial type has; -1 for a type that no version writes.
func bytesOf(code uint64) int64 {
	switch {
	case code >= 12:
		return int64(min((code-12)/2, math.MaxInt32))
	case code >= 10:
		return -1
	}
	return [...]int64{0, 1, 2, 3, 4, 6, 8, 8, 0, 0}[code]
}

func (f field) kind() string {
	switch {
	case f.code == 0:
		return Null
	case f.code == 7:
		return Real
	case f.code < 10:
		return Integer
	case f.code%2 == 0:
		return Blob
	}
	return Text
}

// value returns the value of a field as SQLite's driver does: a text as a string, a copy of a blob, and so on. It is nil for NULL.
func (f field) value(record []byte) any {
	b := record[f.begin : f.begin+f.size]
	switch f.kind() {
	case Text:
		return string(b)
	case Blob:
		return append([]byte{}, b...)
	case Real:
		return math.Float64frombits(binary.BigEndian.Uint64(b))
	case Integer:
		return f.integer(b)
	}
	return nil
}

func (f field) integer(b []byte) (v int64) {
	if f.code >= 8 {
		return int64(f.code - 8)
	}
	if len(b) > 0 && b[0] >= 0x80 {
		v = -1
	}
	for _, c := range b {
		v = v<<8 | int64(c)
	}
	return v
}
