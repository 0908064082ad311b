package extract

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// Open takes a snapshot of each store of the source. A store that cannot be read is reported in Stores and stops no
// other. The error is not nil only if no store at all could be opened, or ctx ended.
func (src Source) Open(ctx context.Context, o OpenOptions) (_ Snapshot, err error) {
	if src.App == AppCLI {
		return openCLI(ctx, src, o)
	}
	c := &cursor{pinned: map[string]*store{}, reopen: map[string]func(context.Context) (*store, error){}}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.Close())
		}
	}()
	var stores []storeLocation
	if src.Global != "" {
		stores = append(stores, storeLocation{name: GlobalStore, path: src.Global})
	}
	for _, w := range src.Workspaces {
		if c.shared.Workspaces = append(c.shared.Workspaces, w); w.DB != "" {
			stores = append(stores, storeLocation{WorkspaceStore(w.ID), w.DB, w})
		}
	}
	own := WorkspaceStore(filepath.Base(filepath.Dir(src.Global))) // of a bare file that turns out to be a workspace's
	if src.isFile() {
		o = o.asGlobal(own)
	}
	for _, f := range stores {
		s, err := c.add(ctx, f, o)
		if s != nil && src.isFile() && s.isWorkspaceStore() {
			s.rename(own)
			c.shared.Workspaces = append(c.shared.Workspaces, bareWorkspace(src.Global))
		}
		if s != nil {
			err = c.register(ctx, s)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := c.noneReadable(); err != nil {
		return nil, err
	}
	return c, nil
}

// add opens a store and reads the rows that its conversations share. It returns nil and adds a report for a store that
// cannot be read, and for one whose state the caller knows already. A store that changes during each try in place is
// read from a private copy. Of a damaged store it reads what can be read.
func (c *cursor) add(ctx context.Context, f storeLocation, o OpenOptions) (*store, error) {
	if known := c.asKnown(f, o); known != nil {
		c.addClosed(f, *known, storeOptions{})
		return nil, nil
	}
	how := storeOptions{Copy: o.Copy[f.name], Salvage: o.Salvage[f.name], buffer: c.wholeBuffer()}
	failed := o.Skip[f.name]
	var damaged error
	for try := 1; failed == nil; try++ {
		s, err := readStore(ctx, f, o, how)
		var slow *OverBudgetError
		switch {
		case err == nil:
			return s, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, ErrTorn) && try < snapshotTries:
		case !how.Copy && (errors.Is(err, ErrTorn) || errors.As(err, &slow)):
			how.Copy = true
		case IsDamage(err) && !how.Salvage:
			how.Salvage, damaged = true, err
		default:
			failed = err
			if IsDamage(err) && damaged != nil {
				failed = damaged // nothing could be salvaged
			}
		}
	}
	c.all = append(c.all, StoreReport{Store: f.name, Info: StoreInfo{Path: f.path}, Err: failed})
	return nil, nil
}

// register takes over the rows that a store's conversations share. It closes a store without conversations at once: ten
// thousand workspaces must not be ten thousand open files. Its index is checked before that.
func (c *cursor) register(ctx context.Context, s *store) error {
	c.shared.Items = append(c.shared.Items, s.items...)
	c.shared.Headers = append(c.shared.Headers, s.headers...)
	s.items, s.headers = nil, nil
	report := StoreReport{Store: s.name, Info: s.snap.Info()}
	if loss := s.snap.loss; loss != nil {
		report.Err, report.Salvaged = loss.err, true
	}
	report.MaxRowID, report.Identity, report.State, report.Depth = s.maxRowID, s.identity(), s.state, s.depth
	if !s.sharedOnly() {
		c.all, c.open, c.pinned[s.name] = append(c.all, report), append(c.open, s), s
		return nil
	}
	report.SharedOnly = true
	report.RowsSeen, report.RowsRead, report.Families = s.seen, s.read, s.counts()
	c.addClosed(s.file, report, storeOptions{Copy: s.snap.Info().Method == MethodCopy, Salvage: s.snap.loss != nil})
	if s.checkIndex(ctx) == nil && s.snap.Verify() == nil { // else CheckIndex opens it again, and says why
		delete(c.reopen, report.Store)
	}
	return s.snap.Close()
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

// addClosed reports on a store that is not open, and notes how to open it again.
func (c *cursor) addClosed(f storeLocation, report StoreReport, how storeOptions) {
	c.all = append(c.all, report)
	f.name, f.path = report.Store, report.Info.Path
	c.reopen[report.Store] = func(ctx context.Context) (*store, error) { return readStore(ctx, f, OpenOptions{}, how) }
}

// counts returns the row counts of the store's families, sorted by family.
func (s *store) counts() (out []FamilyCount) {
	for _, f := range s.families {
		out = append(out, *f)
	}
	slices.SortFunc(out, func(a, b FamilyCount) int { return cmp.Compare(a.Family, b.Family) })
	return out
}

// noneReadable returns the stores' errors if there were stores and none could be read.
func (c *cursor) noneReadable() error {
	var failures []error
	for _, r := range c.all {
		if !r.Unreadable() {
			return nil
		}
		failures = append(failures, r.Err)
	}
	return errors.Join(failures...)
}

func (c *cursor) Shared() *Shared { return &c.shared }

func (c *cursor) Stores() []StoreReport {
	out := slices.Clone(c.all)
	for i := range out {
		if s := c.pinned[out[i].Store]; s != nil {
			out[i].RowsSeen, out[i].RowsRead, out[i].Families = s.seen, s.read, s.counts()
		}
	}
	return out
}

// Conversations yields the rows of each conversation from the first store that has it: the global one beats a
// workspace's.
func (c *cursor) Conversations(ctx context.Context) iter.Seq2[*Conversation, error] {
	return func(yield func(*Conversation, error) bool) {
		seen := map[string]bool{}
		for _, s := range c.open {
			if len(s.keys) > 0 && !yield(s.looseRows(ctx), nil) {
				return
			}
			for _, id := range slices.Sorted(maps.Keys(s.index)) {
				if seen[id] {
					continue
				}
				seen[id] = true
				if !yield(s.conversation(ctx, id), nil) {
					return
				}
			}
		}
	}
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

// looseRows is the pseudo-conversation of rows that belong to none: diffs whose keys name no conversation, and keys
// without their family's shape.
func (s *store) looseRows(ctx context.Context) *Conversation {
	c := &Conversation{Store: s.name, Loose: true, Fingerprint: s.fingerprint(&s.loose), Sizes: s.sizes(&s.loose),
		Content: s.content(&s.loose)}
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

func (c *cursor) Count() int {
	n := 0
	for _, s := range c.open {
		n += len(s.index)
	}
	return n
}

func (c *cursor) CheckIndex(ctx context.Context, store string) (err error) {
	for _, s := range c.open {
		if s.name == store {
			return s.checkIndex(ctx)
		}
	}
	reopen := c.reopen[store]
	if reopen == nil {
		return nil
	}
	s, err := reopen(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.snap.Close()) }()
	if err := s.checkIndex(ctx); err != nil {
		return err
	}
	delete(c.reopen, store)
	return s.snap.Verify()
}

func (c *cursor) Verify() error {
	for _, s := range c.open {
		if err := s.snap.Verify(); err != nil {
			return err
		}
	}
	return nil
}

func (c *cursor) Close() error {
	var errs []error
	for _, s := range c.open {
		errs = append(errs, s.snap.Close())
	}
	c.open, c.pinned, c.reopen = nil, nil, nil // the index can be freed, even if somebody still holds the snapshot
	return errors.Join(errs...)
}
