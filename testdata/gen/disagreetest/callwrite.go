package disagreetest

import (
	"encoding/base64"
	"strings"

	"pipeline/testdata/gen/graphtest"
)

// variant is the call as the graph has it, with one of its ends.
func (k *call) variant(end string) graphtest.Tool {
	var t graphtest.Tool
	switch k.tool {
	case "shell":
		exit := int64(0)
		if end == "error" {
			exit = 2
		}
		t = graphtest.ShellTool(k.id, k.command, "printed by "+k.command, "", exit)
		switch end {
		case "rejected":
			t = graphtest.Ended(t, end, 4, 3, "reason")
		case "denied":
			t = graphtest.Ended(t, end, 7, 3, "reason")
		}
	case "read":
		t = graphtest.ReadTool(k.file, "package a // "+k.file)
		if end == "error" {
			t = graphtest.Ended(t, end, 2, 1, "error")
		}
	case "edit":
		t = graphtest.EditTool(k.file, 3, 1)
		switch end {
		case "error":
			t = graphtest.Ended(t, end, 7, 2, "error")
		case "rejected":
			t = graphtest.Ended(t, end, 6, 1, "path")
		case "denied":
			t = graphtest.Ended(t, end, 3, 1, "path")
		}
	case "mcp":
		t = graphtest.MCPTool(k.id, end == "error")
		switch end {
		case "rejected":
			t = graphtest.Ended(t, end, 3, 1, "reason")
		case "denied":
			t = graphtest.Ended(t, end, 4, 1, "error")
		}
	case "task":
		t = graphtest.TaskTool(k.agent)
	}
	return t
}

// names of the tools, in the graph and in bubbles.
var toolNames = map[string]struct {
	graph, row string
	number     int
}{
	"shell": {"Shell", "run_terminal_command_v2", 15},
	"read":  {"Read", "read_file_v2", 40},
	"edit":  {"Edit", "edit_file_v2", 38},
	"mcp":   {"mcp_github_search", "mcp-github-search", 19},
	"task":  {"Task", "task_v2", 48},
}

// step is the call as a step of the graph.
func (k *call) step(end string, shift int64) graphtest.Step {
	args := object{"of": k.id}
	switch k.tool {
	case "shell":
		args["command"] = k.command
	case "read", "edit":
		args["path"] = k.file
	}
	ended := &graphtest.Call{ID: k.id, Name: toolNames[k.tool].graph, IDIn: "call", Tool: k.variant(end),
		Args: text(args), Result: text("result of " + k.id)}
	ended.IsError, ended.NoResult = k.flag, end == "pending"
	s := graphtest.Step{Kind: "tool", From: k.start + shift, To: k.end + shift, Call: ended}
	if end == "pending" {
		s.To = 0
	}
	return s
}

// toolFormerData is the call in a bubble.
func (k *call) toolFormerData() object {
	w, name := k.row, toolNames[k.tool]
	o := object{"tool": name.number, "name": name.row, "toolCallId": k.id, "toolIndex": 0, "modelCallId": k.id}
	params, raw := object{"of": k.id}, object{"of": k.id}
	switch k.tool {
	case "shell":
		params["command"], raw["command"] = k.command, k.command
	case "read":
		params["targetFile"], raw["target_file"] = k.file, k.file
	case "edit":
		params["relativeWorkspacePath"], raw["target_file"] = k.file, k.file
	case "mcp":
		params = object{"tools": []any{object{"name": "search", "serverName": "github", "parameters": text(raw)}}}
	}
	switch w.args {
	case "params":
		o["params"] = text(params)
	case "rawArgs":
		o["rawArgs"] = text(raw)
	default:
		o["rawArgs"] = ""
	}
	additional := object{}
	for name, value := range map[string]string{"status": w.status, "userDecision": w.decision, "error": w.failure} {
		if value != "" {
			o[name] = value
		}
	}
	if w.review != "" {
		additional["reviewData"] = object{"status": w.review, "selectedOption": "rejectAndTellWhatToDoDifferently"}
	}
	if k.agent != "" {
		additional["subagentComposerId"] = k.agent
	}
	if k.startsIn("additional") {
		additional["startedAtMs"], additional["completedAtMs"] = k.start, k.end
	}
	if len(additional) > 0 {
		o["additionalData"] = additional
	}
	if result := k.rowResult(); result != nil {
		o["result"] = text(result)
	}
	if k.binary != "" {
		o["toolCallBinary"] = base64.StdEncoding.EncodeToString(k.step(k.binary, 3).ToolCall())
	}
	return o
}

// rowResult is the result in a bubble.
func (k *call) rowResult() object {
	result := object{"output": "printed for " + k.id}
	switch k.row.result {
	case "none":
		return nil
	case "error":
		result = object{"error": "It failed."}
	case "nested":
		result = object{"error": object{"message": "It failed."}}
	case "rejected":
		result = object{"rejected": true}
	case "aborted":
		result["endedReason"] = "SHELL_STREAM_ENDED_REASON_ABORTED"
	}
	if k.row.exit != nil {
		result[k.row.exitIn] = *k.row.exit
	}
	return result
}

// startsIn tells whether a place of the row knows when the call ran.
func (k *call) startsIn(place string) bool { return strings.Contains(k.starts, place) }
