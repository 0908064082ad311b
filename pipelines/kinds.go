package pipelines

import (
	"context"
	"errors"
	"slices"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/pipelines/plan"
	"pipeline/sql/schema"
)

// A kind is a kind of source other than Cursor's chats. Its rows belong to no conversation. They are compared,
// replaced, kept and replayed like all rows, in the same transaction as the conversations.
type kind struct {
	app  string                             // App of its sources
	what string                             // description of its sources
	find func(opt Options) []extract.Source // the sources that a run reads
	// open takes a snapshot of such a source; it is nil if there is nothing to read.
	open func(r *reading, ctx context.Context, how extract.OpenOptions) (extract.Snapshot, error)
	// compared names the store whose values are regularly compared with the known ones, because they may change under
	// the same rowids; "" for none.
	compared string
	// keeps says that rows stay whose file is not there: people throw an export away that they have loaded.
	keeps bool
}

// kinds lists the kinds. Their sources are read in this order, after all chats: git needs the projects of the chats.
func kinds() []kind {
	return []kind{
		{app: extract.AppTracking, what: "Cursor's account of who wrote which lines", open: (*reading).openTracking,
			compared: extract.TrackingStore, find: func(o Options) []extract.Source {
				return besideEach(o, extract.AppTracking, extract.TrackingOf)
			}},
		{app: extract.AppPlans, what: "the folder of plans", find: func(o Options) []extract.Source {
			return besideEach(o, extract.AppPlans, extract.PlansOf)
		}, open: func(r *reading, _ context.Context, _ extract.OpenOptions) (extract.Snapshot, error) {
			return extract.OpenPlans(r.src.UserDir), nil
		}},
		{app: extract.AppUsage, what: "the folder of files with usage", find: usageSources, open: (*reading).openUsage,
			keeps: true},
		{app: extract.AppGit, what: "the projects' repositories", find: gitSources, open: (*reading).openGit},
	}
}

func (r *reading) openTracking(ctx context.Context, how extract.OpenOptions) (extract.Snapshot, error) {
	snapshot, err := extract.OpenTracking(ctx, r.src.UserDir, how)
	if err != nil {
		return nil, failureOf(r.src, extract.TrackingStore, err)
	}
	return snapshot, nil
}

// kindOf returns the kind of a source. A source of chats has no kind: ok is false.
func kindOf(src source) (_ kind, ok bool) {
	all := kinds()
	i := slices.IndexFunc(all, func(k kind) bool { return k.app == src.App })
	if i < 0 {
		return kind{}, false
	}
	return all[i], true
}

// withKinds are all sources of a run: the chats first, then the other kinds.
func (o Options) withKinds() (all []extract.Source) {
	all = slices.Clone(o.Sources)
	for _, k := range kinds() {
		all = append(all, k.find(o)...)
	}
	return all
}

// loose reads a source whose rows belong to no conversation. The limits --since, --until and --project do not apply to
// it.
func (r *reading) loose(ctx context.Context, k kind, how extract.OpenOptions) (err error) {
	snapshot := r.src.replay
	if snapshot == nil {
		if snapshot, err = k.open(r, ctx, how); err != nil || snapshot == nil {
			return err
		}
	}
	defer func() { err = errors.Join(err, snapshot.Close()) }()
	r.begin(ctx, snapshot)
	r.plan.Wanted.Limits = load.Limits{}
	r.plan.SharedSame = r.plan.SameVersion() // such a source has no shared rows
	compares := k.compared != "" && r.src.replay == nil
	if compares && r.plan.ComparisonDue(k.compared) {
		r.plan.Forced[k.compared] = true // its rows are small: reading their sizes would cost as much
	}
	if err := r.conversations(ctx); err != nil {
		return err
	}
	for _, store := range snapshot.Stores() { // not a reason to fail: the conversations are loaded without it
		if store.Err != nil {
			r.opt.Warn("%s was not read completely; what is known of it stays: %v", k.what, store.Err)
		}
	}
	if err := r.verify(); err != nil {
		return err
	}
	reports := r.reportLoose()
	complete := plan.CompleteStores(r.src.Source, reports)
	if k.keeps {
		complete = plan.Complete{}
	}
	if _, err := r.markGone(ctx, complete); err != nil {
		return err
	}
	var stores []schema.KnownStore
	if compares && reports[0].Err == nil {
		if now, news := r.plan.StoreRead(k.compared); news {
			stores = append(stores, now)
		}
	}
	r.rememberAll()
	return r.tx.Source(load.SourceRows{Unchanged: true, Stores: stores, Source: r.sourceRow()})
}

// reportLoose reports the stores of such a source.
func (r *reading) reportLoose() []extract.StoreReport {
	reports := r.snapshot.Stores()
	if r.anew.rebuild == load.NoRebuild {
		r.result.addLoose(r.src, reports)
	}
	for _, store := range reports {
		for _, warning := range store.Info.Warnings {
			r.opt.Warn("%s: %s: %s", r.src.App, store.Info.Path, warning)
		}
	}
	return reports
}

// addLoose adds the report on a source whose rows belong to no conversation.
func (r *Result) addLoose(src source, stores []extract.StoreReport) {
	if src.App == extract.AppGit {
		r.Git = &GitResult{Repositories: len(stores), Written: r.commits}
	}
	for _, s := range stores {
		if src.App == extract.AppGit {
			r.Git.Commits += s.RowsSeen
		}
		r.stores = append(r.stores, schema.LoadStore{LoadID: r.LoadID, SourceID: src.id, Store: s.Store,
			Path: s.Info.Path, SnapshotMethod: orNil(s.Info.Method), JournalMode: orNil(s.Info.JournalMode),
			RowsSeen: s.RowsSeen, RowsChanged: r.rowChanges[[2]string{src.id, s.Store}], IsComplete: s.Err == nil})
	}
}

func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
