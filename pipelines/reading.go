package pipelines

import (
	"context"
	"errors"
	"slices"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/pipelines/plan"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// reading is one source in a run. It is made new for each source.
type reading struct {
	*run
	src      source
	plan     plan.Source                   // what is decided of it
	snapshot extract.Snapshot              // its stores, from begin on
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
	gap := r.tx != nil && r.tx.Raw() != nil && r.gaps[src.id]
	return &reading{run: r, src: src, plan: plan.Source{ID: src.id, State: r.state, Wanted: r.opt.wanted(r.part, r.started), Gap: gap, Forced: map[string]bool{}},
		seen: map[string]string{}, heads: map[load.ConversationKey]bool{}}
}

// begin takes the snapshot that is read from here on.
func (r *reading) begin(ctx context.Context, snapshot extract.Snapshot) {
	r.snapshot, r.salvaged, r.n = snapshot, salvagedStores(snapshot), r.newNormalizer(ctx)
}

// source reads one source; ok is false when none of its stores could be read.
func (r *reading) source(ctx context.Context, how extract.OpenOptions) (ok bool, err error) {
	r.sources = append(r.sources, r.src.id)
	if how.Known, err = r.knownStores(ctx); err != nil {
		return false, err
	}
	if ok, err = r.open(ctx, how); err != nil || !ok {
		return false, err
	}
	defer func() { err = errors.Join(err, r.snapshot.Close()) }()
	documents, err := r.shared(ctx)
	if err != nil {
		return false, err
	}
	stores, err := r.signs(ctx)
	if err != nil {
		return false, err
	}
	r.plan.SharedSame = documents.same && !documents.stands && r.state.Meta[plan.MetaFactsDue] == "" && r.plan.SameVersion()
	r.factsChanged = r.factsChanged || !documents.same
	if err := r.conversations(ctx); err != nil {
		return false, err
	}
	if err := r.kept(ctx); err != nil {
		return false, err
	}
	if err := r.verify(); err != nil {
		return false, err
	}
	reports := r.report()
	complete := plan.CompleteStores(r.src.Source, reports)
	if err := r.removedFolders(ctx, &complete, &documents); err != nil {
		return false, err
	}
	believed, err := r.markGone(ctx, complete)
	if err != nil {
		return false, err
	}
	if r.doubted = r.doubted || !believed; !believed {
		complete.Stores = nil
	} else if err := r.keepUnknownGone(ctx, complete); err != nil {
		return false, err
	}
	rows := r.sourceRows(&documents, complete.Stores, stores)
	r.remember = append(r.remember, r.plan.Files(r.snapshot.Stores())...)
	r.rememberAll()
	if r.lost != nil {
		return false, r.lost
	}
	return true, r.tx.Source(rows)
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
	if r.opt.rebuild == load.NoRebuild { // nobody knows what they were like then
		r.result.addStores(r.src, reports)
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
	if rows.Unchanged = r.rowsUnchanged(documents, complete) && !r.opt.changed && len(r.refused) == 0; !rows.Unchanged {
		shared := r.n().Shared
		r.rememberStandIns(documents, shared)
		rows.Workspaces, rows.Prompts, rows.DailyStats, rows.Quarantine = shared.Workspaces, shared.Prompts, shared.DailyStats, slices.Concat(shared.Quarantine, r.refused)
		rows.UnknownFields = shared.UnknownFields(r.src.id, r.sharedAnew(documents))
	}
	return rows
}
