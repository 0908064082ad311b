package transform

import (
	"slices"
	"strings"
	"unicode/utf8"

	"pipeline/sql/schema"
)

// titleLength is how many characters (Unicode code points) a title may have that is made from a message.
const titleLength = 80

// displayTitle is a conversation's title, unless it is blank; else the beginning of the first prompt that has text.
// That of a subagent may be what its parent's agent wrote.
func (a *assembly) displayTitle(row *schema.Conversation, order []*pendingMessage) (*string, error) {
	if row.Title != nil && !isBlank(*row.Title) {
		return row.Title, nil
	}
	first := func(is func(*pendingMessage) bool) int {
		return slices.IndexFunc(order, func(s *pendingMessage) bool { return s.hasText && is(s) })
	}
	at := first(func(s *pendingMessage) bool { return s.isPrompt() || a.isAgentPrompt(s) })
	if at < 0 && a.isSubagent() {
		at = first(func(s *pendingMessage) bool { return s.role == "user" })
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

// markAgentPrompt marks the first message of role user, if the conversation itself says that it is a subagent: its
// parent's agent wrote it. The model of agents' prompts marks those of which only others say so, or of which a message
// lies under another chat, and takes a mark back where others call the conversation a best-of-N copy.
func (a *assembly) markAgentPrompt(order []*pendingMessage) {
	at := slices.IndexFunc(order, func(s *pendingMessage) bool { return s.role == "user" })
	if at < 0 || order[at].simulated || !a.isSubagent() || a.isBestOf() || len(a.missingHeaders()) > 0 {
		return
	}
	order[at].simulate()
	a.rows.AgentPrompts = []schema.AgentPrompt{
		{SourceID: a.n.SourceID, ConversationID: a.conv.ID, MessageID: order[at].id},
	}
}

// isAgentPrompt reports whether the message is marked for being the first of a subagent.
func (a *assembly) isAgentPrompt(s *pendingMessage) bool {
	return slices.ContainsFunc(a.rows.AgentPrompts, func(p schema.AgentPrompt) bool { return p.MessageID == s.id })
}

// isSubagent reports whether the conversation itself says that it is a subagent.
func (a *assembly) isSubagent() bool {
	return a.claimed(func(rank int64) bool { return rank <= 1 })
}

// isBestOf reports whether the conversation itself says that it is a best-of-N copy.
func (a *assembly) isBestOf() bool { return a.claimed(func(rank int64) bool { return rank >= 3 }) }

func (a *assembly) claimed(of func(rank int64) bool) bool {
	return slices.ContainsFunc(a.rows.SubagentClaims,
		func(c schema.SubagentClaim) bool { return c.ConversationID == a.conv.ID && of(c.Rank) })
}
