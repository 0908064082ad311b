package result

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
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
