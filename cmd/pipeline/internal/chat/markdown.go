package chat

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	mdtext "github.com/yuin/goldmark/text"

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

// An edit of a text: the bytes from and up to which are replaced.
type edit struct {
	from, to int
	by       string
}

// harmlessMarkdown makes Markdown that can be put into another document. It escapes the < of all HTML, except in code
// and links. It moves headings two levels down, and closes what the text leaves open. Only a parser of Markdown knows
// where HTML ends, and text after escaped HTML may be parsed differently and contain HTML again: so the text is parsed
// again until no HTML is left. If some is left after several rounds, the text is quoted with every < escaped.
func harmlessMarkdown(source string) string {
	const rounds = 8 // each round ends the outermost HTML; more than two were never needed
	out := []byte(lineFeeds(validText(source)))
	for range rounds {
		edits := htmlEdits(out)
		if len(edits) == 0 {
			break
		}
		out = edited(out, edits)
	}
	if text := closed(deeper(out)); isHarmless(text) {
		return text
	}
	quoted := strings.ReplaceAll(string(out), "<", "&lt;")
	return "> " + strings.ReplaceAll(quoted, "\n", "\n> ")
}

// isHarmless reports whether a text has no HTML, no heading of our levels, and nothing that continues after its end.
func isHarmless(text string) bool {
	for n := parsed([]byte(text)).FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level <= headingLevels {
			return false
		}
	}
	return len(htmlEdits([]byte(text))) == 0 && isClosed(text)
}

func parsed(source []byte) ast.Node {
	return goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough)).Parser().
		Parse(mdtext.NewReader(source))
}

// htmlEdits escapes every < of the HTML in a text.
func htmlEdits(source []byte) (edits []edit) {
	escape := func(s mdtext.Segment) {
		for i := s.Start; i < s.Stop; i++ {
			if source[i] == '<' {
				edits = append(edits, edit{i, i + 1, "&lt;"})
			}
		}
	}
	_ = ast.Walk(parsed(source), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		// this function returns no error
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.HTMLBlock:
			for _, s := range n.Lines().Sliced(0, n.Lines().Len()) {
				escape(s)
			}
			if n.HasClosure() {
				escape(n.ClosureLine)
			}
		case *ast.RawHTML:
			for _, s := range n.Segments.Sliced(0, n.Segments.Len()) {
				escape(s)
			}
		}
		return ast.WalkContinue, nil
	})
	return edits
}

// headingLevels is how many levels the headings of a message move down: below the conversation's title and the
// message's heading.
const headingLevels = 2

// deeper moves the headings of a text down. Headings within quotes and lists stay.
func deeper(source []byte) []byte {
	var edits []edit
	for n := parsed(source).FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok || h.Pos() < 0 {
			continue
		}
		marks := strings.Repeat("#", min(6, h.Level+headingLevels)-h.Level)
		if at := len(source) - len(bytes.TrimLeft(source[h.Pos():], " ")); at < len(source) && source[at] == '#' {
			edits = append(edits, edit{at, at, marks})
			continue
		}
		if edit, ok := underlined(source, h); ok {
			edits = append(edits, edit...)
		}
	}
	return edited(source, edits)
}

// underlined turns a heading of one line with = or - below it into one that begins with #: underlined headings have
// only two levels.
func underlined(source []byte, h *ast.Heading) ([]edit, bool) {
	if h.Lines().Len() != 1 {
		return nil, false
	}
	line := h.Lines().At(0)
	newline := bytes.IndexByte(source[line.Stop-1:], '\n')
	if newline < 0 {
		return nil, false
	}
	from := line.Stop - 1 + newline
	under, _, _ := bytes.Cut(source[from+1:], []byte("\n"))
	if mark := bytes.TrimSpace(under); len(mark) == 0 ||
		len(bytes.Trim(mark, "=")) > 0 && len(bytes.Trim(mark, "-")) > 0 {
		return nil, false
	}
	return []edit{{line.Start, line.Start, strings.Repeat("#", h.Level+headingLevels) + " "},
		{from, from + 1 + len(under), ""}}, true
}

func edited(source []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		if e.from < at { // drop an edit of the same bytes
			continue
		}
		out.Write(source[at:e.from])
		out.WriteString(e.by)
		at = e.to
	}
	out.Write(source[at:])
	return out.Bytes()
}

// closed returns the text that closes code which a text leaves open.
func closed(source []byte) string {
	text := string(source)
	if isClosed(text) {
		return text
	}
	for _, c := range []string{"`", "~"} {
		for n := 3; n <= max(3, longestRun(text, c[0])); n++ {
			if with := text + "\n" + strings.Repeat(c, n); isClosed(with) {
				return with
			}
		}
	}
	return fenced(text)
}

// isClosed reports whether a paragraph after the text is parsed as a paragraph.
func isClosed(text string) bool {
	const word = "what-follows"
	source := []byte(text + "\n\n" + word)
	last, ok := parsed(source).LastChild().(*ast.Paragraph)
	return ok && string(bytes.TrimSpace(last.Lines().Value(source))) == word
}
