package pipelines_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pipeline/extract/storetest"
	"pipeline/pipelines"
)

// perSource are views about stores, loads or sources, or about every row: two sources have both there.
var perSource = []string{"all_conversations", "storage_by_conversation", "storage_by_family", "storage_by_project", "storage_growth", "row_changes", "changes_since_last_run",
	"loads_latest", "coverage", "source_groups", "message_branches", "report_coverage", "report_loads", "report_freshness", "report_quarantine", "report_tables"}

// perGroup are views whose figures stay within a source and project: they differ where the primaries of a project are in two sources.
var perGroup = []string{"sessions_per_week", "active_time_per_day", "session_lengths", "session_lines", "commits_per_session", "context_pressure",
	"subagents", "discarded_branches", "live_sessions", "live_activity_periods", "report_activity", "report_sessions", "edit_acceptance_per_day"}

// figures are the rows of all views but some, without the columns that name a source.
func (l *fixture) figures(without ...string) map[string][][]string {
	l.t.Helper()
	out := map[string][][]string{
		"sources of daily figures": l.ask("SELECT sum(tab_accepted_lines)::BIGINT, count(*) FROM live_daily_edit_stats"),
		"totals of coverage":       l.ask("SELECT measure, sum(known)::BIGINT, sum(total)::BIGINT FROM coverage GROUP BY measure"),
	}
	for _, view := range l.ask("SELECT view_name FROM duckdb_views() WHERE NOT internal") {
		if name := view[0]; !slices.Contains(perSource, name) && !slices.Contains(without, name) {
			out[name] = l.ask("SELECT COLUMNS(lambda c: NOT (c LIKE '%source_id' OR c IN ('session_id', 'period_id', 'sources', 'first_seen_at', 'changed_at', 'tab_known', 'composer_known'))) FROM " + name)
		}
	}
	return out
}

// fromUsers has a run read these user directories, each under the name of its folder.
func fromUsers(t *testing.T, users ...string) func(*pipelines.Options) {
	return func(o *pipelines.Options) {
		var args []string
		for _, user := range users {
			args = append(args, filepath.Base(user)+"="+user)
		}
		o.Sources = resolve(t, args...)
	}
}

// TestCopies: a store and a copy of it give the figures of the store, added together or one after the other, in either order.
func TestCopies(t *testing.T) {
	long(t)
	laptop, backup := filepath.Join(t.TempDir(), "laptop"), filepath.Join(t.TempDir(), "backup")
	plan := storetest.New(storetest.Options{Seed: 5, Messages: 400})
	must(t, plan.Write(laptop))
	// two cases have ids that are no copies: they would count in each source
	storeOps(t, laptop, "DELETE FROM cursorDiskKV WHERE key LIKE '%:empty-state-draft%' OR key LIKE '%:task-call%'")
	must(t, os.CopyFS(backup, os.DirFS(laptop)))
	alone := newFixture(t)
	first := alone.run(nil, fromUsers(t, laptop))
	want := alone.figures()
	for _, order := range [][]string{{laptop, backup}, {backup, laptop}, {laptop + " " + backup}} {
		l := newFixture(t)
		var r *pipelines.Result
		for i := range order {
			r = l.run(nil, fromUsers(t, strings.Fields(strings.Join(order[:i+1], " "))...))
		}
		what := fmt.Sprint(len(order), " runs, first ", filepath.Base(order[0]))
		got := l.figures()
		for view, rows := range want {
			same(t, what+": "+view, rows, got[view])
		}
		same(t, what+": conversations in the summary", first.Totals.Conversations, r.Totals.Conversations)
		same(t, what+": messages in the summary", first.Totals.Messages, r.Totals.Messages)
		same(t, what+": sessions in the summary", first.Totals.Sessions, r.Totals.Sessions)
		same(t, what+": messages of copies only", int64(0), r.Totals.Copies.Messages)
		again := l.run(nil, fromUsers(t, laptop, backup))
		same(t, what+": unchanged", again.Conversations, pipelines.ConversationCount{Unchanged: first.Conversations.New * 2})
	}
}

// storeOps runs statements on a user directory's global store.
func storeOps(t *testing.T, user string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(user, "globalStorage", "state.vscdb"))
	must(t, err)
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%v: %s", err, s)
		}
	}
	must(t, db.Close())
}

// shorter are statements that make a conversation an older version of itself: its last messages are not there yet.
func shorter(id string) string {
	return "DELETE FROM cursorDiskKV WHERE key IN (SELECT 'bubbleId:" + id + ":' || (j.value ->> '$.bubbleId') FROM cursorDiskKV c, json_each(CAST(c.value AS TEXT), '$.fullConversationHeadersOnly') j " +
		"WHERE c.key = 'composerData:" + id + "' ORDER BY j.key DESC LIMIT 2)"
}

// removed are statements that delete a conversation.
func removed(id string) string {
	return "DELETE FROM cursorDiskKV WHERE key = 'composerData:" + id + "' OR key LIKE 'bubbleId:" + id + ":%'"
}

// plainChats are the ids of conversations of the present form that are no subagents and have none.
func (l *fixture) plainChats() (ids []string) {
	for _, row := range l.ask(`SELECT conversation_id FROM conversations c WHERE format = 'rows' AND NOT is_subagent AND header_count >= 4 AND regexp_matches(conversation_id, '^[0-9a-f-]{36}$')
		AND NOT EXISTS (FROM conversations s WHERE s.parent_conversation_id = c.conversation_id)`) {
		ids = append(ids, row[0])
	}
	return ids
}

// TestCopiesApart: a laptop and its backup of which a third is older, some is deleted on the laptop, and some newer in the backup give the figures of the
// store that has the latest of each. Then the sources change in several nights; the warehouse is always that of a first load.
func TestCopiesApart(t *testing.T) {
	long(t)
	dir := t.TempDir()
	union, laptop, backup := filepath.Join(dir, "union"), filepath.Join(dir, "laptop"), filepath.Join(dir, "backup")
	plan := storetest.New(storetest.Options{Seed: 6, Messages: 1500, NoCases: true})
	must(t, plan.Write(union))
	must(t, os.CopyFS(laptop, os.DirFS(union)))
	must(t, os.CopyFS(backup, os.DirFS(union)))
	alone := newFixture(t)
	alone.run(nil, fromUsers(t, union))
	chats := alone.plainChats()
	if len(chats) < 9 {
		t.Fatalf("the store has %d chats for this test", len(chats))
	}
	for i, id := range chats {
		switch {
		case i%3 == 0:
			storeOps(t, backup, shorter(id))
		case i%9 == 1:
			storeOps(t, laptop, removed(id))
		case i%9 == 2:
			storeOps(t, laptop, shorter(id))
		}
	}
	want := alone.figures(perGroup...)
	for _, order := range [][]string{{laptop, backup}, {backup, laptop}} {
		l := newFixture(t)
		l.run(nil, fromUsers(t, order[0]))
		l.run(nil, fromUsers(t, order...))
		got := l.figures(perGroup...)
		for view, rows := range want {
			same(t, "first "+filepath.Base(order[0])+": "+view, rows, got[view])
		}
	}
	l := newFixture(t)
	for night, ops := range [][2][]string{
		{nil, nil},
		{{removed(chats[0])}, nil},                 // the backup has an older version of it
		{nil, {shorter(chats[4])}},                 // the laptop keeps the longer one
		{{shorter(chats[5])}, {shorter(chats[2])}}, // one goes each way
		{{removed(chats[7])}, {removed(chats[7])}}, // no source has it any more
		{nil, {"DELETE FROM cursorDiskKV WHERE key LIKE 'composerData:%'"}}, // all but orphans is gone from the backup
	} {
		storeOps(t, laptop, ops[0]...)
		storeOps(t, backup, ops[1]...)
		accept := func(o *pipelines.Options) { o.AcceptDeletes = true }
		l.run(nil, fromUsers(t, laptop, backup), accept)
		fresh := newFixture(t)
		fresh.runs = l.runs - 1
		fresh.run(nil, fromUsers(t, laptop, backup))
		what := fmt.Sprint("night ", night)
		for _, q := range []string{
			"SELECT source_id, conversation_id, session_id, message_count, last_activity_at FROM live_conversations ORDER BY ALL",
			"SELECT * FROM sessions ORDER BY ALL", "SELECT * FROM activity_periods ORDER BY ALL",
			"SELECT source_id, message_id, conversation_id, position FROM live_messages ORDER BY ALL",
			"SELECT * FROM conversation_copies k SEMI JOIN live_conversations c ON c.source_id = k.primary_source_id AND c.conversation_id = k.conversation_id WHERE EXISTS (FROM conversations o WHERE o.source_id = k.source_id AND o.conversation_id = k.conversation_id AND o.deleted_at IS NULL) AND k.is_primary",
		} {
			if strings.Contains(q, "conversation_copies") && night > 0 {
				continue // a first load knows no place that is gone
			}
			same(t, what+": "+q, fresh.ask(q), l.ask(q))
		}
	}
}
