package graphtest

import (
	"encoding/binary"
	"math"
)

// This file writes protobuf: a message is its fields, one behind the other.

// msg joins fields.
func msg(fields ...[]byte) []byte {
	var b []byte
	for _, f := range fields {
		b = append(b, f...)
	}
	return b
}

// num is a field with a number. Like proto3, it leaves 0 out.
func num(field int, n int64) []byte {
	if n == 0 {
		return nil
	}
	return binary.AppendUvarint(binary.AppendUvarint(nil, uint64(field)<<3), uint64(n))
}

// yes is a field with a truth value.
func yes(field int, v bool) []byte {
	if !v {
		return nil
	}
	return num(field, 1)
}

// str is a field with a text. It leaves the empty one out.
func str(field int, s string) []byte {
	if s == "" {
		return nil
	}
	return sub(field, []byte(s))
}

// sub is a field with bytes: a message, or the name of a blob. It is written also if it is empty.
func sub(field int, parts ...[]byte) []byte {
	inside := msg(parts...)
	b := binary.AppendUvarint(nil, uint64(field)<<3|2)
	return append(binary.AppendUvarint(b, uint64(len(inside))), inside...)
}

// entry is an entry of a map.
func entry(field int, key string, value ...[]byte) []byte {
	return sub(field, str(1, key), sub(2, value...))
}

// float is a field with a number of eight bytes.
func float(field int, v float64) []byte {
	return binary.LittleEndian.AppendUint64(binary.AppendUvarint(nil, uint64(field)<<3|1), math.Float64bits(v))
}
