package figures

import (
	"context"
	dbsql "database/sql"
	"fmt"
	"slices"
	"strings"

	"pipeline/load/catalog"
	"pipeline/load/engine"
	"pipeline/load/tool/sqlrows"
	"pipeline/sql"
)

// CheckFailure is a check that returned rows.
type CheckFailure struct {
	Check string `json:"check"`   // name of the file
	Doc   string `json:"asserts"` // what it asserts
	Rows  int64  `json:"rows"`
	First string `json:"first"` // the first row, as text
}

// RunChecks runs the wanted checks and returns those that found rows. Of a check that has parts it runs those for
// tables in which there may be something to find, and which are among these; nil: all are. From then on the connection
// has one thread: with several, and little memory, the engine's count of distinct values fails now and then (1.4.1:
// INTERNAL Error, a unique_ptr that is NULL in PartitionedTupleData::Combine).
func RunChecks(ctx context.Context, conn *dbsql.Conn, progress func(done, total int), wanted func(sql.File) bool,
	tables map[string]bool) ([]CheckFailure, error) {
	if _, err := conn.ExecContext(ctx, engine.OneThread); err != nil {
		return nil, err
	}
	var failures []CheckFailure
	checks := slices.DeleteFunc(sql.Checks(), func(f sql.File) bool { return !wanted(f) })
	filled, suspects, err := screen(ctx, conn, checks, tables)
	if err != nil {
		return nil, err
	}
	for i, c := range checks {
		progress(i, len(checks))
		of := filled
		if c.Screened {
			of = suspects
		}
		query := c.Over(of)
		if query == "" {
			continue
		}
		f := CheckFailure{Check: c.Name, Doc: c.Doc}
		err := sqlrows.Each(ctx, conn, query, func(rows *dbsql.Rows) error {
			if f.Rows++; f.Rows > 1 {
				return nil
			}
			var table, key, problem dbsql.NullString
			err := rows.Scan(&table, &key, &problem)
			f.First = strings.TrimSpace(table.String + " " + key.String + ": " + problem.String)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("check %s: %w", c.Name, err)
		}
		if f.Rows > 0 {
			failures = append(failures, f)
		}
	}
	return failures, nil
}

// screen returns the tables that may have rows, of those that are asked for, and those in which a check that is
// screened finds some. It asks only if a check has parts.
func screen(ctx context.Context, conn *dbsql.Conn, checks []sql.File,
	filled map[string]bool) (_, suspects map[string]bool, err error) {
	if !slices.ContainsFunc(checks, func(f sql.File) bool { return f.Parts != nil }) {
		return nil, nil, nil
	}
	if filled == nil {
		filled, err = names(ctx, conn, sql.TablesWithRows())
	}
	if err != nil || len(filled) == 0 {
		return filled, nil, err
	}
	suspects, err = names(ctx, conn, sql.Suspects(filled))
	return filled, suspects, err
}

// names returns what a query lists.
func names(ctx context.Context, conn *dbsql.Conn, query string) (map[string]bool, error) {
	list, err := sqlrows.All[string](ctx, conn, query)
	if err != nil {
		return nil, fmt.Errorf("which tables to check: %w", err)
	}
	names := map[string]bool{}
	for _, name := range list {
		names[name] = true
	}
	return names, nil
}

// Check runs every check on a warehouse, read-only. It calls progress with the number of checks that have run.
func Check(ctx context.Context, path string, progress func(done, total int)) (failures []CheckFailure, err error) {
	err = engine.Reading(ctx, path, func(conn *dbsql.Conn) (err error) {
		if err := catalog.Check(ctx, conn, path); err != nil {
			return err
		}
		failures, err = RunChecks(ctx, conn, progress, func(sql.File) bool { return true }, nil)
		return err
	})
	return failures, err
}
