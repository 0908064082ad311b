package rawindex

import (
	"context"
	dbsql "database/sql"
	"errors"
	"os"

	"pipeline/load/rawlog"
	"pipeline/load/tool/atomicfile"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// TakeInRewritten takes in the rewritten files that the warehouse does not name: an interrupted maintenance left them, or the warehouse was restored from a
// backup. Then it removes the files that rewritten files replace. That is safe: a rewritten file gets its name only when it is complete and was read again.
func (l *Layer) TakeInRewritten(ctx context.Context, files []rawlog.Path, whole map[string]*rawlog.About, replaced, named map[string]bool) error {
	for _, f := range files {
		about := whole[f.String()]
		if about == nil || replaced[f.String()] {
			continue
		}
		if !named[f.String()] {
			for _, path := range about.Replaces {
				if !named[path] { // it holds what no load has named
					l.tookIn, l.changed[f.Source] = true, true
				}
			}
			if err := l.takeInPlace(ctx, f, about); err != nil {
				return err
			}
		}
		for _, path := range about.Replaced() {
			if named[path] {
				delete(named, path)
				if err := l.Forget(ctx, path); err != nil {
					return err
				}
			}
		}
	}
	for _, f := range files {
		if replaced[f.String()] {
			l.Discard(f)
		}
	}
	return nil
}

// takeInPlace forgets the files that a rewritten file replaces, and takes in the rewritten file.
func (l *Layer) takeInPlace(ctx context.Context, f rawlog.Path, about *rawlog.About) error {
	for _, path := range about.Replaced() {
		if err := l.Forget(ctx, path); err != nil {
			return err
		}
	}
	return l.takeIn(ctx, f, about)
}

// Discard removes a file that another has replaced. If that fails, the next run tries again.
func (l *Layer) Discard(f rawlog.Path) {
	if err := os.Remove(f.In(l.Dir)); err != nil && !errors.Is(err, os.ErrNotExist) {
		l.settings.Warn("a file of the raw layer whose place another has taken could not be removed; the next run tries again: %v", err)
	}
}

// takeIn names an existing file in the warehouse, with its rows.
func (l *Layer) takeIn(ctx context.Context, f rawlog.Path, about *rawlog.About) error {
	sum, bytes, err := atomicfile.Sum(f.In(l.Dir))
	if err != nil {
		return err
	}
	return l.Register(ctx, f, about.Parts, schema.RawFile{LoadID: f.Load, Rows: about.Rows(), Bytes: bytes, SHA256: sum})
}

// Register names a file in raw_files, its parts in _raw_parts, and its rows in _known_rows.
func (l *Layer) Register(ctx context.Context, f rawlog.Path, parts []rawlog.Part, row schema.RawFile) error {
	row.Path = f.String()
	if err := l.s.Exec(ctx, `INSERT INTO raw_files (path, load_id, rows, bytes, sha256) VALUES (?, ?, ?, ?, ?)`, row.Path, row.LoadID, row.Rows, row.Bytes, row.SHA256); err != nil {
		return err
	}
	for _, p := range parts {
		if err := l.s.Exec(ctx, `INSERT INTO _raw_parts (raw_file, seq, load_id, first_row, rows) VALUES (?, ?, ?, ?, ?)`, row.Path, p.Seq, p.Load.LoadID, p.First, p.Rows); err != nil {
			return err
		}
	}
	if row.Rows == 0 {
		return nil
	}
	return l.s.Exec(ctx, sql.Statement("rawlog/take_in"), dbsql.Named("file", f.In(l.Dir)), dbsql.Named("raw_file", row.Path))
}
