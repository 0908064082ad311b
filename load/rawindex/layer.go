// Package rawindex reads and writes the tables in which a warehouse describes its raw layer: which files there are
// (raw_files, _raw_parts), and which versions of rows are in them (_known_rows). A load asks it what is known of rows,
// and writes what is new.
//
// It must never know what a row means, nor how a file of the layer is made.
package rawindex

import (
	"context"
	dbsql "database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"pipeline/load"
	"pipeline/load/engine"
	"pipeline/load/rawlog"
	"pipeline/load/session"
	"pipeline/load/tool/atomicfile"
	"pipeline/load/tool/failpoint"
	"pipeline/load/tool/sqlrows"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// These are the failpoints of naming a file, in the order in which a load reaches them.
const (
	BeforeName failpoint.Point = "before-raw-name"
	AfterName  failpoint.Point = "after-raw-name" // a file of the raw layer has its name; no load names it
)

// A Layer is the raw layer of a warehouse within a transaction. The layer's files are Parquet files beside the
// warehouse, <warehouse>.raw/<source_id>/<load_id>-<n>.parquet. They get their names just before the load commits. n
// counts all files of the layer, and a file with a larger n holds later versions. Maintenance may merge several files.
type Layer struct {
	s        *session.Session
	mu       *sync.Mutex // held while the connection is used
	settings load.Settings
	first    bool // no load was committed: nothing is known
	Dir      string
	next     int64                     // n of the next file
	files    map[string]*rawlog.Writer // in the making, by source
	moved    []schema.RawRow

	tookIn  bool                     // files were taken in that no load has named
	changed bool                     // the transaction names other files than the one before
	unsure  map[schema.OwnerKey]bool // owners of rows in files that are not those that the warehouse named
	damaged []string                 // files that are not as they were written, and what is to be done
}

// New returns the raw layer of an open warehouse. mutex guards the connection, which the load uses too; first is true
// if no load was committed.
func New(s *session.Session, mutex *sync.Mutex, warehouse string, settings load.Settings, first bool) *Layer {
	return &Layer{s: s, mu: mutex, settings: settings, first: first, Dir: rawlog.Dir(warehouse), next: 1,
		files: map[string]*rawlog.Writer{}, unsure: map[schema.OwnerKey]bool{}}
}

// TakeIn compares the files that the warehouse names with the files in the layer's folder. It takes in the files that
// no load has named. It forgets the rows of files that are gone or damaged.
func (l *Layer) TakeIn(ctx context.Context) error {
	files, err := rawlog.List(l.Dir)
	if err != nil {
		return err
	}
	sizes, err := Named(ctx, l.s.Conn)
	if err != nil {
		return err
	}
	left, err := l.damages(ctx, files, sizes)
	if err != nil {
		return err
	}
	l.countFrom(files)
	files = slices.DeleteFunc(files, func(f rawlog.Path) bool { return left[f.String()] })
	named := map[string]bool{}
	for path := range sizes {
		named[path] = true
		if f, ok := rawlog.Parse(path); ok { // one that is away may be put back: no other gets its number
			l.countFrom([]rawlog.Path{f})
		}
	}
	counting, covered := rawlog.Split(files)
	for _, f := range counting {
		if named[f.String()] {
			delete(named, f.String())
		} else if err := l.takeInUnnamed(ctx, f); err != nil {
			return err
		}
	}
	for _, f := range covered {
		l.Discard(f)
	}
	return l.forgetMissing(ctx, named, rawlog.Covered(counting))
}

// countFrom makes the numbers of new files greater than those of the given files.
func (l *Layer) countFrom(files []rawlog.Path) {
	for _, f := range files {
		l.next = max(l.next, f.Seq+1)
	}
}

// forgetMissing forgets the files that no longer count. It warns of each that no merged file covers.
func (l *Layer) forgetMissing(ctx context.Context, paths map[string]bool, covered func(path string) bool) error {
	for path := range paths {
		if !covered(path) {
			if err := l.doubt(ctx, path); err != nil {
				return err
			}
			l.settings.Warn("the file %s of the raw layer is no longer there: what the stores still hold of it is "+
				"written again", filepath.Join(l.Dir, path))
		}
		if err := l.Forget(ctx, path); err != nil {
			return err
		}
	}
	return nil
}

// Changed reports whether the transaction names other files of the layer than the one before.
func (l *Layer) Changed() bool { return l.changed }

// Forget deletes all rows of the warehouse that describe a file.
func (l *Layer) Forget(ctx context.Context, path string) error {
	l.changed = true
	for _, from := range []string{`raw_files WHERE path`, `_raw_parts WHERE raw_file`, `_known_rows WHERE raw_file`} {
		if err := l.s.Exec(ctx, `DELETE FROM `+from+` = ?`, path); err != nil {
			return err
		}
	}
	return nil
}

// Unsure returns the owners of rows in files that were taken in or are gone: the layer may lack what the warehouse
// holds of them, or hold more. The run must compare their rows with the layer. The warehouse remembers them until a
// load has done so.
func (l *Layer) Unsure() []schema.OwnerKey { return slices.Collect(maps.Keys(l.unsure)) }

// doubt marks the owners of the rows in a file: what the layer holds of them may differ from what the warehouse
// remembers. A rebuild takes all files in, and is sure of them.
func (l *Layer) doubt(ctx context.Context, path string) error {
	if l.settings.Rebuild != load.NoRebuild {
		return nil
	}
	rows, err := sqlrows.All[struct{ source, store, name string }](ctx, l.s.Conn,
		`SELECT DISTINCT source_id, store, conversation_id FROM _known_rows WHERE raw_file = ?`, path)
	if err != nil {
		return err
	}
	var owners []schema.OwnerKey
	for _, r := range rows {
		owner := schema.OwnerNamed(r.source, r.store, r.name)
		owners, l.unsure[owner] = append(owners, owner), true
	}
	return errors.Join(session.List(ctx, l.s, l.settings.Memory.Batch, "_doubted", owners),
		l.s.Exec(ctx, sql.Statement("rawlog/unsure")),
		l.s.Exec(ctx, sql.Statement("rawlog/unsure_unknown"),
			dbsql.Named("transform_version", l.settings.TransformVersion)))
}

// takeInUnnamed takes in a file that the warehouse does not name: the load that wrote it did not commit, or the
// warehouse was restored from a backup.
func (l *Layer) takeInUnnamed(ctx context.Context, f rawlog.Path) error {
	parts, err := rawlog.ReadParts(l.Dir, f)
	if err != nil {
		// somebody cut it short: it is left alone, and what it held is written again where the store still has it
		l.settings.Warn("the file %s of the raw layer cannot be read and is left out: %v", f.In(l.Dir), err)
		return nil
	}
	l.tookIn = true
	known, err := KnownParts(ctx, l.s.Conn)
	if err != nil {
		return err
	}
	err = l.takeIn(ctx, f, parts)
	if err == nil && slices.ContainsFunc(parts, func(p rawlog.Part) bool { return !known[p.Seq] }) {
		// else the warehouse knows its rows from the files that were merged
		err = l.doubt(ctx, f.String())
	}
	return err
}

// KnownParts are the numbers of the parts whose rows the warehouse knows.
func KnownParts(ctx context.Context, conn *dbsql.Conn) (map[int64]bool, error) {
	return sqlrows.Map[int64, bool](ctx, conn, `SELECT DISTINCT seq, true FROM _raw_parts`)
}

// Put writes a row that Rows.Observe or Row.End has returned.
func (l *Layer) Put(row schema.RawRow) error {
	f := l.files[row.SourceID]
	if f == nil {
		var err error
		if f, err = l.begin(row.SourceID); err != nil {
			return err
		}
	}
	row.LoadID, row.ObservedAt = l.settings.LoadID, l.settings.StartedAt
	return f.Append(&row)
}

// Moved notes that the rowid of a row has changed, and not its content.
func (l *Layer) Moved(row schema.RawRow) {
	row.Value = nil
	l.moved = append(l.moved, row)
}

func (l *Layer) begin(source string) (*rawlog.Writer, error) {
	dir := filepath.Join(l.Dir, source)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, engine.WithRemedy(fmt.Errorf("make a folder of the raw layer: %w", err))
	}
	f, err := rawlog.NewWriter(filepath.Join(dir, atomicfile.Scratch+strconv.FormatInt(l.settings.LoadID, 10)),
		l.settings.Memory.Group)
	if err != nil {
		return nil, err
	}
	l.files[source] = f
	return f, nil
}

// End ends the files: nothing is put after it. They are completed while the caller goes on, until Finish. In a load
// that changes rows, every source gets a file, if need be an empty one: a rebuild counts the loads by files.
func (l *Layer) End(sources []load.SourceRows, quiet bool) error {
	for _, s := range sources {
		id := s.Source.SourceID
		if !quiet && l.files[id] == nil {
			if _, err := l.begin(id); err != nil {
				return err
			}
		}
		if f := l.files[id]; f != nil {
			if err := f.End(l.wrote(s.Source, quiet)); err != nil {
				return err
			}
		}
	}
	return nil
}

// wrote returns what a file says of the load that made it.
func (l *Layer) wrote(source schema.Source, quiet bool) rawlog.Load {
	wrote := rawLoad(l.settings)
	wrote.Source, wrote.Changed = source, !quiet
	return wrote
}

// Finish gives the files their names, once they are complete, and takes them in.
func (l *Layer) Finish(ctx context.Context, sources []load.SourceRows, quiet bool) error {
	for _, s := range sources {
		f := l.files[s.Source.SourceID]
		if f == nil {
			continue
		}
		delete(l.files, s.Source.SourceID)
		if err := l.name(ctx, f, l.wrote(s.Source, quiet)); err != nil {
			f.Remove()
			return err
		}
	}
	return l.updateMoved(ctx)
}

// name gives a file its name, once it is complete, and takes it in. If the load fails after that, the file stays, and
// the next load takes it in.
func (l *Layer) name(ctx context.Context, f *rawlog.Writer, wrote rawlog.Load) error {
	row, err := f.Finish()
	if err = errors.Join(err, BeforeName.Reach()); err != nil {
		return err
	}
	path := rawlog.LoadPath(wrote.Source.SourceID, wrote.LoadID, l.next)
	l.next++
	final := path.In(l.Dir)
	if err := atomicfile.Rename(f.Path, final); err != nil {
		return fmt.Errorf("put a file of the raw layer in place: %w", err)
	}
	if err := errors.Join(atomicfile.Sync(l.Dir), AfterName.Reach()); err != nil {
		return err
	}
	row.LoadID = wrote.LoadID
	return l.Register(ctx, path, []rawlog.Part{{Seq: path.Seq, Rows: row.Rows, Load: wrote}}, row)
}

func rawLoad(s load.Settings) rawlog.Load {
	return rawlog.Load{LoadID: s.LoadID, StartedAt: s.StartedAt, SessionGapMs: s.SessionGapMs,
		CommitWindowMs: s.CommitWindowMs, Full: s.Full, Limits: rawlog.Limits(s.Limits),
		TransformVersion: s.TransformVersion, ToolVersion: s.ToolVersion}
}

// updateMoved stores the new rowids of the rows that have moved.
func (l *Layer) updateMoved(ctx context.Context) error {
	if len(l.moved) == 0 {
		return nil
	}
	rows := make([]schema.KnownRow, len(l.moved))
	for i, r := range l.moved {
		rows[i] = schema.KnownRow{SourceID: r.SourceID, Store: r.Store, Table: r.Table,
			ConversationID: r.ConversationID, Key: r.Key, KeyType: r.KeyType, KeyBytes: r.KeyBytes, RowID: r.RowID,
			Hash: r.Hash}
	}
	if err := session.List(ctx, l.s, l.settings.Memory.Batch, "_moved", rows); err != nil {
		return err
	}
	return l.s.Exec(ctx, sql.Statement("rawlog/moved"))
}

// Abandon removes the files of a load that does not commit.
func (l *Layer) Abandon() {
	for id, f := range l.files {
		f.Abandon()
		delete(l.files, id)
	}
}
