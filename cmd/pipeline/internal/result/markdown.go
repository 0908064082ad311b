package result

import (
	"fmt"
	"io"
	"strings"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/reader"
)

// markdownPrinter writes a table in GitHub's Markdown.
type markdownPrinter struct {
	w        io.Writer
	maxWidth int
	caption  Caption
	columns  int
}

func (p *markdownPrinter) begin(columns []reader.Column) error {
	p.columns = len(columns)
	names, rules := make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		names[i], rules[i] = markdownCell(c.Name), "---"
		if c.Numeric {
			rules[i] = "---:"
		}
	}
	if p.caption.Above != "" {
		if _, err := fmt.Fprintf(p.w, "**%s**\n\n", markdownCell(p.caption.Above)); err != nil {
			return err
		}
	}
	return p.lines(names, rules)
}

func (p *markdownPrinter) row(cells []any) error {
	line := make([]string, len(cells))
	for i, v := range cells {
		line[i] = markdownCell(term.Cut(exact(v), p.maxWidth))
	}
	return p.lines(line)
}

func (p *markdownPrinter) total(sums map[int]any) error {
	line := make([]string, p.columns)
	line[0] = "**" + totalName + "**"
	for i, v := range sums {
		line[i] = "**" + markdownCell(exact(v)) + "**"
	}
	return p.lines(line)
}

func (p *markdownPrinter) lines(lines ...[]string) error {
	for _, cells := range lines {
		if _, err := io.WriteString(p.w, "| "+strings.Join(cells, " | ")+" |\n"); err != nil {
			return err
		}
	}
	return nil
}

func (p *markdownPrinter) end(int64) error {
	if p.caption.Below == "" {
		return nil
	}
	_, err := fmt.Fprintf(p.w, "\n%s\n", markdownCell(p.caption.Below))
	return err
}

// markdownCell escapes a text so that it stays one cell: no line ends, no markup, no tags, no control characters.
func markdownCell(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = term.EscapeMarkdown(term.Printable(line))
	}
	return strings.Join(lines, "<br>")
}
