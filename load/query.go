package load

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Answer is the result of a query.
type Answer struct {
	Columns []string
	Numeric []bool // the column holds numbers
	JSON    []bool // the column holds JSON, as text
	Rows    [][]any
}

// sandbox forbids everything but reading the warehouse itself: files, the network, extensions, settings.
var sandbox = []string{
	"SET enable_external_access = false",
	"SET allow_community_extensions = false",
	"SET TimeZone = 'UTC'",
	"SET lock_configuration = true",
}

// A Reader asks questions of a warehouse: read-only, sandboxed.
type Reader struct {
	db   *sql.DB
	conn *sql.Conn
}

// OpenReader opens a warehouse for questions.
func OpenReader(ctx context.Context, path string) (*Reader, error) {
	db, conn, err := openEngine(ctx, path, true)
	if err != nil {
		return nil, err
	}
	r := &Reader{db, conn}
	for _, s := range sandbox {
		if _, err := conn.ExecContext(ctx, s); err != nil {
			return nil, errors.Join(fmt.Errorf("sandbox: %w", err), r.Close())
		}
	}
	return r, nil
}

// Close lets go of the file.
func (r *Reader) Close() error { return errors.Join(r.conn.Close(), r.db.Close()) }

// Query runs one query.
func (r *Reader) Query(ctx context.Context, query string) (*Answer, error) {
	answer, err := r.run(ctx, query)
	if err != nil || !slices.Contains(answer.JSON, true) {
		return answer, err
	}
	// The driver parses JSON cells: numbers would lose digits and members their order. As text they stay as they are.
	asText := make([]string, 0, len(answer.Columns))
	for i, name := range answer.Columns {
		if answer.JSON[i] {
			quoted := `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
			asText = append(asText, "CAST("+quoted+" AS VARCHAR) AS "+quoted)
		}
	}
	query = strings.TrimRight(strings.TrimSpace(query), "; \n\t")
	exact, err := r.run(ctx, "SELECT * REPLACE ("+strings.Join(asText, ", ")+") FROM (\n"+query+"\n)")
	if err != nil { // two columns of one name, or no SELECT
		return answer, nil
	}
	exact.JSON = answer.JSON
	return exact, nil
}

func (r *Reader) run(ctx context.Context, query string) (_ *Answer, err error) {
	answer := &Answer{}
	rows, err := r.conn.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, err
	}
	for _, t := range types {
		answer.Columns = append(answer.Columns, t.Name())
		answer.Numeric = append(answer.Numeric, isNumeric(t.DatabaseTypeName()))
		answer.JSON = append(answer.JSON, t.DatabaseTypeName() == "JSON")
	}
	for rows.Next() {
		cells, refs := make([]any, len(types)), make([]any, len(types))
		for i := range cells {
			refs[i] = &cells[i]
		}
		if err := rows.Scan(refs...); err != nil {
			return nil, err
		}
		for i, t := range types {
			cells[i] = plain(cells[i], t.DatabaseTypeName())
		}
		answer.Rows = append(answer.Rows, cells)
	}
	return answer, rows.Err()
}

// Query runs one query on the warehouse of that path.
func Query(ctx context.Context, path, query string) (_ *Answer, err error) {
	r, err := OpenReader(ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	return r.Query(ctx, query)
}

// plain turns what the driver makes of some types into what people and JSON readers expect.
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

func isNumeric(t string) bool {
	for _, name := range []string{"INT", "DOUBLE", "FLOAT", "DECIMAL"} {
		if strings.Contains(t, name) {
			return true
		}
	}
	return false
}

// Text is a value as people read it.
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

// Objects are the rows as JSON objects, columns by name.
func (a *Answer) Objects() []map[string]any {
	out := make([]map[string]any, 0, len(a.Rows))
	for _, row := range a.Rows {
		o := make(map[string]any, len(row))
		for i, v := range row {
			switch text := v.(type) {
			case []byte:
				v = string(text)
			case string:
				if a.JSON[i] {
					v = json.RawMessage(text)
				}
			}
			o[a.Columns[i]] = v
		}
		out = append(out, o)
	}
	return out
}
