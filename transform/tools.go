package transform

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// tools maps Cursor's tool numbers (docs/formats.md, Tool numbers) to stable names, without a trailing _v2.
var tools = map[int64]string{
	1: "read_semsearch_files", 2: "read_file_for_imports", 3: "ripgrep_search", 4: "run_terminal_command",
	5: "read_file", 6: "list_dir", 7: "edit_file", 8: "file_search", 9: "codebase_search", 10: "create_file",
	11: "delete_file", 12: "reapply", 13: "get_related_files", 14: "parallel_apply", 15: "run_terminal_command",
	16: "fetch_rules", 17: "planner", 18: "web_search", 19: "mcp", 20: "web_viewer", 22: "implementer",
	23: "search_symbols", 24: "background_composer_followup", 25: "knowledge_base",
	26: "fetch_pull_request", 27: "deep_search", 28: "create_diagram", 29: "fix_lints", 30: "read_lints",
	31: "go_to_definition", 32: "task", 33: "await_task", 34: "todo_read", 35: "todo_write", 38: "edit_file",
	39: "list_dir", 40: "read_file", 41: "ripgrep_raw_search", 42: "glob_file_search", 43: "create_plan",
	44: "list_mcp_resources", 45: "read_mcp_resource", 46: "read_project", 47: "update_project", 48: "task",
	49: "call_mcp_tool", 50: "apply_agent_diff", 51: "ask_question", 52: "switch_mode", 53: "generate_image",
	54: "computer_use", 55: "write_shell_stdin", 56: "record_screen", 57: "web_fetch", 58: "report_bugfix_results",
	59: "ai_attribution", 60: "mcp_auth", 61: "reflect", 62: "await", 63: "get_mcp_tools", 65: "send_to_user",
	66: "connect_scm", 90: "acp_tool",
}

// toolKinds maps a tool number to its group (docs/formats.md, Tool numbers). Other numbers are in the group other.
var toolKinds = func() map[int64]string {
	kinds := map[int64]string{}
	for kind, numbers := range map[string][]int64{
		"read":   {2, 5, 6, 16, 30, 31, 39, 40, 46},
		"search": {1, 3, 8, 9, 13, 23, 27, 41, 42},
		"edit":   {7, 10, 11, 12, 14, 28, 29, 38, 47, 50},
		"shell":  {4, 15, 55},
		"web":    {18, 20, 57},
		"mcp":    {19, 44, 45, 49, 60, 63},
		"plan":   {17, 34, 35, 43},
		"task":   {24, 32, 33, 48, 62},
	} {
		for _, n := range numbers {
			kinds[n] = kind
		}
	}
	return kinds
}()

// namedKinds maps tool names that occur without a number to their group (docs/formats.md, Names without a number).
// Names that differ in case and underscores alone are one.
var namedKinds = func() map[string]string {
	kinds := map[string]string{
		"searchreplace": "edit", "multiedit": "edit", "editnotebook": "edit", "write": "edit", "applypatch": "edit",
		"strreplace": "edit", "multistrreplace": "edit", "edit": "edit", "delete": "edit",
		"grep": "search", "search": "search", "grepsearch": "search", "semanticsearchfull": "search",
		"semanticsearch": "search", "glob": "search", "rg": "search",
		"listdirectory": "read", "read": "read", "ls": "read",
		"runterminalcmd": "shell", "shell": "shell", "subagent": "task", "awaitshell": "task",
		"fetchmcpresource": "mcp",
	}
	for number, name := range tools {
		if kind := toolKinds[number]; kind != "" {
			kinds[plainName(name)] = kind
		}
	}
	return kinds
}()

func plainName(tool string) string { return strings.ReplaceAll(strings.ToLower(tool), "_", "") }

func kindByName(tool string) string { return cmp.Or(knownKind(toolWord(tool)), "other") }

// wordSeparators are what a model writes between a namespace and a name.
const wordSeparators = ".:/"

// toolWord is the name of a tool without the namespace that a model wrote before it, as in functions.Shell, or
// functions.Shell:0.
func toolWord(name string) string {
	if !strings.ContainsAny(name, wordSeparators) || knownKind(name) != "" {
		return name
	}
	for _, word := range slices.Backward(strings.FieldsFunc(name,
		func(c rune) bool { return strings.ContainsRune(wordSeparators, c) })) {
		if knownKind(word) != "" {
			return word
		}
	}
	return name
}

// knownKind is the group of a tool's name, "" for one that is not known.
func knownKind(tool string) string {
	if isServerTool(tool) {
		return "mcp"
	}
	return namedKinds[plainName(tool)]
}

// toolCall reads one toolFormerData object. ok is false for a placeholder, which has neither a name nor a tool number.
// In one store 36 % of such objects were placeholders (docs/formats.md, Placeholders). A start and a duration are those
// that the call itself records.
func toolCall(o jsondoc.Value) (call schema.ToolCall, ok bool) {
	number, name := o.Get("tool").Integer(), o.Get("name").Str()
	if number != nil && *number == 0 {
		number = nil
	}
	if number == nil && name == nil {
		return call, false
	}
	// after the check above: an invalid number does not make a call a placeholder
	call.ToolNumber, call.Name = jsondoc.Countable(number), name
	call.Tool, call.ToolKind = toolIdentity(call.ToolNumber, name)
	call.ToolCallID = o.Get("toolCallId").Str()
	call.Status = o.Get("status").Str()
	call.RawArgs = rawText(o.Get("rawArgs"))
	arguments := o.Get("params").Unquoted()
	result, size := o.Get("result").Unquote()
	call.Params, call.Result = imageless(arguments), imageless(result)
	if o.Get("result").Exists() {
		call.ResultBytes = ptr(int64(size))
	}
	call.Error = errorText(o.Get("error"))
	additional := o.Get("additionalData").Unquoted()
	if !jsondoc.IsEmpty(additional) {
		call.AdditionalData = imageless(additional)
	}
	extra, params := additional.Object(), arguments.Object()
	readMcp(&call, mcpArguments(params, o.Get("rawArgs")))
	readArguments(&call, params, o.Get("rawArgs"))
	readOutcome(&call, o.Get("userDecision"), result, extra)
	call.StartedAt = timeOf(extra.Get("startedAtMs"))
	call.DurationMs = cmp.Or(result.Get("durationMs").Count(),
		between(call.StartedAt, timeOf(extra.Get("completedAtMs"))))
	call.LinesAdded, call.LinesRemoved = editedLines(result, extra)
	if call.SubagentID = extra.Get("subagentComposerId").Str(); call.SubagentID == nil {
		call.SubagentID = result.Get("agentId").Str()
	}
	if call.Result != nil {
		call.ResultOrigin = ptr(originBubble)
	}
	if binary := o.Get("toolCallBinary").Text(); binary != "" {
		fillFromBinary(&call, binary)
	}
	return call, true
}

// readArguments reads the command and the file of a call: from its parameters, else from what the model wrote
// (docs/formats.md, Files and commands of a call). Of a call with parameters, only that is asked for which its kind
// has.
func readArguments(call *schema.ToolCall, params jsondoc.Value, raw jsondoc.Value) {
	call.FilePath, call.Command = filePath(params), params.Get("command").Str()
	unknown := !params.HasMembers() && call.ToolKind != "mcp" // a server's tool may mean anything by a path
	hasCommand, hasFile := unknown, unknown
	switch call.ToolKind {
	case "shell":
		hasCommand = true
	case "read", "search", "edit":
		hasFile = true
	}
	if hasCommand = hasCommand && call.Command == nil; hasCommand || hasFile && call.FilePath == nil {
		written := raw.Unquoted().Object()
		if hasCommand {
			call.Command = written.Get("command").Str()
		}
		if hasFile && call.FilePath == nil {
			call.FilePath = filePath(written)
		}
		if call.ToolKind == "edit" && call.FilePath == nil {
			call.FilePath = cmp.Or(patchedFile(params.First("patch", "input")), patchedFile(raw),
				patchedFile(written.First("patch", "input")))
		}
	}
}

// patchedFile is the first file that a patch names; nil if the value is no patch.
func patchedFile(patch jsondoc.Value) *string {
	written := patch.Text()
	if !strings.HasPrefix(written, "*** Begin Patch") {
		return nil
	}
	for line := range strings.Lines(written) {
		for _, head := range []string{"*** Update File: ", "*** Add File: ", "*** Delete File: "} {
			if name, ok := strings.CutPrefix(line, head); ok && !isBlank(name) {
				return text(strings.Clone(strings.TrimSpace(name)))
			}
		}
	}
	return nil
}

func toolIdentity(number *int64, name *string) (tool *string, kind string) {
	if number != nil {
		if known := tools[*number]; known != "" {
			tool = &known
		}
		kind = toolKinds[*number]
	}
	if tool == nil && name != nil {
		tool = ptr(strings.TrimSuffix(*name, "_v2"))
	}
	switch {
	case kind != "":
	case number == nil && tool != nil:
		kind = kindByName(*tool)
	default:
		kind = "other"
	}
	return tool, kind
}

// rawText returns a stored text. Any other value becomes its JSON.
func rawText(v jsondoc.Value) *string {
	if v.IsObject() || v.IsArray() {
		return ptr(string(v.Clean()))
	}
	return v.Scalar()
}

// errorText returns an error's message for people: clientVisibleErrorMessage, else the model's message
// (docs/formats.md, Errors and decisions), else the stored text.
func errorText(v jsondoc.Value) *string {
	doc := v.Unquoted()
	if doc.IsObject() {
		o := doc.Object()
		if s := o.First("clientVisibleErrorMessage", "modelVisibleErrorMessage", "message", "error").
			Scalar(); s != nil {
			return s
		}
		if !o.HasMembers() {
			return nil
		}
		return ptr(string(doc.Clean()))
	}
	return v.Scalar()
}

// readOutcome reads how the row says that a call ended (docs/formats.md, Outcomes of a call). The result of a call may
// have an error of its own beside a state that says completed, and a reason why it ended.
func readOutcome(call *schema.ToolCall, decision, result jsondoc.Value, extra jsondoc.Value) {
	if call.ToolKind == "shell" {
		code := result.First("exitCodeV2", "exitCode", "exit_code").Integer()
		if code != nil && *code >= -schema.MaxCount && *code <= schema.MaxCount &&
			!result.Get("rejected").IsTrue() { // of a command that never ran, Cursor writes 1
			call.ExitCode = code
		}
	}
	call.UserDecision = userDecision(call, decision, result, extra)
	call.Error = cmp.Or(call.Error, resultError(result))
	if isAborted(result.Get("endedReason").Str()) || isAborted(extra.Get("endedReason").Str()) {
		witness(call, outcomeAborted)
	}
	witness(call, resultOutcome(result))
	// the other states there are what Cursor shows, and a command that went on in the background is cancelled
	switch state := statusOutcomes[strings.ToLower(deref(extra.Get("status").Str()))]; state {
	case outcomeRejected, outcomeError:
		witness(call, state)
	}
	conclude(call)
}

// resultError returns the error in a result: a text, or the message of an object. A result that says there is none has
// an empty one.
func resultError(result jsondoc.Value) *string {
	v := result.Get("error")
	if doc := v.Unquoted(); doc.IsObject() {
		v = doc.Object().First("clientVisibleErrorMessage", "modelVisibleErrorMessage", "message", "error",
			"errorMessage")
	}
	if s := v.Str(); s != nil && !isBlank(*s) {
		return s
	}
	return nil
}

// userDecision returns the stored decision, else a rejection in the result, else the choice in a review. What ran was
// not refused there, whatever its dialog marks.
func userDecision(call *schema.ToolCall, stored, result, extra jsondoc.Value) *string {
	for _, v := range []jsondoc.Value{stored, extra.Get("userDecision")} {
		if s := v.Str(); s != nil {
			return s
		}
	}
	if isRefused(call, result) || isPutAway(call, result, extra) {
		return ptr("rejected")
	}
	if result.Get("accepted").IsObject() { // a plan
		return ptr("accepted")
	}
	choice := reviewed(extra.Get("reviewData").Unquoted())
	if call.ExitCode != nil && choice != nil && *choice == "rejected" {
		return nil
	}
	return choice
}

// reviewed returns the choice in a review that is done. Before that, the option is the one that Cursor's dialog marks
// when it opens, or would if it opened: of a command that is the refusal (docs/formats.md, Errors and decisions).
func reviewed(review jsondoc.Value) *string {
	option := review.Get("selectedOption").Str()
	if state := review.Get("status").Str(); option == nil || state != nil && !strings.EqualFold(*state, "done") {
		return nil
	}
	lower := strings.ToLower(*option)
	for _, p := range []struct{ prefix, decision string }{
		{"reject", "rejected"}, {"skip", "rejected"}, {"accept", "accepted"}, {"approve", "accepted"},
		{"allow", "accepted"}, {"run", "accepted"},
	} {
		if strings.HasPrefix(lower, p.prefix) {
			return &p.decision
		}
	}
	return option
}

// filePath returns the file of a call, under the names of every era.
func filePath(params jsondoc.Value) *string {
	v := params.First("relativeWorkspacePath", "targetFile", "target_file", "file_path", "filePath", "path",
		"effectiveUri", "targetDirectory", "target_directory", "directoryPath", "target_notebook")
	if v.IsObject() {
		_, path := uriOf(v)
		return path
	}
	return v.Str()
}

// editedLines returns how many lines an edit added and removed: as the chunks of its difference state them, else the
// lines of precomputedDiff, else those in the text of the chunks (docs/formats.md, Lines of an edit). It is NULL if
// none of these has the figures.
func editedLines(result jsondoc.Value, extra jsondoc.Value) (added, removed *int64) {
	chunks := result.Get("diff").Unquoted().Get("chunks")
	lines := extra.Get("precomputedDiff").Unquoted().Get("lines")
	if lines.IsArray() && !statesLines(chunks) {
		return typedLines(lines)
	}
	for chunk := range chunks.Elements {
		plusLines, minusLines := chunk.Get("linesAdded").Count(), chunk.Get("linesRemoved").Count()
		if plusLines == nil || minusLines == nil {
			shown, gone := diffLines(chunk.Get("diffString").TextBytes())
			plusLines, minusLines = cmp.Or(plusLines, shown), cmp.Or(minusLines, gone)
		}
		added, removed = plus(added, plusLines), plus(removed, minusLines)
	}
	return added, removed
}

// statesLines reports whether every chunk of a difference says how many lines it adds and removes.
func statesLines(chunks jsondoc.Value) bool {
	any := false
	for chunk := range chunks.Elements {
		if chunk.Get("linesAdded").Count() == nil || chunk.Get("linesRemoved").Count() == nil {
			return false
		}
		any = true
	}
	return any
}

// typedLines counts lines that have a type. An empty list is a difference without lines.
func typedLines(lines jsondoc.Value) (added, removed *int64) {
	var more, less int64
	typed := lines.Length() == 0
	for line := range lines.Elements {
		kind := line.Get("type").Text()
		typed = typed || kind != ""
		switch kind {
		case "added":
			more++
		case "removed":
			less++
		}
	}
	if !typed {
		return nil, nil
	}
	return &more, &less
}

// diffLines counts the lines of a unified difference that begin with + and -, except file headers. A text without such
// lines is no difference.
func diffLines(text []byte) (added, removed *int64) {
	var more, less int64
	lines := bytes.Split(text, []byte("\n"))
	for i := 0; i < len(lines); i++ {
		switch line := lines[i]; {
		case isFileHeader(lines, i):
			i++
		case bytes.HasPrefix(line, []byte("+")):
			more++
		case bytes.HasPrefix(line, []byte("-")):
			less++
		}
	}
	if more+less == 0 {
		return nil, nil
	}
	return &more, &less
}

// isFileHeader tells the two lines --- and +++ that name a file, at the beginning or before a hunk, from a removed line
// "-- x" or an added line "++ x".
func isFileHeader(lines [][]byte, i int) bool {
	return i+1 < len(lines) && bytes.HasPrefix(lines[i], []byte("--- ")) &&
		bytes.HasPrefix(lines[i+1], []byte("+++ ")) &&
		(i == 0 || i+2 < len(lines) && bytes.HasPrefix(lines[i+2], []byte("@@ ")))
}
