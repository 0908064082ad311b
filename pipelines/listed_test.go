package pipelines_test

import (
	"testing"
)

// listedUserDir has conversations of which only heads are left, in each list that has heads, and what is none: a mark
// of a deletion, and a head of one with rows.
func listedUserDir() *userDir {
	w := baseUserDir().globalList(listHead("item", `,"name":"In the item","unifiedMode":"agent"`),
		listHead("dead", `,"name":"Deleted"`)).
		withFolder("ws1", folder{`{"folder":"file:///src/one"}`,
			workspaceList(listHead("list", `,"name":"In the list","createdOnBranch":"main"`), listHead("alpha", "")),
			false})
	w.headers = []map[string]any{
		headerRow("table", "ws1", `{"type":"head","composerId":"table","name":"In the table","isArchived":true}`),
		headerRow("child", "ws1",
			`{"type":"head","composerId":"child","name":"A subagent","subagentInfo":{"parentComposerId":"alpha"}}`),
		headerRow("dead", "ws1", `{"type":"head","composerId":"dead","isArchived":true,"isDraft":false}`),
		headerRow("empty", "ws1", `[]`),
	}
	return w
}

const listedRows = `SELECT conversation_id, title, project, project_source, store_kind, completeness, message_count, missing_message_count, is_subagent, deleted_at IS NOT NULL
	FROM conversations WHERE conversation_id NOT IN ('alpha', 'beta', 'gamma') ORDER BY 1`

// TestListed: a head that only a list names makes a conversation without a message, which is in no session and in no
// listing. A mark of a deletion makes none.
func TestListed(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	l.run(listedUserDir())
	want := [][]string{
		{"child", "A subagent", "one", "headers_table", "composer", "partial", "0", "0", "true", "false"},
		{"item", "In the item", "NULL", "NULL", "composer", "partial", "0", "0", "false", "false"},
		{"list", "In the list", "one", "workspace_list", "workspace", "partial", "0", "0", "false", "false"},
		{"table", "In the table", "one", "headers_table", "composer", "partial", "0", "0", "false", "false"},
	}
	same(t, "the rows", want, l.ask(listedRows))
	same(t, "listed", [][]string{{"3"}}, l.ask("SELECT count(*) FROM list_conversations()"))
	same(t, "in a session", [][]string{{"0"}},
		l.ask("SELECT count(session_id) FROM conversations WHERE completeness = 'partial' AND missing_message_count = "+
			"0"))
	before := l.dump(contentTables...)
	same(t, "what a second run changes", 0, int(l.run(nil).Conversations.Changed))
	l.run(nil, full)
	same(t, "with --full", before.drop("changed_at"), l.dump(contentTables...).drop("changed_at"))
	away := baseUserDir()
	away.garbage = true
	away.workspaces = listedUserDir().workspaces
	away.write(t, l.user)
	mustRun(t, l.options())
	same(t, "while the global store cannot be read", want, l.ask(listedRows))
	l.run(listedUserDir())
	l.rebuilt("changed_at", "load_id", "last_seen_at", "resolved_load_id")
}

// TestListedGoes: what becomes of such a conversation when its head goes, when its rows come, and when they go again.
// More than half of them may go at once.
func TestListedGoes(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	json := `{"folder":"file:///src/two"}`
	head, other := listHead("x", `,"name":"X"`), listHead("y", `,"name":"Y"`)
	var others []string
	for _, id := range []string{"a", "b", "c", "d", "e"} {
		others = append(others, listHead(id, ""))
	}
	with := func(w *userDir, heads ...string) *userDir {
		return w.withFolder("ws2", folder{json, workspaceList(heads...), false})
	}
	state :=
		`SELECT conversation_id, completeness, message_count, project, deleted_at IS NOT NULL FROM conversations WHERE conversation_id IN ('x', 'y') ORDER BY 1`
	for i, night := range []struct {
		what string
		w    *userDir
		want [][]string
	}{
		{"heads", with(baseUserDir(), append(others, head, other)...),
			[][]string{{"x", "partial", "0", "two", "false"}, {"y", "partial", "0", "two", "false"}}},
		{"the list is gone", baseUserDir().withFolder("ws2", folder{json, migratedList, false}),
			[][]string{{"x", "partial", "0", "two", "true"}, {"y", "partial", "0", "two", "true"}}},
		{"one is back", with(baseUserDir(), head),
			[][]string{{"x", "partial", "0", "two", "false"}, {"y", "partial", "0", "two", "true"}}},
		{"with rows", with(baseUserDir().with(chatRows("x", `,"name":"X"`)...), head),
			[][]string{{"x", "complete", "2", "two", "false"}, {"y", "partial", "0", "two", "true"}}},
		{"the rows are gone and the head stays", with(baseUserDir(), head),
			[][]string{{"x", "complete", "0", "two", "true"}, {"y", "partial", "0", "two", "true"}}},
		{"the same", with(baseUserDir(), head, other),
			[][]string{{"x", "complete", "0", "two", "true"}, {"y", "partial", "0", "two", "false"}}},
	} {
		l.run(night.w)
		same(t, night.what, night.want, l.ask(state))
		if i == 5 || i > 0 && !testing.Short() {
			before := l.dump(contentTables...)
			l.run(nil, full)
			same(t, night.what+", with --full", before.drop("changed_at"), l.dump(contentTables...).drop("changed_at"))
		}
	}
	same(t, "the messages", [][]string{{"2"}},
		l.ask("SELECT count(*) FROM messages WHERE conversation_id = 'x' AND deleted_at IS NOT NULL"))
	l.rebuilt("changed_at", "load_id", "last_seen_at", "resolved_load_id")
}
