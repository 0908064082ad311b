package load

import (
	"context"
	dbsql "database/sql"
	"errors"
	"os"

	"pipeline/load/atomicfile"
	"pipeline/load/rawlog"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// settle ends what interrupted housekeeping began, and takes in what a warehouse from a backup does not know of it: a rewritten file stands for
// all that it replaces. What is replaced and still there is removed: a rewritten file gets its name only once it is whole and was read again.
func (l *rawLayer) settle(ctx context.Context, files []rawlog.Path, whole map[string]*rawlog.About, replaced, named map[string]bool) error {
	for _, f := range files {
		about := whole[f.String()]
		if about == nil || replaced[f.String()] {
			continue
		}
		if !named[f.String()] {
			for _, path := range about.Replaces {
				if !named[path] { // it holds what no load has named
					l.t.adopted, l.changed[f.Source] = true, true
				}
			}
			if err := l.stand(ctx, f, about); err != nil {
				return err
			}
		}
		for _, path := range about.Replaced() {
			if named[path] {
				delete(named, path)
				if err := l.forget(ctx, path); err != nil {
					return err
				}
			}
		}
	}
	for _, f := range files {
		if replaced[f.String()] {
			l.discard(f)
		}
	}
	return nil
}

// stand names a rewritten file in the place of those that it replaces.
func (l *rawLayer) stand(ctx context.Context, f rawlog.Path, about *rawlog.About) error {
	for _, path := range about.Replaced() {
		if err := l.forget(ctx, path); err != nil {
			return err
		}
	}
	return l.take(ctx, f, about)
}

// discard removes a file whose place another has taken. One that stays is removed the next time.
func (l *rawLayer) discard(f rawlog.Path) {
	if err := os.Remove(f.In(l.dir)); err != nil && !errors.Is(err, os.ErrNotExist) {
		l.t.settings.warn("a file of the raw layer whose place another has taken could not be removed; the next run tries again: %v", err)
	}
}

// take names a file that is there and takes in what it holds.
func (l *rawLayer) take(ctx context.Context, f rawlog.Path, about *rawlog.About) error {
	sum, bytes, err := atomicfile.Sum(f.In(l.dir))
	if err != nil {
		return err
	}
	return l.register(ctx, f, about.Parts, schema.RawFile{LoadID: f.Load, Rows: about.Rows(), Bytes: bytes, SHA256: sum})
}

// register names a file in raw_files, and its parts, and takes in what it holds.
func (l *rawLayer) register(ctx context.Context, f rawlog.Path, parts []rawlog.Part, row schema.RawFile) error {
	row.Path = f.String()
	if err := l.t.exec(ctx, `INSERT INTO raw_files (path, load_id, rows, bytes, sha256) VALUES (?, ?, ?, ?, ?)`, row.Path, row.LoadID, row.Rows, row.Bytes, row.SHA256); err != nil {
		return err
	}
	for _, p := range parts {
		if err := l.t.exec(ctx, `INSERT INTO _raw_parts (raw_file, seq, load_id, first_row, rows) VALUES (?, ?, ?, ?, ?)`, row.Path, p.Seq, p.Load.LoadID, p.First, p.Rows); err != nil {
			return err
		}
	}
	if row.Rows == 0 {
		return nil
	}
	return l.t.exec(ctx, sql.Statement("rawlog/take_in"), dbsql.Named("file", f.In(l.dir)), dbsql.Named("raw_file", row.Path))
}

// nameParts names the parts of files that an earlier version of the tool named: each is of one load.
func (l *rawLayer) nameParts(ctx context.Context) error {
	return l.t.exec(ctx, sql.Statement("rawlog/name_parts"))
}
