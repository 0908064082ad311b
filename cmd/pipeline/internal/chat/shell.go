package chat

import (
	"encoding/json"
	"fmt"
	"strings"

	"pipeline/sql/schema"
)

// This file prints the messages of role user that no person has typed as a prompt: commands that the user ran, and
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
