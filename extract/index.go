package extract

import (
	"context"
	"database/sql/driver"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
)

// readIndex reads key and rowid of every row of cursorDiskKV, and no value: the unique index alone answers the query.
func (s *store) readIndex(ctx context.Context) error {
	if !s.tables[diskKV] {
		return nil
	}
	var scratch []byte
	var last []byte
	nulls, disorder := false, false
	var run indexRun
	err := eachRow(ctx, s.snap.Conn(), `SELECT key, `+s.rowID(diskKV)+` FROM cursorDiskKV ORDER BY key`, 2,
		rowOf(func(key rowKey, rowID int64) {
			s.seen++
			s.named.add(key, rowID)
			s.maxRowID = max(s.maxRowID, rowID)
			if !key.isText {
				var null bool
				scratch, null = s.otherKey(key.bytes, rowID, scratch)
				nulls = nulls || null
				return
			}
			disorder = disorder || string(key.bytes) < string(last)
			last = append(last[:0], key.bytes...)
			if run.continues(key.bytes) { // most rows are of the conversation and family of the row before
				run.count.Rows++
				scratch = run.entry.add(run.count.Family, key.bytes, rowID, scratch)
				return
			}
			scratch, run = s.addEntry(string(key.bytes), rowID, run, scratch)
		}))
	if nulls {
		s.keys = append(s.keys, nil)
	}
	if err == nil && disorder {
		err = s.checkOrder()
	}
	return err
}

// addEntry adds a row of another conversation or family than the one before. It returns the run that the row begins.
func (s *store) addEntry(key string, rowID int64, last indexRun, scratch []byte) ([]byte, indexRun) {
	p := classifyKey(key)
	s.countOf(p, key).Rows++
	if p.handling == Linked {
		s.blobs.add(textKey(key), rowID)
	}
	if p.handling != Loaded {
		return s.addKept(p, key, rowID, scratch), last
	}
	e := s.index[p.conversation]
	switch {
	case p.conversation == "":
		s.keys = append(s.keys, key)
		e = &s.loose
	case e == nil:
		e = &entry{}
		s.index[strings.Clone(p.conversation)] = e // a copy: a part of the key would hold the whole key in memory
	}
	scratch = e.add(p.family, []byte(key), rowID, scratch)
	if p.id != "" && p.conversation != "" {
		last = indexRun{key[:len(key)-len(p.id)], s.count(p.family, p.handling), e}
	}
	return scratch, last
}

// rowOf calls f for a row of a query for key and rowid.
func rowOf(f func(key rowKey, rowID int64)) func([]driver.Value) {
	return func(row []driver.Value) {
		var key rowKey
		switch k := row[0].(type) {
		case string:
			key = textKey(k)
		case []byte:
			key.bytes = k
		}
		rowID, _ := row[1].(int64)
		f(key, rowID)
	}
}

// checkIndex compares the keys and rowids in the indexes with those in the tables themselves. It reads every page of
// both, but no overflow pages of values.
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
			if err := eachRow(ctx, s.snap.Conn(), `SELECT key, rowid FROM ItemTable ORDER BY key`, 2,
				rowOf(named.add)); err != nil {
				return s.damaged(err)
			}
		}
		if err := eachRow(ctx, s.snap.Conn(), `SELECT key, rowid FROM `+table+` NOT INDEXED`, 2,
			rowOf(there.add)); err != nil {
			return s.damaged(err)
		}
		if named != there {
			return s.damaged(fmt.Errorf("%w: it names %d rows of %s, or others than the %d there are", errIndex,
				named.rows, table, there.rows))
		}
	}
	s.checked = true
	return nil
}

// otherKey adds a row whose key is no text: NULL (docs/formats.md, Tables) or a blob.
func (s *store) otherKey(blob []byte, rowID int64, scratch []byte) (_ []byte, null bool) {
	if p := classifyItemKey(string(blob)); p.handling == Refused {
		s.count(p.family, Refused).Rows++
		return scratch, false
	}
	s.count(familyNoKey, Loaded).Rows++
	if blob != nil {
		s.keys = append(s.keys, slices.Clone(blob))
	}
	return s.loose.add(familyNoKey, blob, rowID, scratch), blob == nil
}

// checkOrder is called if keys came out of order: a page of the index is in another's place, so that some rows come
// twice and others not at all. It returns nil if the store does not sort keys by bytes.
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

// continues reports whether a key belongs to the run: it has the prefix, and the rest is a usable id.
func (r *indexRun) continues(key []byte) bool {
	n := len(r.prefix)
	return n > 0 && len(key) > n && string(key[:n]) == r.prefix && utf8.Valid(key[n:])
}

// fingerprint returns an entry's fingerprint as text, "" where rows have no rowid.
func (s *store) fingerprint(e *entry) string {
	if s.noRowID[diskKV] {
		return ""
	}
	sum := e.fingerprint.Bytes()
	return hex.EncodeToString(sum[:])
}

// withBlobs is a fingerprint that also changes with the nodes of the agent's graph that the store has.
func (s *store) withBlobs(fingerprint string) string {
	if fingerprint == "" {
		return ""
	}
	sum := xxh3.HashString128(fmt.Sprint(fingerprint, " ", s.blobs.rows, " ", s.blobs.sum)).Bytes()
	return hex.EncodeToString(sum[:])
}

// identity tells the store's file from another file at the same path, and its tables from tables of another definition.
func (s *store) identity() string {
	sum := xxh3.HashString128(s.ddl).Bytes()
	return fileID(s.snap.Info().Path) + " " + hex.EncodeToString(sum[:8])
}
