package extract

import (
	"context"
	"database/sql/driver"
	"errors"
	"iter"
	"strings"
)

// This file finds rows that changed though their rowids did not: an UPDATE, or an upsert, overwrites a value and keeps
// the rowid. One pass reads the table in its own order. It reads either the size of each value, which needs no value,
// or every value. The results are summed up for each conversation.

// sizes and content return the pass's results for an owner; "" if the pass was not that deep.
func (s *store) sizes(e *entry) string {
	if s.depth < DepthSizes {
		return ""
	}
	return e.sums.Sizes()
}

func (s *store) content(e *entry) string {
	if s.depth < DepthValues {
		return ""
	}
	return e.sums.Content()
}

// readValues makes the pass, as deep as the caller asks for. It makes none where rows have no rowid: their values are
// compared in each run anyway.
func (s *store) readValues(ctx context.Context) error {
	s.state = s.snap.state()
	if s.tables[diskKV] && !s.noRowID[diskKV] && len(s.index)+len(s.keys)+len(s.kept) > 0 && s.askDepth != nil {
		s.depth = s.askDepth(s.name, s.state)
	}
	if s.depth == DepthKeys {
		return nil
	}
	if s.utf16 != nil { // octet_length counts bytes of UTF-16 there, so sizes cannot be compared
		s.depth = DepthValues
	}
	rows := 0
	for row, err := range s.owned(ctx) {
		if err == nil {
			err = s.sumUp(ctx, row)
		}
		if rows++; err == nil && rows%budgetEvery == 0 {
			err = errors.Join(s.withinBudget(), ctx.Err())
		}
		if err != nil {
			return err
		}
	}
	return s.sumOtherKeys(ctx)
}

// An ownedRow is a row as the pass sees it. That of a key that is no text has no owner: sumOtherKeys reads it.
type ownedRow struct {
	key    string
	owner  *entry         // nil: the row is ignored
	isRead bool           // the pass reads its value
	size   int64          // of the value in bytes
	values []driver.Value // what document takes, but for the key once more, if the pass reads values
}

// ownerOfKey returns a row of a key without what it has.
func (s *store) ownerOfKey(key string) ownedRow {
	p := classifyKey(key)
	owner := s.ownerOf(p, key)
	return ownedRow{key: key, owner: owner, isRead: owner != nil && s.isRead(p.family)}
}

// owned yields all rows in the table's order, with their values if the pass reads all of these: the few that are read
// beside sizes are found by their keys, as a condition for each row would take half as long again.
func (s *store) owned(ctx context.Context) iter.Seq2[ownedRow, error] {
	columns, n, args := `key, NULL, NULL, octet_length(value)`, 4, []any(nil)
	if s.depth == DepthValues {
		isRead := s.readable()
		columns = `key, rowid, CASE WHEN ` + isRead + ` THEN typeof(value) END, octet_length(value), CASE WHEN (` +
			isRead + `) AND octet_length(value) <= ? THEN CAST(value AS BLOB) END`
		n, args = 5, []any{readLimit(s.utf16)}
	}
	return s.ownedBy(query(ctx, s.snap.Conn(), `SELECT `+columns+` FROM cursorDiskKV NOT INDEXED`, n, args...))
}

// ownedBy finds the owners of rows as document takes them.
func (s *store) ownedBy(rows iter.Seq2[[]driver.Value, error]) iter.Seq2[ownedRow, error] {
	return func(yield func(ownedRow, error) bool) {
		for values, err := range rows {
			var row ownedRow
			if err == nil {
				if key, ok := values[0].(string); ok {
					row = s.ownerOfKey(key)
				}
				row.size, _ = values[3].(int64)
				row.values = values
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

// sumUp adds a row to the sums of its owner.
func (s *store) sumUp(ctx context.Context, row ownedRow) error {
	switch {
	case row.owner == nil:
		return nil
	case !row.isRead:
		row.owner.sums.addSize(row.key, row.size, "")
		row.owner.sums.partial = true
		return nil
	case s.depth < DepthValues:
		return s.sumUpByKey(ctx, row.key, row.owner)
	}
	d, err := s.document(diskKV, append(row.values, row.values[0]))
	if err == nil {
		row.owner.sums.Add(d)
	}
	return err
}

// sumUpByKey adds the row with a key.
func (s *store) sumUpByKey(ctx context.Context, key any, owner *entry) error {
	for d, err := range s.documents(ctx, diskKV, oneKey(key)) {
		if err != nil {
			return err
		}
		owner.sums.Add(d)
	}
	return nil
}

// sumOtherKeys adds the rows whose key is no text. There are few.
func (s *store) sumOtherKeys(ctx context.Context) error {
	for _, key := range s.keys {
		if _, ok := key.(string); ok {
			continue
		}
		if err := s.sumUpByKey(ctx, key, &s.loose); err != nil {
			return err
		}
	}
	return nil
}

// ownerOf returns the entry of a row's owner: its conversation, a family that is kept, or the loose rows. It is nil if
// the row is ignored.
func (s *store) ownerOf(p keyClass, key string) *entry {
	switch {
	case p.handling != Loaded && s.keeps(p.family) && keepable(p, key):
		return s.kept[p.family]
	case p.handling != Loaded:
		return nil
	case p.conversation == "":
		return &s.loose
	}
	return s.index[p.conversation]
}

// isRead reports whether the pass reads the values of a family. Values of keys without a known pattern may be secrets.
func (s *store) isRead(family string) bool {
	return family == FamilyComposer || family == FamilyCloud || s.depth == DepthValues && prefixOf(family) != ""
}

func prefixOf(family string) string {
	for i := range families {
		if families[i].name == family {
			return families[i].prefix
		}
	}
	return ""
}

// readable returns the SQL condition for keys whose values are read.
func (s *store) readable() string {
	var ranges []string
	for i := range families {
		f := &families[i]
		if s.isRead(f.name) && (f.handling == Loaded || s.keeps(f.name)) {
			if f.shape == before {
				ranges = append(ranges, `key GLOB '*`+f.prefix+`'`)
				continue
			}
			end := f.prefix[:len(f.prefix)-1] + string(f.prefix[len(f.prefix)-1]+1)
			ranges = append(ranges, `key >= '`+f.prefix+`' AND key < '`+end+`'`)
		}
	}
	return strings.Join(ranges, " OR ")
}
