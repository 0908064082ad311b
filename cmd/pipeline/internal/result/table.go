package result

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/reader"
)

// tablePrinter draws rows for people: it replaces control characters, cuts long cells, and shows NULL and ”
// differently.
type tablePrinter struct {
	w             io.Writer
	maxWidth, fit int
	ascii         bool // lines are drawn with signs
	caption       Caption
	columns       []reader.Column
	rows          [][]string
	sums          []string // of columns, "" for none; nil: there is no such line
}

func (p *tablePrinter) begin(columns []reader.Column) error {
	p.columns = columns
	return nil
}

func (p *tablePrinter) row(cells []any) error {
	line := make([]string, len(cells))
	for i, v := range cells {
		line[i] = p.cell(i, v)
	}
	p.rows = append(p.rows, line)
	return nil
}

func (p *tablePrinter) cell(column int, v any) string {
	out := term.Printable(decimals(p.columns[column].Type, reader.Text(v)))
	if p.maxWidth > 0 {
		out = term.Cut(out, p.maxWidth)
	}
	if p.fit > 0 {
		out = term.CutWidth(out, p.fit)
	}
	return out
}

// totalName stands in the first column of the line of sums, if that has none.
const totalName = "total"

func (p *tablePrinter) total(sums map[int]any) error {
	p.sums = make([]string, len(p.columns))
	p.sums[0] = totalName
	for i, v := range sums {
		p.sums[i] = p.cell(i, v)
	}
	return nil
}

func (p *tablePrinter) end(total int64) error {
	widths := make([]int, len(p.columns))
	shown := make([]int, len(p.columns))
	for i := range shown {
		shown[i] = i
	}
	if p.fit > 0 {
		widths, shown = p.fitted()
	}
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	if p.ascii {
		t.SetStyle(table.StyleDefault)
	}
	t.Style().Format.Header, t.Style().Format.Footer = text.FormatDefault, text.FormatDefault
	configs := make([]table.ColumnConfig, len(shown))
	for i, column := range shown {
		configs[i] = table.ColumnConfig{Number: i + 1, AlignHeader: text.AlignLeft}
		if column >= 0 && p.columns[column].Numeric {
			configs[i].Align, configs[i].AlignHeader, configs[i].AlignFooter = text.AlignRight, text.AlignRight,
				text.AlignRight
		}
	}
	t.SetColumnConfigs(configs)
	header := make(table.Row, len(shown))
	for i, column := range shown {
		header[i] = "…"
		if column >= 0 {
			header[i] = wrapped(term.Printable(p.columns[column].Name), widths[column])
		}
	}
	t.AppendHeader(header)
	fitting := func(row []string) table.Row {
		cells := make(table.Row, len(shown))
		for i, column := range shown {
			cells[i] = "…"
			if column >= 0 {
				cells[i] = term.CutWidth(row[column], widths[column])
			}
		}
		return cells
	}
	for _, row := range p.rows {
		t.AppendRow(fitting(row))
	}
	if p.sums != nil {
		t.AppendFooter(fitting(p.sums))
	}
	above, below := p.around(p.caption.Above), p.around(p.caption.Below)
	_, err := fmt.Fprintf(p.w, "%s%s\n(%s)\n%s", above, t.Render(),
		p.footer(total, len(slices.DeleteFunc(shown, func(column int) bool { return column < 0 }))), below)
	return err
}

// decimals writes a number with all digits that its type has after the point, so that those of a column stand below
// each other.
func decimals(typeName, number string) string {
	_, scale, ok := strings.Cut(strings.TrimSuffix(typeName, ")"), "DECIMAL(")
	if _, scale, _ = strings.Cut(scale, ","); !ok || scale == "0" || number == "NULL" {
		return number
	}
	whole, digits, _ := strings.Cut(number, ".")
	width, _ := strconv.Atoi(scale) // the engine writes the type
	return whole + "." + digits + strings.Repeat("0", max(width-len(digits), 0))
}

// around is text above or below the table, in lines that fit the terminal.
func (p *tablePrinter) around(caption string) string {
	if caption == "" {
		return ""
	}
	if p.fit > 0 {
		caption = strings.Join(term.Wrap(caption, p.fit), "\n")
	}
	return caption + "\n"
}

// footer says how many rows there are, and how many were left out.
func (p *tablePrinter) footer(total int64, columns int) string {
	out, flags := term.Plural(total, "row"), []string(nil)
	if n := int64(len(p.rows)); n < total {
		out += ", " + humanize.Comma(n) + " shown"
		flags = append(flags, "--max-rows 0")
	}
	if columns < len(p.columns) {
		out += fmt.Sprintf("; %d columns, %d shown", len(p.columns), columns)
		flags = append(flags, fmt.Sprintf("--max-width %d", CellWidth))
	}
	if p.caption.More != "" && len(flags) > 0 {
		return out + ": " + p.caption.More
	}
	switch len(flags) {
	case 0:
		return out
	case 1:
		return out + "; " + flags[0] + " shows all"
	}
	return out + "; " + strings.Join(flags, " and ") + " show all"
}

// fitted computes column widths for a table that must fit a terminal. It breaks names into lines, and narrows the
// widest text columns, but not numbers and times. If that is not enough, it leaves out columns: those without a value,
// then the last ones.
func (p *tablePrinter) fitted() (widths, shown []int) {
	cells, widths, parts := make([]int, len(p.columns)), make([]int, len(p.columns)), make([]int, len(p.columns))
	total := 1
	for i, c := range p.columns {
		for _, row := range append(p.rows, p.sums) {
			if row != nil {
				cells[i] = max(cells[i], text.StringWidthWithoutEscSequences(row[i]))
			}
		}
		for _, part := range nameParts(term.Printable(c.Name)) {
			parts[i] = max(parts[i], text.StringWidthWithoutEscSequences(part))
		}
		widths[i] = max(cells[i], text.StringWidthWithoutEscSequences(term.Printable(c.Name)))
		shown = append(shown, i)
		total += widths[i] + 3
	}
	if total <= p.fit {
		return widths, shown
	}
	least := make([]int, len(p.columns))
	for i, c := range p.columns { // names in one line, if texts that are not too short leave room for them
		least[i] = widths[i]
		if c.Text || c.JSON {
			least[i] = max(min(cells[i], legible), text.StringWidthWithoutEscSequences(term.Printable(c.Name)))
		}
	}
	if shown = p.chosen(least); !slices.Contains(shown, -1) {
		p.shrink(widths, least, shown)
		return widths, shown
	}
	for _, name := range []int{readable, nameable, readable} { // shorter names only if all columns fit then
		for i, c := range p.columns {
			least[i] = cells[i]
			if c.Text || c.JSON {
				least[i] = min(least[i], readable)
			}
			least[i] = max(least[i], min(parts[i], name))
			widths[i] = max(cells[i], parts[i])
		}
		if shown = p.chosen(least); !slices.Contains(shown, -1) {
			break
		}
	}
	p.shrink(widths, least, shown)
	return widths, shown
}

// shrink narrows the widest columns until they fit.
func (p *tablePrinter) shrink(widths, least, shown []int) {
	for {
		total, widest := 1, -1
		for _, column := range shown {
			if column < 0 {
				total += 3 + text.RuneWidth('…')
				continue
			}
			total += widths[column] + 3
			if widths[column] > least[column] && (widest < 0 || widths[column] > widths[widest]) {
				widest = column
			}
		}
		if total <= p.fit || widest < 0 {
			return
		}
		widths[widest]--
	}
}

// chosen returns the columns that fit: all; or those that have a value in some row; or the first of these, with -1 in
// the place of the others.
func (p *tablePrinter) chosen(least []int) (shown []int) {
	total := 1
	for i, n := range least {
		shown = append(shown, i)
		total += n + 3
	}
	for i := len(shown) - 1; i > 0 && total > p.fit; i-- {
		if p.empty(i) {
			shown = slices.Delete(shown, i, i+1)
			total -= least[i] + 3
		}
	}
	if total <= p.fit {
		return shown
	}
	total += text.RuneWidth('…') + 3
	for len(shown) > 1 && total > p.fit {
		total -= least[shown[len(shown)-1]] + 3
		shown = shown[:len(shown)-1]
	}
	return append(shown, -1)
}

// empty reports whether a column has no value in any row.
func (p *tablePrinter) empty(column int) bool {
	return len(p.rows) > 0 && !slices.ContainsFunc(p.rows, func(row []string) bool { return row[column] != "NULL" })
}

// readable is the smallest width of a text column, and if need be of any column's name.
const (
	legible  = 12 // of a text column beside names in one line
	readable = 8
	nameable = 4
)

// nameParts splits a column's name where a line may break.
func nameParts(name string) []string {
	return strings.FieldsFunc(strings.ReplaceAll(name, "_", "_\n"), func(r rune) bool { return r == '\n' || r == ' ' })
}

// wrapped breaks a column's name into lines, at an underscore if possible; width 0 means no break.
func wrapped(name string, width int) string {
	if width <= 0 || text.StringWidthWithoutEscSequences(name) <= width {
		return name
	}
	var lines []string
	for _, part := range nameParts(name) {
		if n := len(lines); n > 0 && strings.HasSuffix(lines[n-1], "_") &&
			text.StringWidthWithoutEscSequences(lines[n-1]+part) <= width {
			lines[n-1] += part
			continue
		}
		lines = append(lines, strings.Split(text.WrapHard(part, width), "\n")...)
	}
	return strings.Join(lines, "\n")
}
