package load

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
	"pipeline/sql/schema"
)

// examine makes views and macros and runs the checks.
func (t *transaction) examine(ctx context.Context, out *Outcome) (err error) {
	if err := t.makeObjects(ctx); err != nil {
		return err
	}
	t.settings.Checking()
	if out.Totals.Coverage, err = coverage(ctx, t.w.conn); err != nil {
		return err
	}
	out.Failures, err = t.checkChanged(ctx)
	return err
}

// totals asks the conversations' figures what the warehouse holds: no other table is read.
func totals(ctx context.Context, conn *dbsql.Conn) (t Totals, err error) {
	t.Quarantine = map[string]int64{}
	err = conn.QueryRowContext(ctx, sql.Statement("reading/totals")).
		Scan(&t.Conversations, &t.Messages, &t.ToolCalls, &t.Sessions, &t.Orphaned, &t.OrphanedRows.Messages, &t.OrphanedRows.ToolCalls)
	if err != nil {
		return t, err
	}
	err = sqlrows.Each(ctx, conn, `SELECT reason, count(*) FROM quarantine WHERE resolved_load_id IS NULL GROUP BY reason`, func(rows *dbsql.Rows) error {
		var reason string
		var n int64
		err := rows.Scan(&reason, &n)
		t.Quarantine[reason] = n
		return err
	})
	return t, err
}

// coverage asks of how many live rows the store recorded something.
func coverage(ctx context.Context, conn *dbsql.Conn) (out []Coverage, err error) {
	err = sqlrows.Each(ctx, conn, sql.Statement("reading/coverage"), func(rows *dbsql.Rows) error {
		var c Coverage
		err := rows.Scan(&c.Measure, &c.Known, &c.Total)
		out = append(out, c)
		return err
	})
	return out, err
}

// checkChanged runs every check; those that look at each conversation by itself see only the conversations that the load has changed.
func (t *transaction) checkChanged(ctx context.Context) ([]CheckFailure, error) {
	if t.first || t.settings.Recheck || t.settings.Rebuild == RebuildLast || !t.few {
		return runChecks(ctx, t.w.conn, t.settings.Progress, func(f sql.File) bool { return t.settings.Recheck || !f.ByConstruction })
	}
	failures, err := runChecks(ctx, t.w.conn, t.settings.Progress, func(f sql.File) bool { return !f.PerConversation && !f.ByConstruction })
	if err != nil {
		return nil, err
	}
	// Temporary tables come before others of the same name.
	var parts []string
	for _, table := range schema.Tables() {
		if table.Scope != schema.ByConversation && table.Name != "_known_rows" && table.Name != "_known_conversations" {
			continue
		}
		parts = append(parts, table.Name)
		if err := t.exec(ctx, sql.StatementFor("merge/changed_rows", table)); err != nil {
			return nil, err
		}
	}
	more, err := runChecks(ctx, t.w.conn, t.settings.Progress, func(f sql.File) bool { return f.PerConversation })
	for _, name := range parts {
		err = errors.Join(err, t.exec(ctx, `DROP TABLE temp.`+name))
	}
	return append(failures, more...), err
}

// runChecks runs the wanted checks and reports those that return rows.
func runChecks(ctx context.Context, conn *dbsql.Conn, progress func(done, total int), wanted func(sql.File) bool) ([]CheckFailure, error) {
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

// Check runs every check on a warehouse, read-only. progress is told how many have run.
func Check(ctx context.Context, path string, progress func(done, total int)) (_ []CheckFailure, err error) {
	db, conn, err := engine.Open(ctx, path, true)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	if err := catalog.Check(ctx, conn, path); err != nil {
		return nil, err
	}
	return runChecks(ctx, conn, progress, func(sql.File) bool { return true })
}
