package sinktest

import (
	"fmt"
	"testing"

	"pipeline/load/warehouse"
	"pipeline/sql/schema"
)

// testReplace: the rows of a replaced conversation replace the old ones; those of another stay.
func testReplace(t *testing.T, s Store) {
	run(t, s, func(tx *warehouse.Load) {
		put(t, tx, "c1", withCall(conversation("c1", "one", "two"), "m1"))
		put(t, tx, "c2", conversation("c2", "other"))
	})
	run(t, s, func(tx *warehouse.Load) {
		rows := withCall(conversation("c1", "uno", "two", "three"), "m1")
		rows.Conversations[0].Title = ptr("new title")
		rows.ToolCalls[0].Params = schema.JSON(`{"command":"pwd"}`)
		put(t, tx, "c1", rows)
	})
	expect(t, s, messages, "c1 | m0 | uno | 0 | NULL", "c1 | m1 | two | 1 | NULL", "c1 | m2 | three | 2 | NULL",
		"c2 | m0 | other | 0 | NULL")
	expect(t, s, `SELECT message_id, CAST(params AS VARCHAR) FROM tool_calls`, `m1 | {"command":"pwd"}`)
	expect(t, s, conversations, "c1 | new title | completed | "+first+" | "+second+" | NULL",
		"c2 | title of c2 | completed | "+first+" | "+first+" | NULL")
	expect(t, s, `SELECT conversation_id, message_count FROM conversations ORDER BY 1`, "c1 | 3", "c2 | 1")
}

// testGoneAndBack: a row that is not written again is marked as deleted and keeps its values. A second load does not
// change the mark. A row that comes back loses it.
func testGoneAndBack(t *testing.T, s Store) {
	all := func() *schema.Rows {
		rows := withCall(conversation("c1", "one", "two", "three"), "m1")
		return withAttachment(withAttachment(rows, ptr("m1"), 0, "/a"), ptr("m2"), 0, "/b")
	}
	less := func() *schema.Rows { return withAttachment(conversation("c1", "one", "", "three"), ptr("m2"), 0, "/c") }
	calls := `SELECT message_id, CAST(params AS VARCHAR), "position", deleted_at FROM tool_calls`
	attachments := `SELECT message_id, path FROM attachments ORDER BY 1, 2`

	run(t, s, func(tx *warehouse.Load) { put(t, tx, "c1", all()) })
	for range 2 { // the second time the mark is there already
		run(t, s, func(tx *warehouse.Load) { put(t, tx, "c1", less()) })
		expect(t, s, messages, "c1 | m0 | one | 0 | NULL", "c1 | m1 | two | NULL | "+second,
			"c1 | m2 | three | 1 | NULL")
		expect(t, s, calls, `m1 | {"command":"ls"} | NULL | `+second)
		expect(t, s, attachments, "m1 | /a", "m2 | /c")
		expect(t, s, `SELECT message_count, tool_call_count FROM conversations`, "2 | 0")
	}
	run(t, s, func(tx *warehouse.Load) { put(t, tx, "c1", all()) })
	expect(t, s, messages, "c1 | m0 | one | 0 | NULL", "c1 | m1 | two | 1 | NULL", "c1 | m2 | three | 2 | NULL")
	expect(t, s, calls, `m1 | {"command":"ls"} | 1 | NULL`)
	expect(t, s, attachments, "m1 | /a", "m2 | /b")
}

// testOtherParts: the other rows of a conversation are marked in the same way.
func testOtherParts(t *testing.T, s Store) {
	parts := func(rows *schema.Rows, n int) *schema.Rows {
		for i := range n {
			id := fmt.Sprint("p", i)
			rows.Checkpoints = append(rows.Checkpoints,
				schema.Checkpoint{SourceID: source, ConversationID: "c1", CheckpointID: id, FileCount: 2,
					Files: schema.JSON(`[1,2]`)})
			rows.CodeEdits = append(rows.CodeEdits,
				schema.CodeEdit{SourceID: source, ConversationID: "c1", EditID: id, Path: ptr("/x")})
			rows.CodeDiffs = append(rows.CodeDiffs,
				schema.CodeDiff{SourceID: source, DiffID: id, ConversationID: ptr("c1"), KeyedBy: "c1",
					Hunks: ptr(int64(3))})
			rows.ModelUsage = append(rows.ModelUsage,
				schema.ModelUsage{SourceID: source, ConversationID: "c1", Model: id, CostCents: ptr(1.5)})
			rows.ContextParts = append(rows.ContextParts,
				schema.ContextPart{SourceID: source, ConversationID: "c1", Part: id, Tokens: ptr(int64(70))})
		}
		return rows
	}
	run(t, s, func(tx *warehouse.Load) { put(t, tx, "c1", parts(conversation("c1", "one"), 2)) })
	run(t, s, func(tx *warehouse.Load) { put(t, tx, "c1", parts(conversation("c1", "one"), 1)) })
	for query, value := range map[string]string{
		`SELECT checkpoint_id, file_count, deleted_at FROM checkpoints ORDER BY 1`: "2",
		`SELECT edit_id, path, deleted_at FROM code_edits ORDER BY 1`:              "/x",
		`SELECT diff_id, hunks, deleted_at FROM code_diffs ORDER BY 1`:             "3",
		`SELECT model, cost_cents, deleted_at FROM model_usage ORDER BY 1`:         "1.5",
		`SELECT part, tokens, deleted_at FROM context_parts ORDER BY 1`:            "70",
	} {
		expect(t, s, query, "p0 | "+value+" | NULL", "p1 | "+value+" | "+second)
	}
}

// testDeletedConversation: a conversation without any row left is marked with its parts. All keep their values, and it
// can come back.
func testDeletedConversation(t *testing.T, s Store) {
	all := func() *schema.Rows {
		return withAttachment(withAttachment(withCall(conversation("c1", "one", "two"), "m1"), ptr("m0"), 0, "/a"), nil,
			0, "/b")
	}
	run(t, s, func(tx *warehouse.Load) {
		put(t, tx, "c1", all())
		put(t, tx, "c2", conversation("c2", "other"))
	})
	out := run(t, s, func(tx *warehouse.Load) { gone(tx, "c1") })
	if out.Deleted != 1 || out.New != 0 || out.Changed != 0 {
		t.Errorf("outcome of a deletion: %+v", out)
	}
	expect(t, s, messages, "c1 | m0 | one | NULL | "+second, "c1 | m1 | two | NULL | "+second,
		"c2 | m0 | other | 0 | NULL")
	expect(t, s, `SELECT message_id, tool, "position", deleted_at FROM tool_calls`,
		"m1 | run_terminal_command | NULL | "+second)
	expect(t, s, `SELECT message_id, path FROM attachments ORDER BY 2`, "m0 | /a", "NULL | /b")
	expect(t, s, conversations, "c1 | title of c1 | completed | "+first+" | "+second+" | "+second,
		"c2 | title of c2 | completed | "+first+" | "+first+" | NULL")
	if state := stateOf(t, s); len(state.Known) != 1 || state.Known[keyOf("c2")].ContentHash == "" {
		t.Errorf("known after a deletion: %v", state.Known)
	}
	if out = run(t, s, func(tx *warehouse.Load) { gone(tx, "c1") }); out.Deleted != 0 {
		t.Errorf("deleted again: %+v", out)
	}
	run(t, s, func(tx *warehouse.Load) { put(t, tx, "c1", all()) })
	expect(t, s, `SELECT conversation_id, first_seen_at, deleted_at FROM conversations ORDER BY 1`,
		"c1 | "+first+" | NULL", "c2 | "+first+" | NULL")
	expect(t, s, messages, "c1 | m0 | one | 0 | NULL", "c1 | m1 | two | 1 | NULL", "c2 | m0 | other | 0 | NULL")
	expect(t, s, `SELECT count(*) FROM attachments`, "2")
}

// testLostHead: a conversation whose own row is gone while a message of it remains keeps its values as a deleted
// orphan; the message stays live.
func testLostHead(t *testing.T, s Store) {
	orphan := func() *schema.Rows {
		rows := conversation("c1", "one")
		rows.Conversations[0] = schema.Conversation{SourceID: source, ConversationID: "c1", Status: ptr("orphaned"),
			Format: "rows"}
		rows.Messages[0].IsListed = false
		return rows
	}
	run(t, s, func(tx *warehouse.Load) { put(t, tx, "c1", conversation("c1", "one", "two")) })
	for range 2 {
		run(t, s, func(tx *warehouse.Load) { put(t, tx, "c1", orphan()) })
		expect(t, s, `SELECT conversation_id, title, status, deleted_at FROM conversations`,
			"c1 | title of c1 | orphaned | "+second)
		expect(t, s, messages, "c1 | m0 | one | 0 | NULL", "c1 | m1 | two | NULL | "+second)
	}
	run(t, s, func(tx *warehouse.Load) { put(t, tx, "c1", conversation("c1", "one", "two")) })
	expect(t, s, `SELECT conversation_id, title, status, deleted_at FROM conversations`,
		"c1 | title of c1 | completed | NULL")
}

// testUnknown: it does no harm to announce or to forget a conversation that no load has seen.
func testUnknown(t *testing.T, s Store) {
	for range 2 {
		out := run(t, s, func(tx *warehouse.Load) { gone(tx, "never seen") })
		if out.New+out.Changed+out.Deleted != 0 {
			t.Errorf("outcome: %+v", out)
		}
		expect(t, s, conversations)
	}
}

// testMemory: the next load knows what a load remembered, by store; the latest counts.
func testMemory(t *testing.T, s Store) {
	moved := keyOf("c1")
	moved.Store = "workspace/w"
	run(t, s, func(tx *warehouse.Load) {
		put(t, tx, "c1", conversation("c1", "one"))
		put(t, tx, "c2", conversation("c2", "two"))
	})
	want := known("c1", "hash of c1")
	if got := stateOf(t, s).Known[keyOf("c1")]; got != want {
		t.Errorf("known: %+v, want %+v", got, want)
	}
	newer := known("c2", "newer")
	newer.TransformVersion, newer.LoadID = 7, 2
	run(t, s, func(tx *warehouse.Load) {
		tx.Remember(newer)
		tx.Forget(keyOf("c1"))
		k := known("c1", "elsewhere")
		k.Store = moved.Store
		tx.Remember(k)
	})
	state := stateOf(t, s)
	if len(state.Known) != 2 || state.Known[keyOf("c2")] != newer || state.Known[moved].ContentHash != "elsewhere" {
		t.Errorf("known: %+v", state.Known)
	}
	expect(t, s, messages, "c1 | m0 | one | 0 | NULL", "c2 | m0 | two | 0 | NULL")
}

// testOutcome: a load counts the new, changed and deleted conversations.
func testOutcome(t *testing.T, s Store) {
	out := run(t, s, func(tx *warehouse.Load) {
		put(t, tx, "c1", conversation("c1", "one"))
		put(t, tx, "c2", conversation("c2", "two"))
		put(t, tx, "c3", withCall(conversation("c3", "three"), "m0"))
	})
	if out.New != 3 || out.Changed != 0 || out.Deleted != 0 || out.Unchanged != 0 || out.Totals.Conversations != 3 ||
		out.Totals.Messages != 3 || out.Totals.ToolCalls != 1 {
		t.Errorf("first: %+v", out)
	}
	out = run(t, s, func(tx *warehouse.Load) {
		put(t, tx, "c1", conversation("c1", "uno"))
		gone(tx, "c2")
		put(t, tx, "c4", conversation("c4", "four"))
	})
	if out.New != 1 || out.Changed != 1 || out.Deleted != 1 || out.Unchanged != 1 || out.Totals.Conversations != 3 ||
		out.Totals.Messages != 3 {
		t.Errorf("second: %+v", out)
	}
}
