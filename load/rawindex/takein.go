package rawindex

import (
	"context"
	dbsql "database/sql"
	"errors"
	"os"

	"pipeline/load/engine"
	"pipeline/load/rawlog"
	"pipeline/load/tool/atomicfile"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// Discard removes a file that a merged one covers. If that fails, the next run tries again.
func (l *Layer) Discard(f rawlog.Path) {
	if err := os.Remove(f.In(l.Dir)); err != nil && !errors.Is(err, os.ErrNotExist) {
		l.settings.Warn("a file of the raw layer whose rows a merged file has could not be removed; the next run "+
			"tries again: %v", err)
	}
}

// takeIn names an existing file in the warehouse, with its rows.
func (l *Layer) takeIn(ctx context.Context, f rawlog.Path, parts []rawlog.Part) error {
	sum, bytes, err := atomicfile.Sum(f.In(l.Dir))
	if err != nil {
		return err
	}
	return l.Register(ctx, f, parts, schema.RawFile{LoadID: f.Load, Rows: rawlog.RowsIn(parts), Bytes: bytes,
		SHA256: sum})
}

// Register names a file in raw_files, its parts in _raw_parts, and its rows in _known_rows.
func (l *Layer) Register(ctx context.Context, f rawlog.Path, parts []rawlog.Part, row schema.RawFile) error {
	row.Path, l.changed = f.String(), true
	if err := l.s.Exec(ctx, `INSERT INTO raw_files (path, load_id, rows, bytes, sha256) VALUES (?, ?, ?, ?, ?)`,
		row.Path, row.LoadID, row.Rows, row.Bytes, row.SHA256); err != nil {
		return err
	}
	for _, p := range parts {
		if err := l.s.Exec(ctx,
			`INSERT INTO _raw_parts (raw_file, seq, load_id, first_row, rows) VALUES (?, ?, ?, ?, ?)`, row.Path, p.Seq,
			p.Load.LoadID, p.First, p.Rows); err != nil {
			return err
		}
	}
	if row.Rows == 0 {
		return nil
	}
	return l.s.Exec(ctx, sql.Statement("rawlog/take_in"), dbsql.Named("file", engine.Pattern(f.In(l.Dir))),
		dbsql.Named("raw_file", row.Path))
}
