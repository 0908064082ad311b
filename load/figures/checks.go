package figures

import (
	"context"
	dbsql "database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"pipeline/load/catalog"
	"pipeline/load/engine"
	"pipeline/load/sqlrows"
	"pipeline/sql"
)

// CheckFailure is a check that returned rows.
type CheckFailure struct {
	Check string `json:"check"`   // name of the file
	Doc   string `json:"asserts"` // what it asserts
	Rows  int64  `json:"rows"`
	First string `json:"first"` // the first row, as text
}

// RunChecks runs the wanted checks and returns those that found rows.
func RunChecks(ctx context.Context, conn *dbsql.Conn, progress func(done, total int), wanted func(sql.File) bool) ([]CheckFailure, error) {
	var failures []CheckFailure
	checks := slices.DeleteFunc(sql.Checks(), func(f sql.File) bool { return !wanted(f) })
	for i, c := range checks {
		progress(i, len(checks))
		f := CheckFailure{Check: c.Name, Doc: c.Doc}
		err := sqlrows.Each(ctx, conn, c.SQL, func(rows *dbsql.Rows) error {
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

// Check runs every check on a warehouse, read-only. It calls progress with the number of checks that have run.
func Check(ctx context.Context, path string, progress func(done, total int)) (_ []CheckFailure, err error) {
	db, conn, err := engine.Open(ctx, path, true)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	if err := catalog.Check(ctx, conn, path); err != nil {
		return nil, err
	}
	return RunChecks(ctx, conn, progress, func(sql.File) bool { return true })
}
