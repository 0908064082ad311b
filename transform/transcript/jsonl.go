package transcript

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"pipeline/transform/prompt"
)

// This file reads JSONL: an object on each line.

// rawLine is a line as stored.
type rawLine struct {
	Role    string          `json:"role"`
	Type    string          `json:"type"`
	Content json.RawMessage `json:"content"`
	Message struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"message"`
	Status string          `json:"status"`
	Error  json.RawMessage `json:"error"`
}

// said are the role and the content of a line in any of its forms: {role, message: {content}}, {role, content}, {type,
// message: {role, content}}. The role is "" for another line.
func (l *rawLine) said() (role string, content json.RawMessage) {
	if content = l.Message.Content; content == nil {
		content = l.Content
	}
	role = cmp.Or(l.Role, l.Message.Role)
	if role == "" && content != nil && (l.Type == "user" || l.Type == "assistant") {
		role = l.Type
	}
	return role, content
}

// part is a part of a message.
type part struct {
	Type     string          `json:"type"`
	Text     string          `json:"text"`
	Thinking string          `json:"thinking"`
	ID       string          `json:"id"`
	Name     string          `json:"name"`
	Input    json.RawMessage `json:"input"`
	Status   string          `json:"status"`      // of the end of a turn
	CallID   string          `json:"tool_use_id"` // of a result, as the next two
	Content  json.RawMessage `json:"content"`
	IsError  *bool           `json:"is_error"`
}

// parse reads JSON. A member of another type than expected is left out.
func parse(b []byte, to any) bool {
	err := json.Unmarshal(b, to)
	var other *json.UnmarshalTypeError
	return err == nil || errors.As(err, &other)
}

// jsonl reads a file. The last line may be cut off: then it is a bad one.
func (r *reader) jsonl(text []byte) {
	for n, line := range r.lines(text) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if r.full(n, line) {
			return
		}
		if !r.line(n, line) {
			r.problem(badLine, n, line)
		}
	}
}

// line reads a line. It reports false for one without a meaning.
func (r *reader) line(n int, line []byte) bool {
	if !utf8.Valid(line) {
		line = bytes.ToValidUTF8(line, []byte("\uFFFD"))
	}
	var raw rawLine
	if !parse(line, &raw) {
		return false
	}
	role, content := raw.said()
	switch {
	case content == nil && (raw.Type == "turn_ended" || raw.Type == "error"):
		r.Ends = append(r.Ends, End{Line: n, Status: raw.Status, Error: plain(raw.Error)})
	case role != "":
		if content == nil || !strings.ContainsRune(`"{[`, rune(content[0])) {
			return false
		}
		parts := r.parts(content)
		if role == "assistant" || len(parts) == 0 ||
			slices.ContainsFunc(parts, func(p part) bool { return p.Type != toolResultPart }) {
			r.Messages = append(r.Messages, r.message(n, role, parts))
		} else {
			r.ResultLines++
		}
		r.placeResults(parts)
	case raw.Type != "":
		r.unknown("line", raw.Type)
	default:
		return false
	}
	return true
}

// plain is the text of a string; other JSON as it is, and "" for none.
func plain(b json.RawMessage) string {
	var s string
	if b == nil || json.Unmarshal(b, &s) == nil { // null, too, is no text
		return s
	}
	return string(b)
}

// toolResultPart is the type of a part that is the result of a call.
const toolResultPart = "tool_result"

// placeResults gives results to their calls. One whose call is not there is left out, and counted.
func (r *reader) placeResults(parts []part) {
	for _, p := range parts {
		if p.Type != toolResultPart {
			continue
		}
		at, ok := r.calls[p.CallID]
		if !ok {
			r.unknown("part", p.Type)
			continue
		}
		call := &r.Messages[at.message].Calls[at.call]
		call.Result, call.IsError = ptr(r.resultText(p.Content)), p.IsError
	}
}

// resultText is the text of a result: one text, the texts of its parts, or other JSON as it is.
func (r *reader) resultText(content json.RawMessage) string {
	if len(content) == 0 || content[0] != '[' {
		return plain(content)
	}
	var texts []string
	for _, p := range r.parts(content) {
		if p.Type != "text" {
			return string(content)
		}
		texts = append(texts, p.Text)
	}
	return strings.Join(texts, "\n")
}

func ptr[T any](v T) *T { return &v }

// message reads a message.
func (r *reader) message(n int, role string, parts []part) Message {
	m := Message{Line: n, Role: role}
	var texts, thoughts []string
	for _, p := range parts {
		switch p.Type {
		case "text":
			text := p.Text
			if role == "assistant" {
				text = unmarked(text)
			}
			if text != "" || p.Text == "" {
				texts = append(texts, text)
			}
		case "thinking":
			thoughts = appendText(thoughts, p.Thinking)
		case "tool_use":
			call := ToolCall{ID: p.ID, Name: p.Name}
			if string(p.Input) != "null" {
				call.Args = p.Input
			}
			if p.ID != "" {
				r.calls[p.ID] = place{len(r.Messages), len(m.Calls)}
			}
			m.Calls = append(m.Calls, call)
		case "turn_ended":
			m.Ended = p.Status
		case toolResultPart:
		default:
			r.unknown("part", p.Type)
		}
	}
	m.Thinking = strings.Join(thoughts, "\n")
	m.say(strings.Join(texts, "\n"))
	return m
}

// say sets the text of a message. Blocks are taken off a user's.
func (m *Message) say(text string) {
	m.Text = text
	if m.Role == "user" {
		p := prompt.Parse(text)
		m.Text, m.TaggedAt, m.Notice = p.Text, p.At, p.Notice
	}
}

// parts reads a text, a part, or a list of both.
func (r *reader) parts(content json.RawMessage) (all []part) {
	var list []json.RawMessage
	if content[0] != '[' {
		list = append(list, content)
	} else if json.Unmarshal(content, &list) != nil {
		return nil
	}
	for _, b := range list {
		var p part
		switch {
		case b[0] == '"' && parse(b, &p.Text):
			p.Type = "text"
		case b[0] == '{':
			parse(b, &p)
		}
		all = append(all, p)
	}
	return all
}

// mark stands at the end of a text where the agent thought, and the thought is not recorded.
const mark = "[REDACTED]"

// unmarked takes marks off the end of a text. A mark in the middle of a text is what the agent said.
func unmarked(s string) string {
	for {
		before, ok := strings.CutSuffix(strings.TrimRight(s, " \t\r\n"), mark)
		if !ok {
			return s
		}
		s = strings.TrimRight(before, " \t\r\n")
	}
}
