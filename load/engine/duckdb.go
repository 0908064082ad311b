// Package engine opens files with DuckDB and writes rows into them. It knows the driver, the engine's log and memory,
// and the meaning and remedies of its errors. It must never know which tables a warehouse has, but for the one setting
// that says which log belongs to which file.
package engine

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/marcboeker/go-duckdb/v2"

	"pipeline/load/tool/outpath"
	"pipeline/sql/schema"
)

// This file is the only one that knows the DuckDB driver and its traps, but for appender.go, which writes into the
// memory of the engine.

// MemoryLimit is the engine's memory limit in bytes, if the caller sets no other. A run sets its own: a share of
// --memory.
const MemoryLimit = 240 << 20

// engineSettings adapt the engine to a laptop. They turn the compression of texts by FSST off: it makes the file a
// twentieth smaller, and takes a fifth of a first load's time.
func engineSettings() []string {
	return []string{SetMemory(memoryLimit()), "SET preserve_insertion_order = true",
		"SET disabled_compression_methods = 'fsst'"}
}

// SetThreads returns the statement that lets the engine use the cores that this process may use. By default it uses all
// cores of the machine, and an idle thread spins.
func SetThreads() string { return fmt.Sprintf("SET threads = %d", runtime.GOMAXPROCS(0)) }

// SearchSchemas has names without a schema looked up in all schemas of a warehouse, as far as the file has them.
func SearchSchemas(ctx context.Context, conn *sql.Conn) error {
	ours, names := "["+Literals(schema.Schemas())+"]", ""
	if err := conn.QueryRowContext(ctx,
		fmt.Sprintf(
			`SELECT string_agg(schema_name, ',' ORDER BY list_position(%[1]s, schema_name)) FROM duckdb_schemas()
		WHERE database_name = current_database() AND list_contains(%[1]s, schema_name)`, ours)).
		Scan(&names); err != nil {
		return err
	}
	_, err := conn.ExecContext(ctx, "SET search_path = "+Literal(names))
	return err
}

// ManyRows is the number of rows from which work is faster with every core.
const ManyRows = 100_000

// OneThread is the statement for work that is mostly small statements or small files. There, a second thread costs more
// time than it saves.
const OneThread = "SET threads = 1"

// LeaveGroups is the statement after which the engine does not put groups of rows together when it writes the file. It
// still drops those without any row.
const LeaveGroups = "SET max_vacuum_tasks = 0"

// fileFormat is the format of the files made here. By default the engine writes that of version 1.0, which stores a
// column's estimate of its distinct values in 3 kB in place of 64 bytes, and every checkpoint writes those of all
// columns. Only version 1.4 and later read a warehouse in either format, as its views need them; the formats of 1.3 and
// later would compress texts otherwise.
const fileFormat = "v1.2.0"

// openOptions are in force from the start. Without the first two, the engine would download an extension to open a
// SQLite file.
const openOptions = "?autoinstall_known_extensions=false&autoload_known_extensions=false" +
	"&storage_compatibility_version=" + fileFormat

// groupRows is the number of rows in a group of a table that is written. The engine's own is 122,880. It compresses a
// group when it is full, beside what fills the next one, and the rest in COMMIT, where nothing else runs. Groups of
// messages would not stay in its memory until they are full, either: they would be written to a temporary file, and
// read again at the commit.
const groupRows = 8_192

// Catalog is the name that the engine gives a file when a program opens it: that of the file up to its first dot.
func Catalog(path string) string {
	name := strings.Split(strings.TrimLeft(filepath.Base(path), "."), ".")[0]
	switch strings.ToLower(name) {
	case "main", "memory", "system", "temp": // are taken
		name += "_db"
	}
	return name
}

// attach returns the statements that have a connection write to a file. Only a file that is attached can have groups of
// another size; the database in memory that it is attached to stays empty.
func attach(path string) []string {
	name := Identifier(Catalog(path))
	return []string{fmt.Sprintf("ATTACH IF NOT EXISTS %s AS %s (ROW_GROUP_SIZE %d)", Literal(path), name, groupRows),
		"USE " + name}
}

// Open opens a DuckDB file on one connection. It returns ErrBusy if another process holds the file.
func Open(ctx context.Context, path string, readOnly bool) (_ *sql.DB, _ *sql.Conn, err error) {
	if _, err := url.Parse(path); err != nil || strings.ContainsAny(path, "?#") {
		// the driver would read options out of it
		return nil, nil, fmt.Errorf("the driver of the warehouse cannot open %s: name a path without ? and #, and "+
			"without a %% that begins no escape, with --warehouse", path)
	}
	if err := cmp.Or(outpath.File(path), outpath.Own(LogOf(path))); err != nil { // the engine would open it, and wait
		return nil, nil, err
	}
	if err := checkLog(ctx, path); err != nil {
		return nil, nil, err
	}
	Reads(path, LogOf(path))
	// a second thread would spin while the file is attached
	dsn, settings := path+openOptions, append([]string{OneThread}, engineSettings()...)
	switch {
	case readOnly:
		dsn += "&access_mode=read_only"
	case path != "":
		dsn, settings = openOptions+"&temp_directory="+url.QueryEscape(path+".tmp"), append(settings, attach(path)...)
	}
	settings = append(settings, SetThreads())
	connector, err := duckdb.NewConnector(dsn, func(execer driver.ExecerContext) error {
		for _, s := range settings {
			if _, err := execer.ExecContext(ctx, s, nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, engineError(path, err)
	}
	db := sql.OpenDB(connector)
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, nil, errors.Join(engineError(path, err), db.Close())
	}
	if err := SearchSchemas(ctx, conn); err != nil {
		return nil, nil, errors.Join(engineError(path, err), conn.Close(), db.Close())
	}
	return db, conn, nil
}

// Reading calls f with a file that is opened meanwhile, for reading alone; "" is an empty database in memory.
func Reading(ctx context.Context, path string, f func(conn *sql.Conn) error) (err error) {
	db, conn, err := Open(ctx, path, path != "")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	return f(conn)
}

// OpenOver opens a database in memory, to which a DuckDB file is attached under a name, and can only be read. It
// returns the errors of Open.
func OpenOver(ctx context.Context, path, name string) (_ *sql.DB, _ *sql.Conn, err error) {
	if err := cmp.Or(outpath.File(path), outpath.File(LogOf(path)), checkLog(ctx, path)); err != nil {
		return nil, nil, err
	}
	Reads(path, LogOf(path))
	db, conn, err := Open(ctx, "", false)
	if err != nil {
		return nil, nil, err
	}
	if _, err := conn.ExecContext(ctx, "ATTACH "+Literal(path)+" AS "+Identifier(name)+" (READ_ONLY)"); err != nil {
		return nil, nil, errors.Join(engineError(path, err), conn.Close(), db.Close())
	}
	return db, conn, nil
}

// function is a function of SQL over texts. Of NULL it is NULL.
type function struct {
	texts  int // that it takes
	result duckdb.Type
	call   func(texts []driver.Value) (any, error)
}

func (f *function) Config() duckdb.ScalarFuncConfig {
	text, err := duckdb.NewTypeInfo(duckdb.TYPE_VARCHAR)
	result, failed := duckdb.NewTypeInfo(f.result)
	if err != nil || failed != nil {
		panic("engine: a text and a number are types that need no more") // NewTypeInfo refuses only nested types
	}
	return duckdb.ScalarFuncConfig{InputTypeInfos: slices.Repeat([]duckdb.TypeInfo{text}, f.texts),
		ResultTypeInfo: result}
}

func (f *function) Executor() duckdb.ScalarFuncExecutor {
	return duckdb.ScalarFuncExecutor{RowExecutor: f.call}
}

// Define gives a connection a function of SQL that counts something of a text, unless it has one of that name. It is in
// no file: views must not call it. Several goroutines may call count.
func Define(ctx context.Context, conn *sql.Conn, name string, count func(text string) (int64, error)) error {
	return define(ctx, conn, name, &function{1, duckdb.TYPE_BIGINT, func(texts []driver.Value) (any, error) {
		return count(texts[0].(string))
	}})
}

// DefineText gives a connection a function of SQL of two texts, of which the second says where the first is from, in
// the same way.
func DefineText(ctx context.Context, conn *sql.Conn, name string,
	change func(text, from string) (string, error)) error {
	return define(ctx, conn, name, &function{2, duckdb.TYPE_VARCHAR, func(texts []driver.Value) (any, error) {
		return change(texts[0].(string), texts[1].(string))
	}})
}

func define(ctx context.Context, conn *sql.Conn, name string, f duckdb.ScalarFunc) error {
	var has bool
	if err := conn.QueryRowContext(ctx, `SELECT EXISTS (FROM duckdb_functions() WHERE function_name = ?)`, name).
		Scan(&has); err != nil || has {
		return err
	}
	if err := duckdb.RegisterScalarUDF(conn, name, f); err != nil {
		return fmt.Errorf("define %s: %w", name, err)
	}
	return nil
}
