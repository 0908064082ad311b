// Package term writes texts to a terminal, or for a program that reads the output: without control characters, counted,
// cut and wrapped, as JSON, quoted for a shell, in a pager. It knows texts, numbers and times. It must never know their
// meaning: no warehouse, no conversation, no command.
package term

import (
	"strings"
	"unicode"

	"github.com/jedib0t/go-pretty/v6/text"
)

// Printable makes a text safe for a terminal, on one line: control characters become symbols.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return '⏎'
		case r == '\t':
			return ' '
		case r < 0x20:
			return 0x2400 + r
		case steers(r):
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// Flat is a text in one line, without control characters.
func Flat(s string) string {
	words := strings.Fields(s)
	out := strings.Join(words, " ")
	if len(words) > 0 && strings.TrimLeft(s, " \t\r\n") != s {
		out = " " + out
	}
	if len(words) == 0 && s != "" || len(words) > 0 && strings.TrimRight(s, " \t\r\n") != s {
		out += " "
	}
	return Printable(out)
}

// PrintableLines is Printable for a text of several lines.
func PrintableLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = Printable(lines[i])
	}
	return strings.Join(lines, "\n")
}

// steers reports a character that controls a terminal or hides text around it. Characters below a space have symbols of
// their own.
func steers(r rune) bool {
	return r == 0x7f || r >= 0x80 && r < 0xa0 || unicode.Is(unicode.Cf, r) && r != 0x200d
}

// Cut cuts a text after a number of characters; 0: never.
func Cut(s string, width int) string {
	if width <= 0 {
		return s
	}
	if r := []rune(s); len(r) > width {
		return string(r[:max(0, width-1)]) + "…"
	}
	return s
}

// CutWidth cuts a text at a width in terminal columns; 0: never.
func CutWidth(s string, width int) string {
	if width <= 0 || text.StringWidthWithoutEscSequences(s) <= width {
		return s
	}
	taken := 0
	for i, r := range s {
		if taken += text.RuneWidth(r); taken > width-text.RuneWidth('…') {
			return s[:i] + "…"
		}
	}
	return s
}

// OrEmpty returns the text, or "" for nil.
func OrEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// EscapeMarkdown escapes a text so that it has no markup in a line of Markdown.
func EscapeMarkdown(text string) string {
	var out strings.Builder
	for _, r := range text {
		switch r {
		case '\\', '`', '*', '[', ']', '|':
			out.WriteByte('\\')
			out.WriteRune(r)
		case '<':
			out.WriteString("&lt;")
		case '&':
			out.WriteString("&amp;")
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}
