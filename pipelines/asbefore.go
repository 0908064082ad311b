package pipelines

import (
	"context"
	"slices"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// This file looks after stores that are not opened, since every byte of them is as it was when they were last read (extract.OpenOptions.Known). All that
// a run says of such a store is what the last one said, and its shared rows are those that the warehouse remembers.

// wholeFingerprint is the fingerprint of the file of such a store. Another version of the tool may read other rows.
func (r *run) wholeFingerprint(state string) string { return state + " " + r.opt.ToolVersion }

// knownStores returns what earlier loads read of a source's stores. It is nil where all of them are to be read.
func (r *reading) knownStores(ctx context.Context) (func(store, state string) *extract.StoreReport, error) {
	if r.opt.Full || r.rawGap || r.opt.rebuild != load.NoRebuild || len(r.src.Workspaces) == 0 {
		return nil, nil
	}
	last, err := r.w.LastRead(ctx, r.src.id)
	if err != nil {
		return nil, err
	}
	return func(store, state string) *extract.StoreReport {
		file, known := r.comparedBefore(store)
		identity, isKnown := r.state.Stores[load.StoreKey{SourceID: r.src.id, Store: store}]
		shared, hasShared := r.state.Known[load.ConversationKey{SourceID: r.src.id, Store: store, ConversationID: sharedID}]
		read := last[store]
		switch {
		case !known || !isKnown || !hasShared || read == nil || !read.IsComplete || file.Fingerprint != r.wholeFingerprint(state):
			return nil
		case shared.Fingerprint == standsMark: // what is remembered is not what the store holds
			return nil
		}
		report := &extract.StoreReport{RowsSeen: read.RowsSeen, RowsRead: read.RowsRead, MaxRowID: identity.MaxRowID, Identity: identity.Identity}
		for _, f := range read.Families {
			report.Families = append(report.Families, extract.FamilyCount{Family: f.Family, Handling: extract.Handling(f.Handling), Rows: f.Rows, NullRows: f.NullRows, BytesRead: f.BytesRead})
		}
		return report
	}, nil
}

// rememberWhole has the warehouse remember the file of a store that holds only what conversations share; also in a narrowed run, which reads these rows
// as any other does. A state of which nothing can be said takes the place of an earlier one: the rows that are remembered are no longer its.
func (r *reading) rememberWhole(s *extract.StoreReport) {
	before, known := r.state.Known[load.ConversationKey{SourceID: r.src.id, Store: s.Store, ConversationID: fileID}]
	now := schema.KnownConversation{SourceID: r.src.id, Store: s.Store, ConversationID: fileID, ContentHash: before.ContentHash, TransformVersion: transform.Version,
		LoadID: r.state.LastLoadID + 1}
	if s.State != "" {
		now.Fingerprint = r.wholeFingerprint(s.State)
	}
	same := now.Fingerprint == before.Fingerprint && now.TransformVersion == before.TransformVersion
	if !same && (known || s.State != "") {
		r.remember = append(r.remember, now)
	}
}

// restoreShared adds the shared rows of stores that were not opened, each in its place.
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
	docs, err := r.w.Documents(ctx, r.src.id)
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
