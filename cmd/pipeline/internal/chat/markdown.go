package chat

import (
	"context"
	"fmt"
	"html"
	"io"
	"strings"
	"unicode/utf8"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/reader"
	"pipeline/sql/schema"
)

// This file prints a conversation as Markdown. What is said in one is Markdown itself and stays so, but its headings go below ours, and no HTML
// of it comes alive; everything else of the data is escaped.

// WriteMarkdown writes a conversation as a document, a message at a time: a heading for the title, one for each who speaks.
func WriteMarkdown(ctx context.Context, w io.Writer, c *Conversation, full bool) error {
	var b strings.Builder
	for i, line := range headOf(c, utcMillis) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case i == 0:
			fmt.Fprintf(&b, "# %s\n\n", markdownLine(line))
		case strings.HasPrefix(line, "!"):
			fmt.Fprintf(&b, "> **%s**\n\n", markdownLine(strings.TrimSpace(line[1:])))
		default:
			if value = markdownLine(strings.TrimSpace(value)); name == "conversation" {
				value = codeSpan(c.Conversation.ConversationID)
			}
			fmt.Fprintf(&b, "- %s: %s\n", name, value)
		}
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	err := c.messages(ctx, func(before, m *reader.MessageRows) error {
		text := "\n"
		if before == nil || full || opensGroup(before, m) {
			text += markdownTitle(m)
		}
		_, err := io.WriteString(w, text+markdownMessage(m, full))
		return err
	})
	if left := c.abandoned + c.deleted + c.later; err == nil && left > 0 {
		_, err = fmt.Fprintf(w, "\n---\n\n*Not shown: %d abandoned, %d deleted, %d later.*\n", c.abandoned, c.deleted, c.later)
	}
	return err
}

// markdownLine is a text that stays a line and reads as what it is. Steering characters are shown, not obeyed.
func markdownLine(line string) string {
	line = term.EscapeMarkdown(term.Printable(line))
	for _, c := range []string{"_", "#", "~", "!"} {
		line = strings.ReplaceAll(line, c, `\`+c)
	}
	return line
}

func markdownTitle(m *reader.MessageRows) string {
	role := strings.ToUpper(m.Role[:1]) + m.Role[1:]
	parts := []string{role}
	if m.Model != nil {
		parts = append(parts, markdownLine(*m.Model))
	}
	if m.CreatedAt != nil {
		about := map[bool]string{false: "about "}[realTime(&m.Message)]
		parts = append(parts, about+utcMillis(m.CreatedAt))
	}
	if m.Branch != reader.BranchActive {
		parts = append(parts, m.Branch)
	}
	return "## " + strings.Join(parts, " · ") + "\n\n"
}

// markdownMessage is what a message holds, ended by a line end.
func markdownMessage(m *reader.MessageRows, full bool) string {
	var blocks []string
	if full {
		blocks = append(blocks, "Message "+codeSpan(m.MessageID))
	}
	var attached []string
	for _, a := range m.Attachments {
		if full || a.Path != nil || a.URI != nil {
			attached = append(attached, "- attached: "+codeSpan(attachmentLine(&a)))
		}
	}
	if attached != nil {
		blocks = append(blocks, strings.Join(attached, "\n"))
	}
	if m.Thinking != nil && strings.TrimSpace(*m.Thinking) != "" {
		blocks = append(blocks, markdownThinking(m, full))
	}
	if hasText(m) {
		blocks = append(blocks, harmlessMarkdown(strings.Trim(*m.Text, "\r\n")))
	}
	for i := range m.ToolCalls {
		blocks = append(blocks, markdownCall(&m.ToolCalls[i], full))
	}
	if problem := errorOf(&m.Message); problem != "" {
		blocks = append(blocks, "**Error:** "+markdownLine(problem))
	}
	if m.Kind == "empty" {
		blocks = append(blocks, "*(empty)*")
	}
	return strings.Join(blocks, "\n\n") + "\n"
}

func markdownThinking(m *reader.MessageRows, full bool) string {
	head := "thought"
	if m.ThinkingDurationMs != nil {
		head += " for " + duration(*m.ThinkingDurationMs)
	}
	if !full {
		return "*" + head + "*"
	}
	return details(head, fenced(strings.TrimSpace(*m.Thinking)))
}

// markdownCall is a tool call in an item of a list; where all is asked for, what it was given and gave is folded below it.
func markdownCall(call *schema.ToolCall, full bool) string {
	name, what, outcome := callParts(call)
	line := "- **" + markdownLine(name) + "**"
	if what != "" {
		line += " " + codeSpan(term.Cut(what, 200))
	}
	line += ": " + markdownLine(outcome)
	if call.Error != nil {
		line += "\n\n" + fenced(plainError(*call.Error))
	}
	if !full {
		return line
	}
	for _, part := range callDetails(call) {
		line += "\n\n" + details(part.name, fenced(part.body))
	}
	return line
}

// details folds a block away, as GitHub and most readers of Markdown do.
func details(summary, block string) string {
	return "<details><summary>" + html.EscapeString(term.Printable(summary)) + "</summary>\n\n" + block + "\n\n</details>"
}

// fenced is a text as code, in a fence that is longer than any run of backticks in it.
func fenced(text string) string {
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	return fence + "text\n" + strings.TrimRight(lineFeeds(text), "\n") + "\n" + fence
}

// codeSpan is a line of text as code within a line.
func codeSpan(text string) string {
	text = strings.ReplaceAll(term.Printable(text), "|", "\u2502") // a table's cell would end there
	ticks := strings.Repeat("`", longestRun(text, '`')+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || strings.TrimSpace(text) == "" {
		text = " " + text + " "
	}
	return ticks + text + ticks
}

func longestRun(text string, of byte) int {
	longest, run := 0, 0
	for i := range len(text) {
		if run++; text[i] != of {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// validText is a text as UTF-8, which Markdown must be.
func validText(text string) string { return strings.ToValidUTF8(text, string(utf8.RuneError)) }

// lineFeeds is a text whose lines all end alike: a carriage return alone ends one, too, where Markdown is read.
func lineFeeds(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}
