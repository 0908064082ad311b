package push

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"pipeline/load/engine"
	"pipeline/sql/schema"
)

// This file lists the units of a warehouse.

// conversationUnit is the name of a conversation's unit; a table's is its own name.
const conversationUnit = "conversation"

// plan makes the temporary table _push_units, of what there is to be in the store.
func (p *pusher) plan(ctx context.Context) error {
	if err := p.choose(ctx); err != nil {
		return fmt.Errorf("read the projects: %w", err)
	}
	if err := p.deny(ctx); err != nil {
		return err
	}
	if err := p.hash(ctx); err != nil {
		return fmt.Errorf("hash the rows: %w", err)
	}
	return p.conn.QueryRowContext(ctx, `SELECT count(*) FROM _push_units`).Scan(&p.out.Known)
}

// rowsOf is what to read the rows of a table from that belong to a table of units; "": all rows.
func rowsOf(t schema.Table, units string) string {
	switch {
	case units == "":
		return t.Name
	case !isSentByConversation(t):
		return fmt.Sprintf("(FROM %s WHERE EXISTS (FROM %s WHERE unit = %s))", t.Name, units, engine.Literal(t.Name))
	}
	return fmt.Sprintf("(SELECT t.* FROM %s t SEMI JOIN (FROM %s WHERE unit = %s) u ON u.source_id = "+
		"coalesce(t.source_id, '') AND u.conversation_id = coalesce(t.conversation_id, ''))",
		t.Name, units, engine.Literal(conversationUnit))
}

// order is the key of a table, by which its rows are ordered.
func order(t schema.Table) string {
	keys := slices.Clone(t.Key())
	for i, k := range keys {
		keys[i] = "t." + engine.Identifier(k)
	}
	return strings.Join(keys, ", ")
}
