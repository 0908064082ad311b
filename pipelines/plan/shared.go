package plan

import (
	"pipeline/sql/schema"
	"pipeline/transform"
)

// SharedUnchanged reports whether the shared rows are those of the last load: each store has the hash of that load, and
// no store of that load is missing.
func (s *Source) SharedUnchanged(hashes map[string]string) bool {
	for store, hash := range hashes {
		if known := s.State.Known[s.Shared(store)]; known.ContentHash != hash {
			return false
		}
	}
	for key := range s.All() {
		if _, said := hashes[key.Store]; key.Kind == schema.KindShared && !said {
			return false
		}
	}
	return true
}

// RowsNow returns what is to be stored about the rows that are made from shared rows, and whether it has changed. hash
// covers everything that they are made from.
func (s *Source) RowsNow(hash string) (now schema.Owner, changed bool) {
	known := s.State.Known[s.Tables()]
	now = s.Remembered(s.Tables())
	now.ContentHash = hash
	return now, known.ContentHash != hash || known.TransformVersion != transform.Version
}
