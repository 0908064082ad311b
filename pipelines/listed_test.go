package pipelines_test

import (
	"pipeline/pipelines"
	"pipeline/testdata/gen/storetest"
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
	w.extra = append(w.extra, storetest.Row{Table: storetest.ItemTable,
		Key: "cloudAgentRepository.agents.auth0|user_01", Value: `[{"bcId":"bc-1","name":"A cloud agent","status":1,` +
			`"createdAt":1760000000000,"updatedAt":1760000900000,"lastMessageActivityAtMs":1760000600000,` +
			`"isArchived":true,"isUnread":true,"repoUrl":"github.com/o/r","branchName":"cursor/x",` +
			`"modelDetails":{"modelName":"m-1"}},{"bcId":"bc-2","isArchived":true}]`})
	return w
}

const listedRows = `SELECT conversation_id, title, project, project_source, store_kind, completeness, message_count, missing_message_count, is_subagent, deleted_at IS NOT NULL
	FROM conversations WHERE conversation_id NOT IN ('alpha', 'beta', 'gamma') ORDER BY 1`

// listedStories say what becomes of conversations that only lists name.
func listedStories() map[string]func(*story) {
	return map[string]func(*story){"listed": listed, "listed-goes": listedGoes}
}

// A head that only a list names makes a conversation without a message, which is in no session and in no listing. A
// mark of a deletion makes none.
func listed(s *story) {
	s.run(listedUserDir(), pipelines.ConversationCount{New: 8})
	want := [][]string{
		{"bc-1", "A cloud agent", "NULL", "NULL", "composer", "partial", "0", "0", "false", "false"},
		{"child", "A subagent", "one", "headers_table", "composer", "partial", "0", "0", "true", "false"},
		{"item", "In the item", "NULL", "NULL", "composer", "partial", "0", "0", "false", "false"},
		{"list", "In the list", "one", "workspace_list", "workspace", "partial", "0", "0", "false", "false"},
		{"table", "In the table", "one", "headers_table", "composer", "partial", "0", "0", "false", "false"},
	}
	same(s.t, "the rows", want, s.ask(listedRows))
	same(s.t, "listed", [][]string{{"3"}},
		s.book.ask("SELECT count(*) FROM list_conversations(max_rows := 100000) WHERE source_id = '"+s.name+"'"))
	same(s.t, "in a session", [][]string{{"0"}},
		s.ask("SELECT count(session_id) FROM conversations WHERE completeness = 'partial' AND missing_message_count = "+
			"0"))
	same(s.t, "the cloud agent", [][]string{{"1760000000000", "1760000600000", "true", "cursor/x", "m-1", "NULL"}},
		s.ask("SELECT epoch_ms(created_at), epoch_ms(updated_at), is_archived, git_branch, model, status "+
			"FROM conversations WHERE conversation_id = 'bc-1'"))
	away := baseUserDir()
	away.garbage = true
	away.workspaces = listedUserDir().workspaces
	s.unreadable(1, 0)
	s.run(away, pipelines.ConversationCount{Unchanged: 8})
	same(s.t, "while the global store cannot be read", want, s.ask(listedRows))
	s.unreadable(0, 0)
	s.run(listedUserDir(), pipelines.ConversationCount{Unchanged: 8})
}

// What becomes of such a conversation when its head goes, when its rows come, and when they go again. More than half of
// them may go at once.
func listedGoes(s *story) {
	json := `{"folder":"file:///src/two"}`
	head, other := listHead("x", `,"name":"X"`), listHead("y", `,"name":"Y"`)
	heads := []string{head, other}
	for _, id := range []string{"a", "b", "c", "d", "e"} {
		heads = append(heads, listHead(id, ""))
	}
	with := func(w *userDir, heads ...string) *userDir {
		return w.withFolder("ws2", folder{json, workspaceList(heads...), false})
	}
	for _, night := range []struct {
		what string
		w    *userDir
		says pipelines.ConversationCount
		want [][]string
	}{
		{"heads", with(baseUserDir(), heads...), pipelines.ConversationCount{New: 10},
			[][]string{{"x", "partial", "0", "two", "false"}, {"y", "partial", "0", "two", "false"}}},
		{"the list is gone", baseUserDir().withFolder("ws2", folder{json, migratedList, false}),
			pipelines.ConversationCount{Deleted: 7, Unchanged: 3},
			[][]string{{"x", "partial", "0", "two", "true"}, {"y", "partial", "0", "two", "true"}}},
		{"one is back", with(baseUserDir(), head), pipelines.ConversationCount{Changed: 1, Unchanged: 3},
			[][]string{{"x", "partial", "0", "two", "false"}, {"y", "partial", "0", "two", "true"}}},
		{"with rows", with(baseUserDir().with(chatRows("x", `,"name":"X"`)...), head),
			pipelines.ConversationCount{Changed: 1, Unchanged: 3},
			[][]string{{"x", "complete", "2", "two", "false"}, {"y", "partial", "0", "two", "true"}}},
		{"the rows are gone and the head stays", with(baseUserDir(), head),
			pipelines.ConversationCount{Deleted: 1, Unchanged: 3},
			[][]string{{"x", "complete", "0", "two", "true"}, {"y", "partial", "0", "two", "true"}}},
		{"the same", with(baseUserDir(), head, other), pipelines.ConversationCount{Changed: 1, Unchanged: 3},
			[][]string{{"x", "complete", "0", "two", "true"}, {"y", "partial", "0", "two", "false"}}},
	} {
		s.run(night.w, night.says)
		same(s.t, night.what, night.want, s.ask(
			`SELECT conversation_id, completeness, message_count, project, deleted_at IS NOT NULL FROM conversations WHERE conversation_id IN ('x', 'y') ORDER BY 1`))
	}
	same(s.t, "the messages", [][]string{{"2"}},
		s.ask("SELECT count(*) FROM messages WHERE conversation_id = 'x' AND deleted_at IS NOT NULL"))
}
