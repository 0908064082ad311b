package clitest

import (
	"encoding/json"
	"strconv"
)

// pendingCall is a text of root field 4, in its two forms.
type pendingCall struct {
	Type       string
	ToolCallID string `json:"toolCallId"`
	ToolName   string `json:"toolName"`
	Args       json.RawMessage
	Content    []pendingCall
	Options    struct{ Cursor struct{ ModelName string } } `json:"providerOptions"`
}

// pendingCalls are the calls of root field 4.
func (c *Chat) pendingCalls() (all []pendingCall) {
	for _, text := range c.Graph.Pending {
		var p pendingCall
		if err := json.Unmarshal([]byte(text), &p); err != nil {
			panic(err)
		}
		if p.Type == "tool-call" {
			all = append(all, p)
		}
		for _, call := range p.Content {
			call.Options = p.Options
			all = append(all, call)
		}
	}
	return all
}

// steps are the ids of the calls that are steps of turns.
func (c *Chat) steps() map[string]bool {
	ids := map[string]bool{}
	for _, t := range c.Graph.Turns {
		for _, s := range t.Steps {
			if s.Kind == "tool" {
				ids[s.Call.ID] = true
			}
		}
	}
	return ids
}

// pending tells the calls that run, apart from those that are steps of a turn.
func (t *teller) pending() {
	n := 0
	for _, p := range t.chat.pendingCalls() {
		if t.chat.steps()[p.ToolCallID] {
			continue
		}
		id := "pending" + strconv.Itoa(n)
		if t.prompt != "" {
			id = t.prompt + "/" + id
		}
		n++
		t.add(0, "", map[string]string{"message_id": id, "role": "assistant", "kind": "tool_call",
			"model": orNull(p.Options.Cursor.ModelName)})
		t.addCall(p.row(id))
	}
}

// row is the row of a pending call.
func (p pendingCall) row(message string) map[string]string {
	row := map[string]string{"message_id": message, "tool_call_id": p.ToolCallID, "name": p.ToolName,
		"tool": toolOf(p.ToolName), "status": "pending", "raw_args": string(p.Args)}
	arguments(row, string(p.Args))
	for _, column := range []string{"is_error", "user_decision", "exit_code", "params", "result", "started_at",
		"duration_ms", "lines_added", "lines_removed", "subagent_id", "result_origin"} {
		row[column] = Null
	}
	return row
}
