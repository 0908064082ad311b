package schema

import (
	"reflect"
	"unsafe"
)

// A Cell finds the value of one column in a row. It costs less than reflection: a load writes millions of values.
type Cell struct {
	Type   reflect.Type // of the value; never a pointer
	offset uintptr
	isPtr  bool // the field is a pointer to the value; nil is NULL
}

// Cells returns how the values of the table's columns are found, in the order of the columns.
func (t Table) Cells() []Cell { return cellsOf(t.Row) }

func cellsOf(row reflect.Type) []Cell {
	cells := make([]Cell, row.NumField())
	for i := range cells {
		field := row.Field(i)
		cells[i] = Cell{Type: field.Type, offset: field.Offset}
		if field.Type.Kind() == reflect.Pointer {
			cells[i].Type, cells[i].isPtr = field.Type.Elem(), true
		}
	}
	return cells
}

// In returns where a row, which is the table's struct, has the value; nil for NULL. A JSON or a Blob that is nil is
// NULL, too.
func (c *Cell) In(row unsafe.Pointer) unsafe.Pointer {
	at := unsafe.Add(row, c.offset)
	if c.isPtr {
		return *(*unsafe.Pointer)(at)
	}
	return at
}

// make returns where a value goes in a row that is still empty.
func (c *Cell) make(row unsafe.Pointer) unsafe.Pointer {
	at := unsafe.Add(row, c.offset)
	if !c.isPtr {
		return at
	}
	value := reflect.New(c.Type).UnsafePointer()
	*(*unsafe.Pointer)(at) = value
	return value
}
