package transcript

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// This file reads the form of early 2026: one array of JSON, in which each element is what the user or the agent said,
// or the result of a tool.

// element is an element as stored.
type element struct {
	Role      string `json:"role"` // user, assistant; tool for a result
	Text      string `json:"text"`
	Thinking  string `json:"thinking"`
	ToolCalls []struct {
		ToolName string          `json:"toolName"`
		Args     json.RawMessage `json:"args"`
	} `json:"toolCalls"`
	ToolResult struct {
		ToolName string          `json:"toolName"`
		Result   json.RawMessage `json:"result"` // many have none
	} `json:"toolResult"`
}

// array reads a file. An element is named by its number, from 1. What follows an element that cannot be read is lost.
func (r *reader) array(text []byte) {
	if !utf8.Valid(text) {
		text = bytes.ToValidUTF8(text, []byte("\uFFFD"))
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if first, err := d.Token(); err != nil || first != json.Delim('[') {
		if len(bytes.TrimSpace(text)) > 0 {
			r.problem(badLine, 1, text)
		}
		return
	}
	var open openCalls
	n := 1
	for ; d.More(); n++ {
		rest := bytes.TrimLeft(text[d.InputOffset():], ", \t\r\n")
		if r.full(n, rest) {
			return
		}
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			r.problem(badLine, n, rest)
			return
		}
		switch {
		case len(raw) > r.limits.Line:
			r.problem(tooLarge, n, raw)
		case !r.element(n, raw, &open):
			r.problem(badLine, n, raw)
		}
	}
	if _, err := d.Token(); err != nil { // the file is cut off between two elements
		r.problem(badLine, n, nil)
	} else if rest := bytes.TrimSpace(text[d.InputOffset():]); len(rest) > 0 {
		r.problem(badLine, n, rest)
	}
}

// element reads an element. It reports false for one without a meaning.
func (r *reader) element(n int, raw json.RawMessage, open *openCalls) bool {
	var e element
	if raw[0] != '{' || !parse(raw, &e) || e.Role == "" {
		return false
	}
	switch e.Role {
	case "tool":
		r.ResultLines++
		var result *string
		if said := e.ToolResult.Result; said != nil && string(said) != "null" {
			result = ptr(r.resultText(said))
		}
		if !r.answer(open, e.ToolResult.ToolName, result) && result != nil {
			r.unknown("part", toolResultPart)
		}
		return true
	case "user":
		*open = openCalls{}
	}
	m := Message{Line: n, Role: e.Role, Thinking: e.Thinking}
	m.say(e.Text)
	for _, c := range e.ToolCalls {
		call := ToolCall{Name: c.ToolName}
		if string(c.Args) != "null" {
			call.Args = c.Args
		}
		open.add(call.Name, place{len(r.Messages), len(m.Calls)})
		m.Calls = append(m.Calls, call)
	}
	r.Messages = append(r.Messages, m)
	return true
}
