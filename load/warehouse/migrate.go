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
	"pipeline/load/catalog"
	"pipeline/load/engine"
	"pipeline/load/tool/atomicfile"
	"pipeline/sql/schema"
)

// This file adds the tables and columns that a warehouse lacks: it compares the engine's catalogue with the declaration
// in package schema. That is one transaction of its own: if the load after it fails, the warehouse has the tables of
// this version and its earlier rows.

// bringUpToDate adds the tables and columns that the warehouse lacks.
func (w *Warehouse) bringUpToDate(ctx context.Context) error {
	if old, err := w.outdated(ctx); err != nil || !old {
		return err
	}
	kept, err := w.keep(ctx)
	if err != nil {
		return err
	}
	if err := w.Reopen(ctx); err != nil {
		return err
	}
	if err := w.migrate(ctx); err != nil {
		return engine.WithRemedy(fmt.Errorf("bring %s up to date: %w\nThe warehouse is as it was", w.path, err))
	}
	w.migration = &load.Migration{CopyPath: kept}
	return nil
}

// keep copies the warehouse before it is migrated. It folds the log into the file, and closes the file before it copies
// it: closing a second descriptor would drop the engine's lock. If a migration that failed has left a copy of the same
// state, keep returns this copy.
func (w *Warehouse) keep(ctx context.Context) (to string, err error) {
	if _, err := w.s.Conn.ExecContext(ctx, `CHECKPOINT`); err != nil {
		return "", engine.WithRemedy(fmt.Errorf("fold the log of %s into it: %w", w.s.File, err))
	}
	if err := w.s.Close(); err != nil {
		return "", err
	}
	names := catalog.Copies(w.path)
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

// migrate makes the tables as they are declared.
func (w *Warehouse) migrate(ctx context.Context) (err error) {
	t := &Load{w: w}
	if err := t.w.s.Begin(ctx); err != nil {
		return err
	}
	defer func() {
		if !t.done {
			err = t.w.s.Undo(ctx, err)
		}
	}()
	if err := t.makeSchemas(ctx); err != nil {
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
	if err := errors.Join(t.startOver(ctx), t.makeObjects(ctx)); err != nil {
		return err
	}
	if err := errors.Join(ctx.Err(), beforeMigrated.Reach()); err != nil {
		return err
	}
	t.done = true
	if err := t.exec(context.WithoutCancel(ctx), `COMMIT`); err != nil {
		return err
	}
	return afterMigrated.Reach()
}

// asDeclared makes a missing table. If a table's columns differ from the declared ones, asDeclared makes a new table
// and copies the rows; new columns are NULL. The columns then have the declared order: appenders write by position.
func (t *Load) asDeclared(ctx context.Context, table schema.Table, have []string) error {
	if have == nil {
		return t.exec(ctx, table.DDL())
	}
	if slices.Equal(have, catalog.Declared(table)) {
		return t.exec(ctx, table.Comments())
	}
	shared := make([]string, len(have))
	for i, column := range have {
		shared[i] = strconv.Quote(catalog.ColumnName(column))
	}
	for _, query := range []string{
		`ALTER TABLE ` + table.Object() + ` RENAME TO _before_` + table.Name,
		table.DDL(),
		`INSERT INTO ` + table.Object() + ` BY NAME SELECT ` + strings.Join(shared, ", ") + ` FROM ` + table.Schema() +
			`._before_` + table.Name,
		`DROP TABLE ` + table.Schema() + `._before_` + table.Name,
	} {
		if err := t.exec(ctx, query); err != nil {
			return err
		}
	}
	return nil
}

// startOver makes the next load open every store and read every conversation again, whatever is known of them, and run
// every model for all rows.
func (t *Load) startOver(ctx context.Context) error {
	return errors.Join(
		t.exec(ctx, `UPDATE _owners SET transform_version = 0`),
		t.exec(ctx, `UPDATE _known_stores SET transform_version = 0`),
		t.exec(ctx, `DELETE FROM _meta WHERE key = ?`, load.MetaFactsDue),
		t.exec(ctx, `INSERT INTO _meta VALUES (?, '1')`, load.MetaFactsDue),
		t.keepModelSettings(ctx, 0, 0))
}
