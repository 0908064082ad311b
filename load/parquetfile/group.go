package parquetfile

import (
	"fmt"
	"reflect"
	"unsafe"

	"pipeline/sql/schema"
)

// A Group is the rows of a row group, as columns. It refers to the texts and blobs of the rows: these must not change
// until the group is written.
type Group struct {
	table   schema.Table
	columns []column
	rows    int
}

// column has the values of one column.
type column struct {
	cell     schema.Cell
	add      adder
	nullable bool
	bytes    [][]byte
	ints     []int64
	bools    []bool
	levels   []byte // for each row of a column that may be NULL: 1 for a value, 0 for NULL
	text     string // the row's text that the last of bytes was made from; "" if there is none
}

// adder adds a value to a column; it returns false for NULL.
type adder func(c *column, value unsafe.Pointer) bool

// NewGroup makes an empty group of a table's rows, for a file with these options.
func NewGroup(t schema.Table, o Options) *Group {
	g := &Group{table: t}
	for i, cell := range t.Cells() {
		g.columns = append(g.columns, column{cell: cell, add: adderFor(cell.Type, o),
			nullable: t.Columns[i].Nullable || o.AsEngine})
	}
	return g
}

// Rows returns the number of rows.
func (g *Group) Rows() int { return g.rows }

// Append adds a row, a pointer to the table's struct.
func (g *Group) Append(row reflect.Value) {
	if row.Type().Elem() != g.table.Row {
		panic(fmt.Sprintf("parquetfile: a %s is no row of %s", row.Type(), g.table.Name))
	}
	from := row.UnsafePointer()
	for i := range g.columns {
		c := &g.columns[i]
		level := byte(0)
		if value := c.cell.In(from); value != nil && c.add(c, value) {
			level = 1
		}
		if c.nullable {
			c.levels = append(c.levels, level)
		}
	}
	g.rows++
}

// Reset empties the group, and keeps the memory of its columns.
func (g *Group) Reset() {
	g.rows = 0
	for i := range g.columns {
		c := &g.columns[i]
		clear(c.bytes) // the texts are free
		c.bytes, c.ints, c.bools, c.levels, c.text = c.bytes[:0], c.ints[:0], c.bools[:0], c.levels[:0], ""
	}
}

func (c *column) addBytes(b []byte) bool {
	c.bytes = append(c.bytes, b)
	return true
}

// addText adds a text. Many rows share the one of the row before, as that of their conversation's id: it is neither
// checked nor copied again.
func (c *column) addText(text string) bool {
	if schema.SameText(text, c.text) {
		last := c.bytes[len(c.bytes)-1]
		c.bytes = append(c.bytes, last)
		return true
	}
	c.text = text
	clean := schema.CleanText(text)
	return c.addBytes(unsafe.Slice(unsafe.StringData(clean), len(clean)))
}

// adderFor returns how a value of a type is added.
func adderFor(t reflect.Type, o Options) adder {
	switch t {
	case reflect.TypeFor[schema.Millis]():
		scale := int64(1)
		if o.AsEngine {
			scale = 1000
		}
		return func(c *column, value unsafe.Pointer) bool {
			c.ints = append(c.ints, scale**(*int64)(value))
			return true
		}
	case reflect.TypeFor[bool]():
		return func(c *column, value unsafe.Pointer) bool {
			c.bools = append(c.bools, *(*bool)(value))
			return true
		}
	case reflect.TypeFor[schema.Blob](), reflect.TypeFor[schema.JSON]():
		return func(c *column, value unsafe.Pointer) bool {
			v := *(*schema.Blob)(value)
			return v != nil && c.addBytes(v)
		}
	case reflect.TypeFor[int64]():
		return func(c *column, value unsafe.Pointer) bool {
			c.ints = append(c.ints, *(*int64)(value))
			return true
		}
	case reflect.TypeFor[string]():
		return func(c *column, value unsafe.Pointer) bool {
			return c.addText(*(*string)(value))
		}
	}
	panic(fmt.Sprintf("parquetfile: no column holds a %s", t))
}
