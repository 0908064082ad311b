package schema

import "testing"

// TestKeys: comments say which columns are a table's key, and which table a column refers to.
func TestKeys(t *testing.T) {
	t.Parallel()
	comments := map[string]string{
		"sources.source_id":        "The key.",
		"messages":                 "Key: source_id, conversation_id, message_id.",
		"messages.source_id":       "Part of the key; the key of sources.",
		"messages.conversation_id": "Part of the key; with source_id the key of conversations.",
		"messages.message_id":      "Part of the key.",
		"messages.checkpoint_id":   "With source_id and conversation_id the key of checkpoints.",
		"messages.text":            "",
		"tool_calls.message_id": "Part of the key; with source_id and conversation_id the key " +
			"of messages.",
		"conversations.parent_conversation_id":        "With source_id the key of conversations.",
		"conversations.session_id":                    "The key of sessions.",
		"conversation_copies.conversation_id":         "Part of the key; with source_id the key of conversations.",
		"conversation_copies.primary_conversation_id": "With primary_source_id the key of conversations.",
		"sessions.session_id":                         "The key.",
		"commit_files.commit_hash": "Part of the key; with source_id and repository_id the key of " +
			"commits.",
		"conversation_commits.commit_hash": "Part of the key; with commit_source_id and repository_id the " +
			"key of commits.",
		"usage_records.event_id": "Part of the key; the key of usage_events.",
		"usage_events.event_id":  "The key.",
		// its source is the file of Cursor's records
		"ai_code_hashes.conversation_id":     "The conversation_id of conversations, in any source.",
		"conversation_notes.conversation_id": "Part of the key; the conversation_id of conversations, in any source.",
		"loads.load_id":                      "The key.",
		"quarantine.load_id":                 "The key of loads.",
		"_known_rows.conversation_id":        "Part of the key; with source_id the key of conversations.",
	}
	for _, table := range Tables() {
		if want, ok := comments[table.Name]; ok && table.Comment() != table.Doc+" "+want {
			t.Errorf("%s: %q, want %q at its end", table.Name, table.Comment(), want)
		}
		for _, c := range table.Columns {
			want, ok := comments[table.Name+"."+c.Name]
			if want != "" {
				want = " " + want
			}
			if ok && table.ColumnComment(c) != c.Doc+want {
				t.Errorf("%s.%s: %q, want %q at its end", table.Name, c.Name, table.ColumnComment(c), want)
			}
			delete(comments, table.Name+"."+c.Name)
		}
		delete(comments, table.Name)
	}
	for name := range comments {
		t.Errorf("there is no %s", name)
	}
}

// TestRefs: a tag ref says what the names do not.
func TestRefs(t *testing.T) {
	t.Parallel()
	for _, table := range Tables() {
		for _, c := range table.Columns {
			if to, ok := table.keyedBy(c); c.Ref != "" && ok && keyOf(to) == c.Ref {
				t.Errorf("%s.%s: the names say it without a tag: %s", table.Name, c.Name, c.Ref)
			}
		}
	}
}
