package transform

import (
	"cmp"
	"encoding/base64"
	"strings"

	"pipeline/sql/schema"
	"pipeline/transform/graph"
	"pipeline/transform/jsondoc"
)

// This file turns the tool calls in the agent's graph into rows of tool_calls (docs/formats.md, Tool calls of the
// graph).

// graphTools are the stable names of tools by the names that the graph has for them, in lower case: those that the
// model called, and those of its variants. Other names stay as they are.
var graphTools = map[string]string{
	"read": "read_file", "readfile": "read_file", "ls": "list_dir", "readlints": "read_lints",
	"strreplace": "edit_file", "edit": "edit_file", "write": "edit_file", "applypatch": "edit_file",
	"multistrreplace": "edit_file", "delete": "delete_file", "grep": "ripgrep_raw_search", "rg": "ripgrep_raw_search",
	"glob": "glob_file_search", "semanticsearch": "codebase_search", "sem_search": "codebase_search",
	"shell": "run_terminal_command", "websearch": "web_search", "webfetch": "web_fetch", "callmcptool": "mcp",
	"todowrite": "todo_write", "update_todos": "todo_write", "read_todos": "todo_read", "subagent": "task",
	"task": "task",
}

// graphTool returns the stable name of a tool.
func graphTool(name string) string {
	name = toolWord(name)
	lower := strings.ToLower(name)
	switch {
	case isServerTool(name):
		return "mcp"
	case graphTools[lower] != "":
		return graphTools[lower]
	}
	return clean(name)
}

// graphCall makes the row of a call.
func graphCall(c *graph.ToolCall) schema.ToolCall {
	var call schema.ToolCall
	name := cmp.Or(c.Name, c.Tool)
	params, raw := parsedOrNone(c.VariantArgs), jsondoc.Value{}
	if c.ModelsArgs {
		raw = parsedOrNone(c.Args)
		call.RawArgs = text(string(c.Args))
		if raw.IsString() { // a text that is no JSON
			call.RawArgs = raw.Str()
		}
	}
	called, raw, server := dynamic(name, raw)
	tool := graphTool(called)
	call.ToolCallID, call.Name, call.Tool, call.ToolKind = text(c.ID), text(name), text(tool), kindByName(tool)
	if !jsondoc.IsEmpty(params) {
		call.Params = imageless(params)
	}
	call.Result, call.ResultBytes = graphResult(c.Result)
	if call.Result != nil {
		call.ResultOrigin = ptr(originGraph)
	}
	call.Error, call.ExitCode, call.LinesAdded, call.LinesRemoved, call.SubagentID = graphError(c), c.ExitCode,
		jsondoc.Countable(c.LinesAdded), jsondoc.Countable(c.LinesRemoved), text(c.AgentID)
	if call.ToolKind == "mcp" {
		graphServer(&call, params.Object(), raw.Unquoted().Object(), server)
	}
	readArguments(&call, params.Object(), raw)
	call.StartedAt = plausibleTime(c.StartedAt)
	call.DurationMs = cmp.Or(jsondoc.Countable(c.TookMS), between(call.StartedAt, plausibleTime(c.CompletedAt)))
	graphOutcome(&call, c)
	return call
}

// parsedOrNone parses JSON of the graph.
func parsedOrNone(b []byte) jsondoc.Value {
	if b == nil {
		return jsondoc.Value{}
	}
	v, err := jsondoc.Parse(b)
	if err != nil {
		return jsondoc.Value{}
	}
	return v
}

// graphResult makes a column of a result: JSON, a text with JSON in it, or another text. size is that of the text or
// the JSON.
func graphResult(b []byte) (result schema.JSON, size *int64) {
	if b == nil {
		return nil, nil
	}
	v := parsedOrNone(b)
	if !v.Exists() {
		return marshal(clean(string(b))), ptr(int64(len(b)))
	}
	doc, n := v.Unquote()
	return imageless(doc), ptr(int64(n))
}

// graphServer finds the MCP server and the tool of a call: in the arguments of the variant, else in those that the
// model wrote, which may name a namespace, else in the name.
func graphServer(call *schema.ToolCall, params, raw jsondoc.Value, namespace *string) {
	if server := params.First("server", "provider").Str(); server != nil {
		call.McpServer, call.ServerSource = server, ptr(serverInParams)
		call.McpTool = params.First("tool", "name").Str()
		return
	}
	if isServerTool(toolWord(deref(call.Name))) {
		raw = mcpArguments(params, raw)
	}
	readMcp(call, raw)
	if namespace != nil {
		call.McpServer, call.ServerSource = namespace, ptr(serverInParams)
	}
}

// graphError returns the error of a call that failed or was refused.
func graphError(c *graph.ToolCall) *string {
	if c.Error != "" {
		return text(c.Error)
	}
	if c.Outcome == "" || c.Outcome == "success" {
		return nil
	}
	return parsedOrNone(c.VariantResult).First("error", "model_visible_error", "reason").Str()
}

// graphOutcome sets how a call ended: by the field that its result has, and by what the prompt message with the result
// says.
func graphOutcome(call *schema.ToolCall, c *graph.ToolCall) {
	call.Status = text(c.Outcome)
	if c.Pending && call.Status == nil {
		call.Status = ptr("pending")
	}
	if c.Outcome == "rejected" {
		call.UserDecision = ptr("rejected")
	}
	switch {
	case c.Variant != 0 && c.Outcome == "" && c.VariantResult == nil && c.Result == nil: // it has not ended
		witness(call, outcomePending)
	case deref(c.IsError):
		witness(call, outcomeError)
	case c.IsError != nil:
		witness(call, outcomeOK)
	}
	conclude(call)
}

// fillCall completes a call of a bubble with what the graph has of it.
func (a *assembly) fillCall(call *schema.ToolCall, from origin) {
	if from == inGraph || call.ToolCallID == nil {
		return
	}
	if c := a.agent.calls[graph.CallKey(*call.ToolCallID)]; c != nil {
		g := graphCall(c)
		complete(call, &g)
	}
}

// fillFromBinary completes a call with toolCallBinary: base64 of the agent's call, as the graph has it. Rows of 2026
// may have nothing else (docs/formats.md, Calls in binary).
func fillFromBinary(call *schema.ToolCall, encoded string) {
	b, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(encoded, "="))
	if err != nil {
		return
	}
	c, ok := graph.DecodeCall(b, graphLimits)
	if !ok {
		return
	}
	binary := graphCall(c)
	if binary.Result != nil {
		binary.ResultOrigin = ptr(originBubble)
	}
	complete(call, &binary)
}

// complete takes from the same call in another place what a call does not have, and what that place says of its
// outcome. The other's result counts where the call has none or a shorter one: of files that were read and of searches,
// rows have only a note.
func complete(call, other *schema.ToolCall) {
	if other.Result != nil && (call.Result == nil || deref(other.ResultBytes) > deref(call.ResultBytes)) {
		call.Result, call.ResultBytes, call.ResultOrigin = other.Result, other.ResultBytes, other.ResultOrigin
	}
	if call.Params == nil {
		call.Params = other.Params
	}
	call.RawArgs, call.Status, call.UserDecision = cmp.Or(call.RawArgs, other.RawArgs),
		cmp.Or(call.Status, other.Status), cmp.Or(call.UserDecision, other.UserDecision)
	call.Error, call.ExitCode, call.SubagentID = cmp.Or(call.Error, other.Error), cmp.Or(call.ExitCode, other.ExitCode),
		cmp.Or(call.SubagentID, other.SubagentID)
	call.StartedAt, call.DurationMs = cmp.Or(call.StartedAt, other.StartedAt), cmp.Or(call.DurationMs, other.DurationMs)
	call.FilePath, call.Command = cmp.Or(call.FilePath, other.FilePath), cmp.Or(call.Command, other.Command)
	call.LinesAdded, call.LinesRemoved = cmp.Or(call.LinesAdded, other.LinesAdded),
		cmp.Or(call.LinesRemoved, other.LinesRemoved)
	witness(call, deref(other.Outcome))
	conclude(call)
}
