package pipelines

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"pipeline/extract"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// This file handles shared rows that exist and cannot be used, and those that a damaged store has lost: lists of
// conversations, old chats, workspace.json. The warehouse stores the shared rows of each store. If one becomes
// unusable, the warehouse keeps, and runs use, its last usable version.

// sharedRow is the key of a shared row of a source.
type sharedRow struct{ store, table, key string }

func sharedRowOf(d *extract.Document) sharedRow { return sharedRow{d.Store, d.Table, d.Key} }

// earlier returns the shared rows of a source that the warehouse has stored. It reads those of a store when the first
// one is needed.
func (r *reading) earlier(ctx context.Context) transform.Earlier {
	stores := map[string]map[sharedRow]*extract.Document{}
	return func(d *extract.Document) *extract.Document {
		if _, known := r.state.Known[r.plan.Shared(d.Store)]; !known {
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

// writeDocuments makes the warehouse store the shared rows that have changed, with the earlier versions that are used
// instead of unusable rows. It does so before conversations are read: the rows are large, and need not be held so long.
func (r *reading) writeDocuments(documents *sharedDocuments) error {
	if len(documents.rows) == 0 {
		return nil
	}
	standIns := map[sharedRow]*extract.Document{}
	for _, last := range r.n().Shared.EarlierVersions() {
		standIns[sharedRowOf(last)] = last
	}
	for i := range documents.rows {
		row := &documents.rows[i]
		if last := standIns[sharedRow{row.Store, row.Table, row.Key}]; last != nil {
			row.Type, row.Value = last.Type, last.Raw
		}
	}
	err := r.tx.Documents(documents.rows)
	documents.rows = nil
	return err
}

// rememberEarlier makes the warehouse store which stores have rows of which earlier versions are used.
func (r *reading) rememberEarlier(documents *sharedDocuments, shared *transform.Shared) {
	stores := map[string]bool{}
	for _, last := range shared.EarlierVersions() {
		stores[last.Store] = true
	}
	for _, known := range documents.known {
		known.UsesEarlier = stores[known.Store]
		r.remember = append(r.remember, known)
	}
}

// noteCopy notes whether a conversation that exists only in shared rows comes from an earlier version of them.
func (r *reading) noteCopy(key schema.OwnerKey, shared *transform.Shared, id string) {
	r.noteHead(key, shared.Of(id).IsEarlier())
}

// isCopied reports whether a conversation exists only in shared rows.
func isCopied(conv *extract.Conversation) bool {
	return conv.IsCopied || conv.IsListed
}

// mendShared adds the shared rows that a damaged store has lost, in their version in the warehouse. docs are the
// store's own.
func (r *reading) mendShared(ctx context.Context, store string, all *extract.Shared,
	docs []*extract.Document) ([]*extract.Document, error) {
	var before extract.Shared
	if err := r.remembered(ctx, store, &before, false); err != nil {
		return nil, err
	}
	key := func(d *extract.Document) [2]string { return [2]string{d.Table, d.Key} }
	known := map[[2]string]bool{}
	for _, d := range slices.Concat(before.Items, before.Headers) {
		known[key(d)] = true
	}
	replaced := func(d *extract.Document) bool {
		return d.Store == store && d.Problem == extract.ProblemCorrupt && known[key(d)]
	}
	docs, all.Items, all.Headers = slices.DeleteFunc(docs, replaced), slices.DeleteFunc(all.Items, replaced),
		slices.DeleteFunc(all.Headers, replaced)
	for _, d := range docs { // rows that could be read are newer
		delete(known, key(d))
	}
	for _, d := range before.Items {
		if known[key(d)] {
			all.Items, docs = append(all.Items, d), append(docs, d)
		}
	}
	for _, d := range before.Headers {
		if known[key(d)] {
			all.Headers, docs = append(all.Headers, d), append(docs, d)
		}
	}
	tables := []string{extract.FileTable, extract.ItemTable, extract.HeaderTable}
	slices.SortStableFunc(docs, func(a, b *extract.Document) int {
		return cmp.Or(slices.Index(tables, a.Table)-slices.Index(tables, b.Table), strings.Compare(a.Key, b.Key))
	})
	return docs, nil
}

// salvagedStores are the stores of a source of which only a part could be read.
func salvagedStores(snapshot extract.Snapshot) map[string]bool {
	out := map[string]bool{}
	for _, s := range snapshot.Stores() {
		if s.Salvaged {
			out[s.Store] = true
		}
	}
	return out
}
