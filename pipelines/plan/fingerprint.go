package plan

import (
	"hash/fnv"
	"strings"

	"pipeline/extract"
	"pipeline/sql/schema"
)

// A Fingerprint of a conversation or a family, as the warehouse stores it: of keys and rowids, of sizes, and of the
// facts that its rows use.
type Fingerprint struct{ Rows, Sizes, Facts string }

func parse(text string) (f Fingerprint) {
	f.Rows, text, _ = strings.Cut(text, "|")
	f.Sizes, f.Facts, _ = strings.Cut(text, "|")
	return f
}

func (f Fingerprint) String() string {
	if f.Rows == "" {
		return "" // without rowids: the values are compared each time
	}
	return f.Rows + "|" + f.Sizes + "|" + f.Facts
}

// holds reports whether rows have this fingerprint. sizes is "" if the sizes were not read, and not compared then.
func (f Fingerprint) holds(rows, sizes string) bool {
	return rows != "" && rows == f.Rows && (sizes == "" || sizes == f.Sizes)
}

// asBefore reports whether a known conversation's rows are the same, as far as they were looked at.
func asBefore(before schema.Owner, conv *extract.Conversation) bool {
	return parse(before.Fingerprint).holds(conv.Fingerprint, conv.Sizes) &&
		strings.HasPrefix(before.ContentHash, conv.Content)
}

// A Part is the share of the conversations that is read in full, whatever their fingerprints are: part Nth, from 0, of
// Of parts.
type Part struct{ Nth, Of int }

func (p *Part) includes(conversationID string) bool {
	if p == nil {
		return false
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(conversationID))
	return int(h.Sum32()%uint32(p.Of)) == p.Nth
}
