package pipelines_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pipeline/pipelines"
	"pipeline/testdata/gen/storetest"
)

// workspaceList is the workspace's list of conversations before 3.0, of heads.
func workspaceList(heads ...string) map[string]any {
	return map[string]any{"composer.composerData": `{"allComposers":[` + strings.Join(heads, ",") +
		`],"selectedComposerIds":[]}`}
}

// migratedList is what is left of it after Cursor's migration to 3.0.
var migratedList = map[string]any{
	"composer.composerData": `{"selectedComposerIds":[],"hasMigratedComposerData":true,"hasMigratedMultipleComposers":true}`,
}

// chatRows are a conversation of two messages with these further fields, each after a comma.
func chatRows(id, fields string) []any {
	return []any{"composerData:" + id, `{"_v":13,"composerId":"` + id + `","createdAt":1760000000000` + fields +
		`,"fullConversationHeadersOnly":[{"bubbleId":"p","type":1},{"bubbleId":"q","type":2}]}`,
		"bubbleId:" + id + ":p", `{"type":1,"text":"Question","createdAt":"2025-10-09T08:54:20Z"}`,
		"bubbleId:" + id + ":q", `{"type":2,"text":"Answer","createdAt":"2025-10-09T08:55:20Z"}`}
}

func listHead(id, fields string) string {
	return `{"type":"head","composerId":"` + id + `","createdAt":1760000000000` + fields + `}`
}

func headerRow(id, workspace, value string) map[string]any {
	return map[string]any{"composerId": id, "workspaceId": workspace, "createdAt": int64(1760000000000),
		"lastUpdatedAt": int64(1760000000000), "isArchived": int64(0), "isSubagent": int64(0), "recency": int64(1),
		"value": value}
}

// globalList puts heads into the global store's list of 3.0.
func (w *userDir) globalList(heads ...string) *userDir {
	c := w.clone()
	c.extra = append(c.extra, storetest.Row{Table: storetest.ItemTable, Key: "composer.composerHeaders",
		Value: `{"allComposers":[` + strings.Join(heads, ",") + `]}`})
	return c
}

const lastingColumns = `SELECT conversation_id, project, project_source, workspace_id, title, mode, git_branch FROM conversations WHERE conversation_id = 'x'`

// keptStories: what no place says any more stays as it was last known, whatever went: Cursor's migration to 3.0, a
// folder, a head. A place that says otherwise counts if it stands no lower than the one that was known.
func keptStories() map[string]func(*story) {
	const head = `,"name":"A title","unifiedMode":"plan","createdOnBranch":"main"`
	known := []string{"x", "one", "workspace_list", "ws1", "A title", "plan", "main"}
	kept := []string{"x", "one", "kept", "ws1", "A title", "plan", "main"}
	one := folder{json: `{"folder":"file:///src/one"}`, items: workspaceList(listHead("x", head))}
	two := folder{json: `{"folder":"file:///src/two"}`, items: map[string]any{}}
	chat := baseUserDir().with(chatRows("x", "")...).withFolder("ws2", two)
	listed := chat.withFolder("ws1", one)
	migrated := chat.withFolder("ws1", folder{json: one.json, items: migratedList})
	inTable := func(w *userDir, workspace, value string) *userDir {
		c := w.clone()
		c.headers = append(c.headers, headerRow("x", workspace, value))
		return c
	}
	pane := func(w *userDir, id, json string) *userDir {
		return w.withFolder(id, folder{json: json,
			items: map[string]any{"workbench.panel.composerChatViewPane.p": `{"workbench.panel.aichat.view.x":{}}`}})
	}
	all := map[string]func(*story){"kept-of-subagent": keptOfSubagent,
		"kept-after-the-migration": keptAfterTheMigration}
	for i, test := range []struct {
		name   string
		nights []*userDir
		want   [][]string // of the nights
		says   []pipelines.ConversationCount
	}{
		{"the migration to 3.0", []*userDir{listed, migrated.globalList(listHead("other", "")), migrated},
			[][]string{known, kept, kept}, []pipelines.ConversationCount{{New: 4}, {New: 1, Changed: 1, Unchanged: 3},
				{Deleted: 1, Unchanged: 4}}},
		{"it is named again", []*userDir{listed, migrated, listed}, [][]string{known, kept, known}, nil},
		{"the folder is gone", []*userDir{listed, func() *userDir {
			c :=
				chat.clone()
			delete(c.workspaces, "ws1")
			return c
		}()}, [][]string{known, kept}, nil},
		{"the folder is gone, and the document names it by its id", []*userDir{
			chat.with(chatRows("x", `,"workspaceIdentifier":{"id":"ws9"}`)...).
				withFolder("ws9", folder{json: `{"folder":"file:///src/nine"}`}),
			chat.with(chatRows("x", `,"workspaceIdentifier":{"id":"ws9"}`)...).
				with("bubbleId:x:r", `{"type":2,"text":"More"}`),
		}, [][]string{{"x", "nine", "composer", "ws9", "NULL", "NULL", "NULL"},
			{"x", "nine", "composer", "ws9", "NULL", "NULL", "NULL"}}, nil},
		{"a lower place names another", []*userDir{inTable(chat, "ws1", `{"composerId":"x","name":"A title"}`),
			chat.withFolder("ws2", folder{two.json, workspaceList(listHead("x", head)), false})},
			[][]string{{"x", "one", "headers_table", "ws1", "A title", "NULL", "NULL"}, kept}, nil},
		{"a lower place names another, much later",
			[]*userDir{inTable(chat, "ws1", `{"composerId":"x"}`), chat, pane(chat, "ws2", two.json)},
			[][]string{{"x", "one", "headers_table", "ws1", "NULL", "NULL", "NULL"},
				{"x", "one", "kept", "ws1", "NULL", "NULL", "NULL"},
				{"x", "one", "kept", "ws1", "NULL", "NULL", "NULL"}}, nil},
		{"a higher place names another", []*userDir{listed, pane(migrated, "ws2", two.json)},
			[][]string{known, {"x", "two", "pane", "ws2", "A title", "plan", "main"}}, nil},
		{"the same place names another", []*userDir{listed,
			chat.withFolder("ws1", folder{one.json, migratedList, false}).
				withFolder("ws2", folder{two.json, workspaceList(listHead("x", head)), false})},
			[][]string{known, {"x", "two", "workspace_list", "ws2", "A title", "plan", "main"}}, nil},
		{"a higher place says empty window", []*userDir{listed,
			inTable(migrated, "empty-window", `{"composerId":"x","name":"A title","createdOnBranch":"main"}`),
			migrated},
			[][]string{known, {"x", "NULL", "NULL", "NULL", "A title", "plan", "main"},
				{"x", "NULL", "NULL", "NULL", "A title", "plan", "main"}}, nil},
		{"a lower place says empty window", []*userDir{inTable(chat, "ws1", `{"composerId":"x"}`),
			pane(chat, "1760000000000", "")},
			[][]string{{"x", "one", "headers_table", "ws1", "NULL", "NULL", "NULL"},
				{"x", "one", "kept", "ws1", "NULL", "NULL", "NULL"}}, nil},
		{"a head is there without title and branch", []*userDir{listed, migrated.globalList(listHead("x", ""))},
			[][]string{known, {"x", "one", "kept", "ws1", "NULL", "plan", "NULL"}}, nil},
		{"the document has a title no more", []*userDir{chat.with(chatRows("x", head)...),
			chat.with(chatRows("x", "")...)},
			[][]string{{"x", "NULL", "NULL", "NULL", "A title", "plan", "main"},
				{"x", "NULL", "NULL", "NULL", "NULL", "plan", "NULL"}}, nil},
		{"a worktree's repository is not named any more", []*userDir{
			chat.with(
				chatRows("x",
					`,"isWorktree":true,"agentLocation":{"worktreePath":"/home/u/.cursor/worktrees/shop/ab12","sourceRepoRootPath":"/src/shop"}`)...),
			pane(chat, "ws2", two.json),
		}, [][]string{{"x", "shop", "repo", "NULL", "NULL", "NULL", "NULL"},
			{"x", "shop", "kept", "NULL", "NULL", "NULL", "NULL"}}, nil},
	} {
		all[fmt.Sprint("kept-", i)] = func(s *story) {
			for night, w := range test.nights {
				says := test.says
				if says == nil {
					says = []pipelines.ConversationCount{{New: 4}, {Changed: 1, Unchanged: 3},
						{Changed: 1, Unchanged: 3}}
				}
				s.run(w, says[night])
				same(s.t, fmt.Sprintf("%s: night %d", test.name, night), test.want[night], s.ask(lastingColumns)[0])
			}
		}
	}
	return all
}

// A subagent's own project that is kept goes before that of its parent.
func keptOfSubagent(s *story) {
	chat := baseUserDir().with(chatRows("x", `,"subagentInfo":{"parentComposerId":"alpha"}`)...)
	s.run(chat.withFolder("ws2", folder{`{"folder":"file:///src/two"}`, workspaceList(listHead("x", "")), false}),
		pipelines.ConversationCount{New: 4})
	s.run(chat.withFolder("ws2", folder{`{"folder":"file:///src/two"}`, migratedList, false}),
		pipelines.ConversationCount{Changed: 1, Unchanged: 3})
	same(s.t, "its project", [][]string{{"two", "kept"}},
		s.ask("SELECT project, project_source FROM conversations WHERE conversation_id = 'x'"))
}

// TestKeptIsWanted: --project finds a conversation by its kept project.
func TestKeptIsWanted(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	chat := baseUserDir().with(chatRows("x", "")...)
	json := `{"folder":"file:///src/two"}`
	l.run(chat.withFolder("ws2", folder{json, workspaceList(listHead("x", "")), false}))
	r := l.run(chat.withFolder("ws2", folder{json, migratedList, false}).
		with("bubbleId:x:r", `{"type":2,"text":"More"}`), func(o *pipelines.Options) { o.Projects = []string{"two"} })
	same(t, "what it changes", 1, int(r.Conversations.Changed))
}

// Of a store of every kind, Cursor's migration to 3.0 changes no project: it removes the
// workspaces' lists of conversations.
func keptAfterTheMigration(s *story) {
	store := storetest.New(storetest.Options{Seed: 4, Messages: 60})
	must(s.t, store.Write(s.user))
	s.quarantines(14)
	made := int64(len(store.Want().Conversations))
	s.run(nil, pipelines.ConversationCount{New: made})
	const projects = `SELECT conversation_id, project_uri, project_path, workspace_id, title, mode, git_branch FROM conversations WHERE message_count > 0 AND format <> 'inline' ORDER BY ALL`
	before := s.ask(projects)
	lost := s.ask(
		`SELECT count(*) FROM conversations WHERE project_source = 'workspace_list' AND message_count > 0 AND format <> 'inline'`)
	if lost[0][0] == "0" {
		s.t.Fatal("no project is from a list")
	}
	for _, w := range s.ask(`SELECT DISTINCT workspace_id FROM conversations WHERE project_source = 'workspace_list'`) {
		s.execIn(filepath.Join("workspaceStorage", w[0], "state.vscdb"),
			`UPDATE ItemTable SET value = '{"hasMigratedComposerData":true}' WHERE key = 'composer.composerData' AND instr(value, '"conversation"') = 0`)
	}
	s.run(nil, pipelines.ConversationCount{Changed: 11, Unchanged: made - 11})
	same(s.t, "the projects", before, s.ask(projects))
}
