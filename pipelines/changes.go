package pipelines

import (
	"context"
	"encoding/json"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// salvagedIdentity is that of a damaged store: once it is sound, all of it is read and compared, since what was read of damaged pages may be
// anything.
const salvagedIdentity = "salvaged"

// signs compares each store's file with the one of the last load. One whose file or tables are others, or whose largest rowid shrank, is
// read in full: rowids there may stand for other rows. It returns what the warehouse has to remember anew.
func (r *reading) signs(ctx context.Context) ([]schema.KnownStore, error) {
	var out []schema.KnownStore
	for _, s := range r.snapshot.Stores() {
		if s.Unreadable() {
			continue
		}
		now := schema.KnownStore{SourceID: r.src.id, Store: s.Store, Identity: s.Identity, MaxRowID: s.MaxRowID}
		before, known := r.state.Stores[load.StoreKey{SourceID: r.src.id, Store: s.Store}]
		other := known && (before.Identity != now.Identity || now.MaxRowID < before.MaxRowID)
		if s.Salvaged {
			other, now.Identity = other && before.Identity != salvagedIdentity, salvagedIdentity
		}
		if _, compared := r.comparedBefore(s.Store); r.rawGap || other || known && !compared && s.MaxRowID > 0 {
			r.forced[s.Store] = true
		}
		if !known || r.forced[s.Store] || r.opt.Full { // what an index does not name would be missed without a word
			if err := r.believe(ctx, s.Store); err != nil {
				return nil, err
			}
		}
		if (s.Salvaged || !r.only.narrowed()) && (!known || before != now) { // a narrowed run leaves conversations unread
			out = append(out, now)
		}
	}
	return out, nil
}

// rowsID stands for a source's shared rows among the known conversations.
const rowsID = "(rows)"

// rowsUnchanged reports that the rows which are made of what conversations share are those of the last load, since all that they are made of
// is the same, and has the warehouse remember it otherwise.
func (r *reading) rowsUnchanged(documents *sharedDocuments, complete []string) bool {
	text, err := json.Marshal([]any{documents.hashes, complete, transform.Version}) // maps are written in the order of their keys
	if err != nil {
		return false
	}
	key := load.ConversationKey{SourceID: r.src.id, Store: extract.GlobalStore, ConversationID: rowsID}
	hash := transform.Hash(text)
	if known := r.state.Known[key]; len(documents.changed) == 0 && known.ContentHash == hash && known.TransformVersion == transform.Version {
		return true
	}
	r.remember = append(r.remember, schema.KnownConversation{SourceID: r.src.id, Store: extract.GlobalStore, ConversationID: rowsID, ContentHash: hash,
		TransformVersion: transform.Version, LoadID: r.state.LastLoadID + 1})
	return false
}
