package term

import (
	"strings"

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
