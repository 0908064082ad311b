// Package sqlrows reads the rows of a query, of any database.
package sqlrows

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"pipeline/sql/schema"
)

// A Querier is a database, a connection to one, or a transaction.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Listed stands in a statement of DuckDB behind IN: the texts of a parameter that List has made.
const Listed = `(SELECT unnest(from_json(?::JSON, '["VARCHAR"]')))`

// List makes one parameter of texts, which are valid UTF-8.
func List(texts []string) (string, error) {
	list, err := json.Marshal(texts)
	return string(list), err
}

// Each runs a query and calls f for each row.
func Each(ctx context.Context, conn Querier, query string, f func(*sql.Rows) error, args ...any) (err error) {
	rows, err := conn.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// EachAs runs a query and calls f for each row. The fields of a struct are the columns, in their order; any other type
// is that of the only column.
func EachAs[R any](ctx context.Context, conn Querier, query string, f func(row R), args ...any) error {
	var row R
	fields := targets(reflect.ValueOf(&row).Elem())
	return Each(ctx, conn, query, func(rows *sql.Rows) error {
		err := rows.Scan(fields...)
		f(row)
		return err
	}, args...)
}

// All returns the rows of a query, see EachAs.
func All[R any](ctx context.Context, conn Querier, query string, args ...any) (out []R, err error) {
	err = EachAs(ctx, conn, query, func(row R) { out = append(out, row) }, args...)
	return out, err
}

// Map returns the rows of a query by their first columns, those of the key.
func Map[K comparable, V any](ctx context.Context, conn Querier, query string, args ...any) (map[K]V, error) {
	type entry struct {
		key   K
		value V
	}
	out := map[K]V{}
	err := EachAs(ctx, conn, query, func(e entry) { out[e.key] = e.value }, args...)
	return out, err
}

// EachOf calls f for each row of the table whose struct is R. from is what follows FROM: the table, or another one with
// the same columns, and what is wanted of it.
func EachOf[R any](ctx context.Context, conn Querier, from string, f func(row R), args ...any) error {
	tables := schema.Tables()
	is := func(t schema.Table) bool { return t.Row == reflect.TypeFor[R]() }
	var columns []string
	for _, c := range tables[slices.IndexFunc(tables, is)].Columns {
		columns = append(columns, fmt.Sprintf(readAs[c.Type], c.Name))
	}
	return EachAs(ctx, conn, "SELECT "+strings.Join(columns, ", ")+" FROM "+from, f, args...)
}

// Of returns rows of a table, see EachOf.
func Of[R any](ctx context.Context, conn Querier, from string, args ...any) (out []R, err error) {
	err = EachOf(ctx, conn, from, func(row R) { out = append(out, row) }, args...)
	return out, err
}

// readAs maps column types to the expressions that read them. The driver would parse JSON, and lose digits and the
// order of members.
var readAs = map[string]string{
	"VARCHAR": "%q", "BIGINT": "%q", "DOUBLE": "%q", "BOOLEAN": "%q", "BLOB": "%q",
	"TIMESTAMPTZ": "epoch_ms(%q)", "DATE": "CAST(%q AS VARCHAR)", "JSON": "CAST(%q AS VARCHAR)",
}

// targets are where the values of a row go.
func targets(v reflect.Value) (out []any) {
	switch v = reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem(); { // a field may be private
	case v.Kind() == reflect.Struct && v.Type() != reflect.TypeFor[time.Time]():
		for i := range v.NumField() {
			out = append(out, targets(v.Field(i))...)
		}
		return out
	case v.Kind() == reflect.Slice: // the library knows bytes of its own type only
		return []any{v.Addr().Convert(reflect.TypeFor[*[]byte]()).Interface()}
	}
	return []any{v.Addr().Interface()}
}
