// Package figures counts the rows of a warehouse and runs its checks, on an open connection.
//
// It must never know how rows came into the warehouse, and it changes nothing.
package figures

import (
	"context"
	dbsql "database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"pipeline/load/tool/sqlrows"
	"pipeline/sql"
)

// Totals has the numbers of rows in the warehouse after a load.
type Totals struct {
	Conversations int64 `json:"conversations"`
	// live ones without a message, of which none is missing; not counted in Conversations
	Empty        int64            `json:"empty_conversations"`
	Messages     int64            `json:"messages"`
	ToolCalls    int64            `json:"tool_calls"`
	Sessions     int64            `json:"sessions"`
	Orphaned     int64            `json:"orphaned_conversations"` // not counted in Conversations
	OrphanedRows OrphanedRows     `json:"orphaned"`
	Copies       Copies           `json:"copies"`
	Aliases      []Alias          `json:"aliases,omitempty"` // old names of projects
	Quarantine   map[string]int64 `json:"quarantine"`        // unresolved rows by reason
	Coverage     []Coverage       `json:"coverage"`
	Usage        Usage            `json:"usage"`
}

// OrphanedRows counts the messages and tool calls of orphaned conversations: those whose own row is gone from the store
// or unusable.
type OrphanedRows struct {
	Messages  int64 `json:"messages"`
	ToolCalls int64 `json:"tool_calls"`
}

// Usage counts the events that Cursor has counted.
type Usage struct {
	Events  int64 `json:"events"`
	Counted int64 `json:"counted"` // in sums: usage_events.is_counted
	// of a conversation that the event, its request or its cloud agent names
	ByID       int64 `json:"by_id"`
	ByTime     int64 `json:"by_time"`    // of the one conversation that was at work then
	Unassigned int64 `json:"unassigned"` // of none
	// hashes of the persons whose events exports and pages tell
	Persons []string `json:"-"`
	Unnamed int64    `json:"-"`                      // events of these that name nobody
	Unread  []string `json:"unread_files,omitempty"` // files in an unknown form
	// time of the latest event; nil: there is none with a time
	Newest    *time.Time `json:"newest"`
	Estimated int64      `json:"estimated_turns"`            // turns of which only an estimate is known
	Priced    int64      `json:"estimated_turns_with_price"` // of these, those of which the price is known
}

// Alias is an old name of a project, and how many conversations have it, also deleted ones.
type Alias struct {
	ProjectURI    string `json:"project_uri"`
	NewProjectURI string `json:"new_project_uri"`
	Conversations int64  `json:"conversations"`
}

// Copies counts what several sources have: a laptop and its backup, for example. Totals counts it once.
type Copies struct {
	// live conversations that are no orphans and not empty, by the number of sources that have them
	Conversations []InSources `json:"conversations"`
	// rows of table conversations, not deleted, that are not counted: another source has the primary
	Rows int64 `json:"rows"`
	// live messages that only such a row's conversation has, and not the primary
	Messages int64 `json:"messages"`
}

// InSources is a number of conversations that a number of sources have.
type InSources struct {
	Sources       int64 `json:"sources"`
	Conversations int64 `json:"conversations"`
}

// Coverage says for how many live rows a measure is known.
type Coverage struct {
	Measure string `json:"measure"`
	Known   int64  `json:"known"`
	Total   int64  `json:"total"`
}

// ReadTotals sums up what the warehouse holds. It reads conversations, conversation_copies, sessions and quarantine.
// The numbers of messages and tool calls are columns of conversations. Only if several sources have the same
// conversations, it reads the ids of their messages.
func ReadTotals(ctx context.Context, conn *dbsql.Conn) (t Totals, err error) {
	t.Quarantine = map[string]int64{}
	err = conn.QueryRowContext(ctx, sql.Statement("reading/totals")).
		Scan(&t.Conversations, &t.Empty, &t.Messages, &t.ToolCalls, &t.Sessions, &t.Orphaned, &t.OrphanedRows.Messages,
			&t.OrphanedRows.ToolCalls, &t.Copies.Rows)
	if err != nil {
		return t, err
	}
	if err := t.Copies.read(ctx, conn); err != nil {
		return t, err
	}
	u := &t.Usage
	if err := conn.QueryRowContext(ctx, sql.Statement("reading/usage")).
		Scan(&u.Events, &u.Counted, &u.ByID, &u.ByTime, &u.Unassigned, &u.Newest, &u.Estimated, &u.Priced,
			&u.Unnamed); err != nil {
		return t, err
	}
	for query, names := range map[string]*[]string{
		`SELECT DISTINCT person FROM usage_events WHERE person IS NOT NULL AND origin IN ('api', 'csv') ORDER BY ALL`:                                  &u.Persons,
		`SELECT regexp_replace("key", '#[0-9]+$', '') FROM quarantine WHERE resolved_load_id IS NULL AND reason = 'unknown_form' ORDER BY ALL LIMIT 5`: &u.Unread,
	} {
		if *names, err = sqlrows.All[string](ctx, conn, query); err != nil {
			return t, err
		}
	}
	if t.Aliases, err = sqlrows.All[Alias](ctx, conn, sql.Statement("reading/aliases")); err != nil {
		return t, err
	}
	t.Quarantine, err = sqlrows.Map[string, int64](ctx, conn,
		`SELECT reason, count(*) FROM quarantine WHERE resolved_load_id IS NULL GROUP BY reason`)
	return t, err
}

// Line says how many conversations several sources have; "" for none.
func (c Copies) Line() string {
	var parts []string
	for i, n := range c.Conversations {
		switch count := humanize.Comma(n.Conversations); {
		case i > 0:
			parts = append(parts, fmt.Sprintf("%s in %d", count, n.Sources))
		case n.Conversations == 1:
			parts = append(parts, fmt.Sprintf("1 conversation is in %d sources", n.Sources))
		default:
			parts = append(parts, fmt.Sprintf("%s conversations are in %d sources", count, n.Sources))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, ", ") + ", counted once"
}

// ReadCopies counts what several sources have, for callers that need no other figure.
func ReadCopies(ctx context.Context, conn *dbsql.Conn) (c Copies, err error) {
	if err := conn.QueryRowContext(ctx, `SELECT count(*) FROM conversation_copies WHERE NOT is_primary`).
		Scan(&c.Rows); err != nil {
		return c, err
	}
	return c, c.read(ctx, conn)
}

// read counts what several sources have. Without copies there is nothing to count.
func (c *Copies) read(ctx context.Context, conn *dbsql.Conn) error {
	c.Conversations = []InSources{}
	if c.Rows == 0 {
		return nil
	}
	found, err := sqlrows.All[InSources](ctx, conn, sql.Statement("reading/copies"))
	if err != nil {
		return err
	}
	c.Conversations = append(c.Conversations, found...)
	return conn.QueryRowContext(ctx, sql.Statement("reading/copy_messages")).Scan(&c.Messages)
}

// ReadCoverage returns, for each measure, for how many live rows the store recorded it.
func ReadCoverage(ctx context.Context, conn *dbsql.Conn) ([]Coverage, error) {
	return sqlrows.All[Coverage](ctx, conn, sql.Statement("reading/coverage"))
}
