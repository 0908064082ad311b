package graph

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

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
	placed          bool
}

// heard is what a message has for those who make turns of messages.
type heard struct {
	PromptMessage
	opens    bool   // it opens a turn
	query    string // what the user wrote
	taggedAt *int64
	steps    []Step // of an assistant
}

// rawMessage is a message as stored. Fields that have several types in different stores are read later.
type rawMessage struct {
	messageHead
	Content json.RawMessage `json:"content"`
}

// listMessage is a message whose content is a list of parts, as nearly all are: it is read in one pass.
type listMessage struct {
	messageHead
	Content []part `json:"content"`
}

// messageHead is what a message has beside its content.
type messageHead struct {
	Role            string          `json:"role"`
	ID              json.RawMessage `json:"id"`
	ProviderOptions struct {
		Cursor struct {
			RequestID string `json:"requestId"`
			ModelName string `json:"modelName"`
			IsSummary bool   `json:"isSummary"`
		} `json:"cursor"`
	} `json:"providerOptions"`
	ToolCalls []struct {
		ID       string `json:"id"`
		Function struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
	ToolCallID string `json:"tool_call_id"`
}

// part is a part of a message.
type part struct {
	Type       string          `json:"type"`
	Text       string          `json:"text"`
	ToolCallID string          `json:"toolCallId"`
	ToolName   string          `json:"toolName"`
	Args       json.RawMessage `json:"args"`
	Result     json.RawMessage `json:"result"`
	Other      json.RawMessage `json:"experimental_content"`
	IsError    *bool           `json:"isError"`
}

// parse reads JSON. A member of another type than expected is left out.
func parse(b []byte, to any) bool {
	err := json.Unmarshal(b, to)
	var other *json.UnmarshalTypeError
	return err == nil || errors.As(err, &other)
}

// promptMessage reads a message.
func (r *reader) promptMessage(b []byte, archived bool) {
	raw, parts, ok := readMessage(b)
	if !ok || b[0] != '{' || raw.Role == "" {
		r.bad(message{name: nodeMessage})
		return
	}
	cursor := raw.ProviderOptions.Cursor
	h := heard{PromptMessage: PromptMessage{Blob: r.at, Role: raw.Role, ID: scalar(raw.ID), RequestID: cursor.RequestID,
		Model: cursor.ModelName, Summary: cursor.IsSummary, Archived: archived}}
	var texts []string
	for _, p := range parts {
		if p.Type == "text" {
			texts = append(texts, p.Text)
		}
		r.calls.take(p, cursor.ModelName)
		if s, ok := r.calls.step(p); ok && raw.Role == "assistant" {
			h.steps = append(h.steps, s)
		}
	}
	h.Text = strings.Join(texts, "\n")
	if raw.Role == "user" {
		p := prompt.Parse(h.Text)
		h.query, h.opens, h.taggedAt = p.Text, p.Query && !h.Summary, p.At
	}
	r.c.Messages = append(r.c.Messages, h.PromptMessage)
	r.calls.heard = append(r.calls.heard, h)
}

// readMessage reads a message and its parts, whichever form it has. ok is false for what is no JSON.
func readMessage(b []byte) (head messageHead, parts []part, ok bool) {
	var list listMessage
	if json.Unmarshal(b, &list) == nil && !list.answers() {
		return list.messageHead, append(list.Content, list.called()...), true
	}
	var raw rawMessage
	if !parse(b, &raw) {
		return head, nil, false
	}
	if raw.answers() {
		return raw.messageHead, []part{{Type: "tool-result", ToolCallID: raw.ToolCallID, Result: raw.Content}}, true
	}
	return raw.messageHead, append(readParts(raw.Content), raw.called()...), true
}

// answers reports whether the message is the result of a call as a whole, in the other of the two forms.
func (m *messageHead) answers() bool { return m.Role == "tool" && m.ToolCallID != "" }

// called are the calls that the other form has beside the content.
func (m *messageHead) called() (parts []part) {
	for _, call := range m.ToolCalls {
		parts = append(parts, part{Type: "tool-call", ToolCallID: call.ID, ToolName: call.Function.Name,
			Args: unquoted(call.Function.Arguments)})
	}
	return parts
}

// readParts reads a text, a part, or a list of parts.
func readParts(b json.RawMessage) []part {
	if !bytes.HasPrefix(b, []byte("[")) {
		if p, ok := readPart(b); ok {
			return []part{p}
		}
		return nil
	}
	var parts []part
	if json.Unmarshal(b, &parts) == nil {
		return parts
	}
	var many []json.RawMessage // some are no parts, or have members of other types
	parse(b, &many)
	parts = parts[:0]
	for _, m := range many {
		if p, ok := readPart(m); ok {
			parts = append(parts, p)
		}
	}
	return parts
}

// readPart reads a part, or a text that stands for one.
func readPart(b json.RawMessage) (p part, ok bool) {
	switch {
	case bytes.HasPrefix(b, []byte(`"`)):
		p.Type = "text"
		return p, parse(b, &p.Text)
	case bytes.HasPrefix(b, []byte("{")):
		return p, parse(b, &p)
	}
	return p, false
}

// unquoted is the JSON in a string, if there is one.
func unquoted(b json.RawMessage) json.RawMessage {
	var s string
	if json.Unmarshal(b, &s) == nil && json.Valid([]byte(s)) {
		return json.RawMessage(s)
	}
	return b
}

// scalar is the text of a string or a number.
func scalar(b json.RawMessage) string {
	var s string
	if json.Unmarshal(b, &s) == nil {
		return s
	}
	var n json.Number
	if json.Unmarshal(b, &n) == nil {
		return n.String()
	}
	return ""
}

// take remembers a call or a result.
func (e *exchanges) take(p part, model string) {
	if p.ToolCallID == "" || p.Type != "tool-call" && p.Type != "tool-result" {
		return
	}
	x := e.byID[p.ToolCallID]
	if x == nil {
		x = &exchange{id: p.ToolCallID}
		if e.byID == nil {
			e.byID = map[string]*exchange{}
		}
		e.byID[p.ToolCallID] = x
		e.order = append(e.order, x)
	}
	if x.name == "" {
		x.name = p.ToolName
	}
	switch {
	case p.Type == "tool-call" && x.args == nil:
		x.args, x.model = clean(p.Args), model
	case p.Type == "tool-result" && x.result == nil:
		x.result, x.isError = clean(p.Result), p.IsError
		if x.result == nil {
			x.result = clean(p.Other)
		}
	}
}

// clean is JSON that is valid UTF-8; nil for null.
func clean(b json.RawMessage) json.RawMessage {
	if b == nil || string(b) == "null" {
		return nil
	}
	return bytes.ToValidUTF8(b, []byte("\uFFFD"))
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
		return Step{Kind: "tool", Call: &ToolCall{ID: p.ToolCallID, IDFrom: "message", Name: p.ToolName,
			Args: clean(p.Args)}}, true
	}
	return Step{}, false
}
