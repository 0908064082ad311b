package pipelines_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRawShared: what conversations share is kept like their rows: headers, settings of workspaces, workspace.json.
func TestRawShared(t *testing.T) {
	t.Parallel()
	long(t)
	l := newFixture(t)
	const prompts = "workspace/ws2 aiService.prompts"
	one, two := folder{`{"folder":"file:///src/one"}`, nil, false},
		folder{`{"folder":"file:///src/two"}`, map[string]any{"aiService.prompts": `[{"text":"p"}]`, "my.setting": "s"},
			false}
	base := baseUserDir().withFolder("ws1", one).withFolder("ws2", two)
	base.headers = []map[string]any{{"composerId": "gamma", "value": `{"subtitle":"s"}`},
		{"composerId": "nobody", "value": `{}`}}
	l.run(base)
	header := l.stories(0)["global gamma"]
	same(t, "the versions of a header", 1, len(header))
	if !strings.HasPrefix(header[0], "text {") || !strings.Contains(header[0], `"value":"{\"subtitle\":\"s\"}"`) ||
		!strings.Contains(header[0], `"composerId":"gamma"`) {
		t.Errorf("the header is kept as %s", header[0])
	}
	same(t, "a setting of the workspace", []string{`text [{"text":"p"}]`}, l.stories(0)[prompts])
	same(t, "a setting that no table is built from", []string(nil), l.stories(0)["workspace/ws2 my.setting"])
	nobody := base.clone()
	nobody.headers = base.headers[:1]
	l.adds("a header is removed", stories{"global nobody": {"gone"}}, nobody)
	l.adds("and back", stories{"global nobody": {"back: " + l.stories(0)["global nobody"][0]}}, base)
	ws := filepath.Join(l.user, "workspaceStorage", "ws2")
	l.execIn("workspaceStorage/ws2/state.vscdb",
		`UPDATE ItemTable SET value = '[{"text":"q"}]' WHERE key = 'aiService.prompts'`)
	l.adds("a setting changed in place", stories{prompts: {`text [{"text":"q"}]`}}, nil)
	l.execIn("workspaceStorage/ws2/state.vscdb", `DELETE FROM ItemTable WHERE key = 'aiService.prompts'`)
	l.adds("a setting removed", stories{prompts: {"gone"}}, nil)
	json := filepath.Join(ws, "workspace.json")
	const row = "workspace/ws2 workspace.json"
	must(t, os.WriteFile(json, []byte(`{"folder":"file:///src/three"}`), 0o600))
	l.adds("workspace.json changed", stories{row: {`text {"folder":"file:///src/three"}`}}, nil)
	must(t, os.Remove(json))
	l.adds("workspace.json removed", stories{row: {"null "}}, nil) // the folder is a workspace all the same
	must(t, os.WriteFile(json, nil, 0o600))
	l.adds("workspace.json empty", stories{row: {"text "}}, nil)
	must(t, os.Remove(json))
	must(t, os.Mkdir(json, 0o700)) // nobody can read it, root neither
	l.adds("workspace.json unreadable", stories{row: {"unreadable "}}, nil)
	must(t, os.Remove(json))
	must(t, os.WriteFile(json, []byte(two.json), 0o600))
	l.adds("workspace.json of the beginning", stories{row: {"back: text " + two.json}}, nil)
	l.execIn("workspaceStorage/ws2/state.vscdb", `INSERT INTO ItemTable VALUES ('aiService.prompts', '[{"text":"p"}]')`)
	l.adds("a setting is back", stories{prompts: {`back: text [{"text":"p"}]`}}, nil)
	must(t, os.RemoveAll(ws))
	l.adds("the folder removed", stories{row: {"gone"}, prompts: {"gone"}}, nil)
	l.adds("quiet", nil, nil)
	l.rebuilt()
}

// TestRawNoPermission: a workspace.json that nobody may read is no removed one.
func TestRawNoPermission(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	l.run(baseUserDir())
	json := filepath.Join(l.user, "workspaceStorage", "ws1", "workspace.json")
	must(t, os.Chmod(json, 0))
	if _, err := os.ReadFile(json); err == nil {
		t.Skip("this user may read every file")
	}
	l.adds("no permission", stories{"workspace/ws1 workspace.json": {"unreadable "}}, nil)
	must(t, os.Chmod(json, 0o600))
	l.adds("permission again", stories{"workspace/ws1 workspace.json": {`back: text {"folder":"file:///src/one"}`}},
		nil)
	same(t, "the project", [][]string{{"one"}},
		l.ask(`SELECT project FROM conversations WHERE conversation_id = 'alpha'`))
}
