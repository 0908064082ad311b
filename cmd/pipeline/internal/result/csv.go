package result

import (
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
