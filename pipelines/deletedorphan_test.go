package pipelines_test

import (
	"strings"
	"testing"

	"pipeline/pipelines"
)

// TestDeletedOrphanIsNotChanged: a conversation that lost its own row is deleted. What becomes of its last messages
// changes no conversation.
func TestDeletedOrphanIsNotChanged(t *testing.T) {
	long(t)
	t.Parallel()
	base := baseUserDir()
	tell(t, map[string][]step{"alpha": {{base, first, nil}, {base.without(keyAlpha), lost, noAlphaHead(2)},
		{base.without(keyAlpha, keyA3).with(keyA2, nil), unchanged(2), cells{
			"messages[alpha a2].deleted_at": clock(3), "messages[alpha a2].position": "NULL",
			"messages[alpha a3].deleted_at": clock(3), "messages[alpha a3].position": "NULL",
			"tool_calls[alpha a3 0].deleted_at": clock(3), "tool_calls[alpha a3 0].position": "NULL",
			"conversations[alpha].message_count": "1", "conversations[alpha].assistant_message_count": "0",
			"conversations[alpha].tool_call_count": "0",
			"conversations[alpha].last_message_at": "2025-10-09 08:54:20Z"}}}})
	l := newFixture(t)
	l.run(base)
	l.run(base.without(keyAlpha))
	same(t, "a full run", pipelines.ConversationCount{Unchanged: 0, Changed: 2}, l.run(nil, full).Conversations)
}

// TestDeletedOrphanAttachments: the attachments of a message that is still in the store are those that it has now.
func TestDeletedOrphanAttachments(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	base := baseUserDir()
	l.run(base)
	l.run(base.without(keyAlpha))
	attachments := func() [][]string { return l.ask(`SELECT message_id, path FROM attachments`) }
	same(t, "the attachments", [][]string{{"a1", "x.go"}}, attachments())
	l.run(base.without(keyAlpha).
		with(keyA1, `{"_v":2,"type":1,"text":"First question","createdAt":"2025-10-09T08:54:20Z"}`))
	same(t, "the attachments", nil, attachments())
}

// TestDeletedOrphanClaims: what lists say of a conversation that lost its own row is held once, as they last said it;
// so is what they say of one that has no messages either.
func TestDeletedOrphanClaims(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	says := func(w *userDir, parent string) *userDir {
		info := `"subagentInfo":{"parentComposerId":"` + parent + `"}`
		return w.withFolder("ws2", folder{json: `{"folder":"file:///src/two"}`, items: map[string]any{
			"composer.composerData": `{"allComposers":[{"composerId":"alpha",` + info + `},{"composerId":"nothing",` +
				info + `}]}`}})
	}
	claims := func() [][]string {
		return l.ask(
			`SELECT conversation_id, claimed_by, "rank", parent_conversation_id FROM internal._subagent_claims ORDER BY ALL`)
	}
	base := baseUserDir()
	for _, w := range []*userDir{says(base, "beta"), says(base.without(keyAlpha), "beta"),
		says(base.without(keyAlpha, keyA3), "beta")} {
		l.run(w)
		same(t, "the claims", [][]string{{"alpha", "alpha", "0", "beta"}, {"nothing", "nothing", "0", "beta"}},
			claims())
	}
	l.run(says(base.without(keyAlpha, keyA3), "gamma"))
	same(t, "the claims", [][]string{{"alpha", "alpha", "0", "gamma"}, {"nothing", "nothing", "0", "gamma"}}, claims())
}

// TestAllToolCallsDeleted: when the last tool calls are deleted, none has a position, by whatever query.
func TestAllToolCallsDeleted(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	call := func(id string) string { return strings.Replace(bubbleA3, `"a3"`, `"`+id+`"`, 1) }
	base := baseUserDir().with("bubbleId:alpha:a4", call("a4"), "bubbleId:beta:b3", call("b3"), "bubbleId:beta:b4",
		call("b4"))
	l.run(base)
	l.run(nil, full)
	some := base.without("bubbleId:beta:b4", keyAlpha, keyA1, keyA2, keyA3, "bubbleId:alpha:a4")
	l.run(some)
	l.run(some.without(keyBeta, keyB1, keyB2, "bubbleId:beta:b3"))
	same(t, "tool calls with a position", nil,
		l.ask(`SELECT message_id, deleted_at FROM tool_calls WHERE position IS NOT NULL`))
	same(t, "deleted tool calls", [][]string{{"4"}},
		l.ask(`SELECT count(*) FROM tool_calls WHERE deleted_at IS NOT NULL AND position IS NULL`))
}

// TestEmptyValueQuarantinedOnce: an empty value is the same content under another rowid.
func TestEmptyValueQuarantinedOnce(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	w := baseUserDir().with(keyA2, "")
	l.run(w)
	l.run(w.with("agentKv:blob:0", "x"), full) // the first row: all others have other rowids
	same(t, "the quarantine", [][]string{{keyA2, "empty", "NULL"}},
		l.ask(`SELECT key, reason, resolved_load_id FROM quarantine`))
}
