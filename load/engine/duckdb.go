// Package engine opens files with DuckDB and writes rows into them. It knows the driver, the engine's log and memory, and the meaning and remedies of its
// errors. It must never know which tables a warehouse has, but for the one setting that says which log belongs to which file.
package engine

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/marcboeker/go-duckdb/v2"

	"pipeline/load/outpath"
	"pipeline/sql/schema"
)

// This file is the only one that knows the DuckDB driver and its traps.

// MemoryLimit is the engine's memory limit in bytes, if the caller sets no other. A run sets its own: a share of --memory.
const MemoryLimit = 240 << 20

// engineSettings adapt the engine to a laptop. They turn the compression of texts by FSST off: it makes the file a twentieth smaller, and takes a fifth of a
// first load's time.
var engineSettings = []string{
	SetMemory(MemoryLimit),
	"SET preserve_insertion_order = true",
	"SET disabled_compression_methods = 'fsst'",
}

// SetThreads returns the statement that lets the engine use the cores that this process may use. By default it uses all cores of the machine, and an idle
// thread spins.
func SetThreads() string { return fmt.Sprintf("SET threads = %d", runtime.GOMAXPROCS(0)) }

// ManyRows is the number of rows from which work is faster with every core.
const ManyRows = 100_000

// OneThread is the statement for work that is mostly small statements or small files. There, a second thread costs more time than it saves.
const OneThread = "SET threads = 1"

// openOptions are in force from the start. Without them, the engine would download an extension to open a SQLite file.
const openOptions = "?autoinstall_known_extensions=false&autoload_known_extensions=false"

// Open opens a DuckDB file on one connection. It returns ErrBusy if another process holds the file.
func Open(ctx context.Context, path string, readOnly bool) (_ *sql.DB, _ *sql.Conn, err error) {
	if _, err := url.Parse(path); err != nil || strings.ContainsAny(path, "?#") { // the driver would read options out of it
		return nil, nil, fmt.Errorf("the driver of the warehouse cannot open %s: name a path without ? and #, and without a %% that begins no escape, with --warehouse", path)
	}
	if err := cmp.Or(outpath.File(path), outpath.File(LogOf(path))); err != nil { // the engine would open it, and wait
		return nil, nil, err
	}
	if err := checkLog(ctx, path); err != nil {
		return nil, nil, err
	}
	limitArenas()
	Reads(path, LogOf(path))
	dsn := path + openOptions
	if readOnly {
		dsn += "&access_mode=read_only"
	}
	connector, err := duckdb.NewConnector(dsn, func(execer driver.ExecerContext) error {
		for _, s := range append([]string{SetThreads()}, engineSettings...) {
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
	return db, conn, nil
}

// An Appender writes rows of one table. Prepared inserts are 18 times slower.
type Appender struct {
	table   schema.Table
	duck    *duckdb.Appender
	convert []converter
	row     []driver.Value
	batch   int64 // bytes after which it is flushed: on its own the engine would wait for 200,000 rows, whatever their size
	pending int64 // bytes since the last flush, about
	rows    int64
}

// converter converts a struct's field to the value that the driver appends, and returns about how many bytes it has.
type converter func(reflect.Value) (driver.Value, int)

func NewAppender(conn *sql.Conn, target string, t schema.Table, batch int64) (*Appender, error) {
	a := &Appender{table: t, batch: batch, row: make([]driver.Value, len(t.Columns))}
	types, names := make([]duckdb.TypeInfo, len(t.Columns)), make([]string, len(t.Columns))
	for i, c := range t.Columns {
		a.convert = append(a.convert, converterFor(t.Row.Field(i).Type))
		info, err := duckdb.NewTypeInfo(engineTypes[c.Type])
		if err != nil {
			return nil, fmt.Errorf("append to %s: %w", target, err)
		}
		types[i], names[i] = info, c.Name
	}
	err := conn.Raw(func(c any) (err error) {
		a.duck, err = duckdb.NewQueryAppender(c.(driver.Conn), insertQuery(target, t), "batch", types, names)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("append to %s: %w", target, err)
	}
	return a, nil
}

// engineTypes maps the column types to the driver's. JSON is appended as text: the driver would parse and rewrite it (compacted, < and > escaped), and a
// search for the output of a tool would not find it.
var engineTypes = map[string]duckdb.Type{
	"VARCHAR": duckdb.TYPE_VARCHAR, "BIGINT": duckdb.TYPE_BIGINT, "DOUBLE": duckdb.TYPE_DOUBLE, "BOOLEAN": duckdb.TYPE_BOOLEAN,
	"TIMESTAMPTZ": duckdb.TYPE_TIMESTAMP_TZ, "DATE": duckdb.TYPE_DATE, "JSON": duckdb.TYPE_VARCHAR, "BLOB": duckdb.TYPE_BLOB,
}

// insertQuery returns the statement that moves a batch into its table. A text that the engine's JSON parser refuses becomes a JSON string, so a column never
// has invalid JSON.
func insertQuery(target string, t schema.Table) string {
	columns := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		columns[i] = fmt.Sprintf("%q", c.Name)
		if c.Type == "JSON" {
			columns[i] = fmt.Sprintf("coalesce(TRY_CAST(%q AS JSON), to_json(%q))", c.Name, c.Name)
		}
	}
	return fmt.Sprintf("INSERT INTO %s SELECT %s FROM batch", target, strings.Join(columns, ", "))
}

// Append adds one row, which is a struct of the table's type.
func (a *Appender) Append(row reflect.Value) error {
	for i, convert := range a.convert {
		v, n := convert(row.Field(i))
		a.row[i] = v
		a.pending += int64(n)
	}
	if err := a.duck.AppendRow(a.row...); err != nil {
		return fmt.Errorf("append to %s: %w", a.table.Name, err)
	}
	a.rows++
	if a.pending > a.batch {
		expectMuch()
		return a.Flush()
	}
	return nil
}

func (a *Appender) Flush() error {
	a.pending = 0
	if err := a.duck.Flush(); err != nil {
		return fmt.Errorf("write to %s: %w", a.table.Name, err)
	}
	return nil
}

// Close flushes the remaining rows and closes the appender.
func (a *Appender) Close() error {
	if err := a.duck.Close(); err != nil {
		return fmt.Errorf("write to %s: %w", a.table.Name, err)
	}
	return nil
}

// cleanBytes does the same as schema.CleanText, without a copy of text that is clean. The driver takes bytes as they are, and copies them.
func cleanBytes(b []byte) driver.Value {
	if bytes.IndexByte(b, 0) < 0 && utf8.Valid(b) {
		return b
	}
	return schema.CleanText(string(b))
}

func converterFor(t reflect.Type) converter {
	if t.Kind() == reflect.Pointer {
		inner := converterFor(t.Elem())
		return func(v reflect.Value) (driver.Value, int) {
			if v.IsNil() {
				return nil, 1
			}
			return inner(v.Elem())
		}
	}
	switch t {
	case reflect.TypeFor[schema.Millis]():
		return func(v reflect.Value) (driver.Value, int) { return time.UnixMilli(v.Int()).UTC(), 8 }
	case reflect.TypeFor[schema.Date]():
		return func(v reflect.Value) (driver.Value, int) {
			day, err := time.Parse("2006-01-02", v.String())
			if err != nil {
				return nil, 1
			}
			return day, 4
		}
	case reflect.TypeFor[schema.JSON]():
		return func(v reflect.Value) (driver.Value, int) {
			if v.IsNil() {
				return nil, 1
			}
			return cleanBytes(v.Bytes()), v.Len()
		}
	case reflect.TypeFor[schema.Blob]():
		return func(v reflect.Value) (driver.Value, int) {
			if v.IsNil() {
				return nil, 1
			}
			return v.Bytes(), v.Len()
		}
	case reflect.TypeFor[string]():
		return func(v reflect.Value) (driver.Value, int) { return schema.CleanText(v.String()), v.Len() + 16 }
	}
	return func(v reflect.Value) (driver.Value, int) { return v.Interface(), 8 }
}
