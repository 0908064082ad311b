package warehouse

import (
	"context"
	"database/sql"

	"pipeline/load/session"
	"pipeline/load/tool/sqlrows"
	statements "pipeline/sql"
)

// This file is about MCP servers, which give names to the tool calls of all conversations.

// mergeServers replaces the MCP servers that changed conversations and sources name.
func (t *Load) mergeServers(ctx context.Context) error {
	var sources []sourceRow
	for _, s := range t.sources {
		if !s.Unchanged {
			sources = append(sources, sourceRow{s.Source.SourceID})
		}
	}
	if err := session.List(ctx, t.w.s, t.settings.Memory.Batch, "_read_sources", sources); err != nil {
		return err
	}
	return t.exec(ctx, statements.Statement("merge/mcp_servers"))
}

// sourceRow is a row of the temporary table _read_sources: a source whose shared rows were read.
type sourceRow struct {
	SourceID string `col:"source_id"`
}

// recalled returns of which conversations models have changed rows that may be in a file by now, by table.
func (t *Load) recalled(ctx context.Context) (all map[string][]string, err error) {
	all = map[string][]string{}
	err = sqlrows.Each(ctx, t.w.s.Conn, `SELECT DISTINCT table_name, conversation_id FROM _recalled`, func(rows *sql.Rows) error {
		var table, id string
		err := rows.Scan(&table, &id)
		all[table] = append(all[table], id)
		return err
	})
	return all, err
}
