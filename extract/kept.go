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

// kept are the families whose rows are kept in the raw layer though no table is built from them: contents of files
// before an edit, which are stored nowhere else.
var kept = []string{"composer.content", "ofsContent"}

// IsKept reports whether rows of a family are kept though no table is built from them.
func IsKept(family string) bool { return slices.Contains(kept, family) }

// keeps reports whether rows of such a family are read.
func (s *store) keeps(family string) bool { return s.every || IsKept(family) }

// addKept adds a row to its family's entry if such rows are kept.
func (s *store) addKept(p keyClass, key string, rowID int64, scratch []byte) []byte {
	if !s.keeps(p.family) || !keepable(p, key) {
		return scratch
	}
	e := s.kept[p.family]
	if e == nil {
		e = &entry{}
		s.kept[p.family] = e
	}
	return e.add(p.family, []byte(key), rowID, scratch)
}

// keepable is false for secrets, and for keys that no text column can hold.
func keepable(p keyClass, key string) bool {
	return p.handling != Loaded && p.handling != Refused && utf8.ValidString(key) && strings.IndexByte(key, 0) < 0
}

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

// keptPage is how many keys are held in memory at a time: a family may have millions.
const keptPage = 20_000

// keptRows yields the rows of some families. The queries use the index alone.
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
				if p := classifyKey(key); families[p.family] && keepable(p, key) {
					rowID, _ := row[1].(int64)
					page = append(page, KeptRow{s.name, p.family, key, rowID, unknownSize, s})
				}
			}, last, int64(keptPage))
			if err == nil {
				err = s.fillSizes(ctx, page)
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

// fillSizes reads the sizes of some rows if a pass compared the store's values: the sizes tell which of the rows
// changed.
func (s *store) fillSizes(ctx context.Context, rows []KeptRow) error {
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
	return eachRow(ctx, s.snap.Conn(),
		`SELECT r.rowid, octet_length(r.value) FROM json_each(?) AS j CROSS JOIN cursorDiskKV AS r ON r.rowid = j.value`, 2, func(row []driver.Value) {
			id, _ := row[0].(int64)
			rows[at[id]].Bytes, _ = row[1].(int64)
		}, string(list))
}

// keptSorted is keptRows for a store whose keys are not sorted as UTF-8: it holds all keys in memory and sorts them.
func (s *store) keptSorted(ctx context.Context, families map[string]bool) iter.Seq2[KeptRow, error] {
	return func(yield func(KeptRow, error) bool) {
		var all []KeptRow
		err := eachRow(ctx, s.snap.Conn(), `SELECT key, `+s.rowID(diskKV)+` FROM cursorDiskKV`,
			2, func(row []driver.Value) {
				key, ok := row[0].(string)
				if p := classifyKey(key); ok && families[p.family] && keepable(p, key) {
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
	for d, err := range s.documents(ctx, diskKV, oneKey(key)) {
		if err != nil {
			return nil, s.damaged(err)
		}
		f := s.countOf(classifyKey(key), key)
		s.read++
		f.BytesRead += int64(len(d.Raw))
		if d.IsNull() {
			f.NullRows++
		}
		doc = d
	}
	if doc == nil {
		return nil, s.damaged(incomplete(classifyKey(key).family, 1, 0))
	}
	return doc, nil
}
