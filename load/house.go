package load

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"pipeline/load/atomicfile"
	"pipeline/load/catalog"
	"pipeline/load/engine"
	"pipeline/load/filelock"
	"pipeline/load/rawlog"
)

// A House is a warehouse under its lock, for housekeeping: what nobody needs any more is removed, and what is scattered is put together. Nothing
// is changed before Apply, and one transaction changes what the warehouse says.
//
// Files of the raw layer are written anew in this order: whole and read again under a scratch name; renamed; the transaction that names them; the
// removal of those whose place they take. From the rename on they stand for those, see rawlog.About: a kill at any moment leaves every version once.
type House struct {
	w       *warehouse
	t       *transaction
	raw     *rawLayer
	files   []rawlog.Found
	memory  Memory
	looks   bool // it is open for reading alone
	changed bool // the transaction has changes
	bytes   map[string]int64
	sums    map[string]string // of the named files, as they were written
}

// OpenHouse opens the warehouse of that path. It gives ErrBusy when a run holds it; where it only looks, without the lock, when anybody writes.
func OpenHouse(ctx context.Context, path string, looks bool, memory Memory, warn func(string, ...any)) (_ *House, err error) {
	h := &House{memory: memory.orDefault(), looks: looks}
	if looks {
		h.w = &warehouse{path: path, file: path, lock: filelock.New(path + ".lock")}
		if h.w.db, h.w.conn, err = engine.Open(ctx, path, true); err == nil {
			err = catalog.Check(ctx, h.w.conn, path)
		}
	} else {
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("look at the warehouse: %w", err)
		}
		var other *catalog.OtherVersion
		if err := catalog.CheckFile(ctx, path); errors.As(err, &other) { // a run migrates, and says so
			return nil, err
		}
		h.w, err = open(ctx, path, false)
	}
	if err == nil {
		err = h.begin(ctx, warn)
	}
	if err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return h, nil
}

// begin begins the transaction, and ends what an interrupted housekeeping has begun.
func (h *House) begin(ctx context.Context, warn func(string, ...any)) error {
	h.t = &transaction{w: h.w, settings: Settings{Memory: h.memory, Warn: warn}}
	if err := h.t.exec(ctx, engine.SetMemory(h.memory.Engine)); err != nil {
		return err
	}
	begin := h.t.begin
	if h.looks { // nothing is committed
		begin = func(ctx context.Context) error { return h.t.exec(ctx, `BEGIN TRANSACTION`) }
	}
	if err := begin(ctx); err != nil {
		return err
	}
	h.raw = &rawLayer{t: h.t, dir: rawlog.Dir(h.w.path), next: 1, changed: map[string]bool{}}
	named, err := h.named(ctx)
	if err != nil {
		return err
	}
	files, err := rawlog.List(h.raw.dir)
	if err != nil {
		return err
	}
	if err := h.undamaged(ctx, files, named); err != nil {
		return err
	}
	whole, replaced := rawlog.Rewritten(h.raw.dir, files)
	if !h.looks {
		if err := h.settle(ctx, files, whole, replaced, named); err != nil {
			return err
		}
	}
	for _, f := range files {
		h.raw.next = max(h.raw.next, f.Seq+1)
	}
	return h.find(files, named, replaced)
}

// settle ends an interrupted housekeeping where nothing but that is amiss; else the warehouse lacks what a file holds, and a run has to look.
func (h *House) settle(ctx context.Context, files []rawlog.Path, whole map[string]*rawlog.About, replaced, named map[string]bool) error {
	if err := h.raw.nameParts(ctx); err != nil {
		return err
	}
	for path, about := range whole {
		if named[path] || replaced[path] {
			continue
		}
		h.changed = true
		if slices.ContainsFunc(about.Replaces, func(p string) bool { return !named[p] }) {
			return fmt.Errorf("the raw layer holds files that the warehouse does not know, %s for one: take a plain run first, which takes them in", path)
		}
	}
	if err := h.raw.settle(ctx, files, whole, replaced, named); err != nil {
		return err
	}
	again, err := h.named(ctx)
	clear(named)
	for path := range again {
		named[path] = true
	}
	return err
}

// named are the files that the warehouse names, and their sizes.
func (h *House) named(ctx context.Context) (map[string]bool, error) {
	h.bytes = map[string]int64{}
	h.sums = map[string]string{}
	named := map[string]bool{}
	rows, err := h.w.conn.QueryContext(ctx, `SELECT path, bytes, sha256 FROM raw_files`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var path, sum string
		var bytes int64
		if err := rows.Scan(&path, &bytes, &sum); err != nil {
			return nil, err
		}
		named[path], h.bytes[path], h.sums[path] = true, bytes, sum
	}
	return named, rows.Err()
}

// find reads what the named files say of themselves. Others are of loads that did not commit: the next load takes them in.
func (h *House) find(files []rawlog.Path, named, replaced map[string]bool) error {
	for _, f := range files {
		if !named[f.String()] {
			continue
		}
		delete(named, f.String())
		found := rawlog.Found{Path: f}
		if found.About, found.Err = rawlog.ReadAbout(h.raw.dir, f); found.Err != nil {
			return fmt.Errorf("the file %s of the raw layer cannot be read: %w; 'pipeline check --deep' says what to do", f.In(h.raw.dir), found.Err)
		}
		h.files = append(h.files, found)
	}
	for path := range named {
		if replaced[path] {
			return fmt.Errorf("the warehouse names files of the raw layer whose place another has taken since, %s for one, as one from a backup does: a plain run takes that in", path)
		}
		return fmt.Errorf("the file %s of the raw layer is no longer there: take a plain run first, which writes what the stores still hold of it", filepath.Join(h.raw.dir, path))
	}
	slices.SortFunc(h.files, func(a, b rawlog.Found) int { return int(a.About.Parts[0].Seq - b.About.Parts[0].Seq) })
	return nil
}

// plan begins a file that takes the place of others of a source.
func (h *House) plan(of []rawlog.Found) *rawlog.Rewrite {
	seq := h.raw.next
	h.raw.next++
	return &rawlog.Rewrite{Of: of, Final: rawlog.RewrittenPath(of[0].Source, seq)}
}

// rewriteAll writes files anew and names them in the transaction. Before the first is renamed, nothing has changed and any error leaves it so.
func (h *House) rewriteAll(ctx context.Context, files []*rawlog.Rewrite, prepare func(context.Context, *rawlog.Rewrite) error, progress func(done, all int)) (err error) {
	defer func() {
		if err != nil {
			err = engine.WithRemedy(fmt.Errorf("write files of the raw layer anew: %w", err))
			for _, f := range files {
				if f.Scratch != "" {
					_ = os.Remove(f.Scratch) // if it stays, the next run sweeps it
				}
			}
		}
	}()
	for i, f := range files {
		progress(i, len(files))
		if err := errors.Join(prepare(ctx, f), h.readable(ctx, f)); err != nil {
			return err
		}
		if err := f.Write(ctx, h.raw.dir, h.memory.Group); err != nil {
			return err
		}
		f.Remove = nil // a layer has many versions
	}
	if err := errors.Join(ctx.Err(), beforeRewriteName.Reach()); err != nil {
		return err
	}
	for _, f := range files {
		if err := atomicfile.Rename(f.Scratch, f.Final.In(h.raw.dir)); err != nil {
			return err
		}
		if err := afterRewriteName.Reach(); err != nil {
			return err
		}
	}
	for _, f := range files {
		for _, path := range f.About.Replaced() {
			if err := h.raw.forget(ctx, path); err != nil {
				return err
			}
		}
		h.changed = true
		if err := h.raw.register(ctx, f.Final, f.About.Parts, f.Row); err != nil {
			return err
		}
	}
	return nil
}

// readable refuses files that are not as they were written: what is written anew of them would pass for whole. It says how many rows of them may be
// held at a time.
func (h *House) readable(ctx context.Context, f *rawlog.Rewrite) error {
	largest := int64(1)
	for _, old := range f.Of {
		sum, _, err := atomicfile.Sum(old.In(h.raw.dir))
		if err == nil && sum != h.sums[old.String()] {
			err = fmt.Errorf("%s is not as it was written: nothing was changed; 'pipeline check --deep' says what to do", old.In(h.raw.dir))
		}
		if err != nil {
			return err
		}
		var bytes int64
		if err := h.w.conn.QueryRowContext(ctx, `SELECT coalesce(max(value_bytes), 0) FROM _known_rows WHERE raw_file = ? AND NOT is_mark`, old.String()).Scan(&bytes); err != nil {
			return err
		}
		largest = max(largest, bytes)
	}
	f.Batch = min(max(h.memory.Group/largest, 1), rawlog.MaxBatch)
	return nil
}

// commit ends the transaction and removes the files whose place others have taken.
func (h *House) commit(ctx context.Context, files []*rawlog.Rewrite) error {
	if err := beforeRewriteCommit.Reach(); err != nil {
		return err
	}
	if err := h.t.exec(context.WithoutCancel(ctx), `COMMIT`); err != nil {
		return err
	}
	if err := errors.Join(afterRewriteCommit.Reach(), h.w.publish()); err != nil {
		return err
	}
	for _, f := range files {
		for _, old := range f.Of {
			h.raw.discard(old.Path)
			if err := afterDiscard.Reach(); err != nil {
				return err
			}
		}
	}
	return nil
}

// setMeta keeps a setting of the warehouse.
func (h *House) setMeta(ctx context.Context, key, value string) error {
	h.changed = true
	return h.t.keep(ctx, key, value)
}

// Meta reads a setting of the warehouse; "" where it has none.
func (h *House) Meta(ctx context.Context, key string) (value string, err error) {
	err = h.w.conn.QueryRowContext(ctx, `SELECT coalesce(max(value), '') FROM _meta WHERE key = ?`, key).Scan(&value)
	return value, err
}

// Close lets go of the warehouse. What was not applied is undone.
func (h *House) Close() error {
	if h.w == nil {
		return nil
	}
	return h.w.Close()
}

// fileBytes are the sizes of files together.
func (h *House) fileBytes(files []rawlog.Found) (n int64) {
	for _, f := range files {
		n += h.bytes[f.String()]
	}
	return n
}
