package push

import (
	"context"
	"fmt"

	"pipeline/sql/schema"
)

// This file leaves out rows that are older than a team keeps them.

// ages are when the rows t of a table are of that are not sent with a conversation. Where a table is not here, its rows
// are of no time: projects, repositories, lists, and what the loads were.
var ages = map[string]string{
	"sessions":         "t.ended_at",
	"activity_periods": "t.ended_at",
	"prompts":          "t.created_at",
	"plans":            "t.updated_at",
	"plan_todos":       "(SELECT max(p.updated_at) FROM plans p WHERE p.plan_id = t.plan_id)",
	"commits":          "t.committed_at",
	"commit_files": "(SELECT max(c.committed_at) FROM commits c WHERE c.repository_id = t.repository_id AND " +
		"c.commit_hash = t.commit_hash)",
	"scored_commits":   "t.committed_at",
	"ai_code_hashes":   "t.written_at",
	"usage_records":    "t.occurred_at",
	"daily_edit_stats": "t.date::TIMESTAMPTZ",
}

// since is a time for a statement.
func (p *pusher) since() string {
	return fmt.Sprintf("make_timestamptz(%d::BIGINT)", p.o.Since.UnixMicro())
}

// allowed is the condition on the rows t of a table that may leave the machine.
func (p *pusher) allowed(t schema.Table) string {
	at, ok := ages[t.Name]
	if !ok || p.o.Since.IsZero() {
		return p.mayLeave(t)
	}
	return p.mayLeave(t) + " AND NOT coalesce(" + at + " < " + p.since() + ", false)"
}

// denyOld adds the conversations to _push_denied in which nothing has happened since. What has come from them may be
// newer, and stays.
func (p *pusher) denyOld(ctx context.Context) error {
	if p.o.Since.IsZero() {
		return nil
	}
	return p.exec(ctx, `INSERT INTO _push_denied SELECT conversation_id FROM conversations GROUP BY conversation_id
		HAVING max(coalesce(last_activity_at, updated_at, created_at, first_seen_at)) < `+p.since()+
		` EXCEPT FROM _push_denied`)
}
