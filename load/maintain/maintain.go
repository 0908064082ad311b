// Package maintain removes old versions and loads (retention), puts small files of the raw layer together, and gives free space in the warehouse's file back.
//
// It must never know what a row means, nor when maintenance is due.
package maintain

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"pipeline/load"
	"pipeline/load/catalog"
	"pipeline/load/engine"
	"pipeline/load/rawindex"
	"pipeline/load/rawlog"
	"pipeline/load/session"
	"pipeline/load/tool/atomicfile"
	"pipeline/load/tool/sqlrows"
	"pipeline/load/warehouse"
)

// A Maintenance is an open warehouse under its lock. Its plans change nothing. The methods that carry out a plan change the warehouse in one transaction.
//
// Files of the raw layer are written anew in these steps: write the new file under a scratch name, and read it again; rename it; commit the transaction that
// names it; remove the files that it replaces. From the rename on, the new file counts and the replaced files do not, see rawlog.About. So a kill at any
// moment leaves every version once.
type Maintenance struct {
	w       *warehouse.Warehouse // nil in a dry run
	s       *session.Session
	path    string
	layer   *rawindex.Layer
	files   []rawlog.Found
	memory  load.Memory
	changed bool // the transaction has changes
	bytes   map[string]int64
	sums    map[string]string // of the named files, as they were written
}

// Open opens the warehouse at a path. It returns engine.ErrBusy if a run has it open. A dry run takes no lock; then ErrBusy means that another program writes.
func Open(ctx context.Context, path string, dry bool, memory load.Memory, warn func(string, ...any)) (_ *Maintenance, err error) {
	m := &Maintenance{path: path, memory: memory.OrDefault()}
	if dry {
		m.s = &session.Session{File: path}
		if err = m.s.Open(ctx, true); err == nil {
			err = catalog.Check(ctx, m.s.Conn, path)
		}
	} else {
		err = m.lock(ctx)
	}
	if err == nil {
		err = m.begin(ctx, warn)
	}
	if err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return m, nil
}

// dry reports whether the warehouse is open for reading alone.
func (m *Maintenance) dry() bool { return m.w == nil }

// lock opens the warehouse under its lock. If it is of another version, lock returns an error that says so: a run migrates it.
func (m *Maintenance) lock(ctx context.Context) (err error) {
	if _, err := os.Stat(m.path); err != nil {
		return fmt.Errorf("look at the warehouse: %w", err)
	}
	var other *catalog.OtherVersion
	if err := catalog.CheckFile(ctx, m.path); errors.As(err, &other) {
		return err
	}
	if m.w, err = warehouse.Open(ctx, m.path); err == nil {
		m.s = m.w.Session()
	}
	return err
}

// begin begins the transaction, and finishes what an interrupted maintenance has begun.
func (m *Maintenance) begin(ctx context.Context, warn func(string, ...any)) error {
	if err := m.s.Exec(ctx, engine.SetMemory(m.memory.Engine)); err != nil {
		return err
	}
	begin := m.s.Begin
	if m.dry() { // nothing is committed
		begin = func(ctx context.Context) error { return m.s.Exec(ctx, `BEGIN TRANSACTION`) }
	}
	if err := begin(ctx); err != nil {
		return err
	}
	m.layer = rawindex.New(m.s, &sync.Mutex{}, m.path, load.Settings{Memory: m.memory, Warn: warn}.WithDefaults(), false)
	named, err := m.named(ctx)
	if err != nil {
		return err
	}
	files, err := rawlog.List(m.layer.Dir)
	if err != nil {
		return err
	}
	if err := m.layer.Undamaged(ctx, files, named); err != nil {
		return err
	}
	whole, replaced := rawlog.Rewritten(m.layer.Dir, files)
	if !m.dry() {
		if err := m.endInterrupted(ctx, files, whole, replaced, named); err != nil {
			return err
		}
	}
	m.layer.CountFrom(files)
	return m.find(files, named, replaced)
}

// endInterrupted finishes an interrupted maintenance. It returns an error if the warehouse does not know the rows of a replaced file: then a run must take the
// files in first.
func (m *Maintenance) endInterrupted(ctx context.Context, files []rawlog.Path, whole map[string]*rawlog.About, replaced, named map[string]bool) error {
	for path, about := range whole {
		if named[path] || replaced[path] {
			continue
		}
		m.changed = true
		if slices.ContainsFunc(about.Replaces, func(p string) bool { return !named[p] }) {
			return fmt.Errorf("the raw layer holds files that the warehouse does not know, %s for one: take a plain run first, which takes them in", path)
		}
	}
	if err := m.layer.TakeInRewritten(ctx, files, whole, replaced, named); err != nil {
		return err
	}
	again, err := m.named(ctx)
	clear(named)
	for path := range again {
		named[path] = true
	}
	return err
}

// named returns the paths of the files that the warehouse names. It notes their sizes and sums.
func (m *Maintenance) named(ctx context.Context) (map[string]bool, error) {
	m.bytes = map[string]int64{}
	m.sums = map[string]string{}
	named := map[string]bool{}
	err := sqlrows.Each(ctx, m.s.Conn, `SELECT path, bytes, sha256 FROM raw_files`, func(rows *sql.Rows) error {
		var path, sum string
		var bytes int64
		err := rows.Scan(&path, &bytes, &sum)
		named[path], m.bytes[path], m.sums[path] = true, bytes, sum
		return err
	})
	return named, err
}

// find reads what the named files record of themselves. Other files were written by loads that did not commit: the next load takes them in.
func (m *Maintenance) find(files []rawlog.Path, named, replaced map[string]bool) error {
	for _, f := range files {
		if !named[f.String()] {
			continue
		}
		delete(named, f.String())
		found := rawlog.Found{Path: f}
		if found.About, found.Err = rawlog.ReadAbout(m.layer.Dir, f); found.Err != nil {
			return fmt.Errorf("the file %s of the raw layer cannot be read: %w; 'pipeline check --deep' says what to do", f.In(m.layer.Dir), found.Err)
		}
		m.files = append(m.files, found)
	}
	for path := range named {
		if replaced[path] {
			return fmt.Errorf("the warehouse names files of the raw layer whose place another has taken since, %s for one, as one from a backup does: a plain run takes that in", path)
		}
		return fmt.Errorf("the file %s of the raw layer is no longer there: take a plain run first, which writes what the stores still hold of it", filepath.Join(m.layer.Dir, path))
	}
	slices.SortFunc(m.files, func(a, b rawlog.Found) int { return int(a.About.Parts[0].Seq - b.About.Parts[0].Seq) })
	return nil
}

// plan returns a new file that replaces the given files of one source.
func (m *Maintenance) plan(of []rawlog.Found) *rawlog.Rewrite {
	seq := m.layer.Next()
	return &rawlog.Rewrite{Of: of, Final: rawlog.RewrittenPath(of[0].Source, seq)}
}

// rewriteAll writes files anew, and names them in the transaction. Until it renames the first file, an error leaves everything as it was.
func (m *Maintenance) rewriteAll(ctx context.Context, files []*rawlog.Rewrite, prepare func(context.Context, *rawlog.Rewrite) error, progress func(done, all int)) (err error) {
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
		if err := errors.Join(prepare(ctx, f), m.readable(ctx, f)); err != nil {
			return err
		}
		if err := f.Write(ctx, m.layer.Dir, m.memory.Group); err != nil {
			return err
		}
		f.Remove = nil // a layer has many versions
	}
	if err := errors.Join(ctx.Err(), beforeRewriteName.Reach()); err != nil {
		return err
	}
	for _, f := range files {
		if err := atomicfile.Rename(f.Scratch, f.Final.In(m.layer.Dir)); err != nil {
			return err
		}
		if err := afterRewriteName.Reach(); err != nil {
			return err
		}
	}
	for _, f := range files {
		for _, path := range f.About.Replaced() {
			if err := m.layer.Forget(ctx, path); err != nil {
				return err
			}
		}
		m.changed = true
		if err := m.layer.Register(ctx, f.Final, f.About.Parts, f.Row); err != nil {
			return err
		}
	}
	return nil
}

// readable returns an error if a file has changed since it was written: its copy would seem sound. It also sets how many rows of the files may be held at a
// time.
func (m *Maintenance) readable(ctx context.Context, f *rawlog.Rewrite) error {
	largest := int64(1)
	for _, old := range f.Of {
		sum, _, err := atomicfile.Sum(old.In(m.layer.Dir))
		if err == nil && sum != m.sums[old.String()] {
			err = fmt.Errorf("%s is not as it was written: nothing was changed; 'pipeline check --deep' says what to do", old.In(m.layer.Dir))
		}
		if err != nil {
			return err
		}
		var bytes int64
		if err := m.s.Conn.QueryRowContext(ctx, `SELECT coalesce(max(value_bytes), 0) FROM _known_rows WHERE raw_file = ? AND NOT is_mark`, old.String()).Scan(&bytes); err != nil {
			return err
		}
		largest = max(largest, bytes)
	}
	f.Batch = min(max(m.memory.Group/largest, 1), rawlog.MaxBatch)
	return nil
}

// commit ends the transaction and removes the replaced files.
func (m *Maintenance) commit(ctx context.Context, files []*rawlog.Rewrite) error {
	if err := beforeRewriteCommit.Reach(); err != nil {
		return err
	}
	if err := m.s.Exec(context.WithoutCancel(ctx), `COMMIT`); err != nil {
		return err
	}
	if err := errors.Join(afterRewriteCommit.Reach(), m.w.PutInPlace()); err != nil {
		return err
	}
	for _, f := range files {
		for _, old := range f.Of {
			m.layer.Discard(old.Path)
			if err := afterDiscard.Reach(); err != nil {
				return err
			}
		}
	}
	return nil
}

// set stores a setting of the warehouse.
func (m *Maintenance) set(ctx context.Context, key, value string) error {
	m.changed = true
	return m.s.Keep(ctx, key, value)
}

// Close closes the warehouse. Changes that were not committed are rolled back.
func (m *Maintenance) Close() error {
	switch {
	case m.w != nil:
		return m.w.Close()
	case m.s != nil:
		return m.s.Close()
	}
	return nil
}

// fileBytes returns the sum of the sizes of files.
func (m *Maintenance) fileBytes(files []rawlog.Found) (n int64) {
	for _, f := range files {
		n += m.bytes[f.String()]
	}
	return n
}
