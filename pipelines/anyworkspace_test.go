package pipelines_test

import (
	"testing"

	"pipeline/pipelines"
	"pipeline/testdata/gen/storetest"
)

// TestRebuildKnowsTheStores: a run after a rebuild ends as the one before it. A folder with a workspace.json and no
// store is no store that is missing; one whose store goes is.
func TestRebuildKnowsTheStores(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	empty := baseUserDir().withFolder("empty", folder{json: `{"folder":"file:///src/empty"}`}).
		withFolder("window", folder{})
	userDir := empty.withFolder("ws2", folder{json: `{"folder":"file:///src/two"}`,
		items: map[string]any{"aiService.prompts": `[{"text":"p","commandType":4}]`}})
	state := func(r *pipelines.Result) string { return r.Status }
	l.run(userDir)
	before := state(l.run(nil))
	stores := `SELECT store FROM internal._known_stores ORDER BY store`
	known := l.ask(stores)
	_, err := pipelines.Rebuild(t.Context(), pipelines.Options{Warehouse: l.warehouse(), ToolVersion: "test"}, false)
	must(t, err)
	same(t, "the stores that a rebuild knows", known, l.ask(stores))
	same(t, "a run after a rebuild", before, state(l.run(nil)))
	same(t, "one more", before, state(l.run(nil)))
	same(t, "a run without a store that was read", "partial",
		state(l.run(empty.withFolder("ws2", folder{json: `{"folder":"file:///src/two"}`}))))
}

// TestRebuildOfTheDemo: so it is with the demo, which has folders of every kind.
func TestRebuildOfTheDemo(t *testing.T) {
	long(t)
	t.Parallel()
	l := newFixture(t)
	must(t, storetest.New(storetest.Options{Seed: 1, Messages: 60}).Write(l.user))
	end := func(r *pipelines.Result) []any {
		return []any{r.Status, len(r.Failures), int(r.Conversations.Deleted), int(r.Totals.Conversations)}
	}
	l.run(nil)
	before := end(l.run(nil))
	same(t, "the status", any("ok"), before[0])
	rows := l.dump(partTables...)
	rebuilt, err := pipelines.Rebuild(t.Context(), pipelines.Options{Warehouse: l.warehouse(), ToolVersion: "test"},
		false)
	must(t, err)
	same(t, "a rebuild", before, end(rebuilt))
	same(t, "a run after a rebuild", before, end(l.run(nil)))
	same(t, "one more", before, end(l.run(nil)))
	same(t, "the rows", rows, l.dump(partTables...))
}

// A workspace of any kind is loaded, with a kind of the list or with none.
func anyWorkspace(s *story) {
	userDir := baseUserDir()
	for id, uri := range map[string]string{
		"vfs": "vscode-vfs://github/org/repo", "mem": "memfs:/x", "tunnel": "vscode-remote://tunnel%2Bbox/x",
		"space": "vscode-remote://codespaces%2Bn/x", "attached": "vscode-remote://attached-container%2B7b/x",
		"untitled": "untitled:Untitled-1", "odd": "x-future.1+a://h/p",
		"agent": "vscode-remote://background-composer%2B1/w", "nobody": "vscode-remote:///x",
		"dots": "file:///C:/../../x",
	} {
		userDir = userDir.withFolder(id, folder{json: `{"folder":"` + uri + `"}`})
	}
	s.run(userDir, first)
	same(s.t, "kinds", [][]string{{"agent", "NULL", "/w"}, {"attached", "attached_container", "/x"},
		{"dots", "local", `c:\x`}, {"mem", "virtual", "/x"}, {"nobody", "NULL", "/x"}, {"odd", "NULL", "/p"},
		{"space", "codespaces", "/x"}, {"tunnel", "tunnel", "/x"}, {"untitled", "NULL", "Untitled-1"},
		{"vfs", "virtual", "/org/repo"}, {"ws1", "local", "/src/one"}},
		s.ask("SELECT workspace_id, kind, project_path FROM workspaces ORDER BY workspace_id"))
}

// Keys that differ only in bytes that are no UTF-8 are two rows everywhere.
func keysOfOtherBytes(s *story) {
	userDir := baseUserDir()
	keys := []string{"bubbleId:alpha:\xff", "bubbleId:alpha:\xfe", "bubbleId:\xff:m", "bubbleId:\xfe:m",
		"composerData:\xff", "composerData:\xfe", "checkpointId:alpha:\xc3\x28", "checkpointId:alpha:\xa0\x28"}
	for _, key := range keys {
		userDir.extra = append(userDir.extra, storetest.Row{Key: key, Value: `{"text":"the same"}`})
	}
	for _, says := range []pipelines.ConversationCount{first, unchanged(3)} {
		if says == first {
			s.quarantines(8)
		}
		s.run(userDir, says)
		same(s.t, "the quarantine", [][]string{{`bubbleId:\xfe:m`}, {`bubbleId:\xff:m`}, {`bubbleId:alpha:\xfe`},
			{`bubbleId:alpha:\xff`}, {`checkpointId:alpha:\xa0(`}, {`checkpointId:alpha:\xc3(`}, {`composerData:\xfe`},
			{`composerData:\xff`}},
			s.ask("SELECT key FROM quarantine WHERE resolved_load_id IS NULL AND reason = 'bad_key' ORDER BY key"))
		same(s.t, "rows of the raw layer", [][]string{{"8", "8", "8"}},
			s.ask(
				`SELECT count(*), count(DISTINCT key), count(DISTINCT key_bytes) FROM internal._known_rows WHERE key_bytes IS NOT NULL AND NOT is_mark`))
	}
	userDir.extra = userDir.extra[1:]
	s.run(userDir, unchanged(3))
	same(s.t, "what is left of one that went", [][]string{{`bubbleId:alpha:\xff`}},
		s.ask("SELECT key FROM quarantine WHERE resolved_load_id IS NOT NULL"))
}
