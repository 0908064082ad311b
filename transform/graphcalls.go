package transform

import (
	"cmp"
	"strings"

	"pipeline/sql/schema"
	"pipeline/transform/graph"
)

// This file makes tool calls of those in the agent's graph (docs/formats.md, Tool calls of the graph).

// graphTools are the stable names of tools by the names that the graph has for them, in lower case: those that the model called, and those of its variants. Other
// names stay as they are.
var graphTools = map[string]string{
	"read": "read_file", "readfile": "read_file", "ls": "list_dir", "readlints": "read_lints",
	"strreplace": "edit_file", "edit": "edit_file", "write": "edit_file", "applypatch": "edit_file", "multistrreplace": "edit_file", "delete": "delete_file",
	"grep": "ripgrep_raw_search", "rg": "ripgrep_raw_search", "glob": "glob_file_search", "semanticsearch": "codebase_search", "sem_search": "codebase_search",
	"shell": "run_terminal_command", "websearch": "web_search", "webfetch": "web_fetch", "callmcptool": "mcp",
	"todowrite": "todo_write", "update_todos": "todo_write", "read_todos": "todo_read", "subagent": "task", "task": "task",
}

// graphTool returns the stable name of a tool.
func graphTool(name string) string {
	name = toolWord(name)
	lower := strings.ToLower(name)
	switch {
	case strings.HasPrefix(lower, "mcp_"), strings.HasPrefix(lower, "mcp-"):
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
	tool := graphTool(name)
	call.ToolCallID, call.Name, call.Tool, call.ToolKind = text(c.ID), text(name), text(tool), kindByName(tool)
	params, raw := parsedOrNone(c.VariantArgs), value{}
	if c.FromMessage.Args {
		raw = parsedOrNone(c.Args)
		call.RawArgs = text(string(c.Args))
		if raw.isString() { // a text that is no JSON
			call.RawArgs = raw.str()
		}
	}
	if !isEmpty(params) {
		call.Params = params.column()
	}
	call.Result, call.ResultBytes = graphResult(c.Result)
	if call.Result != nil {
		call.ResultOrigin = ptr(originGraph)
	}
	call.Error, call.ExitCode, call.LinesAdded, call.LinesRemoved, call.SubagentID = graphError(c), c.ExitCode, countable(c.LinesAdded), countable(c.LinesRemoved), text(c.AgentID)
	if call.ToolKind == "mcp" {
		graphServer(&call, params.object(), raw.unquoted().object())
	}
	readArguments(&call, params.object(), raw)
	call.StartedAt = plausibleTime(c.StartedAt)
	call.DurationMs = between(call.StartedAt, plausibleTime(c.CompletedAt))
	graphOutcome(&call, c)
	return call
}

// parsedOrNone parses JSON of the graph.
func parsedOrNone(b []byte) value {
	if b == nil {
		return value{}
	}
	v, err := parseDocument(b)
	if err != nil {
		return value{}
	}
	return v
}

// graphResult makes a column of a result: JSON, a text with JSON in it, or another text. size is that of the text or the JSON.
func graphResult(b []byte) (result schema.JSON, size *int64) {
	if b == nil {
		return nil, nil
	}
	v := parsedOrNone(b)
	if !v.exists() {
		return marshal(clean(string(b))), ptr(int64(len(b)))
	}
	doc, n := v.unquote()
	return doc.column(), ptr(int64(n))
}

// graphServer finds the MCP server and the tool of a call: in the arguments of the variant, else in those that the model wrote, else in the name.
func graphServer(call *schema.ToolCall, params, raw value) {
	if server := params.first("server", "provider").str(); server != nil {
		call.McpServer, call.ServerSource = server, ptr(serverInParams)
		call.McpTool = params.first("tool", "name").str()
		return
	}
	readMcp(call, raw)
}

// graphError returns the error of a call that failed or was refused.
func graphError(c *graph.ToolCall) *string {
	if c.Error != "" {
		return text(c.Error)
	}
	if c.Outcome == "" || c.Outcome == "success" {
		return nil
	}
	return parsedOrNone(c.VariantResult).first("error", "model_visible_error", "reason").str()
}

// graphOutcome sets how a call ended: by the field that its result has, else by what the prompt message with the result says.
func graphOutcome(call *schema.ToolCall, c *graph.ToolCall) {
	call.Status = text(c.Outcome)
	if c.Pending && call.Status == nil {
		call.Status = ptr("pending")
	}
	switch {
	case c.Outcome == "rejected":
		call.UserDecision = ptr("rejected")
	case c.Outcome == "denied":
	case deref(c.IsError), c.Outcome == "error", call.ExitCode != nil && *call.ExitCode != 0:
		call.IsError = ptr(true)
	case c.Outcome == "success", c.IsError != nil:
		call.IsError = ptr(false)
	}
}

// fillCall completes a call of a bubble with what the graph has of it. The graph's result counts where the bubble has none or a shorter one: of files that were read and of searches, bubbles have
// only a note.
func (a *assembly) fillCall(call *schema.ToolCall, from origin) {
	if call.Result != nil && call.ResultOrigin == nil {
		call.ResultOrigin = ptr(originBubble)
	}
	if from == inGraph || call.ToolCallID == nil {
		return
	}
	c := a.agent.calls[*call.ToolCallID]
	if c == nil {
		return
	}
	g := graphCall(c)
	if g.Result != nil && (call.Result == nil || deref(g.ResultBytes) > deref(call.ResultBytes)) {
		call.Result, call.ResultBytes, call.ResultOrigin = g.Result, g.ResultBytes, g.ResultOrigin
	}
	if call.Params == nil {
		call.Params = g.Params
	}
	call.RawArgs, call.Status, call.UserDecision = cmp.Or(call.RawArgs, g.RawArgs), cmp.Or(call.Status, g.Status), cmp.Or(call.UserDecision, g.UserDecision)
	call.Error, call.ExitCode, call.SubagentID = cmp.Or(call.Error, g.Error), cmp.Or(call.ExitCode, g.ExitCode), cmp.Or(call.SubagentID, g.SubagentID)
	call.StartedAt, call.DurationMs = cmp.Or(call.StartedAt, g.StartedAt), cmp.Or(call.DurationMs, g.DurationMs)
	call.FilePath, call.Command = cmp.Or(call.FilePath, g.FilePath), cmp.Or(call.Command, g.Command)
	call.LinesAdded, call.LinesRemoved = cmp.Or(call.LinesAdded, g.LinesAdded), cmp.Or(call.LinesRemoved, g.LinesRemoved)
	if status := deref(call.Status); call.IsError == nil && deref(call.UserDecision) != "rejected" && status != "cancelled" {
		call.IsError = g.IsError
	}
}
