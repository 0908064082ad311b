package transform

import (
	"slices"
	"strings"
	"unicode/utf8"

	"pipeline/sql/schema"
)

// titleLength is how many characters (Unicode code points) a title may have that is made from a message.
const titleLength = 80

// displayTitle is a conversation's title, unless it is blank; else the beginning of the first prompt that has text. That of a subagent may be what its parent's agent wrote.
func (a *assembly) displayTitle(row *schema.Conversation, order []*seat) (*string, error) {
	if row.Title != nil && !isBlank(*row.Title) {
		return row.Title, nil
	}
	first := func(is func(*seat) bool) int {
		return slices.IndexFunc(order, func(s *seat) bool { return s.hasText && is(s) })
	}
	at := first((*seat).isPrompt)
	if at < 0 && a.isSubagent() {
		at = first(func(s *seat) bool { return s.role == "user" })
	}
	if at < 0 {
		return nil, nil
	}
	b, err := a.bodyOf(order[at])
	if err != nil {
		return nil, err
	}
	return ptr(openingOf(deref(b.message.Text))), nil
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

// isSubagent reports whether the conversation itself says that it is a subagent.
func (a *assembly) isSubagent() bool {
	return slices.ContainsFunc(a.rows.SubagentClaims, func(c schema.SubagentClaim) bool { return c.ConversationID == a.conv.ID && c.Rank <= 1 })
}
