package extract

import (
	"cmp"
	"context"
	"database/sql/driver"
	"encoding/json"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
)

// RawLevel says which rows are kept though no table is built from them.
type RawLevel int

const (
	RawTables RawLevel = iota // beside what a table is built from, what a file held before an edit: nothing else says it
	RawAll                    // agent blobs, state of the user interface, and keys of no known pattern too: most of a store
	RawNone                   // none at all
)

// keptByDefault are the families of RawTables.
var keptByDefault = []string{"composer.content", "ofsContent"}

// Keeps reports whether rows of such a family are kept at a level.
func (l RawLevel) Keeps(family string) bool {
	return l == RawAll || l == RawTables && slices.Contains(keptByDefault, family)
}

// keep takes a row into its family's entry if such rows are kept.
func (s *store) keep(p place, key string, rowID int64, scratch []byte) []byte {
	if !s.raw.Keeps(p.family) || !keepable(p, key) {
		return scratch
	}
	e := s.kept[p.family]
	if e == nil {
		e = &entry{}
		s.kept[p.family] = e
	}
	return e.add(p.family, key, rowID, scratch)
}

// keepable leaves out secrets, and keys that no text column can hold.
func keepable(p place, key string) bool {
	return p.handling != Loaded && p.handling != Refused && utf8.ValidString(key) && strings.IndexByte(key, 0) < 0
}

// KeptFamily is a family of a store that no table is built from and whose rows are kept.
type KeptFamily struct {
	Store       string
	Family      string
	Fingerprint string // over keys and rowids, as a conversation's; so are the others
	Sizes       string
	Content     string
}

// KeptRow is a row of such a family, its value not read yet.
type KeptRow struct {
	Store  string
	Family string
	Key    string
	RowID  int64 // 0 where the table has none
	Bytes  int64 // size of its value; unknownSize where nobody asked
	store  *store
}

const unknownSize = -1

// SameSize reports that the value is not known to have another size than that.
func (r KeptRow) SameSize(size int64) bool { return r.Bytes == unknownSize || r.Bytes == size }

// Read reads the row.
func (r KeptRow) Read(ctx context.Context) (*Document, error) {
	return r.store.keptDocument(ctx, r.Key)
}

func (c *cursor) Kept() []KeptFamily {
	var out []KeptFamily
	for _, s := range c.open {
		for family, e := range s.kept {
			out = append(out, s.keptFamily(family, e))
		}
	}
	slices.SortFunc(out, func(a, b KeptFamily) int {
		return cmp.Or(cmp.Compare(a.Store, b.Store), cmp.Compare(a.Family, b.Family))
	})
	return out
}

func (s *store) keptFamily(family string, e *entry) KeptFamily {
	return KeptFamily{s.name, family, s.fingerprint(e), s.sizes(e), s.content(e)}
}

func (c *cursor) KeptRows(ctx context.Context, wanted func(KeptFamily) bool) iter.Seq2[KeptRow, error] {
	return func(yield func(KeptRow, error) bool) {
		for _, s := range c.open {
			families := map[string]bool{}
			for family, e := range s.kept {
				if wanted(s.keptFamily(family, e)) {
					families[family] = true
				}
			}
			if len(families) == 0 {
				continue
			}
			for row, err := range s.keptRows(ctx, families) {
				if !yield(row, err) || err != nil {
					return
				}
			}
		}
	}
}

// keptPage is how many keys are held at a time: a family may have millions.
const keptPage = 20_000

// keptRows yields the rows of some families. The index alone answers the queries.
func (s *store) keptRows(ctx context.Context, families map[string]bool) iter.Seq2[KeptRow, error] {
	if s.utf16 != nil {
		return s.keptSorted(ctx, families)
	}
	return func(yield func(KeptRow, error) bool) {
		query := `SELECT key, ` + s.rowID(diskKV) + ` FROM cursorDiskKV WHERE key > ? ORDER BY key LIMIT ?`
		last := ""
		for {
			var page []KeptRow
			n, before := 0, last
			err := eachRow(ctx, s.snap.Conn(), query, 2, func(row []driver.Value) {
				n++
				key, ok := row[0].(string)
				if !ok { // blobs come after every text
					return
				}
				last = key
				if p := placeOf(key); families[p.family] && keepable(p, key) {
					rowID, _ := row[1].(int64)
					page = append(page, KeptRow{s.name, p.family, key, rowID, unknownSize, s})
				}
			}, last, int64(keptPage))
			if err == nil {
				err = s.weigh(ctx, page)
			}
			if err != nil {
				yield(KeptRow{}, s.damaged(err))
				return
			}
			for _, row := range page {
				if !yield(row, nil) {
					return
				}
			}
			if n < keptPage || last == before {
				return
			}
		}
	}
}

// weigh asks for the sizes of rows that a pass has looked at: the rows that it found to differ are among them.
func (s *store) weigh(ctx context.Context, rows []KeptRow) error {
	if s.depth == DepthKeys || len(rows) == 0 {
		return nil
	}
	at, ids := make(map[int64]int, len(rows)), make([]int64, len(rows))
	for i, row := range rows {
		at[row.RowID], ids[i] = i, row.RowID
	}
	slices.Sort(ids)
	list, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	return eachRow(ctx, s.snap.Conn(), `SELECT r.rowid, octet_length(r.value) FROM json_each(?) AS j CROSS JOIN cursorDiskKV AS r ON r.rowid = j.value`, 2, func(row []driver.Value) {
		id, _ := row[0].(int64)
		rows[at[id]].Bytes, _ = row[1].(int64)
	}, string(list))
}

// keptSorted is keptRows for a store that does not have its keys in the order of UTF-8: all of them are held and sorted.
func (s *store) keptSorted(ctx context.Context, families map[string]bool) iter.Seq2[KeptRow, error] {
	return func(yield func(KeptRow, error) bool) {
		var all []KeptRow
		err := eachRow(ctx, s.snap.Conn(), `SELECT key, `+s.rowID(diskKV)+` FROM cursorDiskKV`, 2, func(row []driver.Value) {
			key, ok := row[0].(string)
			if p := placeOf(key); ok && families[p.family] && keepable(p, key) {
				rowID, _ := row[1].(int64)
				all = append(all, KeptRow{s.name, p.family, key, rowID, unknownSize, s})
			}
		})
		if err != nil {
			yield(KeptRow{}, s.damaged(err))
			return
		}
		slices.SortFunc(all, func(a, b KeptRow) int { return strings.Compare(a.Key, b.Key) })
		for _, row := range all {
			if !yield(row, nil) {
				return
			}
		}
	}
}

func (s *store) keptDocument(ctx context.Context, key string) (doc *Document, err error) {
	for d, err := range s.documents(ctx, diskKV, `k.key = ?`, key) {
		if err != nil {
			return nil, s.damaged(err)
		}
		f := s.countOf(placeOf(key), key)
		s.read++
		f.BytesRead += int64(len(d.Raw))
		if d.IsNull() {
			f.NullRows++
		}
		doc = d
	}
	if doc == nil {
		return nil, s.damaged(incomplete(placeOf(key).family, 1, 0))
	}
	return doc, nil
}
