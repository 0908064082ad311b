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

// This file prints a conversation as Markdown. The text of messages is Markdown and stays Markdown, but its headings
// move below ours, and its HTML is escaped. All other data is escaped.

// WriteMarkdown writes a conversation as a document, message by message: a heading for the title, and one for each
// change of speaker.
func WriteMarkdown(ctx context.Context, w io.Writer, c *Conversation, full bool) error {
	var b strings.Builder
	head := headOf(c, utcMillis, "")
	fmt.Fprintf(&b, "# %s\n\n", markdownLine(head.Title))
	for _, warning := range head.Warnings {
		fmt.Fprintf(&b, "> **%s**\n\n", markdownLine(warning))
	}
	for _, fact := range head.Facts {
		value := markdownLine(fact.Value)
		if fact.Name == "conversation" {
			value = codeSpan(c.Conversation.ConversationID)
		}
		fmt.Fprintf(&b, "- %s: %s\n", fact.Name, value)
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
		_, err = fmt.Fprintf(w, "\n---\n\n*Not shown: %d abandoned, %d deleted, %d later.*\n", c.abandoned, c.deleted,
			c.later)
	}
	return err
}

// markdownLine escapes a text so that it stays one line without markup. Control characters become symbols.
func markdownLine(line string) string {
	line = term.EscapeMarkdown(term.Printable(line))
	for _, c := range []string{"_", "#", "~", "!"} {
		line = strings.ReplaceAll(line, c, `\`+c)
	}
	return line
}

func markdownTitle(m *reader.MessageRows) string {
	who := speaker(&m.Message)
	parts := []string{strings.ToUpper(who[:1]) + who[1:]}
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

// markdownMessage is the content of a message, with a line end.
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
	switch {
	case m.Kind == "shell":
		blocks = append(blocks, markdownShell(&m.Message)...)
	case hasText(m):
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
	return detailsElement(head, fenced(strings.TrimSpace(*m.Thinking)))
}

// markdownCall is a tool call as a list item. With full, its parameters and result are folded below it.
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
		line += "\n\n" + detailsElement(part.Name, fenced(part.Value))
	}
	return line
}

// detailsElement returns a block as an element <details>, which GitHub and most readers of Markdown fold.
func detailsElement(summary, block string) string {
	return "<details><summary>" + html.EscapeString(term.Printable(summary)) + "</summary>\n\n" + block +
		"\n\n</details>"
}

// fenced is a text as a code block. Its fence is longer than any run of backticks in the text.
func fenced(text string) string { return fencedAs("text", text) }

// fencedAs is a text as a code block in a language.
func fencedAs(language, text string) string {
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	return fence + language + "\n" + strings.TrimRight(lineFeeds(text), "\n") + "\n" + fence
}

// codeSpan is a line of text as code within a line.
func codeSpan(text string) string {
	text = strings.ReplaceAll(term.Printable(text), "|", "\u2502") // | would end a table's cell
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

// validText replaces invalid UTF-8, which Markdown must not have.
func validText(text string) string { return strings.ToValidUTF8(text, string(utf8.RuneError)) }

// lineFeeds makes all lines of a text end in a line feed: Markdown also ends a line at a lone carriage return.
func lineFeeds(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}
