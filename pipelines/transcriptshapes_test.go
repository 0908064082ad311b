package pipelines_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pipeline/testdata/gen/clitest"
)

// put writes a file of the home, line by line.
func (s *spokenHome) put(path string, lines ...string) {
	s.t.Helper()
	path = filepath.Join(s.dot, filepath.FromSlash(path))
	must(s.t, os.MkdirAll(filepath.Dir(path), 0o777))
	must(s.t, os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
}

// wants compares rows of the warehouse with the wanted ones, each a line.
func (s *spokenHome) wants(what, query, want string) {
	s.t.Helper()
	(&gitFixture{fixture: s.fixture}).wants(what, query, want)
}

// TestTranscriptShapes: lines of every form are messages; results go to their calls and are no prompts, marks are no
// text, and a tool is known by the end of its name.
func TestTranscriptShapes(t *testing.T) {
	t.Parallel()
	s := newSpokenHome(t)
	s.write(&clitest.Home{})
	s.put("projects/home-u-app/agent-transcripts/one/transcript.jsonl",
		`{"type":"user","message":{"role":"user","content":[{"type":"text","text":"<user_query>\nTest it\n</user_query>"}]}}`,
		`{"role":"assistant","content":[{"type":"text","text":"I do. [REDACTED]"},{"type":"tool_use","id":"a","name":"functions.Shell:0","input":{"command":"go vet"}},`+
			`{"type":"tool_use","id":"b","name":"default_api:Glob","input":{"glob_pattern":"*","target_directory":"/w"}},{"type":"tool_use","id":"c","name":"functions.mcp_git_log","input":{}},{"type":"tool_use","id":"d","name":"a.b","input":{}}]}`,
		`{"role":"user","message":{"content":[{"type":"tool_result","tool_use_id":"a","is_error":true,"content":"FAIL"}]}}`,
		`{"role":"user","message":{"content":[{"type":"tool_result","tool_use_id":"b","content":"none"},{"type":"text","text":"Go on"}]}}`,
		`{"role":"user","message":{"content":[{"type":"tool_result","tool_use_id":"z","content":"x"}]}}`,
		`{"role":"assistant","content":[{"type":"text","text":"[REDACTED]"},{"type":"turn_ended","status":"success"}]}`)
	s.run(nil, s.both)
	s.wants("messages", `SELECT message_id, role, kind, text FROM messages ORDER BY position`,
		"#1 | user | text | Test it\n#2 | assistant | tool_call | I do.\n#4 | user | text | Go on\n"+
			"#6 | assistant | empty | NULL")
	s.wants("calls",
		`SELECT tool_call_id, tool, tool_kind, command, file_path, result->>'$', is_error FROM tool_calls ORDER BY call_index`, "a | run_terminal_command | shell | go vet | NULL | FAIL | true\nb | glob_file_search | search | NULL | /w | "+
			"none | NULL\nc | mcp | mcp | NULL | NULL | NULL | NULL\nd | a.b | other | NULL | NULL | NULL | NULL")
	s.wants("conversation", `SELECT conversation_id, user_message_count, status FROM conversations`,
		"one | 2 | completed")
	s.wants("lines", `SELECT seen, rows, skipped FROM load_elements WHERE list = 'lines'`, "6 | 4 | 2")
	s.wants("quarantine", `SELECT count(*) FROM quarantine`, "0")
}

// TestTrustedFolders: the command line's note of a folder, else its log, names the project of its transcripts and of
// its chats, where nothing else does; it stays through a quiet night, and goes with the note.
func TestTrustedFolders(t *testing.T) {
	t.Parallel()
	s := newSpokenHome(t)
	chat := clitest.Cases().Chat("unknown_folder")
	s.write(&clitest.Home{Chats: []*clitest.Chat{chat}})
	same(t, "the chat's own project", [][]string{{"NULL"}}, s.runAnd(`SELECT project_path FROM conversations`))
	name := "home-u-" + strings.Repeat("long-name-", 7) + "long-na-0123abc"
	talk := `{"role":"user","message":{"content":"Hello"}}`
	s.put("projects/"+name+"/agent-transcripts/one/one.jsonl", talk)
	s.put("projects/"+name+"/.workspace-trusted",
		`{"trustedAt":"2026-09-01T00:00:00Z","workspacePath":"/home/u/a%20b/long","trustMethod":"cli-flag"}`)
	s.put("projects/no-note/agent-transcripts/two/two.jsonl", talk)
	s.put("projects/bad-note/agent-transcripts/three/three.jsonl", talk)
	s.put("projects/bad-note/.workspace-trusted", `{"workspacePath":7}`)
	s.put("projects/home-u-a-log/agent-transcripts/four/four.jsonl", talk)
	s.put("projects/home-u-a-log/worker.log", "[info] runServer socketPath=/tmp/x",
		"[info] Getting tree structure for workspacePath=/home/u/a log\r", "[info] Syncing merkle subtree path=a.md")
	// a line that goes on, another folder, its own, and a part of a line
	s.put("projects/home-u-5/agent-transcripts/five/five.jsonl", talk)
	s.put("projects/home-u-5/worker.log", "[info] start workspacePath=/home/u/5 token=x",
		"[info] Getting tree structure for workspacePath=/home/u/other",
		"[info] Getting tree structure for workspacePath=/home/u/5")
	s.put("projects/home-u-six/agent-transcripts/six/six.jsonl", talk)
	s.put("projects/home-u-six/worker.log", "[info] Getting tree structure for workspacePath=/home/u/s")
	deep := strings.ReplaceAll(name, "long", "deep")
	s.put("projects/"+deep+"/agent-transcripts/seven/seven.jsonl", talk)
	path := "/home/u/" + strings.Repeat("deep_name/", 7) + "deep_name"
	s.put("projects/"+deep+"/worker.log", "[info] Getting tree structure for workspacePath="+path)
	s.put("projects/bad-note/mcp-auth.json", `{"token":"canary-token"}`)
	query :=
		`SELECT conversation_id, project_path, project_uri, project_source FROM conversations WHERE format = 'transcript' ORDER BY ALL`
	want := [][]string{{"five", "/home/u/5", "file:///home/u/5", "slug"},
		{"four", "/home/u/a log", "file:///home/u/a log", "slug"},
		{"one", "/home/u/a%20b/long", "file:///home/u/a%20b/long", "slug"},
		{"seven", path, "file://" + path, "slug"}, {"six", "NULL", "NULL", "NULL"},
		{"three", "NULL", "NULL", "NULL"}, {"two", "NULL", "NULL", "NULL"}}
	same(t, "projects", want, s.runAnd(query))
	same(t, "after a quiet night", want, s.runAnd(query))
	s.rebuilt("last_seen_at")

	s.put("projects/any/.workspace-trusted", `{"workspacePath":"`+chat.CWD+`"}`)
	same(t, "the chat's project", [][]string{{chat.CWD, "slug"}},
		s.runAnd(`SELECT project_path, project_source FROM conversations WHERE format = 'graph'`))
}

// TestArrayBesideText: an array that says less than the text beside it does not take its place, and the elements of one
// are counted whatever its bytes are. A file that is no transcript may be named like one.
func TestArrayBesideText(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ array, want string }{
		"whole":         {`[{"role":"user","text":"Hi"},{"role":"assistant","text":"Ho"}]`, "Hi|Ho"},
		"a mark before": {"\uFEFF" + `[{"role":"user","text":"Hi"}]`, "Hi"},
		"no UTF-8":      {`[{"role":"user","text":"` + "\xff" + `"}]`, "\uFFFD"},
		"more behind":   {`[{"role":"user","text":"Hi"}] 7`, "Hello|Yes"},
		"cut off":       {`[{"role":"user","text":"Hi"},{"ro`, "Hello|Yes"},
		"an object":     {`{"messages":[]}`, "Hello|Yes"},
		"numbers":       {`[1,2]`, "Hello|Yes"},
		"nothing in it": {`[]`, "Hello|Yes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSpokenHome(t)
			s.write(&clitest.Home{})
			const place = "projects/home-u-app/agent-transcripts/0f5ea4e5-5d5c-4e3b-8f0b-2b1f6a2f0c1d"
			s.put(place+".json", c.array)
			s.put(place+".txt", "user:", "<user_query>", "Hello", "</user_query>", "assistant:", "Yes")
			same(t, "messages", [][]string{{c.want}},
				s.runAnd(`SELECT string_agg(text, '|' ORDER BY position) FROM messages`))
			s.rebuilt("last_seen_at")
		})
	}
}

// TestTaskChildren: a call of a transcript names the child that begins with its prompt, whichever of both comes first,
// and a rebuild gives the same.
func TestTaskChildren(t *testing.T) {
	t.Parallel()
	s := newSpokenHome(t)
	s.write(&clitest.Home{})
	const folder = "projects/home-u-app/agent-transcripts/"
	call := func(name, prompt string) string {
		return `{"type":"tool_use","name":"` + name + `","input":{"description":"x","prompt":"` + prompt + `"}}`
	}
	s.put(folder+"top/top.jsonl", `{"role":"user","message":{"content":"Go"}}`,
		`{"role":"assistant","message":{"content":[`+call("Task", `Look at\na.go`)+`,`+call("Subagent", "Test it")+`,`+
			call("Task", "Mend it")+`]}}`)
	s.put(folder+"top/subagents/late.jsonl",
		`{"role":"user","message":{"content":[{"type":"text","text":"<user_query>\nTest it\n</user_query>"}]}}`,
		`{"role":"user","message":{"content":"Mend it"}}`)
	query := `SELECT call_index, subagent_id FROM tool_calls WHERE conversation_id = 'top' ORDER BY ALL`
	same(t, "one child", [][]string{{"0", "NULL"}, {"1", "late"}, {"2", "NULL"}}, s.runAnd(query))
	s.put(folder+"top/subagents/first.jsonl", `{"role":"user","message":{"content":"Look at\na.go"}}`)
	want := [][]string{{"0", "first"}, {"1", "late"}, {"2", "NULL"}}
	same(t, "two children", want, s.runAnd(query))
	same(t, "after a quiet night", want, s.runAnd(query))
	s.rebuilt("last_seen_at")
}

// TestDynamicTools: a call of CallDynamicTool is one of the tool that it names: Cursor's own, with its arguments and
// the child that begins with its prompt, or a server's.
func TestDynamicTools(t *testing.T) {
	t.Parallel()
	s := newSpokenHome(t)
	s.write(&clitest.Home{})
	call := func(name, input string) string {
		return `{"type":"tool_use","name":"` + name + `","input":{` + input + `}}`
	}
	const folder, dynamic = "projects/home-u-app/agent-transcripts/", "CallDynamicTool"
	s.put(folder+"top/top.jsonl", `{"role":"user","message":{"content":"Go"}}`,
		`{"role":"assistant","message":{"content":[`+
			call(dynamic, `"namespace":"cursor","toolName":"Delete","arguments":{"path":"/w/a"}`)+`,`+
			call(dynamic, `"namespace":"cursor","toolName":"Task","arguments":{"prompt":"Test it"}`)+`,`+
			call(dynamic, `"namespace":"user-linear","toolName":"get_issue","arguments":{"path":"/w/b"}`)+`,`+
			call(dynamic, `"toolName":"get_issue","arguments":{}`)+`,`+call("user-linear-get_issue", `"server":"prod","name":"x"`)+`,`+
			call("GetDynamicTools", `"namespace":"cursor"`)+`,`+call("functions.user-linear-get_issue:0", ``)+`]}}`)
	s.put(folder+"top/subagents/child.jsonl", `{"role":"user","message":{"content":"Test it"}}`)
	query := `SELECT call_index, name, tool, tool_kind, file_path, mcp_server, mcp_tool, subagent_id,
		raw_args->>'$.toolName' FROM tool_calls WHERE conversation_id = 'top' ORDER BY ALL`
	want := [][]string{
		{"0", dynamic, "delete_file", "edit", "/w/a", "NULL", "NULL", "NULL", "Delete"},
		{"1", dynamic, "task", "task", "NULL", "NULL", "NULL", "child", "Task"},
		{"2", dynamic, "mcp", "mcp", "NULL", "user-linear", "get_issue", "NULL", "get_issue"},
		{"3", dynamic, "mcp", "mcp", "NULL", "NULL", "get_issue", "NULL", "get_issue"},
		{"4", "user-linear-get_issue", "mcp", "mcp", "NULL", "user-linear", "get_issue", "NULL", "NULL"},
		{"5", "GetDynamicTools", "GetDynamicTools", "other", "NULL", "NULL", "NULL", "NULL", "NULL"},
		{"6", "functions.user-linear-get_issue:0", "mcp", "mcp", "NULL", "NULL", "NULL", "NULL", "NULL"}}
	same(t, "calls", want, s.runAnd(query))
	same(t, "after a quiet night", want, s.runAnd(query))
	s.rebuilt("last_seen_at")
}

// runAnd runs on the home, and reads the warehouse.
func (s *spokenHome) runAnd(query string) [][]string {
	s.t.Helper()
	s.run(nil, s.both)
	return s.ask(query)
}
