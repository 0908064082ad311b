package chat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/sql/schema"
)

// This file describes tool calls: in one line, and in full with parameters and results.

// leastRoom is the smallest room, in columns, in which a call's subject is still shown.
const leastRoom = 10

// callParts returns a call's tool, its subject and its outcome, each as one line without control characters.
func callParts(call *schema.ToolCall) (name, what, outcome string) {
	switch {
	case call.Tool != nil && *call.Tool != "mcp":
		name = *call.Tool
	case call.Name != nil:
		name = *call.Name
	case call.ToolNumber != nil:
		name = fmt.Sprintf("tool %d", *call.ToolNumber)
	}
	switch {
	case call.Command != nil:
		what = *call.Command
	case call.FilePath != nil:
		what = *call.FilePath
	default:
		what = firstText(call.Params)
	}
	switch {
	case call.UserDecision != nil && *call.UserDecision == "rejected":
		outcome = "rejected"
	case call.IsError != nil && *call.IsError:
		outcome = "failed"
	case call.IsError != nil:
		outcome = "ok"
	case call.Status != nil:
		outcome = *call.Status
	default:
		outcome = "(outcome not recorded)"
	}
	if call.DurationMs != nil {
		outcome += " " + duration(*call.DurationMs)
	}
	return term.Printable(name), term.Printable(strings.TrimSpace(what)), term.Printable(outcome)
}

// firstText returns the first text among the parameters of a call: most often that is its subject.
func firstText(params schema.JSON) string {
	d := json.NewDecoder(bytes.NewReader(params))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return ""
	}
	for d.More() {
		if _, err := d.Token(); err != nil {
			return ""
		}
		var value any
		if d.Decode(&value) != nil {
			return ""
		}
		if s, ok := value.(string); ok && strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

// plainError returns the message inside an error that is stored as JSON, else the error itself.
func plainError(stored string) string {
	var inner map[string]any
	if json.Unmarshal([]byte(stored), &inner) != nil {
		return stored
	}
	for _, name := range []string{"clientVisibleErrorMessage", "modelVisibleErrorMessage", "message", "error"} {
		if s, ok := inner[name].(string); ok && s != "" {
			return s
		}
	}
	return stored
}

// callDetails are an id, parameters and a result, with their texts as stored or formatted.
func callDetails(call *schema.ToolCall) (out []named) {
	if call.ToolCallID != nil {
		out = append(out, named{"id", *call.ToolCallID})
	}
	if call.Params != nil {
		out = append(out, named{"params", laidOut(call.Params)})
	} else if call.RawArgs != nil {
		out = append(out, named{"arguments", *call.RawArgs})
	}
	if call.Result != nil {
		out = append(out, named{"result", laidOut(call.Result)})
	}
	return out
}

// laidOut formats stored JSON: a string as its text, an object member by member, other JSON indented.
func laidOut(stored schema.JSON) string {
	var s string
	if json.Unmarshal(stored, &s) == nil {
		return s
	}
	d := json.NewDecoder(bytes.NewReader(stored))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return indentedJSON(stored)
	}
	var lines []string
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return indentedJSON(stored)
		}
		switch {
		case json.Unmarshal(value, &s) != nil || value[0] != '"':
			lines = append(lines, fmt.Sprintf("%s: %s", name, indentedJSON(schema.JSON(value))))
		case strings.Contains(s, "\n"):
			lines = append(lines, fmt.Sprintf("%s:", name), strings.TrimRight(s, "\n"))
		default:
			lines = append(lines, fmt.Sprintf("%s: %s", name, s))
		}
	}
	return strings.Join(lines, "\n")
}

func indentedJSON(stored schema.JSON) string {
	var out bytes.Buffer
	if json.Indent(&out, stored, "", "  ") != nil {
		return string(stored)
	}
	return out.String()
}

// duration writes a duration for people.
func duration(ms int64) string {
	if ms < 60_000 {
		return strings.TrimSuffix(humanize.FtoaWithDigits(float64(ms)/1000, 1), ".0") + "s"
	}
	return (time.Duration(ms) * time.Millisecond).Round(time.Second).String()
}

// What follows prints the messages of role user that no person has typed as a prompt: commands that the user ran, and
// prompts that the program wrote.

// program is who speaks in a prompt that the program wrote.
const program = "program"

// isProgram reports whether the program wrote a message of role user, and no person.
func isProgram(m *schema.Message) bool {
	return m.Role == "user" && m.IsSimulated
}

// speaker is who speaks in a message: its role, or the program.
func speaker(m *schema.Message) string {
	if isProgram(m) {
		return program
	}
	return m.Role
}

// A shellMessage is a command that the user ran.
type shellMessage struct {
	command string
	printed []string // what it printed: standard output, then errors; none of them is empty
	failed  string   // its exit code in words, if that is not 0
}

// shellRun takes a message of kind shell apart.
func shellRun(m *schema.Message) (out shellMessage) {
	var extra struct {
		Stdout   string `json:"stdout"`
		Stderr   string `json:"stderr"`
		ExitCode *int64 `json:"exit_code"`
	}
	_ = json.Unmarshal(m.Extra, &extra) // without it the command alone is printed
	if m.Text != nil {
		out.command = strings.Trim(*m.Text, "\r\n")
	}
	for _, s := range []string{extra.Stdout, extra.Stderr} {
		if s = strings.Trim(s, "\r\n"); s != "" {
			out.printed = append(out.printed, s)
		}
	}
	if extra.ExitCode != nil && *extra.ExitCode != 0 {
		out.failed = fmt.Sprintf("exit code %d", *extra.ExitCode)
	}
	return out
}

// markdownShell is a command and what it printed, as blocks of code.
func markdownShell(m *schema.Message) (blocks []string) {
	r := shellRun(m)
	if r.command != "" {
		blocks = append(blocks, fencedAs("sh", r.command))
	}
	for _, s := range r.printed {
		blocks = append(blocks, fenced(s))
	}
	if r.failed != "" {
		blocks = append(blocks, "**"+strings.ToUpper(r.failed[:1])+r.failed[1:]+"**")
	}
	return blocks
}

// shellText is a command and what it printed, as one text that begins with "$ "; nil if nothing is recorded.
func shellText(m *schema.Message) *string {
	r := shellRun(m)
	var lines []string
	if r.command != "" {
		lines = append(lines, "$ "+r.command)
	}
	lines = append(lines, r.printed...)
	if r.failed != "" {
		lines = append(lines, r.failed)
	}
	if lines == nil {
		return nil
	}
	text := strings.Join(lines, "\n")
	return &text
}
