package pipelines

import (
	"context"
	"errors"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/pipelines/plan"
	"pipeline/transform"
)

// This file looks after shared rows that are there and cannot be used: lists of conversations, old chats, workspace.json. The warehouse remembers the
// shared rows of each store; of one that became unusable it goes on to remember, and to use, the last version that could be used.

// sharedRow names a shared row of a source.
type sharedRow struct{ store, table, key string }

func sharedRowOf(d *extract.Document) sharedRow { return sharedRow{d.Store, d.Table, d.Key} }

// earlier gives the shared rows of a source as the warehouse remembers them. It asks for those of a store when the first of them is wanted.
func (r *reading) earlier(ctx context.Context) transform.Earlier {
	stores := map[string]map[sharedRow]*extract.Document{}
	return func(d *extract.Document) *extract.Document {
		if _, known := r.plan.Known(d.Store, plan.Shared); !known {
			return nil
		}
		if stores[d.Store] == nil {
			stores[d.Store] = map[sharedRow]*extract.Document{}
			docs, err := r.past.Documents(ctx, r.src.id, d.Store)
			r.lost = errors.Join(r.lost, err)
			for _, k := range docs {
				last := restored(k)
				stores[d.Store][sharedRowOf(last)] = last
			}
		}
		return stores[d.Store][sharedRowOf(d)]
	}
}

// rememberStandIns has the warehouse remember the versions that stand for unusable rows, and which stores have such rows.
func (r *reading) rememberStandIns(documents *sharedDocuments, shared *transform.Shared) {
	standIns, stores := map[sharedRow]*extract.Document{}, map[string]bool{}
	for _, last := range shared.EarlierVersions() {
		standIns[sharedRowOf(last)], stores[last.Store] = last, true
	}
	for i := range documents.rows {
		row := &documents.rows[i]
		if last := standIns[sharedRow{row.Store, row.Table, row.Key}]; last != nil {
			row.Type, row.Value = last.Type, last.Raw
		}
	}
	for _, known := range documents.known {
		if stores[known.Store] {
			known.Fingerprint = plan.EarlierVersion
		}
		r.remember = append(r.remember, known)
	}
}

// noteCopy notes whether a conversation that only shared rows hold is what they held when they could be used last.
func (r *reading) noteCopy(key load.ConversationKey, shared *transform.Shared, id string) {
	r.noteHead(key, shared.Of(id).IsEarlier())
}

// isCopied tells a conversation that only shared rows hold.
func isCopied(conv *extract.Conversation) bool {
	return conv.Fingerprint == transform.CopiedFingerprint
}
