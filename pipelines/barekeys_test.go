package pipelines_test

import (
	"slices"
	"strconv"
	"testing"

	checks "pipeline/load/figures"
	"pipeline/load/inspect"
	"pipeline/testdata/gen/storetest"
)

// familyNames are the names of the families of keys: those that a key of cursorDiskKV begins with, those of ItemTable,
// those of what is never read.
var familyNames = []string{
	"composerData", "bubbleId", "messageRequestContext", "checkpointId", "codeBlockDiff",
	"codeBlockPartialInlineDiffFates", "ofsContent", "composer.content", "agentKv:checkpoint", "agentKv:blob",
	"agentKv:bubbleCheckpoint", "agentKv:artifact", "agentKv", "inlineDiffUndoRedo", "inlineDiffsData", "inlineDiffs",
	"inlineDiff", "patch-graph", "expectedContent", "composerVirtualRowHeights", "composerDraft",
	"composerRootWriterDiagnostic", "localAgentMailboxCursor", "composerHeaders",
	"composer.composerHeaders.migratedToTable", "model-nudge", "bcCachedDetails", "ai_hashes", "ai_accepted_diffs",
	"cloudAgent:metadata", "composer.composerData", "composer.composerHeaders", "workbench.panel.composerChatViewPane",
	"aichat.chatdata", "workbench.panel.aichat.view.aichat.chatdata", "aiService.prompts", "aiService.generations",
	"glass.localAgentProjects", "glass.localAgentProjects.v1", "glass.localAgentProjectMembership",
	"mcpService.knownServerIds", "aiCodeTracking.dailyStats", "cursorAuth", "secret", "mcpOAuth", "telemetry",
	"src.vs.platform.reactivestorage",
}

// checked fails for each check that finds rows, and for what check --deep finds.
func (l *fixture) checked(what string) {
	l.t.Helper()
	failures, err := checks.Check(l.t.Context(), l.warehouse(), func(int, int) {})
	must(l.t, err)
	same(l.t, what+": checks that fail", nil, failures)
	v, err := inspect.Verify(l.t.Context(), l.warehouse())
	must(l.t, err)
	same(l.t, what+": damages", nil, v.Damages)
}

// TestBareKeys: a key that has a family's name and not its form, in whichever table, is counted under a name of its
// own, and no run fails because of it.
func TestBareKeys(t *testing.T) {
	t.Parallel()
	all := func(names ...string) (rows []storetest.Row) {
		for _, name := range names {
			rows = append(rows, storetest.Row{Key: name, Value: "{}"},
				storetest.Row{Table: storetest.ItemTable, Key: name, Value: "{}"})
		}
		return rows
	}
	stores := map[string][]storetest.Row{"all": all(familyNames...)}
	if !testing.Short() {
		for _, name := range familyNames {
			stores[name] = all(name)
		}
	}
	const last = ` FROM key_families WHERE load_id = (SELECT max(load_id) FROM key_families)`
	for name, rows := range stores {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newFixture(t)
			w := baseUserDir()
			w.headers = []map[string]any{{"composerId": "alpha", "value": `{"composerId":"alpha"}`}}
			w.extra = rows
			for i, now := range []*userDir{w, w.replaced(t, keyA2, "An answer", "Another"),
				w.replaced(t, keyA2, "An answer", "A third")} {
				r := l.run(now)
				same(t, "the status", "ok", r.Status)
				l.checked("after run " + strconv.Itoa(i+1))
			}
			same(t, "rows of all families", [][]string{{strconv.Itoa(len(w.rows) + len(rows) + len(w.headers))}},
				l.ask(`SELECT sum(rows)::BIGINT`+last))
		})
	}
	l := newFixture(t)
	w := baseUserDir()
	w.extra = all("bubbleId", "composer.composerData", "ofsContent", "secret")
	w.extra = append(w.extra, storetest.Row{Table: storetest.ItemTable, Key: keyA1 + "x", Value: "{}"},
		storetest.Row{Key: "aiService.prompts", Value: "[]"},
		storetest.Row{Table: storetest.ItemTable, Key: "bubbleIds", Value: "{}"},
		storetest.Row{Table: storetest.ItemTable, Key: "secret://x", Value: "x"})
	l.run(w)
	same(t, "what they are called", [][]string{
		{"(other settings)", "1", "raw_only"},
		{"aiService.prompts (bare)", "1", "unknown"}, {"bubbleId", "5", "loaded"}, {"bubbleId (bare)", "2", "unknown"},
		{"bubbleId:*:* (bare)", "1", "unknown"}, {"composer.composerData", "1", "loaded"},
		{"composer.composerData (bare)", "1", "unknown"}, {"composerData", "3", "loaded"},
		{"ofsContent (bare)", "2", "unknown"}, {"secret", "1", "refused"}, {"secret (bare)", "2", "unknown"}},
		slices.SortedFunc(slices.Values(l.ask(`SELECT family, rows, handling`+last)),
			func(a, b []string) int { return slices.Compare(a, b) }))
}
