// Package figures says what a warehouse adds up to, and whether it passes its checks: queries on a connection that is open.
//
// It must never know how rows came into the warehouse, and it changes nothing.
package figures

import (
	"context"
	dbsql "database/sql"

	"pipeline/load/sqlrows"
	"pipeline/sql"
)

// Totals are what the warehouse holds after a load.
type Totals struct {
	Conversations int64            `json:"conversations"`
	Messages      int64            `json:"messages"`
	ToolCalls     int64            `json:"tool_calls"`
	Sessions      int64            `json:"sessions"`
	Orphaned      int64            `json:"orphaned_conversations"` // beside the others, with what is in them
	OrphanedRows  OrphanedRows     `json:"orphaned"`
	Quarantine    map[string]int64 `json:"quarantine"` // unresolved rows by reason
	Coverage      []Coverage       `json:"coverage"`
}

// OrphanedRows are what conversations hold that their store no longer lists.
type OrphanedRows struct {
	Messages  int64 `json:"messages"`
	ToolCalls int64 `json:"tool_calls"`
}

// Coverage says of how many live rows something is known.
type Coverage struct {
	Measure string `json:"measure"`
	Known   int64  `json:"known"`
	Total   int64  `json:"total"`
}

// ReadTotals asks the conversations' figures what the warehouse holds: no other table is read.
func ReadTotals(ctx context.Context, conn *dbsql.Conn) (t Totals, err error) {
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

// ReadCoverage asks of how many live rows the store recorded something.
func ReadCoverage(ctx context.Context, conn *dbsql.Conn) (out []Coverage, err error) {
	err = sqlrows.Each(ctx, conn, sql.Statement("reading/coverage"), func(rows *dbsql.Rows) error {
		var c Coverage
		err := rows.Scan(&c.Measure, &c.Known, &c.Total)
		out = append(out, c)
		return err
	})
	return out, err
}
