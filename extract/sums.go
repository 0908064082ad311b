package extract

import (
	"context"
	"database/sql/driver"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"iter"
	"math/bits"
	"strings"
	"time"

	"github.com/zeebo/xxh3"
)

// This file finds rows that changed though their rowids did not: an UPDATE, or an upsert, overwrites a value and keeps
// the rowid. One pass reads the table in its own order. It reads either the size of each value, which needs no value,
// or every value. The results are summed up for each conversation.

// Depth is how far a store's values are compared before its rows are loaded.
type Depth int

const (
	DepthKeys   Depth = iota // keys and rowids alone
	DepthSizes               // the sizes of all values, and the conversations' own documents
	DepthValues              // every value of the families that are loaded or kept
)

// Sums is a sum over the rows of one owner. It does not depend on the order of the rows.
type Sums struct {
	sizes   uint64
	content xxh3.Uint128
	partial bool // a value was not read, so content is unknown
	nodes   uint64
	has     bool // nodes were added
	holds   bool // a row holds something
	cloud   bool // the nodes count
}

// Add adds a row that was read. The sizes include the hash of a conversation's own document: the document holds the
// time of the last update, and a new time changes no size. So does the row that names the state of a cloud agent.
func (s *Sums) Add(d *Document) {
	s.holds = s.holds || !d.HoldsNothing()
	if d.IsNode() { // its name says all of it, and the rows that lead to it are added
		s.nodes += xxh3.HashString(d.ID)
		s.has = true
		return
	}
	s.cloud = s.cloud || d.Family == FamilyCloud
	if d.IsHead() || d.Family == FamilyCloud {
		s.addSize(d.Key, d.Bytes, d.Hash())
	} else {
		s.addSize(d.Key, d.Bytes, "")
	}
	s.addContent(d.Table, d.KeyType, d.Key, d.Hash())
}

// AddKnown adds a row of the key-value table that was not read, with the size and hash from the raw layer. It must be
// of a family that is kept.
func (s *Sums) AddKnown(key string, size int64, hash string) {
	s.holds = true
	s.addSize(key, size, "")
	s.addContent(diskKV, KeyText, key, hash)
}

// HoldNothing reports whether every row that was added holds nothing (Document.HoldsNothing).
func (s *Sums) HoldNothing() bool { return !s.holds && !s.partial }

// HasNodes reports whether one of the rows is a node of the agent's graph.
func (s *Sums) HasNodes() bool { return s.has }

func (s *Sums) addSize(key string, size int64, hash string) {
	var row [128]byte
	b := binary.LittleEndian.AppendUint64(append(row[:0], key...), uint64(size))
	s.sizes += xxh3.Hash(append(b, hash...))
}

func (s *Sums) addContent(parts ...string) {
	var row [256]byte
	b := row[:0]
	for _, part := range parts {
		b = append(binary.LittleEndian.AppendUint32(b, uint32(len(part))), part...)
	}
	h := xxh3.Hash128(b)
	var carry uint64
	s.content.Lo, carry = bits.Add64(s.content.Lo, h.Lo, 0)
	s.content.Hi, _ = bits.Add64(s.content.Hi, h.Hi, carry)
}

// Sizes returns 16 hex digits over the keys of the rows and the sizes of their values.
func (s *Sums) Sizes() string {
	return hex.EncodeToString(binary.BigEndian.AppendUint64(nil, s.sizes))
}

// Content returns 32 hex digits over the keys and versions of the rows: equal for equal content. It is "" if a value
// was not read.
func (s *Sums) Content() string {
	if s.partial {
		return ""
	}
	sum := s.content
	if s.cloud {
		sum.Lo += s.nodes
	}
	text := sum.Bytes()
	return hex.EncodeToString(text[:])
}

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
			err = s.sumUp(row)
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
	values []driver.Value // what document takes; may be nil if the pass does not read it
}

// ownerOfKey returns a row of a key without what it has.
func (s *store) ownerOfKey(key string) ownedRow {
	p := classifyKey(key)
	owner := s.ownerOf(p, key)
	return ownedRow{key: key, owner: owner, isRead: owner != nil && s.isRead(p.family)}
}

// owned yields all rows in the table's order.
func (s *store) owned(ctx context.Context) iter.Seq2[ownedRow, error] {
	text := `SELECT key, rowid, typeof(value), octet_length(value), CASE WHEN octet_length(value) <= ? AND (` +
		s.readable() + `) THEN CAST(value AS BLOB) END, key
		FROM cursorDiskKV NOT INDEXED`
	return s.ownedBy(query(ctx, s.snap.Conn(), text, 6, readLimit(s.utf16)))
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
func (s *store) sumUp(row ownedRow) error {
	switch {
	case row.owner == nil:
		return nil
	case !row.isRead:
		row.owner.sums.addSize(row.key, row.size, "")
		row.owner.sums.partial = true
		return nil
	}
	d, err := s.document(diskKV, row.values)
	if err == nil {
		row.owner.sums.Add(d)
	}
	return err
}

// sumOtherKeys adds the rows whose key is no text. There are few.
func (s *store) sumOtherKeys(ctx context.Context) error {
	for _, key := range s.keys {
		if _, ok := key.(string); ok {
			continue
		}
		for d, err := range s.documents(ctx, diskKV, oneKey(key)) {
			if err != nil {
				return err
			}
			s.loose.sums.Add(d)
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

// minAge is how old a file's time of change must be to be trusted: the file could be written to again within the same
// tick of the clock.
const minAge = 2 * time.Second

// state returns a hash of the state of a store's files when it was opened in place: as long as it is the same, nobody
// has written. It is "" if unknown.
func (s *storeSnapshot) state() string {
	if s.info.Method != MethodInPlace && s.info.Method != MethodWAL {
		return ""
	}
	h := xxh3.New()
	for _, f := range []fileLook{s.before.db, s.before.wal, s.before.journal} {
		if f.info == nil {
			hashNumber(h, -1)
			continue
		}
		if s.opened.Sub(f.info.ModTime()) < minAge {
			return ""
		}
		hashFile(h, f.info.Size(), f.info.ModTime())
		hashText(h, string(f.head))
	}
	return sumOf(h)
}
