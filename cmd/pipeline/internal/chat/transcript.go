package chat

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/reader"
	"pipeline/sql/schema"
)

// Mark marks the message that was asked for.
const Mark = "▶"

// A Transcript prints a conversation for people on a terminal.
type Transcript struct {
	Width     int
	Full      bool
	Colours   bool
	Zone      string // name of the time zone of the times
	Warehouse string // the flag to add to lines that can be pasted

	w   io.Writer
	err error // error of the last write that failed
}

// styled gives a line a style. The line must be without control characters.
func (t *Transcript) styled(style, line string) string {
	if !t.Colours || style == "" || line == "" {
		return line
	}
	return "\x1b[" + style + "m" + line + "\x1b[0m"
}

func (t *Transcript) line(style, line string) {
	if _, err := fmt.Fprintln(t.w, t.styled(style, line)); err != nil {
		t.err = err
	}
}

// wrapped prints a text, wrapped, except for lines of code.
func (t *Transcript) wrapped(style, indent, body string) {
	for _, line := range term.Wrap(body, t.Width-len(indent)) {
		t.line(style, strings.TrimRight(indent+line, " "))
	}
}

// Print writes the conversation message by message.
func (t *Transcript) Print(ctx context.Context, w io.Writer, c *Conversation) error {
	t.w = w
	head := headOf(c, LocalTime, t.Zone)
	t.wrapped(bold, "", head.Title)
	for _, warning := range head.Warnings {
		t.wrapped(red, "", "  "+warning)
	}
	for _, fact := range head.Facts {
		t.wrapped("", "", fmt.Sprintf("  %-13s %s", fact.Name, fact.Value))
	}
	err := c.messages(ctx, func(before, m *reader.MessageRows) error {
		opens := before == nil || opensGroup(before, m)
		if opens || m.MessageID == c.Marked || t.Full {
			t.line("", "")
			t.title(m, opens || t.Full, m.MessageID == c.Marked)
		}
		if !opens && !t.Full && hasText(m) && hasText(before) {
			t.line("", "")
		}
		t.message(m)
		return t.err
	})
	if err != nil {
		return err
	}
	t.leftOut(c)
	return t.err
}

// title prints who speaks, when, and with which model.
func (t *Transcript) title(m *reader.MessageRows, who, marked bool) {
	var parts []string
	if m.Position != nil {
		parts = append(parts, fmt.Sprint(*m.Position))
	}
	if who {
		parts = append(parts, speaker(&m.Message))
	}
	if m.Model != nil && who {
		parts = append(parts, term.Printable(*m.Model))
	}
	if at := LocalTime(m.CreatedAt); at != "" {
		parts = append(parts, map[bool]string{true: "", false: "about "}[realTime(&m.Message)]+at)
	}
	if m.Branch != reader.BranchActive {
		parts = append(parts, strings.ToUpper(m.Branch))
	}
	line := "── " + strings.Join(parts, " · ") + " "
	if marked {
		line = Mark + "─ " + strings.Join(parts, " · ") + " "
	}
	t.line(bold, line+strings.Repeat("─", max(0, t.Width-text.StringWidthWithoutEscSequences(line))))
	if t.Full {
		t.line(dim, "  "+term.Printable(m.MessageID))
	}
}

// message prints the content of a message.
func (t *Transcript) message(m *reader.MessageRows) {
	for _, a := range m.Attachments {
		if t.Full || a.Path != nil || a.URI != nil {
			t.line(dim, term.CutWidth(term.Printable("  + "+attachmentLine(&a)), t.Width))
		}
	}
	if m.Thinking != nil && strings.TrimSpace(*m.Thinking) != "" {
		t.thinking(m)
	}
	switch {
	case m.Kind == "shell":
		t.shell(&m.Message)
	case hasText(m):
		t.wrapped("", "", strings.Trim(*m.Text, "\r\n"))
	}
	for i := range m.ToolCalls {
		t.call(&m.ToolCalls[i])
	}
	if problem := errorOf(&m.Message); problem != "" {
		t.wrapped(red, "", "error: "+problem)
	}
	if m.Kind == "empty" {
		t.line(dim, "  (empty)")
	}
}

// shell prints a command that the user ran, and what it printed.
func (t *Transcript) shell(m *schema.Message) {
	r := shellRun(m)
	if r.command != "" {
		t.wrapped("", "$ ", r.command)
	}
	for _, s := range r.printed {
		t.wrapped(dim, "  ", s)
	}
	if r.failed != "" {
		t.line(red, "  "+r.failed)
	}
}

// thinking prints the first line of the thinking text, or all of it.
func (t *Transcript) thinking(m *reader.MessageRows) {
	head := "  thought"
	if m.ThinkingDurationMs != nil {
		head += " for " + duration(*m.ThinkingDurationMs)
	}
	thoughts := strings.TrimSpace(*m.Thinking)
	if t.Full {
		t.line(dim, head)
		t.wrapped(dim, "    ", thoughts)
		return
	}
	first, _, _ := strings.Cut(thoughts, "\n")
	t.line(dim, term.CutWidth(head+": "+term.Printable(strings.TrimRight(first, "\r")), t.Width))
}

// leftOut says which messages are not shown, and how to see them.
func (t *Transcript) leftOut(c *Conversation) {
	again := "pipeline show " + t.Warehouse + term.ShellQuote(c.Conversation.ConversationID)
	var parts []string
	if c.abandoned > 0 {
		parts = append(parts, term.Plural(c.abandoned, "message")+" that an edited prompt left behind")
	}
	if c.deleted > 0 {
		parts = append(parts, term.Plural(c.deleted, "message")+" that Cursor has deleted")
	}
	if len(parts)+c.later == 0 {
		return
	}
	t.line("", "")
	if c.later > 0 {
		t.line(dim, term.Plural(c.later, "later message")+" not shown: "+again)
	}
	if len(parts) > 0 {
		t.line(dim, strings.Join(parts, ", ")+" not shown: "+again+" --all-branches")
	}
}

// call prints a tool call: one line, then its error. If Full is set, it also prints the parameters and the result.
func (t *Transcript) call(call *schema.ToolCall) {
	name, what, outcome := callParts(call)
	room := t.Width - 2 - text.StringWidthWithoutEscSequences(name) - 2 - text.StringWidthWithoutEscSequences(outcome) -
		2
	line := "  " + term.CutWidth(name, t.Width/2)
	if what != "" && room >= leastRoom {
		line += "  " + term.CutWidth(what, room)
	}
	style := ""
	if call.IsError != nil && *call.IsError {
		style = red
	}
	t.line(style, line+"  "+outcome)
	if call.Error != nil {
		t.wrapped(red, "    ", plainError(*call.Error))
	}
	if !t.Full {
		return
	}
	for _, part := range callDetails(call) {
		t.line(dim, "    "+part.Name+":")
		for _, line := range term.CodeLines(part.Value) {
			t.line("", "      "+line)
		}
	}
}

// Terminal styles.
const (
	bold = "1"
	dim  = "2"
	red  = "31"
)

// opensGroup reports whether the speaker or the branch changes.
func opensGroup(before, m *reader.MessageRows) bool {
	return speaker(&before.Message) != speaker(&m.Message) || before.Branch != m.Branch ||
		m.Model != nil && (before.Model == nil || *before.Model != *m.Model) && before.Model != nil
}

// realTime reports whether a message has a time of its own, not one from its neighbours.
func realTime(m *schema.Message) bool {
	return schema.IsRealTime(m.CreatedAtSource)
}

func hasText(m *reader.MessageRows) bool { return m.Text != nil && strings.TrimSpace(*m.Text) != "" }

func errorOf(m *schema.Message) string {
	switch {
	case m.Error != nil && m.ErrorCode != nil:
		return *m.Error + " (" + *m.ErrorCode + ")"
	case m.Error != nil:
		return *m.Error
	case m.ErrorCode != nil:
		return *m.ErrorCode
	}
	return ""
}

func attachmentLine(a *schema.Attachment) string {
	line := a.Kind
	switch {
	case a.Path != nil:
		line += "  " + *a.Path
	case a.URI != nil:
		line += "  " + *a.URI
	}
	if a.StartLine != nil {
		line += fmt.Sprintf(":%d", *a.StartLine)
		if a.EndLine != nil && *a.EndLine != *a.StartLine {
			line += fmt.Sprintf("-%d", *a.EndLine)
		}
	}
	return line
}
