package btree

import "math"

// The types of a value.
const (
	Null    = "null"
	Integer = "integer"
	Real    = "real"
	Text    = "text"
	Blob    = "blob"
)

// A Key is a key of an index or of a table.
type Key struct {
	Type  string // one of the constants
	Bytes []byte // of a text or a blob
}

// A field is where a column's value lies in a record.
type field struct {
	code  uint64 // its serial type
	begin int64
	size  int64
}

// fields finds the columns of a record, given its first bytes. ok is false if they are not all of the record, or head is too short to tell.
func fields(head []byte, whole int64, out []field) (ok bool) {
	size, at := varint(head)
	if at == 0 || size < uint64(at) || size > uint64(len(head)) || int64(size) > whole {
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

// key returns the key of a record: a text or a blob where it lies in the record; none of a number or NULL.
func (f field) key(record []byte) Key {
	k := Key{Type: f.kind()}
	if k.Type == Text || k.Type == Blob {
		end := f.begin + f.size
		k.Bytes = record[f.begin:end:end]
	}
	return k
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
