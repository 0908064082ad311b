// Package figures counts the rows of a warehouse and runs its checks, on an open connection.
//
// It must never know how rows came into the warehouse, and it changes nothing.
package figures

import (
	"context"
	dbsql "database/sql"

	"pipeline/load/sqlrows"
	"pipeline/sql"
)

// Totals has the numbers of rows in the warehouse after a load.
type Totals struct {
	Conversations int64            `json:"conversations"`
	Messages      int64            `json:"messages"`
	ToolCalls     int64            `json:"tool_calls"`
	Sessions      int64            `json:"sessions"`
	Orphaned      int64            `json:"orphaned_conversations"` // not counted in Conversations
	OrphanedRows  OrphanedRows     `json:"orphaned"`
	Quarantine    map[string]int64 `json:"quarantine"` // unresolved rows by reason
	Coverage      []Coverage       `json:"coverage"`
}

// OrphanedRows counts the messages and tool calls of orphaned conversations: those whose own row is gone from the store or unusable.
type OrphanedRows struct {
	Messages  int64 `json:"messages"`
	ToolCalls int64 `json:"tool_calls"`
}

// Coverage says for how many live rows a measure is known.
type Coverage struct {
	Measure string `json:"measure"`
	Known   int64  `json:"known"`
	Total   int64  `json:"total"`
}

// ReadTotals sums up what the warehouse holds. It reads conversations, sessions and quarantine. The numbers of messages and tool calls are columns of
// conversations.
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

// ReadCoverage returns, for each measure, for how many live rows the store recorded it.
func ReadCoverage(ctx context.Context, conn *dbsql.Conn) (out []Coverage, err error) {
	err = sqlrows.Each(ctx, conn, sql.Statement("reading/coverage"), func(rows *dbsql.Rows) error {
		var c Coverage
		err := rows.Scan(&c.Measure, &c.Known, &c.Total)
		out = append(out, c)
		return err
	})
	return out, err
}
