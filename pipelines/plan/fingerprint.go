package plan

import (
	"hash/fnv"

	"pipeline/extract"
	"pipeline/sql/schema"
)

// holds reports whether an owner's rows are still those with this fingerprint and these sizes. sizes is "" if the sizes
// were not read, and not compared then.
func holds(before schema.Owner, rows, sizes string) bool {
	return !before.IsUnsure && rows != "" && rows == before.RowsHash && (sizes == "" || sizes == before.SizesHash)
}

// sameIndex reports whether a known conversation's rows are where they were, as their keys, rowids and sizes tell.
func sameIndex(before schema.Owner, conv *extract.Conversation, sizes string) bool {
	return holds(before, conv.Fingerprint, sizes) && before.IsCopied == conv.IsCopied &&
		before.IsListed == conv.IsListed && before.IsElsewhere == conv.Elsewhere
}

// asBefore reports whether a known conversation's rows are the same, as far as they were looked at.
func asBefore(before schema.Owner, conv *extract.Conversation) bool {
	return sameIndex(before, conv, conv.Sizes) && (conv.Content == "" || conv.Content == before.ContentHash)
}

// sameContent reports whether a conversation says what it said, and shared rows say the same of it.
func sameContent(before, now schema.Owner) bool {
	return before.ContentHash == now.ContentHash && before.FactsHash == now.FactsHash &&
		before.IsElsewhere == now.IsElsewhere && before.IsEmptied == now.IsEmptied && before.IsLost == now.IsLost
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
