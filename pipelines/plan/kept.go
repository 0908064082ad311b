package plan

import (
	"pipeline/extract"
	"pipeline/load"
	"pipeline/sql/schema"
)

// keptGone is the fingerprint of a family of which no row is left.
const keptGone = "gone"

// left are the ids of families of which rows were seen.
func (s *Source) left(kept []extract.KeptFamily) map[load.ConversationKey]bool {
	out := map[load.ConversationKey]bool{}
	for _, f := range kept {
		out[s.Key(f.Store, Kept(f.Family))] = true
	}
	return out
}

// Family decides of a family that no table is built from, of a store that was looked into so deep: whether its rows are gone through, and whether every
// value is read then, or only those of rows whose rowid or size is new.
func (s *Source) Family(f extract.KeptFamily, depth extract.Depth) (read, every bool) {
	before, _ := s.Known(f.Store, Kept(f.Family))
	every = s.Forced[f.Store] || s.Wanted.Full || depth == extract.DepthValues && (f.Content == "" || f.Content != before.ContentHash)
	return every || !parse(before.Fingerprint).holds(f.Fingerprint, f.Sizes), every
}

// EmptyFamilies are the families of which no row is left, as the warehouse has to remember them. They are remembered and not forgotten: no table changes,
// and a load that changes rows is another one in a rebuild.
func (s *Source) EmptyFamilies(kept []extract.KeptFamily, complete Complete) (out []schema.KnownConversation) {
	left := s.left(kept)
	for key, known := range s.All() {
		family, ok := KeptFamily(key.ConversationID)
		if ok && (known.Fingerprint != keptGone || s.Gap) && !left[key] && complete.Has(key.Store) && s.Wanted.Raw.Keeps(family) {
			empty := s.Remembered(key.Store, key.ConversationID)
			empty.Fingerprint = keptGone
			out = append(out, empty)
		}
	}
	return out
}
