// Package reader reads a committed warehouse: the result of any query, conversations with all their rows, and the
// summaries of the last loads. It opens the file read-only and in a sandbox.
//
// It must never know how rows come into the warehouse, nor how anything is printed.
package reader

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strings"
	"time"

	"pipeline/load/catalog"
	"pipeline/load/engine"
	"pipeline/load/tool/scratch"
)

// Answer is the whole result of a query.
type Answer struct {
	Columns []string
	Numeric []bool // the column holds numbers
	JSON    []bool // the column holds JSON, as text
	Rows    [][]any
}

// A Reader runs queries on a warehouse. It is read-only and sandboxed.
type Reader struct {
	db      *sql.DB
	conn    *sql.Conn
	scratch *scratch.Folder // where the engine may put what does not fit into its memory; nil for nowhere
	copy    *scratch.Folder // has the copy that is open instead of the warehouse's file; nil if there is none
	// the most messages of a conversation that are held; of a larger one they are read page by page
	held  int
	pages bool // there are tables of one, see paged
}

// besideRows is the engine's memory limit for a program that holds the rows that it reads, and makes something else of
// them.
const besideRows = 160 << 20

// Open opens a warehouse for callers that hold the rows that they read; days are those of the program's time zone. It
// refuses one that is not of this version.
func Open(ctx context.Context, path string) (*Reader, error) {
	settings := append([]string{engine.SetMemory(besideRows)}, engine.Sandbox(localZone())...)
	return openChecked(ctx, time.After(busyWait), path, settings, nil)
}

// OpenAny opens a warehouse of any version, for callers that know its tables; days are those of the program's time
// zone. The engine may also write the files in writable, and no others.
func OpenAny(ctx context.Context, path string, writable ...string) (*Reader, error) {
	return openStill(ctx, time.After(busyWait), path, engine.Sandbox(localZone()), writable)
}

// OpenLocal opens a warehouse as OpenAny does, and refuses one that is not of this version, as Open does.
func OpenLocal(ctx context.Context, path string, writable ...string) (*Reader, error) {
	return openChecked(ctx, time.After(busyWait), path, engine.Sandbox(localZone()), writable)
}

// localZone is the name of the program's time zone, time.Local; "" where only the engine finds it: the machine's, or a
// file that TZ names.
func localZone() string {
	name := time.Local.String()
	if name == "Local" || strings.HasPrefix(name, "/") || strings.HasPrefix(name, "posix/") ||
		strings.HasPrefix(name, "right/") {
		return ""
	}
	return name
}

// Zone is the name of the time zone in which the reader cuts days.
func (r *Reader) Zone(ctx context.Context) (name string, err error) {
	err = r.conn.QueryRowContext(ctx, "SELECT replace(current_setting('TimeZone'), 'Etc/UTC', 'UTC')").Scan(&name)
	return name, err
}

// openChecked opens a warehouse as openStill does. It returns an error if the warehouse is not of this version.
func openChecked(ctx context.Context, enough <-chan time.Time, path string, settings, writable []string) (*Reader,
	error) {
	r, err := openStill(ctx, enough, path, settings, writable)
	if err != nil {
		return nil, err
	}
	if err := catalog.Check(ctx, r.conn, path); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

func openReader(ctx context.Context, path string, confined, writable []string) (*Reader, error) {
	db, conn, err := engine.Open(ctx, path, true)
	if err != nil {
		return nil, err
	}
	return confinedReader(ctx, db, conn, confined, writable)
}

// confinedReader makes a reader of an open connection, and confines it.
func confinedReader(ctx context.Context, db *sql.DB, conn *sql.Conn, confined, writable []string) (_ *Reader,
	err error) {
	r := &Reader{db: db, conn: conn, held: messagesHeld}
	// The default folder is beside the warehouse: there, two readers would write files of the same names. Without a
	// folder, the engine uses only its memory.
	spill := ""
	if r.scratch, err = scratch.New("", "pipeline-sql-"); err == nil {
		spill = r.scratch.Path()
	}
	settings := append([]string{"SET temp_directory = " + engine.Literal(spill)}, confined...)
	if len(writable) > 0 {
		settings = append([]string{"SET allowed_paths = [" + engine.Literals(writable) + "]"}, settings...)
	}
	for _, s := range settings {
		if _, err := conn.ExecContext(ctx, s); err != nil {
			return nil, errors.Join(fmt.Errorf("sandbox: %w", err), r.Close())
		}
	}
	return r, nil
}

// IsCopy reports whether the reader has a copy of the warehouse open, as another program writes to the file: the state
// before that.
func (r *Reader) IsCopy() bool { return r.copy != nil }

// Close closes the file and removes the temporary folder.
func (r *Reader) Close() error {
	return errors.Join(r.conn.Close(), r.db.Close(), r.scratch.Remove(), r.copy.Remove())
}

// Conn returns the connection, for packages that have statements of their own.
func (r *Reader) Conn() *sql.Conn { return r.conn }

// Query runs one query and returns its whole result.
func (r *Reader) Query(ctx context.Context, query string) (*Answer, error) {
	q, err := r.Ask(ctx, query)
	if err != nil {
		return nil, err
	}
	answer := &Answer{}
	for _, c := range q.Columns {
		answer.Columns, answer.Numeric, answer.JSON = append(answer.Columns, c.Name), append(answer.Numeric, c.Numeric),
			append(answer.JSON, c.JSON)
	}
	err = q.held(ctx, q.selection(), func(row []any) error {
		answer.Rows = append(answer.Rows, row)
		return nil
	})
	return answer, err
}

// Query runs one query on the warehouse at a path, of any version, and returns its whole result. Days are those of UTC.
func Query(ctx context.Context, path, query string) (_ *Answer, err error) {
	r, err := openReader(ctx, path, engine.Sandbox("UTC"), nil)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	return r.Query(ctx, query)
}

// plain converts values of some types from the driver's form to the form that people and JSON readers expect.
func plain(v any, typeName string) any {
	switch v := v.(type) {
	case time.Time:
		if typeName == "DATE" {
			return v.Format(time.DateOnly)
		}
	case []byte:
		if typeName == "UUID" && len(v) == 16 {
			return fmt.Sprintf("%x-%x-%x-%x-%x", v[:4], v[4:6], v[6:8], v[8:10], v[10:])
		}
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Sprint(v) // JSON has no such numbers
		}
	case *big.Int:
		if v.IsInt64() {
			return v.Int64()
		}
	case fmt.Stringer: // DECIMAL
		return json.Number(v.String())
	}
	return v
}

// Text returns a value as people read it.
func Text(v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case []byte:
		return string(v)
	case time.Time:
		return v.UTC().Format("2006-01-02 15:04:05.999Z")
	case float64:
		return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.4f", v), "0"), ".")
	}
	if kind := reflect.ValueOf(v).Kind(); kind == reflect.Map || kind == reflect.Slice {
		if b, err := json.Marshal(v); err == nil {
			return string(b)
		}
	}
	return fmt.Sprint(v)
}
