// Package term writes texts to a terminal, or for a program that reads the output: without control characters, counted,
// cut and wrapped, as JSON, quoted for a shell, in a pager. It knows texts, numbers and times. It must never know their
// meaning: no warehouse, no conversation, no command.
package term

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"

	"github.com/dustin/go-humanize"
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

// Plural counts things: 1 message, 2 messages.
func Plural[N int | int64](n N, one string, many ...string) string {
	name := one
	if n != 1 {
		name += "s"
		if len(many) > 0 {
			name = many[0]
		}
	}
	return humanize.Comma(int64(n)) + " " + name
}

// Size writes a number of bytes.
func Size(n int64) string { return humanize.Bytes(uint64(max(0, n))) }

// LocalTime is a time in the local zone, to the second.
func LocalTime(t time.Time) string { return t.Local().Format(time.DateTime) }

// Moment describes a time by its distance from now, and prints it.
func Moment(t, now time.Time) string {
	return humanize.RelTime(t, now, "ago", "from now") + " (" + t.Local().Format("2006-01-02 15:04") + ")"
}

// ShellQuote quotes a word for a shell of this system, for lines that people paste.
func ShellQuote(s string) string {
	if runtime.GOOS == "windows" {
		return windowsQuote(s)
	}
	if strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("/._-+:", r))
	}) < 0 {
		return s
	}
	if Printable(s) == s {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	quoted := "$'" // control characters and invalid UTF-8, in a form that bash and zsh know
	for _, r := range []byte(s) {
		switch {
		case r == '\'' || r == '\\':
			quoted += `\` + string(rune(r))
		case r < 0x20 || r >= 0x7f:
			quoted += fmt.Sprintf(`\x%02x`, r)
		default:
			quoted += string(rune(r))
		}
	}
	return quoted + "'"
}

// windowsQuote quotes a word as both shells of Windows and the programs that they start read it, if it has no quotation
// mark: no path has one there. A backslash means itself but before the closing quotation mark.
func windowsQuote(s string) string {
	s = Printable(s)
	if s != "" && !strings.ContainsAny(s, " \t&|<>()[]{}^=;!'+,`~%$@#*?\"") {
		return s
	}
	end := len(s) - len(strings.TrimRight(s, `\`))
	return `"` + strings.ReplaceAll(s, `"`, `\"`) + strings.Repeat(`\`, end) + `"`
}

// JSONVersion is the version of what --json prints, of every command. It grows when a member is removed or renamed, or
// changes its type or its meaning; not when one is added.
const JSONVersion = 1

// JSONVersionName is the member that has the version, the first of every object that --json prints.
const JSONVersionName = "schema_version"

// PrintJSON prints a result: one indented object, with its version first.
func PrintJSON(w io.Writer, v any) error {
	var out bytes.Buffer
	if err := PrintBareJSON(&out, v); err != nil {
		return err
	}
	rest, isObject := bytes.CutPrefix(out.Bytes(), []byte("{"))
	if !isObject {
		return fmt.Errorf("a result of type %T is no JSON object", v)
	}
	begin := fmt.Sprintf("{\n  %q: %d", JSONVersionName, JSONVersion)
	if rest[0] == '}' {
		begin += "\n"
	} else {
		begin += ","
	}
	_, err := w.Write(append([]byte(begin), rest...))
	return err
}

// PrintBareJSON prints a value as indented JSON, without a version: for a file whose form another program sets.
func PrintBareJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// AppendJSON appends a value in one line, without the line end.
func AppendJSON(out *bytes.Buffer, v any) error {
	switch text := v.(type) {
	case []byte:
		v = string(text)
	case time.Time: // the library refuses some years
		v = text.UTC().Format(time.RFC3339Nano)
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	out.Truncate(out.Len() - 1)
	return nil
}

// escapeControls escapes in JSON the characters that control a terminal: the library does so for most of them.
func escapeControls(out []byte) []byte {
	if bytes.IndexFunc(out, steers) < 0 {
		return out
	}
	var escaped bytes.Buffer
	for _, r := range string(out) {
		if !steers(r) {
			escaped.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&escaped, `\u%04x`, unit)
		}
	}
	return escaped.Bytes()
}
