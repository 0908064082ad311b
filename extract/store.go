package extract

import (
	"context"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"
)

// store is one open store: the content of its index, and the rows that conversations share.
type store struct {
	name     string
	file     storeLocation // what was known before it was opened
	snap     *storeSnapshot
	tables   map[string]bool
	noRowID  map[string]bool // tables that are declared WITHOUT ROWID
	every    bool
	graph    Graph            // OpenOptions.Graph
	keptNode Kept             // OpenOptions.Kept
	utf16    binary.ByteOrder // byte order of TEXT; nil for UTF-8

	askDepth func(store, state string) Depth // OpenOptions.Depth; nil means DepthKeys
	depth    Depth
	state    string // see storeSnapshot.state; store.wholeState for a store with nothing but shared rows

	ddl      string            // definitions of the tables
	index    map[string]*entry // by conversation
	loose    entry             // rows of loaded families that belong to no conversation
	kept     map[string]*entry // by family: rows that are kept though no table is built from them
	keys     []any             // keys of the loose rows: string, []byte, one nil for all NULL keys
	maxRowID int64
	items    []*Document
	headers  []*Document
	families map[string]*FamilyCount
	patterns int // number of patterns of unknown keys that are counted separately
	seen     int64
	named    tally // rows of cursorDiskKV by its index
	blobs    tally // nodes of the agent's graph by the index
	checked  bool  // checkIndex has found that indexes and tables agree
	read     int64
	polled   int // rows read since the store was opened, to know when to look at the budget
}

// storeLocation is a store before it is opened.
type storeLocation struct {
	name string
	path string
	Workspace
}

// cursor is the Snapshot of one Cursor user directory: the global store pinned for the whole run, workspace stores read
// whole.
type cursor struct {
	shared Shared
	open   []*store // stores with conversations, pinned until Close; the global one first
	all    []StoreReport
	// the stores of open, by name: their counts go on growing while conversations are read
	pinned map[string]*store
	// stores without conversations, by name: closed again with an index that was not found sound, or never opened
	reopen map[string]func(context.Context) (*store, error)
	buffer []byte // see wholeBuffer
}

// entry is the index's information about a conversation.
type entry struct {
	rows        familyRows
	fingerprint xxh3.Uint128
	sums        Sums // from a pass over the values, see readValues
}

// add adds a row to the entry. Rows must come in key order.
func (e *entry) add(family string, key []byte, rowID int64, scratch []byte) []byte {
	e.rows.add(family)
	sum := e.fingerprint.Bytes()
	scratch = append(append(scratch[:0], sum[:]...), key...)
	scratch = binary.LittleEndian.AppendUint64(scratch, uint64(rowID))
	e.fingerprint = xxh3.Hash128(scratch)
	return scratch
}

// familyRows counts the rows of each family. It is a list and no map: there are few families, and one list for each
// conversation.
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

// A tally is a number of rows and a sum over their keys and rowids. The sum does not depend on the order of the rows.
type tally struct {
	rows int64
	sum  uint64
}

// add adds a row.
func (t *tally) add(key rowKey, rowID int64) {
	h := uint64(rowID) * 0x9e3779b97f4a7c15
	switch {
	case key.isText:
		h ^= xxh3.Hash(key.bytes)
	case key.bytes != nil:
		h ^= xxh3.HashSeed(key.bytes, 1)
	}
	t.rows++
	t.sum += h * (h>>29 | 1)
}

// rowKey is a key of a row: a text, a blob, or neither, which has no bytes. It is valid until the next.
type rowKey struct {
	bytes  []byte
	isText bool
}

func textKey(key string) rowKey { return rowKey{[]byte(key), true} }

// damaged turns an error of SQLite into one that names the store.
func (s *store) damaged(err error) error { return s.snap.explain(err) }

func (s *store) rename(name string) {
	s.name = name
	for _, d := range slices.Concat(s.items, s.headers) {
		d.Store = name
	}
}

// countOf returns the count of a key's family, or of its pattern if it has no family.
func (s *store) countOf(p keyClass, key string) *FamilyCount {
	if p.handling == Unknown {
		return s.unknownFamily(key)
	}
	return s.count(p.family, p.handling)
}

func (s *store) count(name string, h Handling) *FamilyCount {
	if s.families[name] == nil {
		s.families[name] = &FamilyCount{Family: name, Handling: h}
	}
	return s.families[name]
}

// tally counts a row whose value was read.
func (s *store) tally(d *Document) {
	f := s.count(d.Family, Loaded)
	s.read++
	f.BytesRead += int64(len(d.Value))
	if d.HoldsNothing() {
		f.NullRows++
	}
}

// rowID returns the SQL expression for a table's rowid.
func (s *store) rowID(table string) string {
	if s.noRowID[table] {
		return "0"
	}
	return "rowid"
}

// incomplete says that a search returned other rows than the index has: the index is out of order.
func incomplete(family string, named, found int) error {
	return fmt.Errorf("%w: it names %d rows of %s where a search finds %d", errIndex, named, family, found)
}

// tallied counts the rows of a sequence the first time it is read to its end, and names the store in errors.
func (s *store) tallied(rows iter.Seq2[*Document, error]) iter.Seq2[*Document, error] {
	done := false
	return func(yield func(*Document, error) bool) {
		counts := map[string]FamilyCount{}
		for d, err := range rows {
			if err != nil {
				yield(nil, s.damaged(err))
				return
			}
			c := counts[d.Family]
			c.Rows++
			c.BytesRead += int64(len(d.Value))
			if d.HoldsNothing() {
				c.NullRows++
			}
			counts[d.Family] = c
			if !yield(d, nil) {
				return
			}
		}
		if done {
			return
		}
		done = true
		for name, c := range counts {
			f := s.count(name, HandlingOf(name))
			f.BytesRead += c.BytesRead
			f.NullRows += c.NullRows
			s.read += c.Rows
		}
	}
}

// documents yields the rows of a table with some keys. It reads the key from the index and from the
// table, at no extra cost. If they differ the store is damaged, even if each page is sound.
func (s *store) documents(ctx context.Context, table string, which keys) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		for row, err := range s.keyed(ctx, table, which) {
			var d *Document
			if err == nil {
				d, err = s.document(table, row)
			}
			if s.polled++; err == nil && s.polled%budgetEvery == 0 {
				err = errors.Join(s.withinBudget(), ctx.Err())
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}

// keyed yields the rows with some keys: the key in the index, rowid, type, size and bytes of the value, and the key in
// the table. A value that is too large is nil.
func (s *store) keyed(ctx context.Context, table string, which keys) iter.Seq2[[]driver.Value, error] {
	join, r, rowID := ` AS k CROSS JOIN `+table+` AS r ON r.rowid = k.rowid`, `r`, `k.rowid`
	if s.noRowID[table] { // such a table is its own index
		join, r, rowID = ` AS k`, `k`, `0`
	}
	where, args := which.where()
	const columns = 6
	text := strings.ReplaceAll(`SELECT k.key, `+rowID+
		`, typeof(r.value), octet_length(r.value), CASE WHEN octet_length(r.value) <= ? THEN CAST(r.value AS BLOB) END, r.key
		FROM `, `r.`, r+`.`) + table + join + ` WHERE ` + where
	return s.snap.Rows(ctx, text, columns, append([]any{readLimit(s.utf16)}, args...)...)
}

// budgetEvery is how many rows are read between two looks at the snapshot's budget.
const budgetEvery = 512

// withinBudget returns an OverBudgetError if the read transaction has been open for too long: it keeps the editor from
// resetting its -wal.
func (s *store) withinBudget() error {
	if reason := s.snap.overBudget(); reason != "" {
		return &OverBudgetError{Store: s.name, Reason: reason}
	}
	return nil
}

// document makes a document from a row of the query of documents.
func (s *store) document(table string, row []driver.Value) (*Document, error) {
	key, again := row[0], row[5]
	if text(key) != text(again) {
		return nil, fmt.Errorf("%w: it names %.120q where the row has %.120q", errIndex, text(key), text(again))
	}
	d := &Document{Store: s.name, Table: table}
	d.RowID, _ = row[1].(int64)
	d.Type, _ = row[2].(string)
	d.Bytes, _ = row[3].(int64)
	value, _ := row[4].([]byte)
	if s.utf16 != nil && d.Type == "text" && value != nil {
		value = fromUTF16(value, s.utf16)
		d.Bytes = int64(len(value))
	}
	switch k := key.(type) {
	case nil:
		d.KeyType = KeyNull
	case []byte:
		d.Key, d.KeyType = string(k), KeyBlob
	case string:
		d.Key, d.KeyType = k, KeyText
	}
	if s.snap.loss.lost(table, d.RowID) {
		d.Type = TypeUnreadable
	}
	d.classify()
	if d.Bytes <= MaxValueBytes && d.Type != TypeUnreadable {
		if value == nil && !d.IsNull() {
			value = []byte{} // the driver gives nil for an empty value, too
		}
		d.decode(value, false)
	}
	return d, nil
}

// unknownFamily returns the count for a key that matches no pattern of its table's families.
func (s *store) unknownFamily(key string) *FamilyCount {
	pattern := PatternOf(key)
	if isBare(key, pattern) {
		pattern += bare
	}
	if f := s.families[pattern]; f != nil {
		return f
	}
	if s.patterns == maxPatterns {
		pattern = FamilyUnknown
	} else if pattern != FamilyUnknown {
		s.patterns++
	}
	return s.count(pattern, Unknown)
}

// KeptFamily is a family of a store whose rows are kept though no table is built from it.
type KeptFamily struct {
	Store       string
	Family      string
	Fingerprint string // over keys and rowids, like a conversation's; Sizes and Content too are like a conversation's
	Sizes       string
	Content     string
}

const unknownSize = -1

// KeptRow is a row of such a family. Its value is not read yet.
type KeptRow struct {
	Store  string
	Family string
	Key    string
	RowID  int64 // 0 if the table has no rowids
	Bytes  int64 // size of the value; unknownSize if it was not asked for
	store  *store
}

// SameSize reports whether the value may have that size: its size is equal or unknown.
func (r KeptRow) SameSize(size int64) bool { return r.Bytes == unknownSize || r.Bytes == size }
