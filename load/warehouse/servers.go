package warehouse

import (
	"context"

	"pipeline/load/session"
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
