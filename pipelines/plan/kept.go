package plan

import (
	"pipeline/extract"
	"pipeline/sql/schema"
)

// FamilyKey is the key of a family that no table is built from.
func (s *Source) FamilyKey(store, family string) schema.OwnerKey {
	return s.Key(schema.KindFamily, store, family)
}

// left are the keys of families that have rows.
func (s *Source) left(kept []extract.KeptFamily) map[schema.OwnerKey]bool {
	out := map[schema.OwnerKey]bool{}
	for _, f := range kept {
		out[s.FamilyKey(f.Store, f.Family)] = true
	}
	return out
}

// Family decides about a family that no table is built from, after a look of this depth into its store: whether to go
// through its rows (read), and whether to read every value (every) or only those of rows with a new rowid or size.
func (s *Source) Family(f extract.KeptFamily, depth extract.Depth) (read, every bool) {
	before := s.State.Known[s.FamilyKey(f.Store, f.Family)]
	every = s.Forced[f.Store] || s.Wanted.Full ||
		depth == extract.DepthValues && (f.Content == "" || f.Content != before.ContentHash)
	return every || !holds(before, f.Fingerprint, f.Sizes), every
}

// EmptyFamilies are the families without rows, in the form that the warehouse stores. They are stored as empty and not
// removed: removing them would change no table, but a load without changes is not repeated in a rebuild.
func (s *Source) EmptyFamilies(kept []extract.KeptFamily, complete Complete) (out []schema.Owner) {
	left := s.left(kept)
	for key, known := range s.All() {
		if key.Kind == schema.KindFamily && (!known.IsGone || s.RawMayLack) && !left[key] &&
			complete.Has(key.Store) && extract.IsKept(key.ID) {
			empty := s.Remembered(key)
			empty.IsGone = true
			out = append(out, empty)
		}
	}
	return out
}
