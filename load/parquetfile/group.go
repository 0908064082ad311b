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
	rows    int
}

// column has the values of one column.
type column struct {
	offset uintptr // of its field in a row
	isPtr  bool    // the field is a pointer, or nil for NULL
	add    func(c *column, field unsafe.Pointer) bool
	bytes  []parquet.ByteArray
	ints   []int64
	levels []int16 // for each row of a column that may be NULL: 1 for a value, 0 for NULL
}

// NewGroup makes an empty group of a table's rows.
func NewGroup(t schema.Table) *Group {
	g := &Group{table: t}
	for i := range t.Columns {
		field := t.Row.Field(i)
		c := column{offset: field.Offset, isPtr: field.Type.Kind() == reflect.Pointer}
		if c.isPtr {
			field.Type = field.Type.Elem()
		}
		c.add = adderFor(field.Type)
		g.columns = append(g.columns, c)
	}
	return g
}

// Rows is the number of rows in the group.
func (g *Group) Rows() int { return g.rows }

// Append adds a row, a pointer to the table's struct.
func (g *Group) Append(row reflect.Value) {
	if row.Type().Elem() != g.table.Row {
		panic(fmt.Sprintf("parquetfile: a %s is no row of %s", row.Type(), g.table.Name))
	}
	from := row.UnsafePointer()
	for i := range g.columns {
		c := &g.columns[i]
		field := unsafe.Add(from, c.offset)
		if c.isPtr {
			field = *(*unsafe.Pointer)(field)
		}
		level := int16(0)
		if field != nil && c.add(c, field) {
			level = 1
		}
		if g.table.Columns[i].Nullable {
			c.levels = append(c.levels, level)
		}
	}
	g.rows++
}

// Reset empties the group, and keeps the memory of its columns.
func (g *Group) Reset() {
	for i := range g.columns {
		c := &g.columns[i]
		clear(c.bytes) // the texts are free
		c.bytes, c.ints, c.levels = c.bytes[:0], c.ints[:0], c.levels[:0]
	}
	g.rows = 0
}

func (c *column) addBytes(b []byte) bool {
	c.bytes = append(c.bytes, b)
	return true
}

// adderFor returns how a field of a type is added; the result is false for NULL.
func adderFor(t reflect.Type) func(c *column, field unsafe.Pointer) bool {
	switch t {
	case reflect.TypeFor[schema.Blob]():
		return func(c *column, field unsafe.Pointer) bool {
			v := *(*schema.Blob)(field)
			return v != nil && c.addBytes(v)
		}
	case reflect.TypeFor[int64](), reflect.TypeFor[schema.Millis]():
		return func(c *column, field unsafe.Pointer) bool {
			c.ints = append(c.ints, *(*int64)(field))
			return true
		}
	case reflect.TypeFor[string]():
		return func(c *column, field unsafe.Pointer) bool {
			text := schema.CleanText(*(*string)(field))
			return c.addBytes(unsafe.Slice(unsafe.StringData(text), len(text)))
		}
	}
	panic(fmt.Sprintf("parquetfile: no column holds a %s", t))
}
