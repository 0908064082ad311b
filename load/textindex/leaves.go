package textindex

import (
	"encoding/json"
	"strings"
)

// deepest is how many documents within documents are opened: tools return JSON in strings of JSON.
const deepest = 4

// Leaves returns the texts and numbers in a JSON document, one a line, as a person would read them: without the names
// of members, and without escapes. document should be valid JSON; for other text the result is some text.
func Leaves(document string) string {
	var b strings.Builder
	b.Grow(len(document))
	leaves(&b, document, 0)
	return b.String()
}

func leaves(b *strings.Builder, document string, depth int) {
	for i := 0; i < len(document); {
		switch c := document[i]; {
		case c == '"':
			end, escaped := stringEnd(document, i)
			if !isName(document[end:]) {
				line(b, leaf(document[i:end], escaped), depth)
			}
			i = end
		case c >= '0' && c <= '9' || c == '-':
			end := i + 1
			for end < len(document) && strings.IndexByte("0123456789.eE+-", document[end]) >= 0 {
				end++
			}
			line(b, document[i:end], deepest)
			i = end
		default:
			i++
		}
	}
}

// line adds a text. If the text is a JSON document itself, line adds its leaves.
func line(b *strings.Builder, text string, depth int) {
	if depth < deepest && len(text) > 1 && (text[0] == '{' || text[0] == '[') && json.Valid([]byte(text)) {
		leaves(b, text, depth+1)
		return
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	b.WriteString(text)
}

// stringEnd returns where the JSON string that begins at i ends, after its quote. escaped reports whether it has
// escapes.
func stringEnd(document string, i int) (end int, escaped bool) {
	for end = i + 1; end < len(document); end++ {
		switch document[end] {
		case '\\':
			escaped = true
			end++
		case '"':
			return end + 1, escaped
		}
	}
	return len(document), escaped
}

// isName reports whether the string before rest is the name of a member.
func isName(rest string) bool {
	return strings.HasPrefix(strings.TrimLeft(rest, " \t\r\n"), ":")
}

// leaf returns the text of a JSON string.
func leaf(quoted string, escaped bool) string {
	if !escaped {
		return strings.TrimSuffix(strings.TrimPrefix(quoted, `"`), `"`)
	}
	var text string
	if json.Unmarshal([]byte(quoted), &text) != nil {
		return quoted
	}
	return text
}
