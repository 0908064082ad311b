package schema

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"unsafe"
)

// A Packing turns rows into bytes and back, for a program that sets rows aside while it runs. It is no format for files
// that stay.
//
// A row is its values that are not NULL and not zero: one more than the column's place, and the value. A 0 ends it.
type Packing[R any] struct{ cells []packed }

// packed is a column, and how its values are packed.
type packed struct {
	Cell
	write func(to []byte, value unsafe.Pointer) []byte
	read  func(from []byte, value unsafe.Pointer) (rest []byte)
	empty func(value unsafe.Pointer) bool
}

// NewPacking returns the packing of a table's struct whose columns are texts, JSON, numbers, times and truth values.
func NewPacking[R any]() Packing[R] {
	p := Packing[R]{}
	for _, cell := range cellsOf(reflect.TypeFor[R]()) {
		p.cells = append(p.cells, packedAs(cell))
	}
	return p
}

// Append packs a row.
func (p Packing[R]) Append(to []byte, row *R) []byte {
	for i := range p.cells {
		c := &p.cells[i]
		if value := c.In(unsafe.Pointer(row)); value != nil && (c.isPtr || !c.empty(value)) {
			to = c.write(append(to, byte(i+1)), value)
		}
	}
	return append(to, 0)
}

// Read fills an empty row with what Append packed, and returns what follows it. The row's texts are in the same memory,
// which must not change any more.
func (p Packing[R]) Read(from []byte, row *R) (rest []byte) {
	for from[0] != 0 {
		c := &p.cells[from[0]-1]
		from = c.read(from[1:], c.make(unsafe.Pointer(row)))
	}
	return from[1:]
}

// packedAs returns how the values of a column are packed.
func packedAs(c Cell) packed {
	switch {
	case c.Type.Kind() == reflect.String:
		return packed{c, func(to []byte, value unsafe.Pointer) []byte {
			s := *(*string)(value)
			return append(binary.AppendUvarint(to, uint64(len(s))), s...)
		}, func(from []byte, value unsafe.Pointer) []byte {
			b, rest := cut(from)
			*(*string)(value) = unsafe.String(unsafe.SliceData(b), len(b))
			return rest
		}, func(value unsafe.Pointer) bool { return *(*string)(value) == "" }}
	case c.Type == reflect.TypeFor[JSON]():
		return packed{c, func(to []byte, value unsafe.Pointer) []byte {
			b := *(*JSON)(value)
			return append(binary.AppendUvarint(to, uint64(len(b))), b...)
		}, func(from []byte, value unsafe.Pointer) []byte {
			b, rest := cut(from)
			*(*JSON)(value) = b
			return rest
		}, func(value unsafe.Pointer) bool { return *(*JSON)(value) == nil }}
	case c.Type.Kind() == reflect.Int64:
		return packed{c, func(to []byte, value unsafe.Pointer) []byte {
			return binary.AppendVarint(to, *(*int64)(value))
		}, func(from []byte, value unsafe.Pointer) []byte {
			n, size := binary.Varint(from)
			*(*int64)(value) = n
			return from[size:]
		}, func(value unsafe.Pointer) bool { return *(*int64)(value) == 0 }}
	case c.Type.Kind() == reflect.Bool:
		return packed{c, func(to []byte, value unsafe.Pointer) []byte {
			return append(to, *(*byte)(value))
		}, func(from []byte, value unsafe.Pointer) []byte {
			*(*bool)(value) = from[0] == 1
			return from[1:]
		}, func(value unsafe.Pointer) bool { return !*(*bool)(value) }}
	}
	panic(fmt.Sprintf("schema: no packed row holds a %s", c.Type))
}

// cut returns the text at the beginning of what was packed.
func cut(from []byte) (text, rest []byte) {
	n, size := binary.Uvarint(from)
	end := size + int(n)
	return from[size:end:end], from[end:]
}
