package pipelines

import (
	"context"
	"slices"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// sharedID stands for a store's shared rows among the known conversations.
const sharedID = "(shared)"

// isShared tells what stands for shared rows from a conversation.
func isShared(id string) bool { return id == sharedID || id == rowsID }

// sharedDocuments are the shared rows that the warehouse has to remember anew.
type sharedDocuments struct {
	rows    []schema.KnownDocument
	changed []string
}

// shared remembers the shared rows of each store that was read, and adds those of stores that could not be read as they were last:
// what such a store said of conversations stays as it was.
func (r *run) shared(ctx context.Context, src source, snapshot extract.Snapshot) (out sharedDocuments, err error) {
	all := snapshot.Shared()
	byStore := map[string][]*extract.Document{}
	for _, d := range slices.Concat(all.Items, all.Headers) {
		byStore[d.Store] = append(byStore[d.Store], d)
	}
	for _, store := range snapshot.Stores() {
		if store.Err != nil {
			if err := r.remembered(ctx, src, store.Store, all); err != nil {
				return out, err
			}
			continue
		}
		key := load.ConversationKey{SourceID: src.id, Store: store.Store, ConversationID: sharedID}
		hash := extract.HashDocuments(byStore[store.Store])
		if r.state.Known[key].ContentHash == hash {
			continue
		}
		r.tx.Remember(schema.KnownConversation{SourceID: src.id, Store: store.Store, ConversationID: sharedID, ContentHash: hash,
			TransformVersion: transform.Version, LoadID: r.state.LastLoadID + 1})
		out.changed = append(out.changed, store.Store)
		for i, d := range byStore[store.Store] {
			out.rows = append(out.rows, schema.KnownDocument{SourceID: src.id, Store: d.Store, Table: d.Table, Ordinal: int64(i),
				Key: d.Key, Family: d.Family, Type: d.Type, Value: d.Value})
		}
	}
	return out, nil
}

// remembered adds a store's shared rows as they were last read.
func (r *run) remembered(ctx context.Context, src source, store string, all *extract.Shared) error {
	docs, err := r.w.Documents(ctx, src.id, store)
	if err != nil {
		return err
	}
	for _, k := range docs {
		d := &extract.Document{Store: k.Store, Table: k.Table, Family: k.Family, Key: k.Key, ID: k.Key, Type: k.Type, Bytes: int64(len(k.Value)), Value: k.Value}
		if k.Table == extract.HeaderTable {
			all.Headers = append(all.Headers, d)
		} else {
			all.Items = append(all.Items, d)
		}
	}
	return nil
}
