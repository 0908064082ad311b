package extract

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"iter"
	"os"
	"slices"
	"strings"

	"pipeline/extract/btree"
	"pipeline/load/sqlrows"
)

// This file reads cursorDiskKV from the pages of a store. SQLite asks for one page at a time, and its driver for one column at a time; that costs several times what the values
// themselves cost. It is used where the table is defined as Cursor does. Any other table, a private copy and a damaged store are left to SQLite.
//
// The pages are those of SQLite's own snapshot. In a store that is read in place, nobody writes: Verify makes sure of that. In one that is in use, SQLite's transaction keeps every page
// that the -wal does not have as it is, and the pages that the -wal has are held in memory. They are those that the transaction sees, if the -wal held the same before the transaction began and
// after.

// plainDDL is the usual definition of the table, with single spaces.
const plainDDL = `CREATE TABLE ` + diskKV + ` (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`

// A pageTable is the pages of cursorDiskKV.
type pageTable struct {
	index btree.Index
	table btree.Table
	apart btree.Table // the same, for rows that lie apart
}

// openPages finds the table's pages, unless SQLite is to read it.
func (s *store) openPages(ctx context.Context) error {
	if method := s.snap.Info().Method; method != MethodInPlace && method != MethodWAL || s.snap.loss != nil || s.utf16 != nil || strings.Join(strings.Fields(s.diskDDL), " ") != plainDDL {
		return nil
	}
	roots := map[string]uint32{}
	err := sqlrows.Each(ctx, s.snap.Conn(), `SELECT type, rootpage FROM sqlite_master WHERE tbl_name = '`+diskKV+`'`, func(rows *sql.Rows) error {
		var kind string
		var root uint32
		if err := rows.Scan(&kind, &root); err != nil {
			return err
		}
		if _, twice := roots[kind]; twice || kind != "table" && kind != "index" { // a second index, or a trigger
			kind = "other"
		}
		roots[kind] = root
		return nil
	})
	if err != nil || len(roots) != 2 || roots["other"] != 0 {
		return err
	}
	log, same := s.snap.logNow()
	if !same {
		return nil
	}
	file, err := s.snap.openFile()
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	f, err := btree.Open(file, info.Size(), log)
	if errors.Is(err, btree.ErrUnknown) {
		return nil
	}
	if err == nil {
		s.pages = &pageTable{f.Index(roots["index"]), f.Table(roots["table"]), f.Apart().Table(roots["table"])}
	}
	return err
}

// maxLog is the largest -wal that is held in memory. SQLite begins it anew after 4 MB, unless somebody reads all the time.
const maxLog = 16 << 20

// readLog reads a store's -wal; nil if it cannot be held.
func readLog(path string) *btree.Log {
	info, err := os.Stat(path + walEnd)
	if err != nil || info.Size() > maxLog {
		return nil
	}
	content, err := os.ReadFile(path + walEnd)
	if err != nil {
		return nil
	}
	return btree.ReadLog(content)
}

// logNow returns the pages of the -wal that the transaction sees: none in a store that is read in place. same is false if they are not known.
func (s *storeSnapshot) logNow() (log *btree.Log, same bool) {
	if s.info.Method == MethodInPlace {
		return nil, true
	}
	log = readLog(s.info.Path)
	return log, log != nil && s.wal != nil && bytes.Equal(log.State(), s.wal)
}

// openFile opens the database's file for reading without SQLite, until SQLite has closed it: closing it earlier would drop SQLite's locks.
func (s *storeSnapshot) openFile() (_ *os.File, err error) {
	s.file, err = os.Open(s.info.Path)
	return s.file, err
}

// Rows that follow each other by their keys lie scattered over the file: the ids in the keys are random. But those of a conversation were written one after the other. So a batch
// of rows is read in the table's order, and given back in the order of the keys.
const (
	batchRows  = 1024
	batchBytes = 8 << 20 // after which a batch's other rows are read when it is their turn
	farApart   = 4       // of that many rows of the table a batch has one: what lies beside it is not of use
)

// batch is some rows that are next by their keys.
type batch struct {
	entries []namedRow
	rows    []btree.Row
	state   []rowState
	order   []int
	table   btree.Table // by which its rows are read
}

// namedRow is an entry of the index whose key is a text.
type namedRow struct {
	key   string
	rowID int64
}

// rowState says whether a row of a batch was read.
type rowState byte

const (
	unread rowState = iota
	absent
	present
)

// read reads the i-th row of the batch.
func (b *batch) read(i int, most int64) error {
	row, found, err := b.table.Row(b.entries[i].rowID, most)
	b.rows[i], b.state[i] = row, absent
	if found {
		b.state[i] = present
	}
	return err
}

// fill reads the rows in the table's order, as far as the batch may hold them.
func (b *batch) fill(p *pageTable, most int64) error {
	n := len(b.entries)
	b.rows, b.state, b.order = slices.Grow(b.rows[:0], n)[:n], slices.Grow(b.state[:0], n)[:n], b.order[:0]
	clear(b.state)
	for i := range b.entries {
		b.order = append(b.order, i)
	}
	slices.SortFunc(b.order, func(i, j int) int { return cmp.Compare(b.entries[i].rowID, b.entries[j].rowID) })
	if b.table = p.table; n > 0 && b.entries[b.order[n-1]].rowID-b.entries[b.order[0]].rowID > int64(farApart*n) {
		b.table = p.apart
	}
	for held, k := 0, 0; k < n && held < batchBytes; k++ {
		if err := b.read(b.order[k], most); err != nil {
			return err
		}
		held += len(b.rows[b.order[k]].Value)
	}
	return nil
}

// named yields the rows that some keys name, in their order, as store.keyed has them. other yields them where a value is neither text, blob nor NULL.
func (p *pageTable) named(k keys, most int64, other func(key any) iter.Seq2[[]driver.Value, error]) iter.Seq2[[]driver.Value, error] {
	return func(yield func([]driver.Value, error) bool) {
		var b batch
		for e, err := range p.index.Between(k.from, k.below) {
			if err != nil {
				yield(nil, err)
				return
			}
			if b.entries = append(b.entries, namedRow{string(e.Key.Bytes), e.RowID}); len(b.entries) < batchRows {
				continue
			}
			if !p.yieldBatch(&b, most, other, yield) {
				return
			}
			b.entries = b.entries[:0]
		}
		p.yieldBatch(&b, most, other, yield)
	}
}

// yieldBatch yields the rows of a batch; it reports whether to go on.
func (p *pageTable) yieldBatch(b *batch, most int64, other func(key any) iter.Seq2[[]driver.Value, error], yield func([]driver.Value, error) bool) bool {
	if err := b.fill(p, most); err != nil {
		yield(nil, err)
		return false
	}
	row := make([]driver.Value, 6)
	for i, e := range b.entries {
		if b.state[i] == unread {
			if err := b.read(i, most); err != nil {
				yield(nil, err)
				return false
			}
		}
		r := b.rows[i]
		b.rows[i] = btree.Row{}
		switch {
		case b.state[i] == absent: // whoever asks counts the rows
			continue
		case r.Type == btree.Integer || r.Type == btree.Real:
			for row, err := range other(e.key) {
				if !yield(row, err) || err != nil {
					return false
				}
			}
			continue
		}
		row[0], row[1], row[2], row[3], row[4] = e.key, e.rowID, r.Type, r.Bytes, r.Value
		if row[5] = row[0]; r.Key.Type != btree.Text || string(r.Key.Bytes) != e.key {
			row[5] = keyOf(r.Key)
		}
		if !yield(row, nil) {
			return false
		}
	}
	return true
}

// owned yields the rows in the table's order, as store.owned has them. owner finds a key's owner. ask yields a row by SQLite, where a value is neither text, blob nor NULL.
func (p *pageTable) owned(few bool, owner func(key string) ownedRow, ask func(key string) iter.Seq2[ownedRow, error]) iter.Seq2[ownedRow, error] {
	return func(yield func(ownedRow, error) bool) {
		rows := p.table.Rows
		if few {
			rows = p.table.FewOf
		}
		var row ownedRow
		var found bool // row is the one that comes next
		find := func(r btree.Row) {
			if row, found = (ownedRow{}), true; r.Key.Type == btree.Text {
				row = owner(string(r.Key.Bytes))
			}
			row.size = r.Bytes
		}
		for r, err := range rows(func(r btree.Row) bool { find(r); return row.isRead && row.size <= MaxValueBytes }) {
			if !found {
				find(r)
			}
			found = false
			if err == nil && row.owner != nil && (r.Type == btree.Integer || r.Type == btree.Real) {
				for row, err := range ask(row.key) {
					if !yield(row, err) || err != nil {
						return
					}
				}
				continue
			}
			if row.isRead {
				row.values = []driver.Value{row.key, r.RowID, r.Type, r.Bytes, r.Value, row.key}
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// keyOf returns a key as SQLite's driver does; nil for a number, which no key of the table is.
func keyOf(k btree.Key) any {
	switch k.Type {
	case btree.Text:
		return string(k.Bytes)
	case btree.Blob:
		return slices.Clone(k.Bytes)
	}
	return nil
}
