// Package sqlrows iterates over the rows of a query, of any database.
package sqlrows

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
)

// Listed stands in a statement of DuckDB behind IN: the texts of a parameter that List has made.
const Listed = `(SELECT unnest(from_json(?::JSON, '["VARCHAR"]')))`

// List makes one parameter of texts, which are valid UTF-8.
func List(texts []string) (string, error) {
	list, err := json.Marshal(texts)
	return string(list), err
}

// Each runs a query and calls f for each row.
func Each(ctx context.Context, conn *sql.Conn, query string, f func(*sql.Rows) error, args ...any) (err error) {
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
