package main

import (
	"path/filepath"
	"strings"
	"testing"

	"pipeline/testdata/gen/storetest"
)

// TestEmptyChats: an empty draft is the latest in most stores, and older versions have empty chats that are no drafts.
// They are no answer to what was done last, and are listed and counted nowhere; they stay in the warehouse.
func TestEmptyChats(t *testing.T) {
	t.Parallel()
	w := newCLITest(t)
	empty := func(id, rest string) storetest.Row {
		return storetest.Row{Key: "composerData:" + id,
			Value: `{"_v":13,"composerId":"` + id + `","createdAt":1790000000000,"lastUpdatedAt":1790000000000` + rest +
				`}`}
	}
	w.store(append(talk("a", "hello"), empty("empty-state-draft", `,"isDraft":true,"fullConversationHeadersOnly":[]`),
		empty("blank", `,"status":"none"`), empty("lost", `,"fullConversationHeadersOnly":[{"bubbleId":"gone"}]`)),
		storetest.StoreOptions{})
	summary, _ := w.run(0)
	query := func(q string) string {
		printed, _ := w.runs(0, "sql", "--warehouse", w.warehouse, "--format", "csv", q)
		return strings.ReplaceAll(strings.TrimSpace(printed), "\n", " ")
	}
	w.same("the list", "id lost a", query("SELECT id FROM list_conversations()")) // what was lost had a message
	w.same("the warehouse", "n 4", query("SELECT count(*) AS n FROM live_conversations"))
	w.same("the sessions", "n 2", query("SELECT sum(conversation_count)::BIGINT AS n FROM sessions"))
	w.same("the weeks", "n 2", query("SELECT sum(conversations)::BIGINT AS n FROM sessions_per_week"))
	w.same("the coverage", "known total 2 4",
		strings.ReplaceAll(query("SELECT known, total FROM coverage WHERE measure = 'conversation_empty'"), ",", " "))
	if !strings.Contains(summary, "2 conversations,") ||
		!strings.Contains(summary, "2 more conversations without a message") {
		t.Errorf("the summary: %s", summary)
	}
	if printed, _ := w.runs(0, "show", "--warehouse", w.warehouse, "--last"); !strings.Contains(printed, "hello") {
		t.Errorf("the last conversation: %s", printed)
	}
}

// TestDiscoverWithoutName: a folder whose path tells of no application is listed without one.
func TestDiscoverWithoutName(t *testing.T) {
	t.Parallel()
	w := newCLITest(t)
	w.store(talk("a", "hello"), storetest.StoreOptions{})
	printed, _ := w.runs(0, "discover", "--source", w.user)
	first, _, _ := strings.Cut(printed, "\n")
	if want := filepath.Clean(w.user) + " ("; !strings.HasPrefix(first, want) || strings.Contains(first, "(,") ||
		strings.Contains(first, "()") {
		t.Errorf("%q", first)
	}
}
