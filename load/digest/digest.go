// Package digest tells whether two tables have the same rows. A digest is the number of rows and a hash over all cells,
// whatever the order of the rows.
//
// It must never know where the tables are that it reads.
package digest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"pipeline/load/engine"
	"pipeline/sql/schema"
)

// A Digest is the number of rows and the hash of a table.
type Digest struct {
	Rows int64
	Hash string
}

// Columns returns the expressions with which a table's columns are compared and published. JSON is text, because few
// readers know a type for it.
func Columns(t schema.Table) []string {
	columns := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		columns[i] = fmt.Sprintf("%q", c.Name)
		if c.Type == "JSON" {
			columns[i] = fmt.Sprintf("CAST(%q AS VARCHAR) AS %q", c.Name, c.Name)
		}
	}
	return columns
}

// A Reader reads complete tables with one engine. After a damaged block an engine answers no more queries, so the
// reader opens another one.
type Reader struct {
	Warehouse string // "" for none
	db        *sql.DB
	conn      *sql.Conn
}

// Read returns the digest of a table. from is the table, or anything with the same columns.
func (r *Reader) Read(ctx context.Context, t schema.Table, from string) (d Digest, err error) {
	if r.conn == nil {
		if r.db, r.conn, err = engine.Open(ctx, r.Warehouse, r.Warehouse != ""); err != nil {
			return d, err
		}
	}
	query := "SELECT count(*), coalesce(sum(hash(t)::HUGEINT), 0)::VARCHAR FROM (SELECT " +
		strings.Join(Columns(t), ", ") + " FROM " + from + ") t"
	if err := r.conn.QueryRowContext(ctx, query).Scan(&d.Rows, &d.Hash); err != nil {
		return d, errors.Join(err, r.Close())
	}
	return d, nil
}

// Close closes the engine. The next Read opens one again.
func (r *Reader) Close() error {
	if r.conn == nil {
		return nil
	}
	err := errors.Join(r.conn.Close(), r.db.Close())
	r.db, r.conn = nil, nil
	return err
}
