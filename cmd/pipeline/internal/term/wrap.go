package term

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// This file lays out texts for a terminal: without control characters, wrapped at a width in columns (a wide character
// takes two), code unchanged.

// CodeLines are the lines of a text without control characters, not wrapped.
func CodeLines(body string) []string {
	lines := strings.Split(strings.ReplaceAll(body, "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = Printable(strings.ReplaceAll(line, "\t", "    "))
	}
	return lines
}

// Wrap wraps a Markdown text. It does not wrap lines within fences.
func Wrap(body string, width int) (out []string) {
	fence := ""
	for _, line := range CodeLines(body) {
		trimmed := strings.TrimLeft(line, " ")
		switch run := fenceRun(trimmed); {
		case fence == "" && run != "":
			fence = run
			out = append(out, line)
		case fence != "":
			out = append(out, line)
			if strings.HasPrefix(run, fence) && strings.TrimSpace(strings.TrimLeft(trimmed, fence[:1])) == "" {
				fence = ""
			}
		default:
			out = append(out, wrapLine(line, width)...)
		}
	}
	return out
}

// fenceRun is the run of backticks or tildes at the start of a line, if it is long enough to fence code.
func fenceRun(line string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, c)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

// wrapLine breaks a line at spaces. It breaks a word that is longer than a line at the line's end. Further lines are
// indented like the first, and those of a list item like its text.
func wrapLine(line string, width int) []string {
	if text.StringWidthWithoutEscSequences(line) <= width {
		return []string{line}
	}
	hang := hangOf(line)
	if hang > width/2 {
		hang = 0
	}
	var out []string
	var current strings.Builder
	taken := 0
	end := func() {
		out = append(out, strings.TrimRight(current.String(), " "))
		current.Reset()
		current.WriteString(strings.Repeat(" ", hang))
		taken = hang
	}
	for _, word := range strings.SplitAfter(line, " ") {
		if w := text.StringWidthWithoutEscSequences(strings.TrimRight(word, " ")); taken+w > width && taken > hang {
			end()
		}
		for _, r := range word {
			w := text.RuneWidth(r)
			if taken+w > width {
				if r == ' ' {
					continue
				}
				end()
			}
			current.WriteRune(r)
			taken += w
		}
	}
	if rest := strings.TrimRight(current.String(), " "); rest != "" {
		out = append(out, rest)
	}
	return out
}

// hangOf is the indentation of a line's text, after the mark of a list item.
func hangOf(line string) int {
	rest := strings.TrimLeft(line, " ")
	indent := len(line) - len(rest)
	mark, _, found := strings.Cut(rest, " ")
	switch number := strings.TrimRight(mark, ".)"); {
	case !found:
	case mark == "-", mark == "*", mark == "+", mark == ">":
		return indent + 2
	case number != mark && number != "" && len(number) < 4 && strings.Trim(number, "0123456789") == "":
		return indent + len(mark) + 1
	}
	return indent
}

// Fitted returns a writer that breaks lines between words where the terminal w would break them within words. If w is
// no terminal it returns w. Lines have to be written whole.
func Fitted(w io.Writer) io.Writer {
	if width := Width(w); width > 0 {
		return filter{w, func(lines []byte) []byte { return []byte(fit(string(lines), width)) }}
	}
	return w
}

// named is the begin of a line that has a name and, some spaces behind it, a text about that.
var named = regexp.MustCompile(`^ *[^ ]+( [^ ]+)* {2,}`)

// fit breaks lines that are wider than width. What goes on stands below the text of the line. A word that is wider,
// such as a path, is not broken: it may be copied.
func fit(lines string, width int) string {
	var out strings.Builder
	for line := range strings.Lines(lines) {
		hang := len(line) - len(strings.TrimLeft(line, " "))
		if begin := named.FindString(line); begin != "" && len(begin) < width/2 {
			hang = len(begin)
		}
		taken := hang
		out.WriteString(line[:hang])
		for i, word := range strings.SplitAfter(line[hang:], " ") {
			wide := text.StringWidthWithoutEscSequences(strings.TrimRight(word, " \n"))
			if i > 0 && taken+wide > width {
				out.WriteString("\n" + strings.Repeat(" ", hang))
				taken = hang
			}
			out.WriteString(word)
			taken += text.StringWidthWithoutEscSequences(strings.TrimRight(word, "\n"))
		}
	}
	return out.String()
}

// PlainTable draws a table without lines. Its last column may be long. numbers names the columns of numbers.
func PlainTable(w io.Writer, header table.Row, rows []table.Row, numbers ...string) {
	t := table.NewWriter()
	style := table.StyleDefault
	style.Options = table.OptionsNoBordersAndSeparators
	style.Format.Header = text.FormatDefault
	style.Box.PaddingLeft, style.Box.PaddingRight = "", "  "
	t.SetStyle(style)
	t.SuppressTrailingSpaces()
	var configs []table.ColumnConfig
	for _, name := range numbers {
		configs = append(configs, table.ColumnConfig{Name: name, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(configs)
	t.AppendHeader(header)
	t.AppendRows(rows)
	fmt.Fprintln(w, t.Render())
}
