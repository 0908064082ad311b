package extract

import (
	"context"
	"database/sql/driver"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
)

// entry is what the index says of a conversation.
type entry struct {
	rows        familyRows
	fingerprint xxh3.Uint128
	sums        Sums // of a pass over the values, see readValues
}

// familyRows are how many rows there are of each family: few families, and as many lists as conversations, so that it is no map.
type familyRows []struct {
	family string
	n      int
}

func (f *familyRows) add(family string) {
	for i := range *f {
		if (*f)[i].family == family {
			(*f)[i].n++
			return
		}
	}
	*f = append(*f, struct {
		family string
		n      int
	}{family, 1})
}

func (f familyRows) of(family string) int {
	for _, r := range f {
		if r.family == family {
			return r.n
		}
	}
	return 0
}

func (f familyRows) all() (n int) {
	for _, r := range f {
		n += r.n
	}
	return n
}

// add takes a row into the entry; rows come in key order.
func (e *entry) add(family, key string, rowID int64, scratch []byte) []byte {
	e.rows.add(family)
	sum := e.fingerprint.Bytes()
	scratch = append(append(scratch[:0], sum[:]...), key...)
	scratch = binary.LittleEndian.AppendUint64(scratch, uint64(rowID))
	e.fingerprint = xxh3.Hash128(scratch)
	return scratch
}

// readIndex reads key and rowid of every row of cursorDiskKV, and no value: the unique index alone answers the query.
func (s *store) readIndex(ctx context.Context) error {
	if !s.tables[diskKV] {
		return nil
	}
	var scratch []byte
	var last string
	nulls, disorder := false, false
	var run indexRun
	query := `SELECT key, ` + s.rowID(diskKV) + ` FROM cursorDiskKV ORDER BY key`
	err := eachRow(ctx, s.snap.Conn(), query, 2, func(row []driver.Value) {
		s.seen++
		s.named.add(row)
		rowID, _ := row[1].(int64)
		s.maxRowID = max(s.maxRowID, rowID)
		key, ok := row[0].(string)
		if !ok {
			var null bool
			scratch, null = s.otherKey(row[0], rowID, scratch)
			nulls = nulls || null
			return
		}
		disorder = disorder || key < last
		last = key
		if run.continues(key) { // most rows are of the conversation and family of the row before
			run.count.Rows++
			scratch = run.entry.add(run.count.Family, key, rowID, scratch)
			return
		}
		p := placeOf(key)
		s.countOf(p, key).Rows++
		if p.handling != Loaded {
			scratch = s.keep(p, key, rowID, scratch)
			return
		}
		e := s.index[p.conversation]
		switch {
		case p.conversation == "":
			s.keys = append(s.keys, key)
			e = &s.loose
		case e == nil:
			e = &entry{}
			s.index[strings.Clone(p.conversation)] = e // not the whole key
		}
		scratch = e.add(p.family, key, rowID, scratch)
		if p.id != "" && p.conversation != "" {
			run = indexRun{key[:len(key)-len(p.id)], s.count(p.family, p.handling), e}
		}
	})
	if nulls {
		s.keys = append(s.keys, nil)
	}
	if err == nil && disorder {
		err = s.checkOrder()
	}
	return err
}

// A tally is a number of rows and a sum over their keys and rowids that is the same in whatever order they come.
type tally struct {
	rows int64
	sum  uint64
}

// add takes in a row of key and rowid.
func (t *tally) add(row []driver.Value) {
	rowID, _ := row[1].(int64)
	h := uint64(rowID) * 0x9e3779b97f4a7c15
	switch key := row[0].(type) {
	case string:
		h ^= xxh3.HashString(key)
	case []byte:
		h ^= xxh3.HashSeed(key, 1)
	}
	t.rows++
	t.sum += h * (h>>29 | 1)
}

// checkIndex compares the keys and rowids that the indexes name with those of the tables themselves. It visits every page of those, but for what
// values have on pages of their own.
func (s *store) checkIndex(ctx context.Context) error {
	if s.checked {
		return nil
	}
	for _, table := range []string{diskKV, itemTable} {
		if !s.tables[table] || s.noRowID[table] {
			continue
		}
		named, there := s.named, tally{}
		if table == itemTable {
			named = tally{}
			if err := eachRow(ctx, s.snap.Conn(), `SELECT key, rowid FROM ItemTable ORDER BY key`, 2, named.add); err != nil {
				return s.damaged(err)
			}
		}
		if err := eachRow(ctx, s.snap.Conn(), `SELECT key, rowid FROM `+table+` NOT INDEXED`, 2, there.add); err != nil {
			return s.damaged(err)
		}
		if named != there {
			return s.damaged(fmt.Errorf("%w: it names %d rows of %s, or others than the %d there are", errIndex, named.rows, table, there.rows))
		}
	}
	s.checked = true
	return nil
}

// otherKey takes in a row whose key is no text: NULL (docs/formats.md, Tables) or a blob.
func (s *store) otherKey(key any, rowID int64, scratch []byte) (_ []byte, null bool) {
	blob, _ := key.([]byte)
	if p := placeOfItem(string(blob)); p.handling == Refused {
		s.count(p.family, Refused).Rows++
		return scratch, false
	}
	s.count(familyNoKey, Loaded).Rows++
	if blob != nil {
		s.keys = append(s.keys, slices.Clone(blob))
	}
	return s.loose.add(familyNoKey, string(blob), rowID, scratch), blob == nil
}

// checkOrder is for keys that came out of order: a page of the index is in another's place, and names rows twice and others not at all.
// It returns nil where the order is not that of bytes.
func (s *store) checkOrder() error {
	if s.utf16 != nil || strings.Contains(strings.ToUpper(s.ddl), "COLLATE") {
		return nil
	}
	return errIndex
}

// indexRun is a run of rows of one conversation and family: their keys begin alike.
type indexRun struct {
	prefix string
	count  *FamilyCount
	entry  *entry
}

// continues reports that a key is the next of the run: the rest of it is a usable id.
func (r *indexRun) continues(key string) bool {
	rest, ok := strings.CutPrefix(key, r.prefix)
	return ok && r.prefix != "" && rest != "" && utf8.ValidString(rest)
}

// fingerprint is an entry's as text, "" where rows have no rowid.
func (s *store) fingerprint(e *entry) string {
	if s.noRowID[diskKV] {
		return ""
	}
	sum := e.fingerprint.Bytes()
	return hex.EncodeToString(sum[:])
}

// identity tells the store's file from another one put in its place, and its tables from others.
func (s *store) identity() string {
	sum := xxh3.HashString128(s.ddl).Bytes()
	return fileID(s.snap.Info().Path) + " " + hex.EncodeToString(sum[:8])
}
