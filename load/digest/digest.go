// Package digest tells whether two tables hold the same rows: a digest is the number of rows and a hash over all cells, whatever their order.
//
// It must never know where the tables are that it is told to read.
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

// A Digest is what a table holds, as far as a comparison goes.
type Digest struct {
	Rows int64
	Hash string
}

// Columns are a table's columns as they are compared, and published: JSON as text, since few readers know a type for it.
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

// Query reads every cell of a table, or of what has its columns.
func Query(t schema.Table, from string) string {
	return "SELECT count(*), coalesce(sum(hash(t)::HUGEINT), 0)::VARCHAR FROM (SELECT " + strings.Join(Columns(t), ", ") + " FROM " + from + ") t"
}

// A Reader reads whole tables by one engine. An engine that has met a damaged block answers nothing more: another one takes its place.
type Reader struct {
	Warehouse string // "" for none
	db        *sql.DB
	conn      *sql.Conn
}

// Read is the digest of a table, or of what has its columns.
func (r *Reader) Read(ctx context.Context, t schema.Table, from string) (d Digest, err error) {
	if r.conn == nil {
		if r.db, r.conn, err = engine.Open(ctx, r.Warehouse, r.Warehouse != ""); err != nil {
			return d, err
		}
	}
	if err := r.conn.QueryRowContext(ctx, Query(t, from)).Scan(&d.Rows, &d.Hash); err != nil {
		return d, errors.Join(err, r.Close())
	}
	return d, nil
}

// Close lets go of the engine. Another Read opens one again.
func (r *Reader) Close() error {
	if r.conn == nil {
		return nil
	}
	err := errors.Join(r.conn.Close(), r.db.Close())
	r.db, r.conn = nil, nil
	return err
}
