package parquetfile

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/apache/arrow/go/v17/parquet"

	"pipeline/sql/schema"
)

// A Group is the rows of a row group, as columns. It refers to the texts and blobs of the rows: these must not change until the group is written.
type Group struct {
	table   schema.Table
	columns []column
}

// column has the values of one column.
type column struct {
	cell   schema.Cell
	add    adder
	bytes  []parquet.ByteArray
	ints   []int64
	levels []int16 // for each row of a column that may be NULL: 1 for a value, 0 for NULL
}

// adder adds a value to a column; it returns false for NULL.
type adder func(c *column, value unsafe.Pointer) bool

// NewGroup makes an empty group of a table's rows.
func NewGroup(t schema.Table) *Group {
	g := &Group{table: t}
	for _, cell := range t.Cells() {
		g.columns = append(g.columns, column{cell: cell, add: adderFor(cell.Type)})
	}
	return g
}

// Append adds a row, a pointer to the table's struct.
func (g *Group) Append(row reflect.Value) {
	if row.Type().Elem() != g.table.Row {
		panic(fmt.Sprintf("parquetfile: a %s is no row of %s", row.Type(), g.table.Name))
	}
	from := row.UnsafePointer()
	for i := range g.columns {
		c := &g.columns[i]
		level := int16(0)
		if value := c.cell.In(from); value != nil && c.add(c, value) {
			level = 1
		}
		if g.table.Columns[i].Nullable {
			c.levels = append(c.levels, level)
		}
	}
}

// Reset empties the group, and keeps the memory of its columns.
func (g *Group) Reset() {
	for i := range g.columns {
		c := &g.columns[i]
		clear(c.bytes) // the texts are free
		c.bytes, c.ints, c.levels = c.bytes[:0], c.ints[:0], c.levels[:0]
	}
}

func (c *column) addBytes(b []byte) bool {
	c.bytes = append(c.bytes, b)
	return true
}

// adderFor returns how a value of a type is added.
func adderFor(t reflect.Type) adder {
	switch t {
	case reflect.TypeFor[schema.Blob]():
		return func(c *column, value unsafe.Pointer) bool {
			v := *(*schema.Blob)(value)
			return v != nil && c.addBytes(v)
		}
	case reflect.TypeFor[int64](), reflect.TypeFor[schema.Millis]():
		return func(c *column, value unsafe.Pointer) bool {
			c.ints = append(c.ints, *(*int64)(value))
			return true
		}
	case reflect.TypeFor[string]():
		return func(c *column, value unsafe.Pointer) bool {
			text := schema.CleanText(*(*string)(value))
			return c.addBytes(unsafe.Slice(unsafe.StringData(text), len(text)))
		}
	}
	panic(fmt.Sprintf("parquetfile: no column holds a %s", t))
}
