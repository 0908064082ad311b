package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/marcboeker/go-duckdb/v2"

	"pipeline/load/reader"
	"pipeline/sql/schema"
)

// The floors of this file are DuckDB's driver with no work of ours before it.

// openDuck opens a DuckDB file ("" for none, in memory) with the settings that decide how a warehouse's file looks.
func openDuck(ctx context.Context, path string) (*sql.DB, *sql.Conn, error) {
	db, err := sql.Open("duckdb", path)
	if err != nil {
		return nil, nil, fmt.Errorf("open DuckDB: %w", err)
	}
	conn, err := db.Conn(ctx)
	if err == nil {
		_, err = conn.ExecContext(ctx, "SET disabled_compression_methods = 'fsst'")
	}
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("open DuckDB: %w", err), db.Close())
	}
	return db, conn, nil
}

// bareAppend appends rows that are ready: only the appending is measured.
type bareAppend struct {
	watch     stopwatch
	conn      *sql.Conn
	appenders map[string]*duckdb.Appender
	ready     map[string][][]driver.Value
	bytes     int
	rows      int64
}

// appendFloor appends the rows of messages and tool calls.
func appendFloor(ctx context.Context, o taskOptions) (result, error) {
	return appendTables(ctx, o, []string{"messages", "tool_calls"})
}

// appendAllFloor appends the rows of every table that conversations fill.
func appendAllFloor(ctx context.Context, o taskOptions) (result, error) {
	var tables []string
	rows := reflect.TypeFor[schema.Rows]()
	for _, t := range schema.Tables() {
		for i := range rows.NumField() {
			if rows.Field(i).Type.Elem() == t.Row {
				tables = append(tables, t.Name)
			}
		}
	}
	return appendTables(ctx, o, tables)
}

func appendTables(ctx context.Context, o taskOptions, names []string) (r result, err error) {
	db, conn, err := openDuck(ctx, filepath.Join(o.scratch, "floor.duckdb"))
	if err != nil {
		return r, err
	}
	a := &bareAppend{conn: conn, appenders: map[string]*duckdb.Appender{}, ready: map[string][][]driver.Value{}}
	tables := map[reflect.Type]schema.Table{}
	for _, name := range names {
		t, ok := schema.Lookup(name)
		if !ok {
			return r, fmt.Errorf("there is no table %s", name)
		}
		tables[t.Row] = t
	}
	if err := a.begin(ctx, tables); err != nil {
		return r, errors.Join(err, conn.Close(), db.Close())
	}
	err = eachBatch(ctx, o.dir, func(rows *schema.Rows) error {
		batch := reflect.ValueOf(rows).Elem()
		for i := range batch.NumField() {
			if t, wanted := tables[batch.Field(i).Type().Elem()]; wanted {
				a.build(t, batch.Field(i))
			}
		}
		if int64(a.bytes) < runMemory.Engine.Batch {
			return nil
		}
		return a.flush()
	})
	if err = errors.Join(err, a.flush(), a.watch.start()); err != nil {
		return r, errors.Join(err, conn.Close(), db.Close())
	}
	for _, appender := range a.appenders {
		err = errors.Join(err, appender.Close())
	}
	err = errors.Join(err, a.watch.stop())
	commit, failed := timed(func() error {
		_, err := conn.ExecContext(ctx, "COMMIT")
		return errors.Join(err, conn.Close(), db.Close()) // closing writes the log into the file
	})
	return result{Part: a.watch.total, Phases: map[string]usage{"append": a.watch.total, "commit": commit},
		Rows: a.rows}, errors.Join(err, failed)
}

// begin makes the tables, with text for JSON: the driver would parse it.
func (a *bareAppend) begin(ctx context.Context, tables map[reflect.Type]schema.Table) error {
	if _, err := a.conn.ExecContext(ctx, schema.SchemasDDL()); err != nil {
		return fmt.Errorf("make the schemas: %w", err)
	}
	for _, t := range tables {
		ddl := strings.ReplaceAll(t.DDL(), " JSON", " VARCHAR")
		if _, err := a.conn.ExecContext(ctx, ddl); err != nil {
			return fmt.Errorf("make the table %s: %w", t.Name, err)
		}
	}
	if _, err := a.conn.ExecContext(ctx, "BEGIN TRANSACTION"); err != nil {
		return err
	}
	return a.conn.Raw(func(c any) error {
		for _, t := range tables {
			appender, err := duckdb.NewAppenderFromConn(c.(driver.Conn), t.Schema(), t.Name)
			if err != nil {
				return fmt.Errorf("append to %s: %w", t.Name, err)
			}
			a.appenders[t.Name] = appender
		}
		return nil
	})
}

// build makes ready what is to be appended.
func (a *bareAppend) build(t schema.Table, rows reflect.Value) {
	for i := range rows.Len() {
		row := make([]driver.Value, len(t.Columns))
		for c := range row {
			row[c] = a.cell(rows.Index(i).Field(c))
		}
		a.ready[t.Name] = append(a.ready[t.Name], row)
	}
}

// cell is a field as the driver takes it.
func (a *bareAppend) cell(v reflect.Value) driver.Value {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	switch x := v.Interface().(type) {
	case schema.Millis:
		return time.UnixMilli(int64(x)).UTC()
	case schema.JSON:
		if x == nil {
			return nil
		}
		a.bytes += len(x)
		return string(x)
	case schema.Blob:
		if x == nil {
			return nil
		}
		a.bytes += len(x)
		return slices.Clone([]byte(x))
	case string:
		a.bytes += len(x)
		return strings.Clone(x) // what it was cut from is not to be kept
	default:
		return x
	}
}

// flush appends what is ready, and counts that.
func (a *bareAppend) flush() error {
	a.bytes = 0
	runtime.GC() // what building left behind is not appending's to clear
	err := a.watch.start()
	if err == nil {
		err = a.appendReady()
	}
	err = errors.Join(err, a.watch.stop())
	clear(a.ready)
	return err
}

func (a *bareAppend) appendReady() error {
	for name, rows := range a.ready {
		for _, row := range rows {
			if err := a.appenders[name].AppendRow(row...); err != nil {
				return fmt.Errorf("append to %s: %w", name, err)
			}
		}
		if err := a.appenders[name].Flush(); err != nil {
			return fmt.Errorf("write to %s: %w", name, err)
		}
		a.rows += int64(len(rows))
	}
	return nil
}

// copyFloor writes the tables of a finished warehouse as Parquet, one COPY each. The groups are smaller than the
// engine's own choice, which takes longer and far more memory on large texts.
func copyFloor(ctx context.Context, o taskOptions) (r result, err error) {
	db, conn, err := openDuck(ctx, o.warehouse+"?access_mode=read_only")
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	r.Part, err = timed(func() error {
		for _, t := range schema.Tables() {
			if t.Scope == schema.Internal {
				continue
			}
			file := filepath.Join(o.scratch, t.Name+".parquet")
			if _, err := conn.ExecContext(ctx,
				fmt.Sprintf("COPY %s TO %s (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 16384)", t.Name,
					literal(file))); err != nil {
				return fmt.Errorf("copy %s: %w", t.Name, err)
			}
		}
		return nil
	})
	return r, err
}

func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// countMessages counts the live messages of a warehouse, and those among them that no bubble of the global store has or
// that no conversation has any more: the script to compare with reads neither. Of a Parquet file it counts the rows.
func countMessages(ctx context.Context, o taskOptions) (r result, err error) {
	if o.file != "" {
		db, conn, err := openDuck(ctx, "")
		if err != nil {
			return r, err
		}
		defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
		err = conn.QueryRowContext(ctx, "SELECT count(*) FROM read_parquet(?)", o.file).Scan(&r.Rows)
		return r, err
	}
	answer, err := reader.Query(ctx, o.warehouse,
		`WITH global AS (SELECT source_id, id FROM internal._owners WHERE kind = 'conversation' AND store = 'global')
		SELECT count(*), count(*) FILTER (m.origin = 'graph' OR (m.source_id, m.conversation_id) NOT IN (FROM global)), count(*) FILTER (c.status IS NOT DISTINCT FROM 'orphaned')
		FROM messages m JOIN conversations c USING (source_id, conversation_id) WHERE m.deleted_at IS NULL`)
	if err != nil {
		return r, err
	}
	numbers := make([]int64, len(answer.Rows[0]))
	for i, cell := range answer.Rows[0] {
		n, ok := cell.(int64)
		if !ok {
			return r, fmt.Errorf("the warehouse counts %v messages", cell)
		}
		numbers[i] = n
	}
	r.Rows = numbers[0]
	r.Counts = map[string]int64{"beside": numbers[1], "orphaned": numbers[2]}
	return r, nil
}
