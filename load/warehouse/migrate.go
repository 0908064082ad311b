package warehouse

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"pipeline/load"
	"pipeline/load/atomicfile"
	"pipeline/load/catalog"
	"pipeline/load/engine"
	"pipeline/load/rawindex"
	"pipeline/load/rawlog"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// This file brings a warehouse of an earlier version up to date. It adds tables and columns: it finds them by comparing the engine's catalogue with the
// declaration in package schema. Other changes are in sql/migrations. A migration is one transaction of its own: if the load after it fails, the warehouse is
// of this version and has its earlier rows.

// bringUpToDate migrates the warehouse if it is of an earlier version.
func (w *Warehouse) bringUpToDate(ctx context.Context) error {
	version, err := catalog.Version(ctx, w.s.Conn, w.path)
	if err != nil {
		return err
	}
	if old, err := w.outdated(ctx, version); err != nil || !old {
		return err
	}
	kept, err := w.keep(ctx, version)
	if err != nil {
		return err
	}
	if err := w.Reopen(ctx); err != nil {
		return err
	}
	if err := w.migrate(ctx, version); err != nil {
		return engine.WithRemedy(fmt.Errorf("bring %s from schema version %d to %d: %w\nThe warehouse is as it was", w.path, version, schema.Version, err))
	}
	w.migration = &load.Migration{From: version, To: schema.Version, Copy: kept}
	return nil
}

// keep copies the warehouse before it is migrated. It folds the log into the file, and closes the file before it copies it: closing a second descriptor would
// drop the engine's lock. If a migration that failed has left a copy of the same state, keep returns this copy.
func (w *Warehouse) keep(ctx context.Context, version int64) (to string, err error) {
	if _, err := w.s.Conn.ExecContext(ctx, `CHECKPOINT`); err != nil {
		return "", engine.WithRemedy(fmt.Errorf("fold the log of %s into it: %w", w.s.File, err))
	}
	if err := w.s.Close(); err != nil {
		return "", err
	}
	names := catalog.Copies(w.path, version)
	to = names[len(names)-1]
	if last := len(names) - 2; last >= 0 && atomicfile.Same(w.s.File, names[last]) {
		return names[last], nil
	}
	scratch := NewFile(w.path, "-schema")
	err = copyStill(w.s.File, scratch)
	if err == nil {
		err = errors.Join(atomicfile.Sync(scratch), beforeKept.Reach())
	}
	if err == nil {
		err = atomicfile.Rename(scratch, to)
	}
	if err != nil {
		_ = os.Remove(scratch) // if it stays, the next run sweeps it
		return "", engine.WithRemedy(fmt.Errorf("keep %s as it is before it is migrated, in %s: %w", w.path, to, err))
	}
	return to, afterKept.Reach()
}

// migrate runs the migrations, and makes the tables as they are declared.
func (w *Warehouse) migrate(ctx context.Context, from int64) (err error) {
	t := &Load{w: w}
	migrations := slices.DeleteFunc(sql.Migrations(), func(m sql.File) bool { return int64(m.Number) <= from })
	if len(migrations) > 0 {
		if err := t.listRawRows(ctx); err != nil {
			return err
		}
	}
	if err := t.w.s.Begin(ctx); err != nil {
		return err
	}
	defer func() {
		if !t.done {
			err = t.w.s.Undo(ctx, err)
		}
	}()
	for _, m := range migrations {
		if err := t.exec(ctx, m.SQL); err != nil {
			return fmt.Errorf("migration %s: %w", m.Name, err)
		}
	}
	if err := t.intoSchemas(ctx); err != nil {
		return err
	}
	have, err := catalog.Read(ctx, t.w.s.Conn)
	if err != nil {
		return err
	}
	for _, table := range schema.Tables() {
		if err := t.asDeclared(ctx, table, have[table.Object()]); err != nil {
			return fmt.Errorf("table %s: %w", table.Name, err)
		}
	}
	if err := errors.Join(t.exec(ctx, sql.Statement("merge/earlier_calls")), t.exec(ctx, sql.Statement("merge/earlier_messages")), t.startOver(ctx), t.makeObjects(ctx)); err != nil {
		return err
	}
	if err := errors.Join(ctx.Err(), beforeMigrated.Reach()); err != nil {
		return err
	}
	t.done = true
	if err := t.exec(context.WithoutCancel(ctx), `COMMIT`); err != nil {
		return err
	}
	return errors.Join(t.exec(ctx, `DROP TABLE IF EXISTS temp._raw_rows`), afterMigrated.Reach())
}

// asDeclared makes a missing table. If a table's columns differ from the declared ones, asDeclared makes a new table and copies the rows; new columns are NULL.
// The columns then have the declared order: appenders write by position.
func (t *Load) asDeclared(ctx context.Context, table schema.Table, have []string) error {
	if have == nil {
		return t.exec(ctx, table.DDL())
	}
	if slices.Equal(have, catalog.Declared(table)) {
		return t.exec(ctx, table.Comments())
	}
	if unknown := (catalog.Tables{table.Object(): have}).Unknown(); len(unknown) > 0 {
		return fmt.Errorf("it has what this version does not know (%s): take it elsewhere, or have 'pipeline rebuild' make the warehouse anew", unknown)
	}
	shared := make([]string, len(have))
	for i, column := range have {
		shared[i] = strconv.Quote(catalog.ColumnName(column))
	}
	for _, query := range []string{
		`ALTER TABLE ` + table.Object() + ` RENAME TO _before_` + table.Name,
		table.DDL(),
		`INSERT INTO ` + table.Object() + ` BY NAME SELECT ` + strings.Join(shared, ", ") + ` FROM ` + table.Schema() + `._before_` + table.Name,
		`DROP TABLE ` + table.Schema() + `._before_` + table.Name,
	} {
		if err := t.exec(ctx, query); err != nil {
			return err
		}
	}
	return nil
}

// startOver makes the next load read every conversation again, whatever its fingerprint, and run every model for all rows.
func (t *Load) startOver(ctx context.Context) error {
	return errors.Join(
		t.exec(ctx, `UPDATE _known_conversations SET transform_version = 0`),
		t.exec(ctx, `DELETE FROM _meta WHERE key = ?`, load.MetaFactsDue),
		t.exec(ctx, `INSERT INTO _meta VALUES (?, '1')`, load.MetaFactsDue),
		t.keepModelSettings(ctx, 0, 0))
}

// listRawRows fills the temporary table that migrations read, see sql.Migrations. It runs before the transaction: a file that cannot be read would abort it.
func (t *Load) listRawRows(ctx context.Context) error {
	if err := t.exec(ctx, `CREATE OR REPLACE TEMP TABLE _raw_rows (raw_file VARCHAR, key_type VARCHAR, hash VARCHAR, is_mark BOOLEAN, value_bytes BIGINT)`); err != nil {
		return err
	}
	named, err := rawindex.Named(ctx, t.w.s.Conn)
	if err != nil {
		return err
	}
	files, err := rawlog.List(rawlog.Dir(t.w.path))
	if err != nil {
		return err
	}
	for _, of := range files {
		if _, ok := named[of.String()]; !ok {
			continue
		}
		if _, err := rawlog.ReadAbout(rawlog.Dir(t.w.path), of); err != nil {
			continue // the load says so
		}
		if err := t.exec(ctx, `INSERT INTO temp._raw_rows SELECT ?::VARCHAR, key_type, hash, value_type = 'gone', value_bytes
			FROM read_parquet(?, hive_partitioning = false)`, of.String(), of.In(rawlog.Dir(t.w.path))); err != nil && ctx.Err() != nil {
			return err
		}
	}
	return nil
}
