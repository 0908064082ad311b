package sinktest

import (
	"testing"

	"pipeline/load"
	"pipeline/load/warehouse"
	"pipeline/sql/schema"
)

// bad returns a row that cannot be used.
func bad(conversation, key, hash string) *schema.Rows {
	return &schema.Rows{Quarantine: []schema.Quarantine{{
		SourceID: source, Store: "global", Key: &key, ValueHash: hash, ConversationID: &conversation,
		Family: "bubbleId", Reason: "bad_json", ValueType: "text", ValueBytes: 3, Head: ptr("{a}"),
	}}}
}

// testQuarantine: a bad row is recorded once per content, resolved when it becomes usable or is gone, and opened again.
func testQuarantine(t *testing.T, s Store) {
	const key = "bubbleId:c1:m1"
	load1 := func(hash string) load.Outcome {
		return run(t, s, func(tx *warehouse.Load) {
			put(t, tx, "c1", conversation("c1", "one"))
			if hash != "" {
				write(t, tx, bad("c1", key, hash))
			}
		})
	}
	for i, step := range []struct {
		hash  string // of the bad row in the store; "": it is usable, or gone
		added int64
		want  []string
	}{
		{"aa", 1, []string{key + " | aa | 1 | NULL"}},
		{"aa", 0, []string{key + " | aa | 1 | NULL"}},
		{"bb", 1, []string{key + " | aa | 1 | 3", key + " | bb | 3 | NULL"}},
		{"", 0, []string{key + " | aa | 1 | 3", key + " | bb | 3 | 4"}},
		{"aa", 1, []string{key + " | aa | 1 | NULL", key + " | bb | 3 | 4"}},
	} {
		if out := load1(step.hash); out.Quarantined != step.added {
			t.Errorf("load %d: %d quarantined, want %d", i+1, out.Quarantined, step.added)
		}
		expect(t, s, quarantine, step.want...)
	}
	out := run(t, s, func(tx *warehouse.Load) { put(t, tx, "c2", conversation("c2", "other")) })
	expect(t, s, quarantine, key+" | aa | 1 | NULL", key+" | bb | 3 | 4")
	if out.Totals.Quarantine["bad_json"] != 1 {
		t.Errorf("unresolved by reason: %v, want one bad_json", out.Totals.Quarantine)
	}
	run(t, s, func(tx *warehouse.Load) { gone(tx, "c1") })
	expect(t, s, quarantine, key+" | aa | 1 | 7", key+" | bb | 3 | 4")
}

// testSourceQuarantine: rows of no conversation are resolved only when their store was read completely.
func testSourceQuarantine(t *testing.T, s Store) {
	item := schema.Quarantine{
		SourceID: source, Store: "workspace/w", Key: ptr("composer.composerData"), ValueHash: "aa",
		Family: "composer.composerData", Reason: "not_object", ValueType: "text", ValueBytes: 2, Head: ptr("[]"),
	}
	file := schema.Quarantine{
		SourceID: source, Store: "workspace/w", Key: ptr("workspace.json"), ValueHash: "bb", Family: "workspace.json",
		Reason: "bad_json", ValueType: "file",
	}
	nameless := item
	nameless.Key, nameless.Store, nameless.ValueHash, nameless.Reason = nil, "global", "cc", "bad_key"
	workspace := schema.Workspace{SourceID: source, WorkspaceID: "w"}
	step := func(rows load.SourceRows, want ...string) {
		t.Helper()
		rows.Workspaces = []schema.Workspace{workspace}
		w, tx, id := begin(t, s)
		writeSource(t, tx, id, rows)
		commit(t, w, tx, id)
		expect(t, s, `SELECT value_hash, load_id, resolved_load_id FROM quarantine ORDER BY 1`, want...)
	}
	both := []string{"global", "workspace/w"}
	step(load.SourceRows{Quarantine: []schema.Quarantine{item, file, nameless}, Complete: both}, "aa | 1 | NULL",
		"bb | 1 | NULL", "cc | 1 | NULL")
	step(load.SourceRows{Quarantine: []schema.Quarantine{item, file, nameless}, Complete: both}, "aa | 1 | NULL",
		"bb | 1 | NULL", "cc | 1 | NULL")
	// workspace.json is read without the store
	step(load.SourceRows{Complete: []string{"global"}}, "aa | 1 | NULL", "bb | 1 | 3", "cc | 1 | 3")
	step(load.SourceRows{Complete: both}, "aa | 1 | 4", "bb | 1 | 3", "cc | 1 | 3")
	step(load.SourceRows{Quarantine: []schema.Quarantine{item, nameless}, Complete: both}, "aa | 1 | NULL",
		"bb | 1 | 3", "cc | 1 | NULL")
}

// testQuarantineTwice: two rows of a store that have no key and the same value are one row in quarantine.
func testQuarantineTwice(t *testing.T, s Store) {
	row := schema.Quarantine{SourceID: source, Store: "global", ValueHash: "cc", Family: "(unknown)", Reason: "bad_key",
		ValueType: "text", ConversationID: ptr("")}
	for range 2 {
		run(t, s, func(tx *warehouse.Load) {
			tx.Replace(schema.OwnerKey{SourceID: source, Store: "global", Kind: schema.KindLoose})
			write(t, tx, &schema.Rows{Quarantine: []schema.Quarantine{row}})
			write(t, tx, &schema.Rows{Quarantine: []schema.Quarantine{row, row}})
		})
		expect(t, s, quarantine, "NULL | cc | 1 | NULL")
	}
}

// testSource: the rows of a source are replaced together, and first_seen_at stays. Prompts that are gone are marked,
// but only in stores that were read.
func testSource(t *testing.T, s Store) {
	prompt := func(workspace, id string) schema.Prompt {
		return schema.Prompt{SourceID: source, WorkspaceID: workspace, PromptID: id, Kind: "prompt",
			Text: ptr("text " + id)}
	}
	day := func(date schema.Date, n int64) schema.DailyEditStats {
		return schema.DailyEditStats{SourceID: source, Date: date, TabSuggestedLines: &n}
	}
	workspace := func(id, kind string) schema.Workspace {
		return schema.Workspace{SourceID: source, WorkspaceID: id, Kind: &kind}
	}
	prompts := `SELECT workspace_id, prompt_id, text, deleted_at FROM prompts ORDER BY 1, 2`
	step := func(rows load.SourceRows) {
		t.Helper()
		w, tx, id := begin(t, s)
		writeSource(t, tx, id, rows)
		commit(t, w, tx, id)
	}
	step(load.SourceRows{
		Workspaces: []schema.Workspace{workspace("w1", "local"), workspace("w2", "empty_window")},
		Prompts:    []schema.Prompt{prompt("", "p1"), prompt("", "p2"), prompt("w1", "p3")},
		DailyStats: []schema.DailyEditStats{day("2025-01-01", 1), day("2025-01-02", 2)},
		Complete:   []string{"global", "workspace/w1"},
	})
	expect(t, s, `SELECT first_seen_at, last_seen_at FROM sources`, first+" | "+first)
	expect(t, s, prompts, " | p1 | text p1 | NULL", " | p2 | text p2 | NULL", "w1 | p3 | text p3 | NULL")

	step(load.SourceRows{
		Workspaces: []schema.Workspace{workspace("w1", "wsl")},
		Prompts:    []schema.Prompt{prompt("", "p1")},
		DailyStats: []schema.DailyEditStats{day("2025-01-02", 3)},
		Complete:   []string{"global"},
	})
	expect(t, s, `SELECT first_seen_at, last_seen_at FROM sources`, first+" | "+second)
	expect(t, s, prompts, " | p1 | text p1 | NULL", " | p2 | text p2 | "+second, "w1 | p3 | text p3 | NULL")
	expect(t, s, `SELECT workspace_id, kind FROM workspaces ORDER BY 1`, "w1 | wsl", "w2 | empty_window")
	expect(t, s, `SELECT CAST(date AS VARCHAR), tab_suggested_lines FROM daily_edit_stats ORDER BY 1`, "2025-01-01 | 1",
		"2025-01-02 | 3")

	step(load.SourceRows{Prompts: []schema.Prompt{prompt("", "p2")}, Complete: []string{"global", "workspace/w1"}})
	expect(t, s, prompts, " | p1 | text p1 | "+third, " | p2 | text p2 | NULL", "w1 | p3 | text p3 | "+third)
	state := stateOf(t, s)
	if len(state.Sources) != 1 || state.Sources[0].FirstSeenAt != startOf(1) ||
		state.Sources[0].LastSeenAt != startOf(3) {
		t.Errorf("sources: %+v", state.Sources)
	}
}

// testDocuments: the shared rows of a store are kept as they were last read, byte for byte, until a load reads others.
func testDocuments(t *testing.T, s Store) {
	step := func(changed []string, documents ...schema.KnownDocument) {
		t.Helper()
		w, tx, id := begin(t, s)
		if err := tx.Documents(documents); err != nil {
			t.Fatal("documents:", err)
		}
		writeSource(t, tx, id, load.SourceRows{Changed: changed})
		commit(t, w, tx, id)
	}
	document := func(store string, ordinal int64, value []byte) schema.KnownDocument {
		return schema.KnownDocument{SourceID: source, Store: store, Table: "ItemTable", Ordinal: ordinal, Key: "k",
			Family: "f", Type: "blob", Value: value}
	}
	odd := []byte("a\x00b\xff{")
	step([]string{"global", "w1"}, document("global", 0, odd), document("w1", 0, []byte("[]")))
	step(nil)
	w, err := s.Open(t.Context())
	if err != nil {
		t.Fatal("open:", err)
	}
	docs, err := w.Documents(t.Context(), source, "global")
	if err != nil || len(docs) != 1 || string(docs[0].Value) != string(odd) {
		t.Fatalf("%+v %v", docs, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	step([]string{"global"}, document("global", 0, []byte("{}")))
	expect(t, s, `SELECT store, CAST(value AS VARCHAR) FROM _known_documents ORDER BY 1`, "global | {}", "w1 | []")
}
