package btree

import (
	"encoding/binary"
	"fmt"
)

// The kinds of pages of b-trees.
const (
	indexInner = 2
	tableInner = 5
	indexLeaf  = 10
	tableLeaf  = 13
)

// A node is a page of a b-tree.
type node struct {
	no    uint32
	bytes []byte // its usable bytes
	kind  byte
	cells int
	first int // where the numbers of its cells begin
}

// A cell is an entry of a leaf, or of an inner page of an index.
type cell struct {
	rowID    int64
	size     int64 // of the whole record
	local    []byte
	overflow uint32 // the page on which the record goes on; 0 if all of it is here
}

// nodeAt returns a page as a node of an index or of a table. Its bytes are valid as long as those of File.at.
func (f *File) nodeAt(no uint32, index, root bool) (n node, err error) {
	page, err := f.at(no)
	if err != nil {
		return n, err
	}
	return f.nodeOf(no, page, index, root)
}

// nodeOf is nodeAt for a page that was read.
func (f *File) nodeOf(no uint32, page []byte, index, root bool) (n node, err error) {
	n.no, n.bytes = no, page
	h := 0
	if no == 1 {
		h = headerBytes
	}
	n.kind, n.cells, n.first = n.bytes[h], int(binary.BigEndian.Uint16(n.bytes[h+3:])), h+8
	inner, leaf := byte(tableInner), byte(tableLeaf)
	if index {
		inner, leaf = indexInner, indexLeaf
	}
	switch {
	case n.kind == inner:
		n.first += 4
	case n.kind != leaf:
		return n, f.damaged(no, "it is no page of such a tree")
	}
	if n.first+2*n.cells > len(n.bytes) || n.cells == 0 && !root {
		return n, f.damaged(no, "its number of entries is wrong")
	}
	return n, nil
}

func (f *File) damaged(no uint32, why string) error {
	return fmt.Errorf("%w: page %d: %s", ErrDamaged, no, why)
}

func (n *node) isLeaf() bool { return n.kind == indexLeaf || n.kind == tableLeaf }

// entry returns the bytes of a cell, to the end of the page.
func (f *File) entry(n *node, i int) ([]byte, error) {
	at := int(binary.BigEndian.Uint16(n.bytes[n.first+2*i:]))
	if at < n.first+2*n.cells || at > len(n.bytes)-4 {
		return nil, f.damaged(n.no, "an entry lies outside of it")
	}
	return n.bytes[at:], nil
}

// child returns the number of the page below an inner page: that before its cell i, or the last one.
func (f *File) child(n *node, i int) (uint32, error) {
	if i == n.cells {
		return binary.BigEndian.Uint32(n.bytes[n.first-4:]), nil
	}
	b, err := f.entry(n, i)
	if err != nil {
		return 0, err
	}
	return binary.BigEndian.Uint32(b), nil
}

// rowIDAt returns the rowid of a cell of a table.
func (f *File) rowIDAt(n *node, i int) (int64, error) {
	b, err := f.entry(n, i)
	if err != nil {
		return 0, err
	}
	skip := 4 // the page below
	if n.isLeaf() {
		if _, skip = varint(b); skip == 0 {
			return 0, f.damaged(n.no, "an entry is cut short")
		}
	}
	id, k := varint(b[skip:])
	if k == 0 {
		return 0, f.damaged(n.no, "an entry is cut short")
	}
	return int64(id), nil
}

// cellAt returns a cell that holds a record.
func (f *File) cellAt(n *node, i int) (c cell, err error) {
	b, err := f.entry(n, i)
	if err != nil {
		return c, err
	}
	if n.kind == indexInner {
		b = b[4:]
	}
	size, k := varint(b)
	b = b[k:]
	ok, maxLocal := k > 0, (f.usable-12)*64/255-23
	if n.kind == tableLeaf {
		var id uint64
		if id, k = varint(b); k == 0 {
			ok = false
		}
		c.rowID, b, maxLocal = int64(id), b[k:], f.usable-35
	}
	if !ok || size > uint64(f.pages)*uint64(f.usable) {
		return c, f.damaged(n.no, "an entry is cut short")
	}
	c.size = int64(size)
	local := int(c.size)
	if c.size > int64(maxLocal) {
		minLocal := (f.usable-12)*32/255 - 23
		if local = minLocal + int((c.size-int64(minLocal))%int64(f.usable-4)); local > maxLocal {
			local = minLocal
		}
	}
	if local > len(b) || int64(local) < c.size && local+4 > len(b) {
		return c, f.damaged(n.no, "an entry reaches over its end")
	}
	if c.local = b[:local]; int64(local) < c.size {
		c.overflow = binary.BigEndian.Uint32(b[local:])
	}
	return c, nil
}

// payload appends the first n bytes of a cell's record to out. out must not lie in the cell's page.
func (f *File) payload(out []byte, c *cell, n int64) ([]byte, error) {
	left := n - int64(min(n, int64(len(c.local))))
	out = append(out, c.local[:n-left]...)
	for next := c.overflow; left > 0; {
		page, err := f.at(next)
		if err != nil {
			return nil, err
		}
		next = binary.BigEndian.Uint32(page)
		part := page[4:][:min(left, int64(len(page)-4))]
		out = append(out, part...)
		left -= int64(len(part))
	}
	return out, nil
}

// varint reads a number of one to nine bytes; k is 0 if b ends within it.
func varint(b []byte) (v uint64, k int) {
	for k < len(b) && k < 8 {
		v = v<<7 | uint64(b[k]&0x7f)
		if k++; b[k-1] < 0x80 {
			return v, k
		}
	}
	if k == len(b) {
		return 0, 0
	}
	return v<<8 | uint64(b[8]), 9
}
