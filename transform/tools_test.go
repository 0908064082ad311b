package transform

import (
	"fmt"
	"testing"
)

// The kinds by number (docs/formats.md, Tool numbers); every other number is other.
func TestToolKinds(t *testing.T) {
	t.Parallel()
	want := map[int64]string{}
	for kind, numbers := range map[string][]int64{
		"read": {2, 5, 6, 16, 30, 31, 39, 40, 46}, "search": {1, 3, 8, 9, 13, 23, 27, 41, 42},
		"edit": {7, 10, 11, 12, 14, 28, 29, 38, 47, 50}, "shell": {4, 15, 55}, "web": {18, 20, 57},
		"mcp": {19, 44, 45, 49, 60, 63}, "plan": {17, 34, 35, 43}, "task": {24, 32, 33, 48, 62},
	} {
		for _, n := range numbers {
			want[n] = kind
		}
	}
	for n := int64(1); n < 120; n++ {
		call, ok := toolCall(val(t, fmt.Sprintf(`{"tool":%d}`, n)).Unquoted().Object())
		kind := want[n]
		if kind == "" {
			kind = "other"
		}
		if !ok || call.ToolKind != kind || deref(call.ToolNumber) != n {
			t.Errorf("tool %d: %v, number %s, kind %q, want %q", n, ok, show(call.ToolNumber), call.ToolKind, kind)
		}
	}
}

func TestToolIdentity(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ in, want string }{ // number, tool, kind, name; "" for a placeholder
		{`{"tool":9,"name":"semantic_search_full"}`, "9 | codebase_search | search | semantic_search_full"},
		{`{"tool":15,"name":"run_terminal_cmd"}`, "15 | run_terminal_command | shell | run_terminal_cmd"},
		{`{"tool":15,"name":"run_terminal_command_v2"}`, "15 | run_terminal_command | shell | run_terminal_command_v2"},
		{`{"tool":38}`, "38 | edit_file | edit | NULL"},
		{`{"tool":40,"name":"read_file_v2"}`, "40 | read_file | read | read_file_v2"},
		{`{"tool":48,"name":"task_v2"}`, "48 | task | task | task_v2"}, {`{"tool":39}`, "39 | list_dir | read | NULL"},
		{`{"tool":"15","name":"x"}`, "15 | run_terminal_command | shell | x"},
		{`{"tool":77,"name":"new_tool_v2"}`, "77 | new_tool | other | new_tool_v2"},
		{`{"tool":77}`, "77 | NULL | other | NULL"}, {`{"tool":9223372036854775807}`, "NULL | NULL | other | NULL"},
		{`{"tool":-1,"name":"read_file"}`, "NULL | read_file | read | read_file"},
		{`{"tool":21,"name":"read_file_v2"}`, "21 | read_file | other | read_file_v2"},
		{`{"tool":4,"name":"run_terminal_command"}`, "4 | run_terminal_command | shell | run_terminal_command"},
		{`{"tool":10}`, "10 | create_file | edit | NULL"}, {`{"tool":14}`, "14 | parallel_apply | edit | NULL"},
		{`{"tool":0,"name":"edit_file_v2"}`, "NULL | edit_file | edit | edit_file_v2"},
		{`{"name":"read_file"}`, "NULL | read_file | read | read_file"},
		{`{"name":"search_replace"}`, "NULL | search_replace | edit | search_replace"},
		{`{"name":"grep"}`, "NULL | grep | search | grep"},
		{`{"name":"run_terminal_cmd"}`, "NULL | run_terminal_cmd | shell | run_terminal_cmd"},
		{`{"name":"mcp-github-create_issue"}`, "NULL | mcp-github-create_issue | mcp | mcp-github-create_issue"},
		{`{"name":"something"}`, "NULL | something | other | something"},
		{`{"name":"Shell"}`, "NULL | Shell | shell | Shell"}, {`{"name":"Read"}`, "NULL | Read | read | Read"},
		{`{"name":"StrReplace"}`, "NULL | StrReplace | edit | StrReplace"},
		{`{"name":"MultiStrReplace"}`, "NULL | MultiStrReplace | edit | MultiStrReplace"},
		{`{"name":"Glob"}`, "NULL | Glob | search | Glob"}, {`{"name":"WebFetch"}`, "NULL | WebFetch | web | WebFetch"},
		{`{"name":"TodoWrite"}`, "NULL | TodoWrite | plan | TodoWrite"},
		{`{"name":"Task"}`, "NULL | Task | task | Task"},
		{`{"name":"AskQuestion"}`, "NULL | AskQuestion | other | AskQuestion"},
		{`{"name":"EditNotebook"}`, "NULL | EditNotebook | edit | EditNotebook"},
		{`{"name":"AwaitShell"}`, "NULL | AwaitShell | task | AwaitShell"},
		{`{"name":"WriteShellStdin"}`, "NULL | WriteShellStdin | shell | WriteShellStdin"},
		{`{"name":"FetchMcpResource"}`, "NULL | FetchMcpResource | mcp | FetchMcpResource"},
		{`{"name":"ListMcpResources"}`, "NULL | ListMcpResources | mcp | ListMcpResources"},
		{`{"name":"a-tool"}`, "NULL | a-tool | mcp | a-tool"}, {`{"name":"tool-"}`, "NULL | tool- | other | tool-"},
		{`"{\"tool\":5,\"name\":\"read_file\"}"`, "5 | read_file | read | read_file"}, {`{"tool":0,"name":""}`, ""},
		{`{"tool":0}`, ""}, {`{"name":""}`, ""}, {`{"status":"completed","params":"{}"}`, ""}, {`{}`, ""}, {`null`, ""},
		{`[]`, ""}, {`"x"`, ""}, {`{"tool":null,"name":null}`, ""},
	} {
		call, ok := toolCall(val(t, test.in).Unquoted().Object())
		got := ""
		if ok {
			got = shows(call.ToolNumber, call.Tool, call.ToolKind, call.Name)
		}
		if got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.in, got, test.want)
		}
	}
}

func TestToolFields(t *testing.T) {
	t.Parallel()
	field := func(in, name string) string {
		t.Helper()
		call, ok := toolCall(val(t, in).Unquoted().Object())
		if !ok {
			t.Fatalf("%s is no call", in)
		}
		return map[string]string{
			"server": show(call.McpServer), "mcp": shows(call.McpServer, call.McpTool, call.ServerSource),
			"decision": show(call.UserDecision), "error": shows(call.IsError, call.Error),
			"lines": shows(call.LinesAdded, call.LinesRemoved),
			"json":  shows(call.Params, call.Result, call.ResultBytes), "file": show(call.FilePath),
			"command": show(call.Command), "outcome": shows(call.UserDecision, call.IsError, call.ExitCode),
			"ended": show(call.Outcome),
			"times": shows(call.StartedAt, call.DurationMs), "more": shows(call.AdditionalData, call.SubagentID),
		}[name]
	}
	for _, test := range []struct{ field, in, want string }{
		{"server", `{"tool":19,"name":"mcp-github-create_issue"}`, "github"},
		{"server", `{"tool":19,"name":"mcp_linear_list"}`, "linear"}, {"server", `{"name":"mcp-my_server-tool"}`, "my"},
		{"server", `{"name":"mcp-GitHub-x"}`, "GitHub"}, {"server", `{"name":"mcp-github"}`, "NULL"},
		{"server", `{"tool":19,"name":"mcp-a-b","params":"{\"serverName\":\"c\"}"}`, "c"},
		{"server", `{"tool":49,"params":{"server":"d"}}`, "d"},
		{"server", `{"tool":19,"params":{"tools":[{"serverName":"e"}]}}`, "e"},
		{"server", `{"tool":5,"name":"read_file","params":{"server":"x"}}`, "NULL"},

		{"mcp", `{"tool":19,"name":"mcp-github-create_issue"}`, "github | create_issue | name"},
		{"mcp", `{"name":"MCP_a-b-c"}`, "a | b-c | name"}, {"mcp", `{"name":"mcp_a_"}`, "a | NULL | name"},
		{"mcp", `{"tool":19,"name":"mcp-a-b-c","params":{"serverName":"a-b"}}`, "a-b | c | params"},
		{"mcp", `{"tool":19,"name":"mcp-a-b-c","params":{"tools":[{"serverName":"a","name":"x"}]}}`, "a | x | params"},
		{"mcp", `{"tool":19,"name":"mcp_a-b_c","params":{"tools":[{"name":"c"}]}}`, "a-b | c | params"},
		{"mcp", `{"tool":19,"name":"mcp_a-bc","params":{"toolName":"c"}}`, "a | bc | name"},
		{"mcp", `{"tool":49,"name":"call_mcp_tool","params":{"server":"d","toolName":"e"}}`, "d | e | params"},
		{"mcp", `{"tool":45,"name":"read_mcp_resource","params":{"server":"d","uri":"u"}}`, "d | NULL | params"},
		{"mcp", `{"name":"playwright-browser_click"}`, "playwright | browser_click | name"},
		{"mcp", `{"name":"functions.playwright-browser_click"}`, "NULL | NULL | NULL"},
		{"mcp", `{"tool":19,"name":"mcp-a-b-c","rawArgs":"{\"name\":\"user-a-b-c\",\"args\":{\"server\":\"x\"},\"providerIdentifier\":\"a-b\",\"toolName\":\"c\"}"}`, "a-b | c | params"},
		{"mcp", `{"tool":19,"name":"mcp-a-b","rawArgs":{"server":"x","toolName":"y"}}`, "a | b | name"},
		{"mcp", `{"tool":19,"name":"mcp-github"}`, "NULL | NULL | NULL"},
		{"mcp", `{"tool":19,"name":"mcp-cursor-ide-browser-browser_navigate","rawArgs":"{\"args\":{\"url\":\"http://localhost\"}}","params":{"tools":[{"parameters":"{\"url\":\"http://localhost\"}"}]}}`, "cursor-ide-browser | browser_navigate | params"},
		{"mcp", `{"tool":19,"name":"mcp-cursor-ide-browser"}`, "cursor | ide-browser | name"},
		{"mcp", `{"tool":63,"name":"get_mcp_tools"}`, "NULL | NULL | NULL"},

		{"decision", `{"tool":5,"userDecision":"accepted"}`, "accepted"},
		{"decision", `{"tool":5,"userDecision":"rejected"}`, "rejected"},
		{"decision", `{"tool":5,"userDecision":"later"}`, "later"}, {"decision", `{"tool":5}`, "NULL"},
		{"decision", `{"tool":5,"userDecision":""}`, "NULL"},
		{"decision", `{"tool":5,"additionalData":{"reviewData":{"selectedOption":"rejectAndTellWhatToDoDifferently"}}}`,
			"rejected"},
		{"decision", `{"tool":5,"additionalData":{"reviewData":{"selectedOption":"acceptAll"}}}`, "accepted"},
		{"decision", `{"tool":5,"additionalData":{"reviewData":{"selectedOption":"approve"}}}`, "accepted"},
		{"decision", `{"tool":5,"additionalData":{"reviewData":{"selectedOption":"allowOnce"}}}`, "accepted"},
		{"decision", `{"tool":5,"additionalData":{"reviewData":{"selectedOption":"Run"}}}`, "accepted"},
		{"decision", `{"tool":5,"additionalData":{"reviewData":{"selectedOption":"skip"}}}`, "rejected"},
		{"decision", `{"tool":5,"additionalData":{"reviewData":{"status":"Done","selectedOption":"skip"}}}`, "rejected"},
		{"decision", `{"tool":5,"additionalData":{"reviewData":{"status":"Done","selectedOption":"edit"}}}`, "edit"},
		{"decision", `{"tool":5,"additionalData":{"reviewData":{"status":"None","selectedOption":"accept"}}}`, "NULL"},
		{"decision", `{"tool":5,"additionalData":{"reviewData":{"status":"Requested","selectedOption":"reject"}}}`,
			"NULL"},
		{"decision", `{"tool":5,"userDecision":"accepted","additionalData":{"reviewData":{"selectedOption":"reject"}}}`,
			"accepted"},

		{"outcome", `{"tool":15,"status":"completed","result":"{\"exitCodeV2\":1,\"exitCode\":0}"}`, "NULL | true | 1"},
		{"outcome", `{"tool":15,"status":"completed","result":{"exit_code":0}}`, "NULL | false | 0"},
		{"outcome", `{"tool":15,"result":{"exitCode":-1073741510}}`, "NULL | true | -1073741510"},
		{"outcome", `{"tool":15,"result":{"exitCode":"2"}}`, "NULL | true | 2"},
		{"outcome", `{"tool":15,"result":{"exitCode":9223372036854775807}}`, "NULL | NULL | NULL"},
		{"outcome", `{"tool":19,"status":"completed","result":{"exitCode":1}}`, "NULL | false | NULL"},
		{"outcome", `{"tool":15,"status":"completed","result":"{\"rejected\":true}"}`, "rejected | NULL | NULL"},
		{"outcome", `{"tool":15,"status":"completed","result":"{\"rejected\":false,\"exitCode\":0}"}`,
			"NULL | false | 0"},
		{"outcome", `{"tool":38,"status":"error","error":"x","additionalData":{"userDecision":"rejected"}}`,
			"rejected | NULL | NULL"}, {"outcome",
			`{"tool":38,"userDecision":"accepted","status":"completed","result":{"rejected":true}}`,
			"accepted | false | NULL"},
		{"outcome", `{"tool":38,"status":"cancelled","error":"x"}`, "NULL | NULL | NULL"},
		{"outcome",
			`{"tool":15,"result":{"rejected":true},"additionalData":{"reviewData":{"selectedOption":"accept"}}}`,
			"rejected | NULL | NULL"},

		{"outcome", `{"tool":51,"status":"completed","result":"{\"rejected\":{\"reason\":\"\"}}"}`,
			"rejected | NULL | NULL"},
		{"outcome", `{"tool":57,"status":"completed","result":{"error":{"errorMessage":"gone"}}}`,
			"NULL | true | NULL"},
		{"outcome", `{"tool":40,"status":"completed","additionalData":{"status":"error"}}`, "NULL | true | NULL"},
		{"outcome", `{"tool":15,"status":"completed","additionalData":{"status":"rejected"}}`, "NULL | NULL | NULL"},
		{"outcome", `{"tool":15,"status":"completed","additionalData":{"status":"cancelled"}}`,
			"NULL | false | NULL"},

		{"outcome", `{"tool":7,"status":"completed","result":{"applyFailed":true}}`, "NULL | true | NULL"},
		{"outcome", `{"tool":7,"status":"completed","result":{"isApplied":true}}`, "NULL | false | NULL"},
		{"outcome", `{"tool":11,"status":"completed","result":"{\"fileNonExistent\":true}"}`, "NULL | true | NULL"},
		{"outcome", `{"tool":32,"status":"completed","result":{"completedTaskResult":{"subagentErrored":true}}}`,
			"NULL | true | NULL"},
		{"outcome", `{"tool":32,"status":"completed","result":{"asyncTaskResult":{"userAborted":true}}}`,
			"NULL | NULL | NULL"},
		{"outcome",
			`{"tool":15,"status":"completed","result":{"endedReason":"RUN_TERMINAL_COMMAND_ENDED_REASON_EXECUTION_FAILED"}}`,
			"NULL | true | NULL"},
		{"outcome", `{"tool":43,"status":"completed","result":{"accepted":{"finalTodos":[]}}}`,
			"accepted | false | NULL"},
		{"ended", `{"tool":15,"status":"running"}`, "pending"},

		{"times", `{"tool":15,"additionalData":{"startedAtMs":1777773934000},"result":{"durationMs":250}}`,
			"1777773934000 | 250"}, {"times",
			`{"tool":15,"additionalData":{"startedAtMs":7},"result":{"durationMs":-1}}`, "NULL | NULL"},
		{"more",
			`{"tool":48,"additionalData":{"subagentComposerId":"s","terminationReason":"done"},"result":{"agentId":"t"}}`, `{"subagentComposerId":"s","terminationReason":"done"} | s`},
		{"more", `{"tool":48,"result":"{\"agentId\":\"t\"}","additionalData":"{\"a\":1}"}`, `{"a":1} | t`},
		{"more", `{"tool":48,"additionalData":{}}`, "NULL | NULL"},

		{"command", `{"tool":15,"status":"error","rawArgs":"{\"command\":\"go test ./...\"}"}`, "go test ./..."},
		{"command", `{"tool":15,"params":{"command":"a"},"rawArgs":"{\"command\":\"b\"}"}`, "a"},
		{"command", `{"tool":15,"rawArgs":"{\"command"}`, "NULL"},
		{"command", `{"name":"Shell","rawArgs":{"command":"ls"}}`, "ls"},
		{"file", `{"tool":40,"rawArgs":"{\"target_file\":\"a.go\"}"}`, "a.go"},
		{"file", `{"name":"StrReplace","params":{"x":1},"rawArgs":{"path":"b.go"}}`, "b.go"},
		{"file", `{"tool":19,"rawArgs":{"path":"b.go"}}`, "NULL"},
		{"file", `{"name":"brand_new_edit","tool":97,"rawArgs":"{\"file_path\":\"a.go\",\"command\":\"ls\"}"}`, "a.go"},
		{"command", `{"name":"brand_new","tool":97,"rawArgs":{"file_path":"a.go","command":"ls"}}`, "ls"},
		{"file", `{"tool":35,"params":{"x":1},"rawArgs":{"path":"b.go"}}`, "NULL"},

		// what Cursor's handlers of these tools write
		{"outcome", `{"tool":43,"name":"create_plan","status":"completed","result":"{\"rejected\":{}}","additionalData":{"planUri":"file:///p.plan.md","reviewData":{"status":"Requested","selectedOption":"none"}}}`, "NULL | false | NULL"},
		{"outcome", `{"tool":43,"status":"completed","result":{"rejected":{}},"additionalData":{"reviewData":{"status":"Done","selectedOption":"approve"}}}`, "accepted | false | NULL"},
		{"outcome", `{"tool":43,"status":"completed","result":{"rejected":{"reason":"no"}}}`, "rejected | NULL | NULL"},
		{"outcome", `{"tool":51,"status":"completed","result":{"rejected":{}}}`, "rejected | NULL | NULL"},
		{"outcome", `{"tool":51,"status":"completed","result":"{}","additionalData":{"status":"cancelled"}}`, "rejected | NULL | NULL"},
		{"outcome", `{"tool":51,"status":"completed","result":{"answers":[{"questionId":"q"}]},"additionalData":{"status":"cancelled"}}`, "NULL | false | NULL"},
		{"outcome", `{"tool":51,"status":"completed","result":{"isAsync":true},"additionalData":{"status":"cancelled"}}`, "NULL | false | NULL"},
		{"outcome", `{"tool":15,"status":"completed","result":{"output":"Rejected: no","exitCode":1,"rejected":true},"additionalData":{"status":"rejected"}}`, "rejected | NULL | NULL"},

		{"error", `{"tool":5,"status":"error"}`, "true | NULL"},
		{"error", `{"tool":5,"status":"completed"}`, "false | NULL"},
		{"error", `{"tool":5,"status":"success"}`, "false | NULL"},
		{"error", `{"tool":5,"status":"completed","error":"bad"}`, "true | bad"},
		{"error", `{"tool":5,"error":"bad"}`, "true | bad"},
		{"error", `{"tool":5,"status":"completed","error":""}`, "false | NULL"},
		{"error", `{"tool":5,"status":"cancelled"}`, "NULL | NULL"},
		{"error", `{"tool":5,"status":"loading"}`, "NULL | NULL"}, {"error", `{"tool":5}`, "NULL | NULL"},
		{"error", `{"tool":5,"status":"completed","error":{}}`, "false | NULL"}, {"error",
			`{"tool":5,"error":"{\"clientVisibleErrorMessage\":\"for people\",\"modelVisibleErrorMessage\":\"for it\"}"}`, "true | for people"}, {"error", `{"tool":5,"error":{"modelVisibleErrorMessage":"for it"}}`, "true | for it"},

		{"lines",
			`{"tool":38,"additionalData":{"precomputedDiff":{"lines":[{"type":"added"},{"type":"added"},{"type":"unchanged"},{"type":"removed"}]}}}`, "2 | 1"},
		{"lines",
			`{"name":"write","result":"{\"diff\":{\"chunks\":[{\"linesAdded\":3,\"linesRemoved\":1},{\"linesAdded\":4}]}}"}`, "7 | 1"},
		{"lines", `{"name":"write","result":{"diff":{"chunks":[{"linesAdded":3},{"linesAdded":4}]}}}`, "7 | NULL"},
		{"lines",
			`{"name":"write","result":{"diff":{"chunks":[{"diffString":"- old\n+ new\n+ more\n kept\n","oldStart":1}]}}}`, "2 | 1"},
		{"lines",
			`{"name":"write","result":{"diff":{"chunks":[{"diffString":"+new"},{"linesAdded":2,"linesRemoved":0,"diffString":"+a\n+b\n+c"},{"oldStart":1}]}}}`, "3 | 0"},
		{"lines", `{"name":"write","result":{"diff":{"chunks":[{"linesAdded":3,"diffString":"+a\n-b"}]}}}`, "3 | 1"},
		{"lines",
			`{"name":"write","result":{"diff":{"chunks":[{"diffString":"--- a/x.sql\n+++ b/x.sql\n@@ -1,3 +1,2 @@\n--- a comment\n-- b\n+++ c\n same\n\\ No newline at end of file"}]}}}`, "1 | 2"},
		{"lines",
			`{"name":"write","result":{"diff":{"chunks":[{"diffString":"diff --git a/x b/x\r\n--- a/x\r\n+++ b/x\r\n@@ -0,0 +1 @@\r\n+one\r\n--- a/y\r\n+++ b/y\r\n@@ -1 +0,0 @@\r\n-two\r\n"}]}}}`, "1 | 1"},
		{"lines",
			`{"name":"write","result":{"diff":{"chunks":[{"diffString":"func main() {}\n","oldStart":1,"newStart":1}]}}}`, "NULL | NULL"},
		{"lines", `{"name":"write","result":{"diff":{"chunks":[{"oldStart":1},{}]}}}`, "NULL | NULL"},
		{"lines", `{"name":"write","result":{"diff":{"chunks":[]}}}`, "NULL | NULL"},
		{"lines", `{"tool":38,"additionalData":{"precomputedDiff":{"lines":7}}}`, "NULL | NULL"},
		{"lines", `{"tool":38,"additionalData":{"precomputedDiff":{"lines":[{"content":"x"}]}}}`, "NULL | NULL"},
		{"lines",
			`{"name":"write","result":{"diff":{"chunks":[{"linesAdded":9223372036854775807,"linesRemoved":-1}]}}}`,
			"NULL | NULL"},
		{"lines",
			`{"tool":38,"result":{"diff":{"chunks":[{"linesAdded":47,"linesRemoved":21}]}},"additionalData":{"precomputedDiff":{"lines":[{"type":"added"}]}}}`, "47 | 21"},
		{"lines",
			`{"tool":38,"result":{"diff":{"chunks":[{"linesAdded":47}]}},"additionalData":{"precomputedDiff":{"lines":[{"type":"added"}]}}}`, "1 | 0"},
		{"lines", `{"tool":38,"additionalData":{"precomputedDiff":{"lines":[]}}}`, "0 | 0"},
		{"lines", `{"tool":38}`, "NULL | NULL"},

		{"json", `{"tool":5,"params":"{\"a\":1}","result":"{\"b\": 2}"}`, `{"a":1} | {"b": 2} | 8`},
		{"json", `{"tool":5,"params":{"a":1},"result":{"b":2}}`, `{"a":1} | {"b":2} | 7`},
		{"json", `{"tool":5,"params":"not json","result":"plain"}`, `"not json" | "plain" | 5`},
		{"json", `{"tool":5}`, "NULL | NULL | NULL"}, {"json", `{"tool":5,"params":"","result":""}`, "NULL | NULL | 0"},
		{"file", `{"tool":38,"params":{"relativeWorkspacePath":"a.go"}}`, "a.go"},
		{"file", `{"tool":40,"params":"{\"targetFile\":\"b.go\"}"}`, "b.go"},
		{"file", `{"tool":15,"params":{"command":"ls"}}`, "NULL"},
		{"command", `{"tool":15,"params":"{\"command\":\"ls\"}"}`, "ls"}, {"command", `{"tool":15}`, "NULL"},
	} {
		if got := field(test.in, test.field); got != test.want {
			t.Errorf("%s of %s\n got %s\nwant %s", test.field, test.in, got, test.want)
		}
	}
}

// Very old tool calls stand in the conversation document; a bubble's own count more. An empty toolFormerData is none.
func TestOlderToolCalls(t *testing.T) {
	t.Parallel()
	head := `{"fullConversationHeadersOnly":[{"bubbleId":"a"},{"bubbleId":"b"},{"bubbleId":"d"}],"capabilities":[{"type":14,"data":{"bubbleDataMap":"{\"a\":{\"tool\":3}}"}},` +
		`{"type":15,"data":{"bubbleDataMap":"{\"a\":{\"tool\":5,\"name\":\"read_file\"},\"b\":{\"tool\":7},\"x\":{\"tool\":8}}"}}]}`
	rows := normalized(t, conversationOf("c", head, bubble("a", `{}`), bubble("b", `{"toolFormerData":{"tool":15}}`),
		bubble("d", `{}`)))
	var got []string
	for _, c := range rows.ToolCalls {
		got = append(got, shows(c.MessageID, c.Tool, c.Position))
	}
	if fmt.Sprint(got) != "[a | read_file | 0 b | run_terminal_command | 1]" {
		t.Errorf("calls: %q", got)
	}
}

// The same holds for a conversation of a workspace store some of whose bubbles have rows of their own, however little
// memory there is.
func TestOlderToolCallsOfACopy(t *testing.T) {
	t.Parallel()
	shared := sharedOf(
		`{"allComposers":[{"composerId":"c","conversation":[{"bubbleId":"a"}],"capabilities":[{"type":15,"data":{"bubbleDataMap":"{\"b\":{\"tool\":5}}"}}]}]}`, "")
	for _, budget := range []int64{0, 1} {
		rows := collect(t, &Normalizer{SourceID: "s", Shared: shared, Budget: budget},
			conversationOf("c", "", bubble("b", `{"text":"x"}`)))
		if len(rows.ToolCalls) != 1 || rows.ToolCalls[0].MessageID != "b" {
			t.Errorf("budget %d: calls %+v", budget, rows.ToolCalls)
		}
	}
}

// A header says when a call started and how long it took, else the call does, else the message was written when the
// call ended; a negative duration is none. The start is a time of the message, too.
func TestToolTimes(t *testing.T) {
	t.Parallel()
	head := `{"fullConversationHeadersOnly":[{"bubbleId":"a","startedAtMs":1700000000000,"completedAtMs":1700000000250},{"bubbleId":"b","startedAtMs":1700000000000,"completedAtMs":1699999999000},{"bubbleId":"d"},` +
		`{"bubbleId":"e"},{"bubbleId":"f"},{"bubbleId":"g"},{"bubbleId":"h","completedAtMs":1700000003000},{"bubbleId":"i","startedAtMs":1700000000000}]}`
	started := func(more string) string {
		return `{"toolFormerData":{"tool":5,"additionalData":{"startedAtMs":1700000002000}` + more + `}`
	}
	rows := normalized(t, conversationOf("c", head, bubble("a", `{"toolFormerData":{"tool":5}}`),
		bubble("b", `{"toolFormerData":{"tool":5}}`), bubble("d", `{"toolFormerData":{"tool":5}}`),
		bubble("e", started(`},"createdAt":1700000002020`)), bubble("f", started(`},"createdAt":1700000001000`)),
		bubble("g", started(`,"result":{"durationMs":7}},"timingInfo":{"clientStartTime":1700000009000}`)),
		bubble("h", started(`}`)), bubble("i", `{"toolFormerData":{"tool":5},"createdAt":1700000000900}`)))
	want := []string{"a | 1700000000000 | 250 | header", "b | 1700000000000 | NULL | header",
		"d | NULL | NULL | previous", "e | 1700000002000 | 20 | message", "f | 1700000002000 | NULL | message",
		"g | 1700000002000 | 7 | tool", "h | 1700000002000 | 1000 | tool", "i | 1700000000000 | 900 | message"}
	for i, c := range rows.ToolCalls {
		if got := shows(c.MessageID, c.StartedAt, c.DurationMs, rows.Messages[i].CreatedAtSource); got != want[i] {
			t.Errorf("call %d: %s, want %s", i, got, want[i])
		}
	}
}
