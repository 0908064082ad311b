package graph

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"strings"

	"pipeline/transform/jsondoc"
	"pipeline/transform/prompt"
)

// This file reads prompt messages: JSON with a role and parts, in the form of a public library for chats, or in that of
// OpenAI.

// exchanges are the tool calls of prompt messages, with their results.
type exchanges struct {
	byID  map[string]*exchange
	order []*exchange
	heard []heard
}

// exchange is one call with its result.
type exchange struct {
	id, name, model string
	args, result    json.RawMessage
	isError         *bool
	told            told
	placed          bool
}

// told is what a message with a result has for Cursor itself, beside the text that the model gets.
type told struct {
	outcome, reason, agentID string
	exitCode, tookMS         *int64
	isError                  *bool
}

// heard is what a message has for those who make turns of messages.
type heard struct {
	messageHead
	Text     string // its text parts, joined by line ends
	opens    bool   // it opens a turn
	query    string // what the user wrote
	notice   bool   // Cursor wrote it
	taggedAt *int64
	steps    []Step // of an assistant
}

// messageHead is what a message has beside its parts.
type messageHead struct {
	Role      string // system, user, assistant, tool
	RequestID string // on the message that opens a turn
	Model     string // on assistants'
	Summary   bool   // text of a compaction
}

// part is a part of a message. A member of another type than expected is left out.
type part struct {
	Type, Text, ToolCallID, ToolName string
	Model                            string          // of an assistant's part
	Args, Result, Other              json.RawMessage // nil for null
	IsError                          *bool
	told                             told
}

// promptMessage reads a message.
func (r *reader) promptMessage(b []byte) {
	if r.walks {
		return
	}
	raw, parts, ok := readMessage(b)
	if !ok || b[0] != '{' || raw.Role == "" {
		r.bad(message{name: nodeMessage})
		return
	}
	h := heard{messageHead: raw}
	var texts []string
	for _, p := range parts {
		if p.Type == "text" {
			texts = append(texts, p.Text)
		}
		r.calls.take(p, raw.Model)
		if s, ok := r.calls.step(p); ok && raw.Role == "assistant" {
			h.steps = append(h.steps, s)
		}
	}
	h.Text = strings.Join(texts, "\n")
	if raw.Role == "user" {
		p := prompt.Parse(h.Text)
		h.query, h.opens, h.taggedAt, h.notice = p.Text, p.Query && !h.Summary, p.At, p.Notice
	}
	r.c.hasMessages = true
	r.calls.heard = append(r.calls.heard, h)
}

// readMessage reads a message and its parts, whichever form it has. ok is false for what is no JSON.
func readMessage(b []byte) (head messageHead, parts []part, ok bool) {
	memory := jsondoc.Borrow()
	defer memory.GiveBack()
	m, ok := parse(memory, b)
	head, parts = messageOf(m)
	return head, parts, ok
}

// messageOf is the message in a value, and its parts.
func messageOf(m jsondoc.Value) (head messageHead, parts []part) {
	cursor := cursorOptions(m)
	head = messageHead{Role: m.Get("role").Text(), RequestID: cursor.Get("requestId").Text(),
		Model: cursor.Get("modelName").Text(), Summary: cursor.Get("isSummary").String() == "true"}
	content := m.Get("content")
	if id := m.Get("tool_call_id").Text(); head.Role == "tool" && id != "" { // the result of a call as a whole
		return head, []part{{Type: "tool-result", ToolCallID: id, Result: kept(content)}}
	}
	parts = readParts(content)
	for _, p := range parts {
		head.Model = cmp.Or(head.Model, p.Model)
	}
	for call := range m.Get("tool_calls").Elements { // the other form has calls beside the content
		does := call.Get("function")
		parts = append(parts, part{Type: "tool-call", ToolCallID: call.Get("id").Text(),
			ToolName: does.Get("name").Text(), Args: kept(does.Get("arguments").Unquoted())})
	}
	if len(parts) == 1 { // of several nobody says which is meant
		parts[0].told = toldOf(cursor.Get("highLevelToolCallResult"))
	}
	return head, parts
}

// cursorOptions is what a message or a part has for Cursor itself.
func cursorOptions(v jsondoc.Value) jsondoc.Value { return v.Get("providerOptions").Get("cursor") }

// toldOf reads what a message says of its result for Cursor itself: an object with one member, whose name is the
// outcome. A command that failed is no error there, and its exit code says more.
func toldOf(v jsondoc.Value) (t told) {
	t.isError = flagOf(v.Get("isError"))
	output := v.Get("output")
	if t.isError == nil {
		t.isError = flagOf(output.Get("isError"))
	}
	for _, name := range []string{"success", "failure", failure, rejected, "permissionDenied"} {
		body := output.Get(name)
		if !body.IsObject() {
			continue
		}
		switch t.outcome = name; name {
		case "failure":
			t.outcome = failure
		case "permissionDenied":
			t.outcome = denied
		}
		t.exitCode, t.agentID = body.Get("exitCode").Integer(), body.Get("agentId").Text()
		t.tookMS = body.First("executionTime", "localExecutionTimeMs", "durationMs").Count()
		if name != success {
			t.reason = body.First("error", "errorMessage", "modelVisibleError", "reason").Text()
		}
		break
	}
	return t
}

// flagOf is a value that is true or false.
func flagOf(v jsondoc.Value) *bool {
	if v.Kind() == 't' || v.Kind() == 'f' {
		return v.Boolean()
	}
	return nil
}

// parse reads JSON. Bytes that are no UTF-8 become U+FFFD.
func parse(memory *jsondoc.Documents, b []byte) (jsondoc.Value, bool) {
	v, err := memory.Parse(b)
	if errors.Is(err, jsondoc.ErrNotUTF8) {
		v, err = memory.Parse(bytes.ToValidUTF8(b, []byte("\uFFFD")))
	}
	return v, err == nil
}

// readParts reads a text, a part, or a list of parts.
func readParts(v jsondoc.Value) (parts []part) {
	if !v.IsArray() {
		return appendPart(nil, v)
	}
	for one := range v.Elements {
		parts = appendPart(parts, one)
	}
	return parts
}

// appendPart adds a part, or a text that stands for one; anything else is none.
func appendPart(parts []part, v jsondoc.Value) []part {
	switch {
	case v.IsString():
		return append(parts, part{Type: "text", Text: v.Text()})
	case v.IsObject():
		p := part{Type: v.Get("type").Text(), Text: v.Get("text").Text(), ToolCallID: v.Get("toolCallId").Text(),
			ToolName: v.Get("toolName").Text(), Args: kept(v.Get("args")), Result: kept(v.Get("result")),
			Other: kept(v.Get("experimental_content")), Model: cursorOptions(v).Get("modelName").Text()}
		p.IsError = flagOf(v.Get("isError"))
		return append(parts, p)
	}
	return parts
}

// kept is the JSON of a value, for longer than its document; nil for none.
func kept(v jsondoc.Value) json.RawMessage { return bytes.Clone(v.Raw()) }

// take remembers a call or a result.
func (e *exchanges) take(p part, model string) {
	if p.ToolCallID == "" || p.Type != "tool-call" && p.Type != "tool-result" {
		return
	}
	key := CallKey(p.ToolCallID)
	x := e.byID[key]
	if x == nil {
		x = &exchange{id: p.ToolCallID}
		if e.byID == nil {
			e.byID = map[string]*exchange{}
		}
		e.byID[key] = x
		e.order = append(e.order, x)
	}
	if x.name == "" {
		x.name = p.ToolName
	}
	switch {
	case p.Type == "tool-call" && x.args == nil:
		x.args, x.model = p.Args, model
	case p.Type == "tool-result" && x.result == nil:
		x.result, x.isError, x.told = p.Result, cmp.Or(p.IsError, p.told.isError), p.told
		if x.result == nil {
			x.result = p.Other
		}
	}
}

// step is what an assistant's part is in a turn.
func (e *exchanges) step(p part) (Step, bool) {
	switch {
	case p.Type == "text" && p.Text != "":
		return Step{Kind: "assistant", Text: p.Text}, true
	case p.Type == "reasoning" && p.Text != "":
		return Step{Kind: "thinking", Text: p.Text}, true
	case p.Type == "reasoning" || p.Type == "redacted-reasoning":
		return Step{Kind: "sealed"}, true
	case p.Type == "tool-call":
		return Step{Kind: "tool", Call: &ToolCall{ID: p.ToolCallID, Name: p.ToolName, Args: p.Args}}, true
	}
	return Step{}, false
}
