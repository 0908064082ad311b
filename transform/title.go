package transform

import (
	"strings"
	"unicode/utf8"
)

// titleLength is how many characters (Unicode code points) a title may have that is made from a message.
const titleLength = 80

// opener is the first user message that has text, of those that came by so far.
type opener struct {
	at   int64 // its position
	line string
}

// offer looks at a message, which may come in any order.
func (o *opener) offer(s *seat, b *body) {
	if s.role != "user" || s.simulated || o.line != "" && o.at < s.at {
		return
	}
	if line := openingOf(deref(b.message.Text)); line != "" {
		o.at, o.line = s.at, line
	}
}

// setDisplayTitle fills the conversation's display_title once all its messages came by: the title, unless it is blank,
// else the opener's line.
func (a *assembly) setDisplayTitle() {
	for i := range a.rows.Conversations {
		row := &a.rows.Conversations[i]
		switch {
		case row.Title != nil && !isBlank(*row.Title):
			row.DisplayTitle = row.Title
		case a.opener.line != "":
			row.DisplayTitle = &a.opener.line
		}
	}
}

// openingOf returns the first line of a text that is not blank, cut at titleLength; "" if there is none.
func openingOf(text string) string {
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		cut := 0
		for range titleLength {
			_, size := utf8.DecodeRuneInString(line[cut:])
			cut += size
		}
		return strings.Clone(line[:cut]) // the text is not held
	}
	return ""
}
