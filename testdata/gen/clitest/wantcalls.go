package clitest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"pipeline/testdata/gen/graphtest"
)

// toolNames are the names of tools, and the names that Cursor gives them.
var toolNames = map[string][]string{
	"read_file":            {"Read", "ReadFile", "read"},
	"edit_file":            {"StrReplace", "Edit", "Write", "ApplyPatch", "MultiStrReplace", "edit"},
	"run_terminal_command": {"Shell", "shell"},
	"ripgrep_raw_search":   {"Grep", "rg", "grep"},
	"glob_file_search":     {"Glob", "glob"},
	"task":                 {"Task", "Subagent", "task"},
	"delete_file":          {"Delete", "delete"},
	"list_dir":             {"LS", "ls"},
	"todo_write":           {"TodoWrite", "update_todos"},
	"todo_read":            {"read_todos"},
	"read_lints":           {"ReadLints", "read_lints"},
	"codebase_search":      {"SemanticSearch", "sem_search"},
	"web_search":           {"WebSearch"},
	"web_fetch":            {"WebFetch"},
	"mcp":                  {"mcp", "CallMcpTool"},
}

// toolOf is the name of a tool that does not change with Cursor's.
func toolOf(name string) string {
	for tool, names := range toolNames {
		for _, n := range names {
			if n == name {
				return tool
			}
		}
	}
	if strings.HasPrefix(name, "mcp_") {
		return "mcp"
	}
	return orNull(name)
}

// addCall appends a call of the message that was told last.
func (t *teller) addCall(row map[string]string) {
	row["conversation_id"], row["call_index"] = t.chat.ID, "0"
	t.want.ToolCalls = append(t.want.ToolCalls, row)
}

// call is the row of a call of a step.
func (t *teller) call(s graphtest.Step, fromMessages bool) map[string]string {
	c := s.Call
	said := !c.Unsaid && !t.chat.Graph.NoMessages
	row := map[string]string{"tool_call_id": orNull(c.ID), "name": c.Tool.Name, "raw_args": Null, "params": Null,
		"result": Null, "result_origin": Null, "started_at": number(s.From), "duration_ms": Null}
	if s.From != 0 && s.To >= s.From {
		row["duration_ms"] = strconv.FormatInt(s.To-s.From, 10)
	}
	if c.IDIn == "none" && !said {
		row["tool_call_id"] = Null
	}
	tool := c.Tool
	if fromMessages {
		tool = graphtest.Tool{Number: tool.Number} // nothing is known of the variant
	}
	args := tool.WantArgs
	if said {
		row["name"] = c.Name
		row["raw_args"] = compact(c.Args)
	}
	if args != "" {
		row["params"] = graphtest.Canonical(args)
	}
	row["tool"] = toolOf(row["name"])
	arguments(row, args, c.Args)
	if !said {
		arguments(row, args)
	}
	if c.NoResult {
		tool.Outcome, tool.Exit, tool.Added, tool.Removed, tool.Agent = "", nil, nil, nil, ""
	} else {
		result(row, c, tool, said)
	}
	if said && !c.NoResult {
		tool = c.Told.On(tool)
	}
	outcome(row, c, tool, said)
	if took := tool.Took; took != 0 && !c.NoResult { // the result states it
		row["duration_ms"] = strconv.FormatInt(took, 10)
	}
	lines(row, tool)
	row["subagent_id"] = orNull(tool.Agent)
	return row
}

// compact is JSON without spaces, as it was written apart from these.
func compact(text string) string {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(text)); err != nil {
		panic(err)
	}
	return b.String()
}

// arguments are the command and the path: those of the first arguments that have them.
func arguments(row map[string]string, args ...string) {
	for column, member := range map[string]string{"command": "command", "file_path": "path"} {
		row[column] = Null
		for i := len(args) - 1; i >= 0; i-- {
			var members map[string]any
			if json.Unmarshal([]byte(args[i]), &members) == nil {
				if value, ok := members[member].(string); ok && value != "" {
					row[column] = value
				}
			}
		}
	}
}

// result is what the call gave: by its message, else by its variant. A text that is JSON is that JSON. The empty one
// and one that is a bare value are not settled.
func result(row map[string]string, c *graphtest.Call, tool graphtest.Tool, said bool) {
	value := tool.WantResult
	if said {
		value = cmp.Or(c.Result, value)
	}
	if value == "" {
		return
	}
	row["result_origin"] = "graph"
	var text string
	if json.Unmarshal([]byte(value), &text) == nil {
		switch {
		case text == "":
			delete(row, "result_origin")
			delete(row, "result")
			return
		case json.Valid([]byte(text)):
			if value = text; !strings.ContainsAny(text[:1], "{[") {
				delete(row, "result")
				return
			}
		}
	}
	row["result"] = graphtest.Canonical(value)
}

// outcome says how the call ended.
func outcome(row map[string]string, c *graphtest.Call, tool graphtest.Tool, said bool) {
	row["status"], row["is_error"], row["user_decision"], row["exit_code"] = orNull(tool.Outcome), Null, Null, Null
	if tool.Exit != nil {
		row["exit_code"] = strconv.FormatInt(*tool.Exit, 10)
	}
	switch {
	case tool.Outcome == "rejected":
		row["user_decision"], row["outcome"] = "rejected", "rejected"
	case tool.Outcome == "denied":
		row["outcome"] = "cancelled"
	case c.NoResult:
	case tool.Outcome == "error", tool.Exit != nil && *tool.Exit != 0, said && (c.IsError || c.Told.Kind == "error"):
		row["is_error"], row["outcome"] = "true", "error"
	case tool.Outcome == "success":
		row["is_error"], row["outcome"] = "false", "ok"
	}
}

// lines are those of an edit. Of an edit that records only one of the two numbers nothing is settled: Cursor does not
// write a 0.
func lines(row map[string]string, tool graphtest.Tool) {
	row["lines_added"], row["lines_removed"] = Null, Null
	if tool.Added != nil {
		row["lines_added"] = strconv.FormatInt(*tool.Added, 10)
	}
	if tool.Removed != nil {
		row["lines_removed"] = strconv.FormatInt(*tool.Removed, 10)
	}
	if tool.Number != 12 || tool.Outcome != "success" {
		return
	}
	for _, column := range []string{"lines_added", "lines_removed"} {
		if row[column] == Null {
			delete(row, column)
		}
	}
}
