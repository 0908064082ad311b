package maintain

import (
	"context"
	dbsql "database/sql"
	"errors"
	"fmt"
	"os"

	"pipeline/load/engine"
	"pipeline/load/tool/atomicfile"
	"pipeline/load/tool/sqlrows"
	"pipeline/load/warehouse"
	"pipeline/sql"
)

// Shrinking has the size of the warehouse's file, its free space, and its size after it was written anew.
type Shrinking struct {
	Blocks int64 `json:"blocks"` // of the file, when what the engine's log holds is in it
	Free   int64 `json:"free_blocks"`
	Bytes  int64 `json:"bytes"`
	After  int64 `json:"bytes_after"` // as Bytes where the file stays as it is
	Due    bool  `json:"due"`         // more than a third is free
	Done   bool  `json:"done"`
}

// Shrink writes the warehouse's file anew if more than a third of it is free. It copies the file to a new one beside
// it, compares the two, and renames the new one. A reader that has the file open keeps the old one. In a dry run,
// Shrink only says what it would do.
func (m *Maintenance) Shrink(ctx context.Context) (s *Shrinking, err error) {
	if err := m.reopen(ctx); err != nil {
		return nil, err
	}
	if !m.dry() {
		if err := m.s.Exec(ctx, `CHECKPOINT`); err != nil {
			return nil, err
		}
	}
	s = &Shrinking{}
	info, err := os.Stat(m.path)
	if err != nil {
		return nil, err
	}
	s.Bytes, s.After = info.Size(), info.Size()
	err = m.s.Conn.QueryRowContext(ctx,
		`SELECT total_blocks, free_blocks FROM pragma_database_size() WHERE database_name = current_database()`).
		Scan(&s.Blocks, &s.Free)
	if s.Due = 3*s.Free > s.Blocks; err != nil || !s.Due || m.dry() {
		return s, err
	}
	small := warehouse.NewFile(warehouse.Followed(m.path), "-small")
	defer func() {
		if err != nil {
			err = errors.Join(engine.WithRemedy(fmt.Errorf("write the warehouse anew: %w", err)), os.RemoveAll(small),
				os.RemoveAll(engine.LogOf(small)))
		}
	}()
	if err := m.copyTo(ctx, small); err != nil {
		return s, err
	}
	if info, err = os.Stat(small); err != nil {
		return s, err
	}
	if info.Size() >= s.Bytes { // it would be no gain, and the next time neither
		s.Due = false
		return s, os.Remove(small)
	}
	if err := m.place(small); err != nil {
		return s, err
	}
	s.Done, s.After = true, info.Size()
	return s, nil
}

// reopen ends the transaction with a rollback if the file is open. If a commit has closed the file, it opens the file
// again and sets the engine's memory limit.
func (m *Maintenance) reopen(ctx context.Context) (err error) {
	if m.s.Conn != nil {
		return m.s.Exec(ctx, `ROLLBACK`)
	}
	if err := m.w.Reopen(ctx); err != nil {
		return err
	}
	return m.s.Exec(ctx, engine.SetMemory(m.memory.Engine))
}

// copyTo copies everything in the file to another file, and compares the two.
func (m *Maintenance) copyTo(ctx context.Context, to string) error {
	const small = "_pipeline_smaller"
	var own string
	if err := m.s.Conn.QueryRowContext(ctx, `SELECT current_database()`).Scan(&own); err != nil {
		return err
	}
	own = engine.Identifier(own)
	for _, query := range []string{
		`ATTACH ` + engine.Literal(to) + ` AS ` + small,
		`COPY FROM DATABASE ` + own + ` TO ` + small,
		`CHECKPOINT ` + small,
	} {
		if err := m.s.Exec(ctx, query); err != nil {
			return err
		}
	}
	if err := os.Chmod(to, 0o600); err != nil {
		return err
	}
	var differences int
	if err := m.s.Conn.QueryRowContext(ctx, sql.Statement("reading/copy_differences"), dbsql.Named("copy", small)).
		Scan(&differences); err != nil {
		return err
	}
	if differences > 0 {
		return fmt.Errorf("%d of its tables, views, macros and comments are not copied as they are: the warehouse "+
			"stays as it was", differences)
	}
	tables, err := sqlrows.All[struct{ schema, name string }](ctx, m.s.Conn,
		`SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = current_database() AND NOT internal AND NOT temporary`)
	if err != nil {
		return err
	}
	for _, t := range tables {
		table, same := engine.Identifier(t.schema)+"."+engine.Identifier(t.name), false
		if err := m.s.Conn.QueryRowContext(ctx,
			fmt.Sprintf(
				`SELECT (SELECT (count(*), sum(hash(t)::HUGEINT)) FROM %[1]s.%[3]s t) IS NOT DISTINCT FROM (SELECT (count(*), sum(hash(t)::HUGEINT)) FROM %[2]s.%[3]s t)`,
				own, small, table)).Scan(&same); err != nil {
			return err
		}
		if !same {
			return fmt.Errorf("the rows of %s are not copied as they are: the warehouse stays as it was", table)
		}
	}
	return m.s.Exec(ctx, `DETACH `+small)
}

// place replaces the warehouse's file by the smaller one.
func (m *Maintenance) place(small string) error {
	if err := m.s.Close(); err != nil {
		return err
	}
	for _, file := range []string{small, m.path} {
		if engine.HasLog(file) {
			return fmt.Errorf("%s holds what its file does not: close the program that writes to it and run it again",
				engine.LogOf(file))
		}
	}
	if err := errors.Join(atomicfile.Sync(small), beforeShrunk.Reach()); err != nil {
		return err
	}
	if err := atomicfile.Rename(small, warehouse.Followed(m.path)); err != nil {
		return err
	}
	return afterShrunk.Reach()
}
