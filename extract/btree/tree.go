package btree

import (
	"bytes"
	"fmt"
	"iter"
	"sort"
)

// An Index is an index of one column of text, sorted by bytes, whose table has rowids.
type Index struct {
	file *File
	root uint32
}

// An Entry is one of an index. Its key is valid until the next one.
type Entry struct {
	Key   Key
	RowID int64
}

// Index returns the index whose first page has that number (sqlite_master.rootpage).
func (f *File) Index(root uint32) Index { return Index{f, root} }

// All yields the entries in the order of their keys.
func (x Index) All() iter.Seq2[Entry, error] { return x.between(nil, &run{}) }

// Between yields the entries whose keys are texts from one, and below another, in their order.
func (x Index) Between(from, below string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for e, err := range x.between([]byte(from), nil) {
			if err == nil && (e.Key.Type != Text || string(e.Key.Bytes) >= below) {
				return
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// between yields the entries from the first whose key is a text that is not below from; all if from is nil. It reads by r, which may be nil.
func (x Index) between(from []byte, r *run) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		w := walk{file: x.file, left: x.file.pages, run: r}
		w.entries(x.root, 0, from, yield)
	}
}

// A walk goes over a tree's pages in order.
type walk struct {
	file   *File
	run    *run                 // by which it reads the tree's pages, with little beside them; nil: by the file's windows
	left   uint32               // pages that it may still visit: a tree that leads back to itself has no end
	copies [maxDepth + 1][]byte // of the pages on the way, as others may read in between
}

// visit copies a page of a depth.
func (w *walk) visit(no uint32, depth int, index bool) (n node, err error) {
	if w.left == 0 || depth > maxDepth {
		return n, fmt.Errorf("%w: a tree leads back to itself", ErrDamaged)
	}
	w.left--
	if w.run == nil {
		if w.copies[depth], err = w.file.copyOf(no, w.copies[depth]); err != nil {
			return n, err
		}
		return w.file.nodeOf(no, w.copies[depth], index, depth == 0)
	}
	page, err := w.run.page(w.file, no)
	if err != nil {
		return n, err
	}
	if n, err = w.file.nodeOf(no, page, index, depth == 0); err == nil && !n.isLeaf() { // the pages below it take its place in the run
		w.copies[depth] = append(w.copies[depth][:0], page...)
		n.bytes = w.copies[depth]
	}
	return n, err
}

// below returns the page below an inner page, before its cell i. A run that has not got it will be read up to the last page below that follows in the file.
func (w *walk) below(n *node, i int) (uint32, error) {
	first, err := w.file.child(n, i)
	if w.run == nil || err != nil || w.run.has(w.file, first) {
		return first, err
	}
	w.run.last = first
	for i++; i <= n.cells; i++ {
		next, err := w.file.child(n, i)
		if err != nil || next <= w.run.last || next > w.run.last+runGap || next-first >= runPages {
			break
		}
		w.run.last = next
	}
	return first, nil
}

// entries yields the entries of a subtree of an index, from a key; it reports whether to go on.
func (w *walk) entries(no uint32, depth int, from []byte, yield func(Entry, error) bool) bool {
	n, err := w.visit(no, depth, true)
	if err != nil {
		yield(Entry{}, err)
		return false
	}
	first := 0
	if from != nil {
		first = sort.Search(n.cells, func(i int) bool {
			e, failed := w.entry(&n, i)
			if failed != nil {
				err = failed
			}
			return !e.Key.below(from)
		})
	}
	for i := first; i <= n.cells && err == nil; i++ {
		if !n.isLeaf() {
			var child uint32
			if child, err = w.below(&n, i); err != nil {
				break
			}
			if !w.entries(child, depth+1, from, yield) {
				return false
			}
			from = nil
		}
		if i == n.cells {
			return true
		}
		var e Entry
		if e, err = w.entry(&n, i); err == nil && !yield(e, nil) {
			return false
		}
	}
	yield(Entry{}, err)
	return false
}

// entry reads an entry of an index.
func (w *walk) entry(n *node, i int) (e Entry, err error) {
	c, err := w.file.cellAt(n, i)
	if err != nil {
		return e, err
	}
	record := c.local
	if int64(len(record)) < c.size {
		w.file.mu.Lock()
		record, err = w.file.payload(nil, &c, c.size)
		w.file.mu.Unlock()
		if err != nil {
			return e, err
		}
	}
	var at [2]field
	if !fields(record, c.size, at[:]) || at[1].kind() != Integer {
		return e, w.file.damaged(n.no, "an entry of an index is no key and rowid")
	}
	return Entry{at[0].key(record), at[1].integer(record[at[1].begin:][:at[1].size])}, nil
}

// below reports whether a key comes before a text in an index: NULL and numbers do, blobs do not.
func (k Key) below(text []byte) bool {
	return k.Type != Blob && (k.Type != Text || bytes.Compare(k.Bytes, text) < 0)
}

// A Table is a table with rowids, of a key and a value.
type Table struct {
	file *File
	root uint32
}

// A Row is a row of a table. With a value, it is its owner's; without, it is valid until the next.
type Row struct {
	RowID int64
	Key   Key
	Type  string // of the value: one of the constants
	Bytes int64  // size of the value as the record has it
	Value []byte // a text or a blob that was asked for; else nil
}

// Table returns the table whose first page has that number.
func (f *File) Table(root uint32) Table { return Table{f, root} }

// Row returns a row with its value, if it is a text or a blob of at most so many bytes. found is false if there is none with that rowid.
func (t Table) Row(rowID, most int64) (r Row, found bool, err error) {
	t.file.mu.Lock()
	defer t.file.mu.Unlock()
	for no, depth := t.root, 0; depth <= maxDepth; depth++ {
		n, err := t.file.nodeAt(no, false, depth == 0)
		if err != nil {
			return r, false, err
		}
		i := sort.Search(n.cells, func(i int) bool {
			id, failed := t.file.rowIDAt(&n, i)
			if failed != nil {
				err = failed
			}
			return id >= rowID
		})
		if err != nil {
			return r, false, err
		}
		if !n.isLeaf() {
			if no, err = t.file.child(&n, i); err != nil {
				return r, false, err
			}
			continue
		}
		if i == n.cells {
			return r, false, nil
		}
		c, err := t.file.cellAt(&n, i)
		if err != nil || c.rowID != rowID {
			return r, false, err
		}
		if r, err = t.file.row(&n, &c, func(r Row) bool { return r.Bytes <= most }); r.Value == nil {
			r.Key.Bytes = bytes.Clone(r.Key.Bytes)
		}
		return r, err == nil, err
	}
	return r, false, fmt.Errorf("%w: a tree leads back to itself", ErrDamaged)
}

// Rows yields all rows in the order of their rowids. It reads the values that wanted says; a row has none when it is asked.
func (t Table) Rows(wanted func(Row) bool) iter.Seq2[Row, error] { return t.each(wanted, false) }

// FewOf is Rows where few values are wanted: of the pages of others it reads only some between its own.
func (t Table) FewOf(wanted func(Row) bool) iter.Seq2[Row, error] { return t.each(wanted, true) }

func (t Table) each(wanted func(Row) bool, few bool) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		w := walk{file: t.file, left: t.file.pages}
		if few {
			w.run = &run{}
		}
		w.rows(t.root, 0, wanted, yield)
	}
}

// rows yields the rows of a subtree of a table; it reports whether to go on.
func (w *walk) rows(no uint32, depth int, wanted func(Row) bool, yield func(Row, error) bool) bool {
	n, err := w.visit(no, depth, false)
	for i := 0; err == nil && !n.isLeaf() && i <= n.cells; i++ {
		var child uint32
		if child, err = w.below(&n, i); err != nil {
			break
		}
		if !w.rows(child, depth+1, wanted, yield) {
			return false
		}
	}
	for i := 0; err == nil && n.isLeaf() && i < n.cells; i++ {
		var c cell
		if c, err = w.file.cellAt(&n, i); err != nil {
			break
		}
		w.file.mu.Lock()
		r, failed := w.file.row(&n, &c, wanted)
		w.file.mu.Unlock()
		if err = failed; err == nil && !yield(r, nil) {
			return false
		}
	}
	if err != nil {
		yield(Row{}, err)
		return false
	}
	return true
}

// row reads a row of a cell, and its value if it is wanted. mu is held.
func (f *File) row(n *node, c *cell, wanted func(Row) bool) (r Row, err error) {
	var at [2]field
	head := c.local
	known := fields(head, c.size, at[:])
	if known && at[1].begin > int64(len(head)) { // a key that is as long as a page
		if head, err = f.payload(nil, c, at[1].begin); err != nil {
			return r, err
		}
	}
	if !known {
		return r, f.damaged(n.no, "a row is no key and value")
	}
	r = Row{RowID: c.rowID, Key: at[0].key(head), Type: at[1].kind(), Bytes: at[1].size}
	if r.Type != Text && r.Type != Blob || !wanted(r) {
		return r, nil
	}
	record, err := f.payload(make([]byte, 0, c.size), c, c.size)
	if err != nil {
		return r, err
	}
	r.Key, r.Value = at[0].key(record), record[at[1].begin:]
	return r, nil
}
