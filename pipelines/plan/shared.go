package plan

import (
	"pipeline/extract"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// EarlierVersion is the fingerprint of a store's shared rows where one of them cannot be used and an earlier version stands for it.
const EarlierVersion = "stands"

// MetaFactsDue is the setting of a warehouse in which what conversations share has changed since some of them were last looked at.
const MetaFactsDue = "facts_due"

// SharedUnchanged reports that what conversations share is what it was at the last load: the hash of each store's shared rows is the known one, and no
// folder is gone.
func (s *Source) SharedUnchanged(hashes map[string]string) bool {
	for store, hash := range hashes {
		if known, _ := s.Known(store, Shared); known.ContentHash != hash {
			return false
		}
	}
	for key := range s.All() {
		if _, said := hashes[key.Store]; key.ConversationID == Shared && !said {
			return false
		}
	}
	return true
}

// RowsNow is what is to be remembered of the rows that are made of what conversations share, and whether it is news: hash is over all that they are made of.
func (s *Source) RowsNow(hash string) (now schema.KnownConversation, changed bool) {
	known, _ := s.Known(extract.GlobalStore, Rows)
	now = s.Remembered(extract.GlobalStore, Rows)
	now.ContentHash = hash
	return now, known.ContentHash != hash || known.TransformVersion != transform.Version
}
