package main

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// report is what a benchmark found, in the order in which it is read.
type report struct {
	machine string
	notes   []string
	tables  []sheet
}

// sheet is one table of a report.
type sheet struct {
	title  string
	note   string // above the table
	header []string
	rows   [][]string
}

func (s *sheet) add(cells ...string) { s.rows = append(s.rows, cells) }

func (r *report) add(s sheet)      { r.tables = append(r.tables, s) }
func (r *report) note(text string) { r.notes = append(r.notes, text) }

// writer lays out the table.
func (s *sheet) writer() table.Writer {
	w := table.NewWriter()
	w.SetStyle(table.StyleLight)
	w.Style().Format.Header = text.FormatDefault
	header, configs := make(table.Row, len(s.header)), make([]table.ColumnConfig, len(s.header))
	for i, name := range s.header {
		header[i] = name
		configs[i] = table.ColumnConfig{Number: i + 1, AlignHeader: text.AlignLeft}
		if i > 0 && s.figures(i) {
			configs[i].Align, configs[i].AlignHeader = text.AlignRight, text.AlignRight
		}
	}
	w.AppendHeader(header)
	w.SetColumnConfigs(configs)
	for _, cells := range s.rows {
		row := make(table.Row, len(cells))
		for i, cell := range cells {
			row[i] = cell
		}
		w.AppendRow(row)
	}
	return w
}

// figures reports that a column holds figures, not words.
func (s *sheet) figures(column int) bool {
	for _, cells := range s.rows {
		if r, _ := utf8.DecodeRuneInString(cells[column]); unicode.IsLetter(r) {
			return false
		}
	}
	return true
}

func (s *sheet) text() string { return s.writer().Render() + "\n" }

// text is the report as a person reads it in a terminal.
func (r *report) text() string {
	var b strings.Builder
	b.WriteString("Machine: " + r.machine + "\n")
	for _, note := range r.notes {
		b.WriteString(note + "\n")
	}
	for _, s := range r.tables {
		b.WriteString("\n" + s.title + "\n")
		if s.note != "" {
			b.WriteString(s.note + "\n")
		}
		b.WriteString(s.text())
	}
	return b.String()
}

// markdown is the report as docs/performance.md shows it.
func (r *report) markdown() string {
	var b strings.Builder
	b.WriteString("Machine: " + r.machine + ".\n")
	for _, note := range r.notes {
		b.WriteString(note + "\n")
	}
	for _, s := range r.tables {
		b.WriteString("\n### " + s.title + "\n\n")
		if s.note != "" {
			b.WriteString(s.note + "\n\n")
		}
		b.WriteString(s.writer().RenderMarkdown() + "\n")
	}
	return b.String()
}
