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
	diskDDL  string            // that of cursorDiskKV
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

// readStore opens a store and reads its index and the rows that conversations share. A store that makes this program
// fail counts as damaged.
func readStore(ctx context.Context, file storeLocation, of OpenOptions, o storeOptions) (_ *store, err error) {
	snap, err := openStore(ctx, file.path, o)
	if err != nil {
		return nil, err
	}
	s := &store{name: file.name, file: file, snap: snap, every: of.Every, graph: of.Graph, keptNode: of.Kept,
		askDepth: of.Depth, tables: map[string]bool{}, noRowID: map[string]bool{}, index: map[string]*entry{},
		kept: map[string]*entry{}, families: map[string]*FamilyCount{}}
	defer func() {
		if p := recover(); p != nil {
			err = &StoreError{Path: file.path, Kind: KindDamaged, Err: NewDefect(p)}
		}
		if err != nil {
			err = errors.Join(err, snap.Close())
		}
	}()
	steps := []func(context.Context) error{s.readEncoding, s.readTables, s.readIndex, s.readValues, s.readItems,
		s.readHeaders}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return nil, s.damaged(err)
		}
	}
	if err := snap.tellMarks(ctx, file.name, of.Marks); err != nil {
		return nil, s.damaged(err)
	}
	if s.sharedOnly() {
		s.state = s.wholeState(o.buffer)
	}
	return s, snap.Verify()
}

// damaged turns an error of SQLite into one that names the store.
func (s *store) damaged(err error) error {
	var known *StoreError
	var slow *OverBudgetError
	if errors.As(err, &known) || errors.As(err, &slow) || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return s.snap.explain(err)
}

// readItems reads the allowed rows of ItemTable. Of all other rows it reads only the key.
func (s *store) readItems(ctx context.Context) error {
	if !s.tables[itemTable] {
		return nil
	}
	rows, err := s.snap.Conn().QueryContext(ctx, `SELECT key FROM ItemTable WHERE key IS NOT NULL ORDER BY key`)
	if err != nil {
		return err
	}
	defer rows.Close()
	var allowed []string
	for rows.Next() {
		var key string
		if err := rows.Scan(&key); err != nil {
			return err
		}
		s.seen++
		p := classifyItemKey(key)
		s.countOf(p, key).Rows++
		if p.handling == Loaded {
			allowed = append(allowed, key)
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	for _, key := range allowed {
		n := len(s.items)
		for d, err := range s.documents(ctx, itemTable, oneKey(key)) {
			if err != nil {
				return err
			}
			s.tally(d)
			s.items = append(s.items, d)
		}
		if len(s.items) == n {
			return incomplete(classifyItemKey(key).family, 1, 0)
		}
	}
	return nil
}

// isWorkspaceStore tells a workspace's store from a global one by its content: ItemTable has composer or chat data, and
// cursorDiskKV has no rows of conversations.
func (s *store) isWorkspaceStore() bool {
	if len(s.index) > 0 {
		return false
	}
	return slices.ContainsFunc(s.items, func(d *Document) bool {
		return d.Family == "composer.composerData" || d.Family == "aichat.chatdata" ||
			strings.HasPrefix(d.Family, "workbench.panel")
	})
}

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

// conversation makes the conversation with that id. Its rows are read when they are used.
func (s *store) conversation(ctx context.Context, id string) *Conversation {
	e := s.index[id]
	c := &Conversation{Store: s.name, ID: id, Fingerprint: s.fingerprint(e), Sizes: s.sizes(e), Content: s.content(e)}
	c.rows = e.rows.all()
	if e.rows.of(FamilyCloud) > 0 {
		c.Fingerprint, c.Content = s.withBlobs(c.Fingerprint), ""
	}
	if e.rows.of(FamilyComposer) > 0 {
		c.readHead = func() (head *Document, err error) {
			for d, err := range s.documents(ctx, diskKV, oneKey(FamilyComposer+":"+id)) {
				if err != nil {
					return nil, s.damaged(err)
				}
				s.tally(d)
				head = d
			}
			if head == nil {
				return nil, s.damaged(incomplete(FamilyComposer, 1, 0))
			}
			return head, nil
		}
	}
	c.Parts = s.tallied(func(yield func(*Document, error) bool) {
		for _, family := range partFamilies {
			named := e.rows.of(family)
			if named == 0 {
				continue
			}
			n, from, only := 0, family+":"+id, onlyKey(family, id)
			which := keys{from: from + ":", below: from + ";"}
			if only != "" {
				which = oneKey(only)
			}
			for d, err := range s.documents(ctx, diskKV, which) {
				if err == nil && (d.badKey || only == "" && !strings.HasPrefix(d.Key, from+":")) {
					// a loose row, which looseRows reads; or, in UTF-16, a row of another conversation that sorts
					// between these
					continue
				}
				if n++; !yield(d, err) || err != nil {
					return
				}
			}
			if n != named {
				yield(nil, incomplete(family, named, n))
				return
			}
		}
		s.nodes(ctx, c, e, yield)
	})
	return c
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

// looseRows is the pseudo-conversation of rows that belong to none: diffs whose keys name no conversation, and keys
// without their family's shape.
func (s *store) looseRows(ctx context.Context) *Conversation {
	c := &Conversation{Store: s.name, Loose: true, Fingerprint: s.fingerprint(&s.loose), Sizes: s.sizes(&s.loose),
		Content: s.content(&s.loose)}
	if s.name != GlobalStore {
		c.ID = "(" + s.name + ")"
	}
	c.rows = s.loose.rows.all()
	c.Parts = s.tallied(func(yield func(*Document, error) bool) {
		for _, key := range s.keys {
			found := false
			for d, err := range s.documents(ctx, diskKV, oneKey(key)) {
				if found = true; !yield(d, err) || err != nil {
					return
				}
			}
			if !found {
				yield(nil, incomplete("keys of their own", 1, 0))
				return
			}
		}
	})
	return c
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
