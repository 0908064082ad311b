package storetest

import (
	"cmp"
	"strings"
)

// A tool is a toolFormerData that is a real call.
type tool struct {
	number     int    // 0 for none
	numberText bool   // the number is a string
	name       string // as stored
	want       string // what the warehouse calls it
	kind       string
	server     string // of MCP
	callID     string
	status     string
	decision   string // userDecision
	review     string // reviewData.selectedOption
	reviewing  string // reviewData.status, "" for Done
	failed     bool   // error is filled
	params     string // as JSON, "" for made-up ones
	rawParams  bool   // params is written as it is, not as JSON in a string
	exit       int    // exit code in the result of a shell command
	noResult   bool
	answer     string // the result as JSON, "" for a made-up one
	onlyRaw    bool   // the parameters are in rawArgs alone
	objResult  bool   // result is an object, not JSON in a string
	block      string
	subagent   string
	superseded string
	refused    bool     // more or answer says that the user rejected it
	ended      string   // more or answer says that it ended so: error, rejected
	more       []string // further fields of additionalData, name and JSON in turn
	v1         bool     // in the composer's capabilities, not in the bubble
	size       int
	seed       uint64
	failure    string   // what the error says, "" for the usual one
	body       string   // the text in its result, "" for a made-up one of that size
	lines      []string // the lines that an edit changes, each with + or - before it or a blank; nil: made-up ones
}

// A toolSpec is a kind of call. Weights are shares among the calls of an era.
type toolSpec struct {
	number int
	name   string
	want   string
	kind   string
	weight int
	server string
}

// oldTools are those of builds up to about 2.0, newTools those since.
var oldTools = []toolSpec{
	{5, "read_file", "read_file", "read", 30, ""},
	{6, "list_dir", "list_dir", "read", 6, ""},
	{7, "edit_file", "edit_file", "edit", 22, ""},
	{3, "grep_search", "ripgrep_search", "search", 12, ""},
	{8, "file_search", "file_search", "search", 4, ""},
	{9, "codebase_search", "codebase_search", "search", 8, ""},
	{15, "run_terminal_cmd", "run_terminal_command", "shell", 12, ""},
	{11, "delete_file", "delete_file", "edit", 2, ""},
	{12, "reapply", "reapply", "edit", 1, ""},
	{18, "web_search", "web_search", "web", 2, ""},
	{19, "mcp_github_get_issue", "mcp", "mcp", 1, "github"},
	{0, "search_replace", "search_replace", "edit", 1, ""},
}

var newTools = []toolSpec{
	{40, "read_file_v2", "read_file", "read", 28, ""},
	{39, "list_dir_v2", "list_dir", "read", 4, ""},
	{30, "read_lints", "read_lints", "read", 5, ""},
	{38, "edit_file_v2", "edit_file", "edit", 20, ""},
	{15, "run_terminal_command_v2", "run_terminal_command", "shell", 16, ""},
	{41, "ripgrep_raw_search", "ripgrep_raw_search", "search", 10, ""},
	{42, "glob_file_search", "glob_file_search", "search", 3, ""},
	{9, "semantic_search_full", "codebase_search", "search", 3, ""},
	{35, "todo_write", "todo_write", "plan", 4, ""},
	{43, "create_plan", "create_plan", "plan", 1, ""},
	{11, "delete_file", "delete_file", "edit", 1, ""},
	{18, "web_search", "web_search", "web", 1, ""},
	{57, "web_fetch", "web_fetch", "web", 1, ""},
	{19, "mcp-linear-list_issues", "mcp", "mcp", 2, "linear"},
	{51, "ask_question", "ask_question", "other", 1, ""},
	{0, "grep", "grep", "search", 1, ""},
}

var taskTool = toolSpec{48, "task_v2", "task", "task", 0, ""}

// call makes a call of a tool of the era.
func (r rng) call(specs []toolSpec, modern bool) *tool {
	n := 0
	for _, s := range specs {
		n += s.weight
	}
	n = r.IntN(n)
	var s toolSpec
	for _, s = range specs {
		if n -= s.weight; n < 0 {
			break
		}
	}
	t := r.callOf(s)
	switch x := r.IntN(1000); {
	case x < 14:
		t.status, t.failed = "error", r.chance(0.8)
	case x < 17:
		t.status = "cancelled"
	case x < 19:
		t.status = "loading"
	case x < 21:
		t.failed = true // completed, and yet with an error
	}
	if (s.kind == "edit" || s.kind == "shell") && r.chance(0.2) {
		switch {
		case modern && r.chance(0.5):
			t.review = r.pick([]string{"rejectAndTellWhatToDoDifferently", "acceptOnce", "approve", "allowAlways",
				"runCommand", "skip"})
		default:
			t.decision = r.pick([]string{"accepted", "accepted", "rejected"})
		}
	}
	return t
}

func (r rng) callOf(s toolSpec) *tool {
	t := &tool{number: s.number, name: s.name, want: s.want, kind: s.kind, server: s.server, status: "completed",
		seed: r.Uint64(), size: r.between(200, 4900)}
	if s.kind == "shell" && t.seed%8 == 0 { // no further draw: the numbers after it stay as they were
		t.exit = 1 + int(t.seed/8%3)*63
	}
	switch r.IntN(4) {
	case 0:
		t.callID = "toolu_" + r.token(24)
	case 1:
		t.callID = "call_" + r.hex(24) + "\nfc_" + r.hex(40)
	case 2:
		t.callID = "tool_" + r.uuid()
	default:
		t.callID = "toolu_vrtx_" + r.token(22)
	}
	t.callID = strings.NewReplacer("+", "x", "/", "y").Replace(t.callID)
	return t
}

// isError, userDecision and exitCode are what the columns must be (docs/dictionary.md, tool_calls); "" stands for NULL.
func (t *tool) isError() string {
	code := t.exitCode()
	switch {
	case t.userDecision() == "rejected" || t.status == "cancelled" || t.ended == "rejected":
		return ""
	case t.ended == "error" || t.status == "error" || t.failed || code != "" && code != "0":
		return "true"
	case t.status == "completed" || t.status == "success":
		return "false"
	}
	return ""
}

func (t *tool) exitCode() string {
	if t.kind != "shell" || t.failed || t.hasNoResult() || t.answer != "" {
		return ""
	}
	return itoa(t.exit)
}

// hasNoResult says that the call did not end, or that nothing is kept of how it did.
func (t *tool) hasNoResult() bool {
	return t.noResult || t.status == "cancelled" || t.status == "loading"
}

func (t *tool) userDecision() string {
	if t.refused {
		return "rejected"
	}
	if t.decision != "" || t.review == "" || t.reviewing != "" {
		return t.decision
	}
	if strings.HasPrefix(t.review, "reject") || t.review == "skip" {
		if t.exitCode() != "" {
			return "" // it ran
		}
		return "rejected"
	}
	for _, yes := range []string{"accept", "approve", "allow", "run"} {
		if strings.HasPrefix(t.review, yes) {
			return "accepted"
		}
	}
	return t.review
}

// paramsJSON are made-up parameters.
func (t *tool) paramsJSON(r rng) string {
	if t.params != "" {
		return t.params
	}
	var o object
	file := r.pick(fileNames)
	switch {
	case t.want == "read_file":
		o.str("targetFile", file)
		o.int("startLineOneIndexed", int64(r.between(1, 90)))
		o.int("endLineOneIndexedInclusive", int64(r.between(91, 400)))
	case t.kind == "edit":
		o.str("relativeWorkspacePath", file)
		o.str("instructions", r.prose(answers, 1))
		o.str("streamingContent", r.code(r.between(100, 1200)))
	case t.kind == "shell":
		o.str("command",
			r.fill(r.pick([]string{"go test ./... -run {s}", "npm run build", "git diff --stat HEAD~{n}",
				"rg -n {s} {f}", "make test && echo \"ok\""})))
		o.str("cwd", "")
		o.str("commandDescription", r.prose(answers, 1))
		o.raw("requestedSandboxPolicy", `{"type":"TYPE_INSECURE_NONE"}`)
	case t.kind == "mcp":
		o.raw("tools", `[{"name":"`+t.mcpTool()+`","parameters":"{\"id\":`+itoa(r.between(1, 900))+`}","serverName":"`+
			t.server+`"}]`)
	case t.kind == "search":
		o.str("pattern", r.pick(symbols))
		o.str("path", "")
		o.bool("caseInsensitive", false)
	case t.kind == "web":
		o.str("url", "https://example.org/docs/"+r.pick(symbols))
		o.str("query", r.prose(prompts, 1))
	case t.kind == "task":
		o.str("description", r.pick(titles))
		o.str("prompt", r.prose(prompts, 3))
		o.str("subagentType", "explore")
	default:
		o.str("targetDirectory", "src")
		o.str("explanation", r.prose(thoughts, 1))
	}
	return o.String()
}

// mcpTool is the tool's name on its server.
func (t *tool) mcpTool() string {
	if t.kind != "mcp" {
		return ""
	}
	return t.name[len("mcp-"+t.server+"-"):]
}

// resultJSON is a made-up result of about size bytes.
func (t *tool) resultJSON(r rng, size int) string {
	var o object
	switch t.kind {
	case "read":
		o.str("contents", t.text(r, size))
		o.int("totalLinesInFile", int64(size/30+1))
	case "edit":
		if t.number == 38 {
			o.str("beforeContentId", "composer.content."+r.hex(64))
			o.str("afterContentId", "composer.content."+r.hex(64))
			break
		}
		var chunk object
		chunk.str("diffString", t.text(r, size))
		added, removed := int64(size/40), int64(size/90)
		if t.lines != nil {
			added, removed = t.changed()
		}
		chunk.int("linesAdded", added)
		chunk.int("linesRemoved", removed)
		o.raw("diff", `{"chunks":[`+chunk.String()+`],"editor":"EDITOR_AI"}`)
		o.bool("isApplied", true)
	case "shell":
		o.str("output", t.text(r, size))
		o.raw("rejected", "false")
		r.IntN(2)
		o.int("exitCodeV2", int64(t.exit))
	default:
		o.str("text", t.text(r, size/2))
		if t.body == "" {
			o.raw("files", list([]string{quoted(r.pick(fileNames)), quoted(r.pick(fileNames))}))
		}
	}
	o.some("agentId", t.subagent)
	return o.String()
}

// text is the text in the result.
func (t *tool) text(r rng, size int) string {
	if t.body != "" {
		return t.body
	}
	return r.code(size)
}

// changed counts the lines that an edit adds and removes.
func (t *tool) changed() (added, removed int64) {
	for _, line := range t.lines {
		switch line[0] {
		case '+':
			added++
		case '-':
			removed++
		}
	}
	return added, removed
}

// diffLines are the lines as the newer edits keep them.
func (t *tool) diffLines() []string {
	kinds := map[byte]string{'+': "added", '-': "removed", ' ': "unchanged"}
	lines := make([]string, len(t.lines))
	for i, line := range t.lines {
		lines[i] = `{"type":"` + kinds[line[0]] + `","content":` + quoted(line[1:]) + `,"modifiedLineNumber":` +
			itoa(i+1) + `}`
	}
	return lines
}

// json is the toolFormerData.
func (t *tool) json() string {
	r := newRNG(t.seed, 3)
	var o object
	if t.numberText {
		o.raw("tool", quoted(itoa(t.number)))
	} else if t.number != 0 {
		o.int("tool", int64(t.number))
	}
	o.str("toolCallId", t.callID)
	o.int("toolIndex", int64(r.IntN(3)))
	o.str("modelCallId", r.uuid())
	o.str("status", t.status)
	o.some("name", t.name)
	params := t.paramsJSON(r)
	switch {
	case t.rawParams:
		o.raw("params", params)
	case t.onlyRaw:
		o.str("rawArgs", params)
	default:
		o.str("rawArgs", params)
		o.str("params", params)
	}
	o.some("userDecision", t.decision)
	switch {
	case t.failed:
		o.str("error", `{"clientVisibleErrorMessage":`+quoted(cmp.Or(t.failure, "The command failed."))+
			`,"modelVisibleErrorMessage":`+quoted(cmp.Or(t.failure, "exit status 1"))+`}`)
	case t.answer != "":
		o.str("result", t.answer)
	case t.hasNoResult():
	case t.objResult:
		o.raw("result", t.resultJSON(r, t.size))
	default:
		o.str("result", t.resultJSON(r, t.size))
	}
	o.raw("additionalData", t.additional(r))
	return o.String()
}

func (t *tool) additional(r rng) string {
	var o object
	o.some("codeblockId", t.block)
	if t.review != "" {
		o.raw("reviewData", `{"status":`+quoted(cmp.Or(t.reviewing, "Done"))+`,"selectedOption":`+quoted(t.review)+`}`)
	}
	if t.subagent != "" {
		o.str("subagentComposerId", t.subagent)
		if t.superseded != "" {
			o.raw("supersededSubagentComposerIds", list([]string{quoted(t.superseded)}))
		}
	}
	if t.number == 38 && t.lines != nil {
		o.raw("precomputedDiff", `{"lines":`+list(t.diffLines())+`}`)
	} else if t.number == 38 {
		lines := make([]string, 1+t.size/160)
		for i := range lines {
			lines[i] = `{"type":"` + r.pick([]string{"added", "removed", "unchanged"}) + `","content":` +
				quoted(r.pick(codeLines())) + `,"modifiedLineNumber":` + itoa(i+1) + `}`
		}
		o.raw("precomputedDiff", `{"lines":`+list(lines)+`}`)
	}
	o.pairs(t.more)
	return o.String()
}
