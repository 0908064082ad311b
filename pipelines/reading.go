package pipelines

import (
	"cmp"
	"context"
	"slices"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/pipelines/plan"
	"pipeline/pipelines/raw"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// reading is one source in a run. It is made new for each source.
type reading struct {
	*run
	src      source
	plan     plan.Source                   // what is decided of it
	snapshot extract.Snapshot              // its stores, from begin on
	keeper   raw.Keeper                    // hands its rows to the raw layer, from begin on
	n        func() *transform.Normalizer  // reads what conversations share when it is first asked for
	lost     error                         // why the shared rows of earlier loads could not be read
	salvaged map[string]bool               // its stores of which only a part could be read
	seen     map[string]string             // the store in which each conversation was seen
	heads    map[load.ConversationKey]bool // conversations whose own row was looked at, and whether it has become unusable
	refused  []schema.Quarantine           // rows of conversations that stay as they are
	remember []schema.KnownConversation    // unchanged in content, with new rowids
}

// newReading is the reading of a source of which nothing was looked at.
func (r *run) newReading(src source) *reading {
	gap := r.layer != nil && r.gaps[src.id]
	return &reading{run: r, src: src, plan: plan.Source{ID: src.id, State: r.state, Wanted: r.wanted(), Gap: gap, Forced: map[string]bool{}},
		seen: map[string]string{}, heads: map[load.ConversationKey]bool{}}
}

// begin takes the snapshot that is read from here on.
func (r *reading) begin(ctx context.Context, snapshot extract.Snapshot) {
	r.snapshot, r.salvaged, r.n = snapshot, salvagedStores(snapshot), r.newNormalizer(ctx)
	r.keeper = raw.Keeper{Layer: r.layer, Snapshot: snapshot, Salvaged: r.salvaged, Failed: func(store string, err error) error {
		return failureOf(r.src, cmp.Or(store, storeAt(snapshot, err)), err)
	}}
}

// families hands the rows of which no table is built to the raw layer.
func (r *reading) families(ctx context.Context) error {
	if r.layer == nil || r.plan.Wanted.Narrowed() {
		return nil
	}
	remember, err := r.keeper.Families(ctx, &r.plan, plan.CompleteStores(r.src.Source, r.snapshot.Stores()), func() { r.result.overwritten(false) })
	r.remember = append(r.remember, remember...)
	return err
}

// trust decides whether what conversations share is as it was at the last load.
func (r *reading) trust(shared *sharedDocuments) {
	r.plan.SharedSame = shared.same && !shared.stands && r.state.Meta[plan.MetaFactsDue] == "" && r.plan.SameVersion()
	r.factsChanged = r.factsChanged || !shared.same
}

// deletions looks after what is no longer there, and returns the stores of which the rest is all there is: none where the deletions are not believed.
func (r *reading) deletions(ctx context.Context, reports []extract.StoreReport, shared *sharedDocuments) ([]string, error) {
	complete := plan.CompleteStores(r.src.Source, reports)
	if err := r.removedFolders(ctx, &complete, shared); err != nil {
		return nil, err
	}
	believed, err := r.markGone(ctx, complete)
	if err != nil {
		return nil, err
	}
	if !believed {
		r.doubted = true
		return nil, nil
	}
	return complete.Stores, r.keepUnknownGone(ctx, complete)
}

// finish adds what the source's shared rows say, and has the warehouse remember what the next run compares with.
func (r *reading) finish(shared *sharedDocuments, complete []string, stores []schema.KnownStore) error {
	rows := r.sourceRows(shared, complete, stores)
	r.remember = append(r.remember, r.plan.Files(r.snapshot.Stores())...)
	r.rememberAll()
	if r.lost != nil {
		return r.lost
	}
	return r.tx.Source(rows)
}

// verify reports a store that has changed while it was read.
func (r *reading) verify() error {
	err := r.snapshot.Verify()
	if err == nil {
		return nil
	}
	return failureOf(r.src, storeAt(r.snapshot, err), err)
}

// rememberAll has the warehouse remember what is unchanged in content, and what of stores.
func (r *reading) rememberAll() {
	for _, known := range r.remember {
		r.tx.Remember(known)
	}
}

// report tells of the stores of a source.
func (r *reading) report() []extract.StoreReport {
	reports := r.stores()
	if r.anew.rebuild == load.NoRebuild { // nobody knows what they were like then
		r.result.addStores(r.src, reports)
	}
	if r.dry {
		return reports
	}
	for _, store := range reports {
		for _, warning := range store.Info.Warnings {
			r.opt.Warn("%s: %s", store.Info.Path, warning)
		}
	}
	return reports
}

// sourceRows are the rows of a source that are read whole in each run; where all they are made of is the same, only its own.
func (r *reading) sourceRows(documents *sharedDocuments, complete []string, stores []schema.KnownStore) load.SourceRows {
	rows := load.SourceRows{
		Source:    schema.Source{SourceID: r.src.id, UserDir: r.src.UserDir, Host: r.src.host, OS: r.src.OS, App: r.src.App, FirstSeenAt: r.started, LastSeenAt: r.started},
		Documents: documents.rows, Changed: documents.changed, Complete: complete, Stores: stores,
	}
	if rows.Unchanged = r.rowsUnchanged(documents, complete) && !r.anew.changed && len(r.refused) == 0; !rows.Unchanged {
		shared := r.n().Shared
		r.rememberStandIns(documents, shared)
		rows.Workspaces, rows.Prompts, rows.DailyStats, rows.Quarantine = shared.Workspaces, shared.Prompts, shared.DailyStats, slices.Concat(shared.Quarantine, r.refused)
		rows.UnknownFields = shared.UnknownFields(r.src.id, r.sharedAnew(documents))
	}
	return rows
}
