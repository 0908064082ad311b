package term

import (
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/text"
	"pgregory.net/rapid"
)

// TestWrap: no line of words is wider than asked, a wide character takes two columns, code is left as it is, and no
// word is lost.
func TestWrap(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, in string
		width    int
		want     string
	}{
		{"words", "one two three four", 9, "one two|three|four"},
		{"as it fits", "one two", 7, "one two"},
		{"wide characters", "已更新全部通过", 6, "已更新|全部通|过"},
		{"a long word", "abcdefghij", 4, "abcd|efgh|ij"},
		{"a list's item", "- one two three", 8, "- one|  two|  three"},
		{"a numbered item", "12. one two three", 9, "12. one|    two|    three"},
		{"code", "```go\na long line of code\n```\nand text after", 8, "```go|a long line of code|```|and text|after"},
		{"a fence in a longer one", "````\n```\nstill code here\n````\nout of it", 7,
			"````|```|still code here|````|out of|it"},
		{"a tab, a bell, a turn of direction", "a\tb\x07\u202e", 20, "a    b␇\ufffd"},
		{"Windows", "a\r\nb", 20, "a|b"},
	} {
		if got := strings.Join(Wrap(test.in, test.width), "|"); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.StringMatching(`[a-zäß字👍é ]{0,80}`).Draw(t, "line")
		width := rapid.IntRange(10, 40).Draw(t, "width")
		lines := wrapLine(line, width)
		for _, l := range lines {
			if text.StringWidthWithoutEscSequences(l) > width {
				t.Fatalf("%q is wider than %d", l, width)
			}
		}
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if squeeze(strings.Join(lines, "")) != squeeze(line) {
			t.Fatalf("%q became %q", line, lines)
		}
	})
}
