package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"pipeline/transform/prompt"
)

// This file reads JSONL: an object on each line.

// rawLine is a line as stored.
type rawLine struct {
	Role    string `json:"role"`
	Type    string `json:"type"`
	Message struct {
		Content json.RawMessage `json:"content"`
	} `json:"message"`
	Status string          `json:"status"`
	Error  json.RawMessage `json:"error"`
}

// part is a part of a message.
type part struct {
	Type     string          `json:"type"`
	Text     string          `json:"text"`
	Thinking string          `json:"thinking"`
	ID       string          `json:"id"`
	Name     string          `json:"name"`
	Input    json.RawMessage `json:"input"`
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
	content := raw.Message.Content
	switch {
	case content == nil && (raw.Type == "turn_ended" || raw.Type == "error"):
		r.Ends = append(r.Ends, End{Line: n, Type: raw.Type, Status: raw.Status, Error: plain(raw.Error)})
	case raw.Role != "":
		if content == nil || !strings.ContainsRune(`"{[`, rune(content[0])) {
			return false
		}
		r.Messages = append(r.Messages, r.message(n, raw.Role, content))
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

// message reads a message.
func (r *reader) message(n int, role string, content json.RawMessage) Message {
	m := Message{Line: n, Role: role}
	var texts, thoughts []string
	for _, p := range r.parts(content) {
		switch p.Type {
		case "text":
			text, marks := p.Text, 0
			if role == "assistant" {
				text, marks = unmarked(text)
			}
			m.Redacted += marks
			if text != "" || marks == 0 {
				texts = append(texts, text)
			}
		case "thinking":
			thoughts = appendText(thoughts, p.Thinking)
		case "tool_use":
			call := ToolCall{ID: p.ID, Name: p.Name}
			if string(p.Input) != "null" {
				call.Args = p.Input
			}
			m.Calls = append(m.Calls, call)
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
		m.Text, m.TaggedAt, m.Blocks = p.Text, p.At, p.Blocks
	}
}

// parts reads a text, a part, or a list of both.
func (r *reader) parts(content json.RawMessage) (all []part) {
	list := []json.RawMessage{content}
	if content[0] == '[' && json.Unmarshal(content, &list) != nil {
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

// mark stands at the end of a text where the agent thought.
const mark = "[REDACTED]"

// unmarked takes marks off the end of a text, each on a line of its own, and counts them. A mark that is a part of a sentence is what the agent said.
func unmarked(s string) (text string, marks int) {
	for {
		before, ok := strings.CutSuffix(strings.TrimRight(s, " \t\r\n"), mark)
		line := strings.TrimRight(before, " \t")
		if !ok || line != "" && line[len(line)-1] != '\n' {
			return s, marks
		}
		s = strings.TrimRight(before, " \t\r\n")
		marks++
	}
}
