package pipelines_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pipeline/pipelines"
	"pipeline/testdata/gen/storetest"
)

// perSource are views about stores, loads or sources, or about every row: two sources have both there.
var perSource = []string{"all_conversations", "storage_by_conversation", "storage_by_family", "storage_by_project",
	"storage_growth", "row_changes", "changes_since_last_run", "loads_latest", "coverage", "source_groups",
	"message_branches", "report.coverage", "report.loads", "report.freshness", "report.quarantine", "report.tables"}

// perGroup are columns whose figures stay within a source and project: they differ where the primaries of a project are
// in two sources, as sessions and periods of activity are made for each source. '*' stands for a view with a row for
// each session or period.
var perGroup = map[string][]string{
	"session_lengths": {"*"}, "session_lines": {"*"}, "commits_per_session": {"*"}, "live_sessions": {"*"},
	"live_activity_periods": {"*"}, "report.sessions": {"*"}, "sessions_per_week": {"sessions"},
	"active_time_per_day": {"active_ms", "periods", "day_active_ms"},
	"hours_by_project":    {"active_ms", "shared_ms", "total_active_ms", "periods", "sessions"},
	"report.activity":     {"active_ms", "day_active_ms"},
	// a conversation of the same source
	"context_pressure": {"next_conversation_id", "next_title", "next_after_ms", "what_next"},
	// of the source
	"subagents":          {"subagents_in_source", "subagents_with_parent"},
	"discarded_branches": {"shared_requests", "other_conversations"},
}

// figures are the rows of all views but some, without the columns that name a source, and without those of perGroup if
// apart is set.
func (l *fixture) figures(apart bool) map[string][][]string {
	l.t.Helper()
	out := map[string][][]string{
		"sources of daily figures": l.ask("SELECT sum(tab_accepted_lines)::BIGINT, count(*) FROM " +
			"live_daily_edit_stats"),
		"totals of coverage": l.ask("SELECT measure, sum(known)::BIGINT, sum(total)::BIGINT FROM coverage GROUP " +
			"BY measure ORDER BY ALL"),
	}
	for _, view := range l.ask("SELECT if(schema_name IN ('main', 'answers'), '', schema_name || '.') || view_name " +
		"FROM duckdb_views() WHERE NOT internal") {
		name, left := view[0], []string{"session_id", "period_id", "sources", "first_seen_at", "changed_at",
			"tab_known", "composer_known"}
		detail := strings.TrimSuffix(name, "_short")
		if apart {
			left = append(left, perGroup[name]...)
		}
		if slices.Contains(perSource, detail) || slices.Contains(left, "*") ||
			apart && detail != name && perGroup[detail] != nil {
			continue
		}
		out[name] = l.ask("SELECT COLUMNS(lambda c: NOT (c LIKE '%source_id' OR c IN ('" + strings.Join(left, "', '") +
			"'))) FROM " + name + " ORDER BY ALL")
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

// TestCopies: a store and a copy of it give the figures of the store, added together or one after the other, in either
// order.
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
	want := alone.figures(false)
	for _, order := range [][]string{{laptop, backup}, {backup, laptop}, {laptop + " " + backup}} {
		l := newFixture(t)
		var r *pipelines.Result
		for i := range order {
			r = l.run(nil, fromUsers(t, strings.Fields(strings.Join(order[:i+1], " "))...))
		}
		what := fmt.Sprint(len(order), " runs, first ", filepath.Base(order[0]))
		got := l.figures(false)
		for view, rows := range want {
			same(t, what+": "+view, rows, got[view])
		}
		same(t, what+": conversations in the summary", first.Totals.Conversations, r.Totals.Conversations)
		same(t, what+": messages in the summary", first.Totals.Messages, r.Totals.Messages)
		same(t, what+": sessions in the summary", first.Totals.Sessions, r.Totals.Sessions)
		same(t, what+": messages of copies only", int64(0), r.Totals.Copies.Messages)
		again := l.run(nil, fromUsers(t, laptop, backup))
		same(t, what+": unchanged", again.Conversations,
			pipelines.ConversationCount{Unchanged: first.Conversations.New * 2})
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
	return "DELETE FROM cursorDiskKV WHERE key IN (SELECT 'bubbleId:" + id +
		":' || (j.value ->> '$.bubbleId') FROM cursorDiskKV c, json_each(CAST(c.value AS TEXT), " +
		"'$.fullConversationHeadersOnly') j WHERE c.key = 'composerData:" + id + "' ORDER BY j.key DESC LIMIT 2)"
}

// removed are statements that delete a conversation.
func removed(id string) string {
	return "DELETE FROM cursorDiskKV WHERE key = 'composerData:" + id + "' OR key LIKE 'bubbleId:" + id + ":%'"
}

// notHeadAlone leaves out chats of which only the head in a list is left: a warehouse that knew their rows says that
// they were deleted, and a first load cannot.
const notHeadAlone = "(completeness IS DISTINCT FROM 'partial' OR message_count > 0)"

// plainChats are the ids of conversations of the present form that are no subagents and have none.
func (l *fixture) plainChats() (ids []string) {
	for _, row := range l.ask(
		`SELECT conversation_id FROM conversations c WHERE format = 'rows' AND NOT is_subagent AND header_count >= 4 AND regexp_matches(conversation_id, '^[0-9a-f-]{36}$')
		AND NOT EXISTS (FROM conversations s WHERE s.parent_conversation_id = c.conversation_id)`) {
		ids = append(ids, row[0])
	}
	return ids
}

// TestCopiesApart: a laptop and its backup of which a third is older, some is deleted on the laptop, and some newer in
// the backup give the figures of the store that has the latest of each. Then the sources change in several nights; the
// warehouse is always that of a first load.
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
	want := alone.figures(true)
	for _, order := range [][]string{{laptop, backup}, {backup, laptop}} {
		l := newFixture(t)
		l.run(nil, fromUsers(t, order[0]))
		l.run(nil, fromUsers(t, order...))
		got := l.figures(true)
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
		{{shorter(chats[3])}, nil},                 // both have it equally short now
		{{removed(chats[7])}, {removed(chats[7])}}, // no source has it any more
		{{removed(chats[8])}, nil},                 // only the backup has it
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
			"SELECT source_id, conversation_id, session_id, message_count, last_activity_at FROM live_conversations " +
				"WHERE " + notHeadAlone + " ORDER BY ALL",
			"SELECT * FROM sessions ORDER BY ALL", "SELECT * FROM activity_periods ORDER BY ALL",
			"SELECT source_id, message_id, conversation_id, position FROM live_messages ORDER BY ALL",
			// a first load knows no place that is gone
			"SELECT k.source_id, k.conversation_id, k.primary_source_id, k.is_primary FROM conversation_copies k " +
				"JOIN conversations c USING (source_id, conversation_id) JOIN conversations o ON o.conversation_id = " +
				"k.conversation_id AND o.source_id <> k.source_id WHERE c.deleted_at IS NULL AND o.deleted_at IS " +
				"NULL AND c.status IS DISTINCT FROM 'orphaned' AND o.status IS DISTINCT FROM 'orphaned' AND " +
				"(c.completeness IS DISTINCT FROM 'partial' OR c.message_count > 0) AND (o.completeness IS DISTINCT " +
				"FROM 'partial' OR o.message_count > 0) ORDER BY ALL",
		} {
			same(t, what+": "+q, fresh.ask(q), l.ask(q))
		}
		sameByHand(t, what, l, laptop, backup)
	}
	// A source that a run is not given stays as it was.
	before := l.ask("SELECT * FROM live_conversations ORDER BY ALL")
	storeOps(t, laptop, "DELETE FROM cursorDiskKV WHERE key = 'nobody'")
	l.run(nil, fromUsers(t, laptop))
	same(t, "without the backup", before, l.ask("SELECT * FROM live_conversations ORDER BY ALL"))
	ids := "SELECT source_id, conversation_id, message_count, session_id FROM live_conversations ORDER BY ALL"
	whole := l.ask(ids)
	l.run(nil, fromUsers(t, laptop), full)
	same(t, "without the backup, everything read again", whole, l.ask(ids))
}
