package pipelines_test

import (
	"database/sql"
	"errors"
	"strings"

	"pipeline/pipelines"
)

// deletedStories say what becomes of what is deleted.
func deletedStories() map[string]func(*story) {
	base := baseUserDir()
	return map[string]func(*story){
		// What becomes of the last messages of a conversation that lost its own row changes no conversation.
		"deleted-orphan": steps(step{base, first, nil}, step{base.without(keyAlpha), lost, noAlphaHead(2)},
			step{base.without(keyAlpha, keyA3).with(keyA2, nil), unchanged(2), cells{
				"messages[alpha a2].deleted_at": clock(3), "messages[alpha a2].position": "NULL",
				"messages[alpha a3].deleted_at": clock(3), "messages[alpha a3].position": "NULL",
				"tool_calls[alpha a3 0].deleted_at": clock(3), "tool_calls[alpha a3 0].position": "NULL",
				"conversations[alpha].message_count": "1", "conversations[alpha].assistant_message_count": "0",
				"conversations[alpha].tool_call_count": "0",
				"conversations[alpha].last_message_at": "2025-10-09 08:54:20Z"}}),
		"deleted-orphans-attachments": deletedOrphansAttachments, "deleted-orphans-claims": deletedOrphansClaims,
		"all-tool-calls-deleted": allToolCallsDeleted, "empty-value": emptyValueQuarantinedOnce,
		"orphan-comes-back": orphanComesBack,
	}
}

// The attachments of a message that is still in the store are those that it has now.
func deletedOrphansAttachments(s *story) {
	base := baseUserDir()
	s.run(base, first)
	s.run(base.without(keyAlpha), lost)
	same(s.t, "the attachments", [][]string{{"a1", "x.go"}}, s.ask(`SELECT message_id, path FROM attachments`))
	s.run(base.without(keyAlpha).
		with(keyA1, `{"_v":2,"type":1,"text":"First question","createdAt":"2025-10-09T08:54:20Z"}`), unchanged(2))
	same(s.t, "the attachments", nil, s.ask(`SELECT message_id, path FROM attachments`))
}

// What lists say of a conversation that lost its own row is held once, as they last said it; so is what they say of one
// that has no messages either.
func deletedOrphansClaims(s *story) {
	base := baseUserDir()
	for _, night := range []struct {
		userDir *userDir
		parent  string
		want    pipelines.ConversationCount
	}{
		{base, "beta", pipelines.ConversationCount{New: 4}},
		{base.without(keyAlpha), "beta", pipelines.ConversationCount{Deleted: 1, Unchanged: 3}},
		{base.without(keyAlpha, keyA3), "beta", unchanged(3)},
		{base.without(keyAlpha, keyA3), "gamma", pipelines.ConversationCount{Changed: 1, Unchanged: 2}},
	} {
		info := `"subagentInfo":{"parentComposerId":"` + night.parent + `"}`
		s.run(night.userDir.withFolder("ws2", folder{json: `{"folder":"file:///src/two"}`, items: map[string]any{
			"composer.composerData": `{"allComposers":[{"composerId":"alpha",` + info + `},{"composerId":"nothing",` +
				info + `}]}`}}), night.want)
		same(s.t, "the claims", [][]string{{"alpha", "alpha", "0", night.parent}, {"nothing", "nothing", "0",
			night.parent}}, s.ask(
			`SELECT conversation_id, claimed_by, "rank", parent_conversation_id FROM internal._subagent_claims ORDER BY ALL`))
	}
}

// When the last tool calls are deleted, none has a position, by whatever query.
func allToolCallsDeleted(s *story) {
	call := func(id string) string { return strings.Replace(bubbleA3, `"a3"`, `"`+id+`"`, 1) }
	base := baseUserDir().with("bubbleId:alpha:a4", call("a4"), "bubbleId:beta:b3", call("b3"), "bubbleId:beta:b4",
		call("b4"))
	s.run(base, first)
	s.full(nil, changed(3))
	some := base.without("bubbleId:beta:b4", keyAlpha, keyA1, keyA2, keyA3, "bubbleId:alpha:a4")
	s.run(some, pipelines.ConversationCount{Changed: 1, Deleted: 1, Unchanged: 1})
	s.run(some.without(keyBeta, keyB1, keyB2, "bubbleId:beta:b3"),
		pipelines.ConversationCount{Deleted: 1, Unchanged: 1})
	same(s.t, "tool calls with a position", nil,
		s.ask(`SELECT message_id, deleted_at FROM tool_calls WHERE position IS NOT NULL`))
	same(s.t, "deleted tool calls", [][]string{{"4"}},
		s.ask(`SELECT count(*) FROM tool_calls WHERE deleted_at IS NOT NULL AND position IS NULL`))
}

// An empty value is the same content under another rowid.
func emptyValueQuarantinedOnce(s *story) {
	w := baseUserDir().with(keyA2, "")
	s.quarantines(1)
	s.run(w, first)
	s.full(w.with("agentKv:blob:0", "x"), changed(3)) // the first row: all others have other rowids
	same(s.t, "the quarantine", [][]string{{keyA2, "empty", "NULL"}},
		s.ask(`SELECT key, reason, resolved_load_id FROM quarantine`))
}

// A conversation of which only messages were ever seen loses deleted_at when they are back; one that had a row of its
// own keeps it, since that is still gone.
func orphanComesBack(s *story) {
	base := baseUserDir().with("bubbleId:lone:m", `{"type":1,"text":"alone"}`)
	without := base.without("bubbleId:lone:m", keyBeta, keyB1, keyB2)
	two := pipelines.ConversationCount{Deleted: 2, Unchanged: 2}
	s.run(base, pipelines.ConversationCount{New: 4})
	before := s.dump(contentTables...).drop("changed_at", "first_seen_at")
	deleted := func() [][]string {
		return s.ask(
			`SELECT conversation_id, deleted_at IS NOT NULL FROM conversations WHERE conversation_id IN ('lone', 'beta')`)
	}
	s.run(without, two)
	same(s.t, "what is deleted", [][]string{{"beta", "true"}, {"lone", "true"}}, deleted())
	s.await(base, storyRun{dry: true, want: pipelines.ConversationCount{Changed: 2, Unchanged: 2}})
	same(s.t, "the rows", before, s.dump(contentTables...).drop("changed_at", "first_seen_at"))
	s.run(without, two)
	s.run(base.without(keyBeta), pipelines.ConversationCount{Changed: 1, Unchanged: 2})
	same(s.t, "what is deleted without the head of beta", [][]string{{"beta", "true"}, {"lone", "false"}}, deleted())
	leftMark := func() { // by an earlier version
		db, err := sql.Open("duckdb", s.book.warehouse())
		must(s.t, err)
		_, err = db.Exec(`UPDATE conversations SET deleted_at = now() WHERE conversation_id = 'lone'`)
		must(s.t, errors.Join(err, db.Close()))
	}
	s.await(nil, storyRun{full: true, before: leftMark, want: pipelines.ConversationCount{Changed: 3}})
	same(s.t, "what is deleted after a full run", [][]string{{"beta", "true"}, {"lone", "false"}}, deleted())
}
