package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load"
)

// A printer writes a result row by row.
type printer interface {
	begin(columns []load.Column) error
	row(cells []any) error
	end(total int64) error // how many rows the query has, of which some may not have been given
}

func (o *outlet) printer(w io.Writer, caption caption) printer {
	switch o.format {
	case formatCSV:
		return &csvPrinter{w: w, terminal: o.terminal}
	case formatJSON:
		return &jsonPrinter{w: term.HarmlessJSON(w, o.terminal)}
	case formatLines:
		return &jsonPrinter{w: term.HarmlessJSON(w, o.terminal), lines: true}
	case formatMarkdown:
		return &markdownPrinter{w: w, maxWidth: o.maxWidth, caption: caption}
	}
	return &tablePrinter{w: w, maxWidth: o.maxWidth, fit: o.fit, caption: caption}
}

// exact is a value as text with all of its digits.
func exact(v any) string {
	switch v := v.(type) {
	case time.Time:
		return v.UTC().Format("2006-01-02 15:04:05.999999Z")
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case float32:
		return strconv.FormatFloat(float64(v), 'g', -1, 32)
	}
	return load.Text(v)
}

// csvPrinter writes what RFC 4180 says, but ends lines as Unix does. NULL is empty, an empty text a pair of quotes.
type csvPrinter struct {
	w        io.Writer
	terminal bool
	columns  []load.Column
}

func (p *csvPrinter) begin(columns []load.Column) error {
	p.columns = columns
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = csvCell(p.shown(harmless(c.Name)))
	}
	return p.line(names)
}

func (p *csvPrinter) row(cells []any) error {
	line := make([]string, len(cells))
	for i, v := range cells {
		if v == nil {
			continue
		}
		text := exact(v)
		if p.columns[i].Text {
			text = harmless(text)
		}
		line[i] = csvCell(p.shown(text))
	}
	return p.line(line)
}

func (p *csvPrinter) line(cells []string) error {
	_, err := io.WriteString(p.w, strings.Join(cells, ",")+"\n")
	return err
}

// shown keeps a text from steering the terminal that it is written to.
func (p *csvPrinter) shown(text string) string {
	if p.terminal {
		return term.Printable(text)
	}
	return text
}

func (p *csvPrinter) end(int64) error { return nil }

// harmless puts a single quote before a text that a spreadsheet would take for a formula, as OWASP says.
func harmless(text string) string {
	if first, _ := utf8.DecodeRuneInString(text); strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) {
		return "'" + text
	}
	return text
}

// csvCell quotes a text where it must be, and where it was made harmless.
func csvCell(text string) string {
	if text == "" || strings.ContainsAny(text, ",\"\r\n") || text[0] == '\'' || text[0] == ' ' || text[len(text)-1] == ' ' {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}

// jsonPrinter writes an array of objects, or an object a line. Members stand in the order of the columns.
type jsonPrinter struct {
	w       io.Writer
	lines   bool
	columns []load.Column
	rows    int
}

func (p *jsonPrinter) begin(columns []load.Column) error {
	p.columns = columns
	return nil
}

func (p *jsonPrinter) row(cells []any) error {
	var object bytes.Buffer
	object.WriteByte('{')
	for i, v := range cells {
		if i > 0 {
			object.WriteByte(',')
		}
		if err := term.AppendJSON(&object, p.columns[i].Name); err != nil {
			return err
		}
		object.WriteByte(':')
		if text, ok := v.(string); ok && p.columns[i].JSON && json.Valid([]byte(text)) {
			v = json.RawMessage(text)
		}
		if err := term.AppendJSON(&object, v); err != nil {
			return fmt.Errorf("column %s: %w", p.columns[i].Name, err)
		}
	}
	object.WriteByte('}')
	out := object.Bytes()
	if !p.lines {
		var laid bytes.Buffer
		laid.WriteString(map[bool]string{true: "[\n  ", false: ",\n  "}[p.rows == 0])
		if err := json.Indent(&laid, out, "  ", "  "); err != nil {
			return err
		}
		out = laid.Bytes()
	} else {
		out = append(out, '\n')
	}
	p.rows++
	_, err := p.w.Write(out)
	return err
}

func (p *jsonPrinter) end(int64) error {
	if p.lines {
		return nil
	}
	end := "\n]\n"
	if p.rows == 0 {
		end = "[]\n"
	}
	_, err := io.WriteString(p.w, end)
	return err
}

// markdownPrinter writes a table as GitHub reads it.
type markdownPrinter struct {
	w        io.Writer
	maxWidth int
	caption  caption
}

func (p *markdownPrinter) begin(columns []load.Column) error {
	names, rules := make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		names[i], rules[i] = markdownCell(c.Name), "---"
		if c.Numeric {
			rules[i] = "---:"
		}
	}
	if p.caption.above != "" {
		if _, err := fmt.Fprintf(p.w, "**%s**\n\n", markdownCell(p.caption.above)); err != nil {
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

func (p *markdownPrinter) lines(lines ...[]string) error {
	for _, cells := range lines {
		if _, err := io.WriteString(p.w, "| "+strings.Join(cells, " | ")+" |\n"); err != nil {
			return err
		}
	}
	return nil
}

func (p *markdownPrinter) end(int64) error {
	if p.caption.below == "" {
		return nil
	}
	_, err := fmt.Fprintf(p.w, "\n%s\n", markdownCell(p.caption.below))
	return err
}

// markdownCell is a text that stays one cell and reads as what it is: no line ends, no markup, no tags, no control characters.
func markdownCell(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = term.EscapeMarkdown(term.Printable(line))
	}
	return strings.Join(lines, "<br>")
}
