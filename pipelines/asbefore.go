package pipelines

import (
	"context"
	"slices"

	"pipeline/extract"
)

// This file handles stores that are not opened, because every byte of them is the same as in the last read
// (extract.OpenOptions.Known). The report of such a store is that of the last read, and its shared rows are those in
// the warehouse.

// knownStores returns the reports of earlier loads on a source's stores. The function is nil if all stores must be
// read.
func (r *reading) knownStores(ctx context.Context) (func(store, state string) *extract.StoreReport, error) {
	if r.plan.ReadsAll() || len(r.src.Workspaces) == 0 {
		return nil, nil
	}
	last, err := r.past.LastRead(ctx, r.src.id)
	if err != nil {
		return nil, err
	}
	return func(store, state string) *extract.StoreReport { return r.plan.Unopened(store, state, last[store]) }, nil
}

// restoreShared adds the shared rows of stores that were not opened, in the order of the stores.
func (r *reading) restoreShared(ctx context.Context) error {
	place, known := map[string]int{}, map[string]bool{}
	for i, s := range r.snapshot.Stores() {
		place[s.Store] = i + 1
		if s.AsBefore {
			known[s.Store] = true
		}
	}
	if len(known) == 0 {
		return nil
	}
	docs, err := r.past.Documents(ctx, r.src.id)
	if err != nil {
		return err
	}
	all := r.snapshot.Shared()
	for _, k := range docs {
		if known[k.Store] && k.Table == extract.ItemTable {
			all.Items = append(all.Items, restored(k))
		}
	}
	slices.SortStableFunc(all.Items, func(a, b *extract.Document) int { return place[a.Store] - place[b.Store] })
	return nil
}
