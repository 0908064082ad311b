package parquetfile

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"unsafe"

	"pipeline/sql/schema"
)

// A Group is the rows of a row group, as columns. Unless it copies them, it refers to the texts and blobs of the rows: these must not change until the group
// is written.
type Group struct {
	table   schema.Table
	columns []column
	rows    int
	memory  *Memory
	blocks  []*block // with copies of texts; the last one is not full yet
	used    int      // bytes of the last one
}

// A block has copies of texts.
type block [16 << 10]byte

// block returns a block that is free.
func (m *Memory) block() *block {
	last := len(m.blocks) - 1
	if last < 0 {
		return &block{}
	}
	b := m.blocks[last]
	m.blocks = m.blocks[:last]
	return b
}

// copyOf returns a copy that stays until the group is reset.
func (g *Group) copyOf(b []byte) []byte {
	if len(b) > len(block{})/4 {
		return bytes.Clone(b)
	}
	if len(g.blocks) == 0 || g.used+len(b) > len(block{}) {
		g.blocks, g.used = append(g.blocks, g.memory.block()), 0
	}
	from := g.used
	g.used += copy(g.blocks[len(g.blocks)-1][from:], b)
	return g.blocks[len(g.blocks)-1][from:g.used:g.used]
}

// column has the values of one column.
type column struct {
	cell     schema.Cell
	add      adder
	nullable bool
	bytes    [][]byte
	ints     []int64
	bools    []bool
	levels   []byte              // for each row of a column that may be NULL: 1 for a value, 0 for NULL
	size     int64               // of bytes
	text     string              // the row's text that the last of bytes was made from; "" if there is none
	copyOf   func([]byte) []byte // nil: texts are referred to
}

// adder adds a value to a column; it returns false for NULL.
type adder func(c *column, value unsafe.Pointer) bool

// NewGroup makes an empty group of a table's rows, for a file with these options.
func NewGroup(t schema.Table, o Options) *Group {
	g := &Group{table: t, memory: cmp.Or(o.Memory, &Memory{})}
	for i, cell := range t.Cells() {
		c := column{cell: cell, add: adderFor(cell.Type, o), nullable: t.Columns[i].Nullable || o.AsEngine}
		if o.Copies {
			c.copyOf = g.copyOf
		}
		g.columns = append(g.columns, c)
	}
	return g
}

// Rows returns the number of rows.
func (g *Group) Rows() int { return g.rows }

// Bytes returns about how much memory the values take.
func (g *Group) Bytes() (n int64) {
	for i := range g.columns {
		c := &g.columns[i]
		n += c.size + int64(24*len(c.bytes)+8*len(c.ints)+len(c.bools)+len(c.levels))
	}
	return n
}

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
	g.memory.blocks = append(g.memory.blocks, g.blocks...)
	clear(g.blocks)
	g.rows, g.blocks = 0, g.blocks[:0]
	for i := range g.columns {
		c := &g.columns[i]
		clear(c.bytes) // the texts are free
		c.bytes, c.ints, c.bools, c.levels, c.size, c.text = c.bytes[:0], c.ints[:0], c.bools[:0], c.levels[:0], 0, ""
	}
}

func (c *column) addBytes(b []byte) bool {
	if c.copyOf != nil {
		b = c.copyOf(b)
	}
	c.bytes = append(c.bytes, b)
	c.size += int64(len(b))
	return true
}

// addText adds a text. Many rows share the one of the row before, as that of their conversation's id: it is neither checked nor copied again.
func (c *column) addText(text string) bool {
	if schema.SameText(text, c.text) {
		last := c.bytes[len(c.bytes)-1]
		c.bytes = append(c.bytes, last)
		c.size += int64(len(last))
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
