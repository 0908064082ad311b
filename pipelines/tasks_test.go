package pipelines_test

import "pipeline/pipelines"

// tasks are chats of subagents with and without a document. Only of those that never had one the parent's call alone
// says what they are; one whose document is deleted or broken is an orphan, and keeps what the document said.
func tasks(s *story) {
	const state = `SELECT conversation_id, coalesce(status, ''), coalesce(title, ''), coalesce(parent_conversation_id, '')
		FROM conversations WHERE conversation_id LIKE 'task-%' ORDER BY ALL`
	const image = `{"type":1,"text":"<timestamp>now</timestamp>\n<user_query>\n</user_query>"}`
	said := func(id string) []any { return []any{"bubbleId:" + id + ":a", image} }
	call := func(kind, id string) string {
		return `{"type":2,"toolFormerData":{"name":"` + kind + `","toolCallId":"` + id + `","status":"completed"}}`
	}
	night := baseUserDir().with("bubbleId:alpha:call", call("task_v2", "toolu_1"), "bubbleId:alpha:late",
		call("task_v2", "toolu_3"), "bubbleId:beta:call", call("read_file", "toolu_1"),
		"composerData:task-toolu_2", `{"composerId":"task-toolu_2","name":"Look around","createdAt":1760000000000}`,
		"composerData:task-toolu_3", nil, "composerData:task-toolu_4", "{not json")
	for _, id := range []string{"task-toolu_1", "task-toolu_2", "task-toolu_3", "task-toolu_4", "task-toolu_5"} {
		night = night.with(said(id)...)
	}
	night.headers = append(night.headers, headerRow("task-toolu_5", "ws1", `{"name":"Listed"}`))
	s.quarantines(1)
	s.run(night, pipelines.ConversationCount{New: 8})
	same(s.t, "the tasks", [][]string{{"task-toolu_1", "", "", "alpha"}, {"task-toolu_2", "", "Look around", ""},
		{"task-toolu_3", "orphaned", "", "alpha"}, {"task-toolu_4", "orphaned", "", ""},
		{"task-toolu_5", "", "Listed", ""}}, s.ask(state))
	same(s.t, "texts that are empty", [][]string{{"0"}}, s.ask(`SELECT count(*) FROM messages WHERE text = ''`))
	night = night.without("composerData:task-toolu_2").with("bubbleId:task-toolu_5:b", `{"type":2,"text":"More"}`)
	s.run(night, pipelines.ConversationCount{Deleted: 1, Changed: 1, Unchanged: 6})
	same(s.t, "a task that is listed", [][]string{{"task-toolu_5", "", "Listed", ""}}, s.ask(state)[4:])
	same(s.t, "a task whose document was deleted", [][]string{{"orphaned", "Look around", "true"}},
		s.ask(`SELECT status, title, created_at IS NOT NULL FROM conversations WHERE conversation_id = 'task-toolu_2'`))
}
