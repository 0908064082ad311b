package term

import (
	"io"
	"regexp"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
)

// Fitted returns a writer that breaks lines between words where the terminal w would break them within words. If w is
// no terminal it returns w. Lines have to be written whole.
func Fitted(w io.Writer) io.Writer {
	if width := Width(w); width > 0 {
		return fitted{w, width}
	}
	return w
}

type fitted struct {
	w     io.Writer
	width int
}

func (f fitted) Write(lines []byte) (int, error) {
	if _, err := io.WriteString(f.w, fit(string(lines), f.width)); err != nil {
		return 0, err
	}
	return len(lines), nil
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
