package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/jedib0t/go-pretty/v6/text"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load"
	"pipeline/sql/schema"
)

// A transcript is a conversation as people read it on a terminal.
type transcript struct {
	w         io.Writer
	width     int
	full      bool
	colours   bool
	warehouse string // the flag that a pasted line needs
	err       error  // of the last line that could not be written
}

// mark is what stands before the message that was asked for.
const mark = "▶"

// The ways in which a terminal sets a text off.
const (
	bold = "1"
	dim  = "2"
	red  = "31"
)

// styled sets a line off. What it holds was made harmless before.
func (t *transcript) styled(style, line string) string {
	if !t.colours || style == "" || line == "" {
		return line
	}
	return "\x1b[" + style + "m" + line + "\x1b[0m"
}

func (t *transcript) line(style, line string) {
	if _, err := fmt.Fprintln(t.w, t.styled(style, line)); err != nil {
		t.err = err
	}
}

// wrapped prints a text, wrapped; the lines of code in it as they are.
func (t *transcript) wrapped(style, indent, body string) {
	for _, line := range term.Wrap(body, t.width-len(indent)) {
		t.line(style, strings.TrimRight(indent+line, " "))
	}
}

// print writes a message at a time.
func (t *transcript) print(ctx context.Context, c *chosen) error {
	for i, line := range headOf(c, localMillis) {
		style := ""
		switch {
		case i == 0:
			style = bold
		case strings.HasPrefix(line, "!"):
			style = red
		}
		t.wrapped(style, "", strings.TrimPrefix(line, "!"))
	}
	err := c.messages(ctx, func(before, m *load.MessageRows) error {
		opens := before == nil || opensGroup(before, m)
		if opens || m.MessageID == c.marked || t.full {
			t.line("", "")
			t.title(m, opens || t.full, m.MessageID == c.marked)
		}
		if !opens && !t.full && hasText(m) && hasText(before) {
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

// opensGroup reports that another speaks than before, or on another branch.
func opensGroup(before, m *load.MessageRows) bool {
	return before.Role != m.Role || before.Branch != m.Branch || m.Model != nil && (before.Model == nil || *before.Model != *m.Model) && before.Model != nil
}

// title says who speaks, when, and with which model.
func (t *transcript) title(m *load.MessageRows, who, marked bool) {
	var parts []string
	if m.Position != nil {
		parts = append(parts, fmt.Sprint(*m.Position))
	}
	if who {
		parts = append(parts, m.Role)
	}
	if m.Model != nil && who {
		parts = append(parts, term.Printable(*m.Model))
	}
	if at := localMillis(m.CreatedAt); at != "" {
		parts = append(parts, map[bool]string{true: "", false: "about "}[realTime(&m.Message)]+at)
	}
	if m.Branch != load.BranchActive {
		parts = append(parts, strings.ToUpper(m.Branch))
	}
	line := "── " + strings.Join(parts, " · ") + " "
	if marked {
		line = mark + "─ " + strings.Join(parts, " · ") + " "
	}
	t.line(bold, line+strings.Repeat("─", max(0, t.width-text.StringWidthWithoutEscSequences(line))))
	if t.full {
		t.line(dim, "  "+term.Printable(m.MessageID))
	}
}

// realTime reports a time of the message's own, not one that it has from its neighbours.
func realTime(m *schema.Message) bool {
	return m.CreatedAtSource != nil && (*m.CreatedAtSource == "message" || *m.CreatedAtSource == "header" || *m.CreatedAtSource == "timing")
}

// message prints what a message holds.
func (t *transcript) message(m *load.MessageRows) {
	for _, a := range m.Attachments {
		if t.full || a.Path != nil || a.URI != nil {
			t.line(dim, term.CutWidth(term.Printable("  + "+attachmentLine(&a)), t.width))
		}
	}
	if m.Thinking != nil && strings.TrimSpace(*m.Thinking) != "" {
		t.thinking(m)
	}
	if hasText(m) {
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

func hasText(m *load.MessageRows) bool { return m.Text != nil && strings.TrimSpace(*m.Text) != "" }

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

// thinking prints the first line of the thoughts, or all.
func (t *transcript) thinking(m *load.MessageRows) {
	head := "  thought"
	if m.ThinkingDurationMs != nil {
		head += " for " + duration(*m.ThinkingDurationMs)
	}
	thoughts := strings.TrimSpace(*m.Thinking)
	if t.full {
		t.line(dim, head)
		t.wrapped(dim, "    ", thoughts)
		return
	}
	first, _, _ := strings.Cut(thoughts, "\n")
	t.line(dim, term.CutWidth(head+": "+term.Printable(strings.TrimRight(first, "\r")), t.width))
}

// leftOut says what is not shown, and how to see it.
func (t *transcript) leftOut(c *chosen) {
	again := "pipeline show " + t.warehouse + term.ShellQuote(c.Conversation.ConversationID)
	var parts []string
	if c.abandoned > 0 {
		parts = append(parts, term.Plural(int64(c.abandoned), "message")+" that an edited prompt left behind")
	}
	if c.deleted > 0 {
		parts = append(parts, term.Plural(int64(c.deleted), "message")+" that Cursor has deleted")
	}
	if len(parts)+c.later == 0 {
		return
	}
	t.line("", "")
	if c.later > 0 {
		t.line(dim, term.Plural(int64(c.later), "later message")+" not shown: "+again)
	}
	if len(parts) > 0 {
		t.line(dim, strings.Join(parts, ", ")+" not shown: "+again+" --all-branches")
	}
}

// headOf are the lines that a conversation begins with, times as at prints them; one that begins with ! is a warning.
func headOf(c *chosen, at func(*schema.Millis) string) []string {
	h := &c.Conversation
	lines := []string{term.Printable(strings.TrimSpace(titleOf(h.Title)))}
	add := func(name, value string) {
		if value != "" {
			lines = append(lines, fmt.Sprintf("  %-13s %s", name, term.Printable(value)))
		}
	}
	switch {
	case h.Status != nil && *h.Status == "orphaned":
		lines = append(lines, "!  ORPHANED: Cursor has lost this conversation's own row; these are its messages")
	case h.DeletedAt != nil:
		lines = append(lines, "!  DELETED: gone from Cursor's store when it was read at "+at(h.DeletedAt))
	}
	add("conversation", h.ConversationID)
	add("source", h.SourceID)
	add("project", projectLine(h))
	add("parent", term.OrEmpty(h.ParentConversationID))
	add("model", term.OrEmpty(h.Model))
	add("mode", term.OrEmpty(h.Mode))
	add("status", term.OrEmpty(h.Status))
	add("time", strings.Join(known(at(cmp.Or(h.CreatedAt, h.FirstMessageAt)), at(h.LastActivityAt)), " to "))
	add("messages", countsLine(c))
	add("tokens", tokensLine(h))
	return lines
}

func projectLine(h *schema.Conversation) string {
	if h.Project != nil && h.ProjectPath != nil {
		return *h.Project + " (" + *h.ProjectPath + ")"
	}
	return cmp.Or(term.OrEmpty(h.Project), term.OrEmpty(h.ProjectURI))
}

// countsLine counts what is there; the conversation's own figures count only what is live.
func countsLine(c *chosen) string {
	var users, calls, failed int64
	for _, at := range c.places {
		m := &c.Places[at]
		if m.Role == "user" {
			users++
		}
		calls += int64(m.Calls)
		failed += int64(m.FailedCalls)
	}
	line := fmt.Sprintf("%s, %s of the user; %s", term.Plural(int64(len(c.places)), "message"), humanize.Comma(users), term.Plural(calls, "tool call"))
	if failed > 0 {
		line += fmt.Sprintf(", %s failed", humanize.Comma(failed))
	}
	if missing := c.Conversation.MissingMessageCount; missing > 0 {
		line += fmt.Sprintf("; %s lost by Cursor", humanize.Comma(missing))
	}
	return line
}

func tokensLine(h *schema.Conversation) string {
	var parts []string
	if h.InputTokens != nil {
		parts = append(parts, humanize.Comma(*h.InputTokens)+" in")
	}
	if h.OutputTokens != nil {
		parts = append(parts, humanize.Comma(*h.OutputTokens)+" out")
	}
	if h.CostCents != nil {
		parts = append(parts, fmt.Sprintf("cost $%.2f", *h.CostCents/100))
	}
	return strings.Join(parts, ", ")
}

// known are the parts that there are.
func known(parts ...string) (out []string) {
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return out
}
