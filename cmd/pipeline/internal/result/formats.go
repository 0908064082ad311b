package result

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
	"pipeline/load/reader"
)

// csvPrinter writes CSV by RFC 4180, but with Unix line ends. NULL is empty, an empty text is a pair of quotes.
type csvPrinter struct {
	w        io.Writer
	terminal bool
	columns  []reader.Column
}

func (p *csvPrinter) begin(columns []reader.Column) error {
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

// shown removes control characters if the text goes to a terminal.
func (p *csvPrinter) shown(text string) string {
	if p.terminal {
		return term.Printable(text)
	}
	return text
}

func (p *csvPrinter) end(int64) error { return nil }

// harmless puts a single quote before a text that a spreadsheet would take for a formula, as OWASP recommends.
func harmless(text string) string {
	if first, _ := utf8.DecodeRuneInString(text); strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) {
		return "'" + text
	}
	return text
}

// csvCell quotes a text if needed, and if harmless changed it.
func csvCell(text string) string {
	if text == "" || strings.ContainsAny(text, ",\"\r\n") || text[0] == '\'' || text[0] == ' ' ||
		text[len(text)-1] == ' ' {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}

// exact writes a value with all of its digits.
func exact(v any) string {
	switch v := v.(type) {
	case time.Time:
		return v.UTC().Format("2006-01-02 15:04:05.999999Z")
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case float32:
		return strconv.FormatFloat(float64(v), 'g', -1, 32)
	}
	return reader.Text(v)
}

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

// jsonPrinter writes an array of objects, or one object a line. The members have the order of the columns.
type jsonPrinter struct {
	w       io.Writer
	lines   bool
	margin  string // what an object's lines are indented by
	columns []reader.Column
	rows    int
}

func (p *jsonPrinter) begin(columns []reader.Column) error {
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
		laid.WriteString(map[bool]string{true: "[\n", false: ",\n"}[p.rows == 0] + p.margin)
		if err := json.Indent(&laid, out, p.margin, "  "); err != nil {
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

// objectPrinter writes one object, as every command does with --json: its version, the columns with their types, the
// rows as objects, and how many rows the query has.
type objectPrinter struct {
	jsonPrinter
	members [][2]string
	sums    map[string]any
}

func (p *objectPrinter) begin(columns []reader.Column) error {
	var out bytes.Buffer
	fmt.Fprintf(&out, "{\n  %q: %d,\n", term.JSONVersionName, term.JSONVersion)
	member := func(indent, name, text, end string) (err error) {
		fmt.Fprintf(&out, "%s%q: ", indent, name)
		if err = term.AppendJSON(&out, text); err == nil {
			out.WriteString(end)
		}
		return err
	}
	for _, m := range p.members {
		if err := member("  ", m[0], m[1], ",\n"); err != nil {
			return err
		}
	}
	out.WriteString("  \"columns\": [\n")
	for i, c := range columns {
		out.WriteString("    {")
		if err := member("", "name", c.Name, ", "); err != nil {
			return err
		}
		if err := member("", "type", c.Type, "}"); err != nil {
			return err
		}
		out.WriteString(map[bool]string{true: "\n", false: ",\n"}[i == len(columns)-1])
	}
	out.WriteString("  ],\n  \"rows\": ")
	if _, err := out.WriteTo(p.w); err != nil {
		return err
	}
	return p.jsonPrinter.begin(columns)
}

func (p *objectPrinter) total(sums map[int]any) error {
	p.sums = map[string]any{}
	for i, v := range sums {
		p.sums[p.columns[i].Name] = v
	}
	return nil
}

func (p *objectPrinter) end(total int64) error {
	closing := "\n  ]"
	if p.rows == 0 {
		closing = "[]"
	}
	var totals bytes.Buffer
	if p.sums != nil {
		totals.WriteString(",\n  \"totals\": ")
		if err := term.AppendJSON(&totals, p.sums); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(p.w, "%s%s,\n  \"total_rows\": %d\n}\n", closing, totals.String(), total)
	return err
}
