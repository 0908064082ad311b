package extract

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"maps"
	"path/filepath"
	"slices"
)

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

// snapshotTries is how often a store is read in place if it changes during each try. After that it is read from a
// private copy (docs/reliability.md, Private copies).
const snapshotTries = 3

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
	bare := src.isFile()
	if src.Global != "" {
		// the name of a bare file that turns out to be a workspace's
		own := WorkspaceStore(filepath.Base(filepath.Dir(src.Global)))
		if bare {
			o = o.asGlobal(own)
		}
		s, err := c.add(ctx, storeLocation{name: GlobalStore, path: src.Global}, o)
		if err != nil {
			return nil, err
		}
		if bare && s != nil && s.isWorkspaceStore() {
			s.rename(own)
			c.shared.Workspaces = append(c.shared.Workspaces, bareWorkspace(src.Global))
		}
		if s != nil {
			if err := c.register(ctx, s); err != nil {
				return nil, err
			}
		}
	}
	for _, w := range src.Workspaces {
		c.shared.Workspaces = append(c.shared.Workspaces, w)
		if w.DB == "" {
			continue
		}
		s, err := c.add(ctx, storeLocation{WorkspaceStore(w.ID), w.DB, w}, o)
		if err != nil {
			return nil, err
		}
		if s != nil {
			if err := c.register(ctx, s); err != nil {
				return nil, err
			}
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
