package chat

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	mdtext "github.com/yuin/goldmark/text"
)

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
