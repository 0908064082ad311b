package plan

import (
	"hash/fnv"
	"strings"

	"pipeline/extract"
	"pipeline/sql/schema"
)

// A Fingerprint is a conversation's, or a family's, as the warehouse keeps it: of keys and rowids, of sizes, and of the facts that its rows use.
type Fingerprint struct{ Rows, Sizes, Facts string }

func parse(text string) (f Fingerprint) {
	f.Rows, text, _ = strings.Cut(text, "|")
	f.Sizes, f.Facts, _ = strings.Cut(text, "|")
	return f
}

func (f Fingerprint) String() string {
	if f.Rows == "" {
		return "" // there are no rowids: the values are compared each time
	}
	return f.Rows + "|" + f.Sizes + "|" + f.Facts
}

// holds reports that rows are those that it was made of, as far as was looked: sizes is "" where nobody asked for them.
func (f Fingerprint) holds(rows, sizes string) bool {
	return rows != "" && rows == f.Rows && (sizes == "" || sizes == f.Sizes)
}

// asBefore reports that a known conversation's rows are as they were, as far as was looked.
func asBefore(before schema.KnownConversation, conv *extract.Conversation) bool {
	return parse(before.Fingerprint).holds(conv.Fingerprint, conv.Sizes) && strings.HasPrefix(before.ContentHash, conv.Content)
}

// A Part is a part of the conversations that is read in full, whatever their fingerprints say: the Nth of so many, from 0.
type Part struct{ Nth, Of int }

func (p *Part) includes(conversationID string) bool {
	if p == nil {
		return false
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(conversationID))
	return int(h.Sum32()%uint32(p.Of)) == p.Nth
}

// Limits are what a run may be narrowed to.
type Limits struct {
	Since, Until *schema.Millis // only conversations whose last activity is at or after the one, and before the other
	Projects     []string       // only conversations of these
}

// Narrowed runs see only a part of the conversations: they mark none as deleted.
func (l Limits) Narrowed() bool { return len(l.Projects) > 0 || l.Timed() }

// Timed runs see only conversations of some time.
func (l Limits) Timed() bool { return l.Since != nil || l.Until != nil }

// Within reports whether the last activity of a conversation is within the wanted time. One that has no time is in none.
func (l Limits) Within(last *schema.Millis) bool {
	if !l.Timed() {
		return true
	}
	return last != nil && (l.Since == nil || *last >= *l.Since) && (l.Until == nil || *last < *l.Until)
}
