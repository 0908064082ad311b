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

// A kind is a kind of source beside Cursor's chats. Its rows belong to no conversation; they are compared, replaced, kept and replayed as all rows are, in
// the transaction of the conversations.
type kind struct {
	app  string                             // the App of its sources
	what string                             // what they are, in words
	find func(opt Options) []extract.Source // those that a run reads
	// open takes a snapshot of such a source; it is nil where there is nothing to read.
	open func(r *reading, ctx context.Context, how extract.OpenOptions) (extract.Snapshot, error)
	// compared is the one store of such a source if its values are compared with what is known of them when a comparison is due, whatever its rowids say.
	compared string
}

// kinds has a line for each kind. Its sources are read in this order, after all chats: git asks for the projects of these.
func kinds() []kind {
	return []kind{
		{app: extract.AppTracking, what: "Cursor's account of who wrote which lines", find: trackingSources, open: (*reading).openTracking, compared: extract.TrackingStore},
		{app: extract.AppGit, what: "the projects' repositories", find: gitSources, open: (*reading).openGit},
	}
}

// kindOf is the kind of a source; ok is false for one of chats.
func kindOf(src source) (_ kind, ok bool) {
	all := kinds()
	i := slices.IndexFunc(all, func(k kind) bool { return k.app == src.App })
	if i < 0 {
		return kind{}, false
	}
	return all[i], true
}

// withKinds are all sources of a run: those of chats, and those that are read beside them.
func (o Options) withKinds() (all []extract.Source) {
	all = slices.Clone(o.Sources)
	for _, k := range kinds() {
		all = append(all, k.find(o)...)
	}
	return all
}

// beside is the source at a path that goes with a source of chats, and has its name from that.
func beside(chats extract.Source, app, path string) extract.Source {
	s := extract.Source{UserDir: path, App: app, OS: chats.OS}
	if chats.Name != "" {
		s.Name = chats.Name + "." + app
	}
	return s
}

// loose reads a source of which no row belongs to a conversation. The limits that --since, --until and --project set to conversations are none to it.
func (r *reading) loose(ctx context.Context, k kind, how extract.OpenOptions) (err error) {
	snapshot := r.src.replay
	if snapshot == nil {
		if snapshot, err = k.open(r, ctx, how); err != nil || snapshot == nil {
			return err
		}
	}
	defer func() { err = errors.Join(err, snapshot.Close()) }()
	r.visited = append(r.visited, r.src.id)
	r.begin(ctx, snapshot)
	for _, store := range snapshot.Stores() { // that is no reason to fail: the conversations are loaded without it
		if store.Err != nil {
			r.opt.Warn("%s was not read completely; what is known of it stays: %v", k.what, store.Err)
		}
	}
	r.plan.Wanted.Limits = plan.Limits{}
	r.plan.SharedSame = r.plan.SameVersion() // nothing is shared
	compares := k.compared != "" && r.src.replay == nil
	if compares && r.plan.ComparisonDue(k.compared) {
		r.plan.Forced[k.compared] = true // rows there are small: an index of their sizes would cost as much
	}
	if err := r.conversations(ctx); err != nil {
		return err
	}
	if err := r.verify(); err != nil {
		return err
	}
	reports := r.reportLoose()
	complete := plan.CompleteStores(r.src.Source, reports)
	if _, err := r.markGone(ctx, complete); err != nil {
		return err
	}
	if err := r.keepUnknownGone(ctx, complete); err != nil {
		return err
	}
	if compares && reports[0].Err == nil {
		if now, changed := r.plan.FileNow(k.compared, "", false); changed {
			r.remember = append(r.remember, now)
		}
	}
	r.rememberAll()
	return r.tx.Source(load.SourceRows{Unchanged: true, Source: schema.Source{SourceID: r.src.id, UserDir: r.src.UserDir, Host: r.src.host, OS: r.src.OS, App: r.src.App,
		FirstSeenAt: r.started, LastSeenAt: r.started}})
}

// reportLoose tells of the stores of such a source.
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

// addLoose records what was read of a source whose rows belong to no conversation.
func (r *Result) addLoose(src source, stores []extract.StoreReport) {
	if src.App == extract.AppGit {
		r.Git = &GitResult{Repositories: len(stores), Written: r.commits}
	}
	for _, s := range stores {
		if src.App == extract.AppGit {
			r.Git.Commits += s.RowsSeen
		}
		r.stores = append(r.stores, schema.LoadStore{LoadID: r.LoadID, SourceID: src.id, Store: s.Store, Path: s.Info.Path, SnapshotMethod: orNil(s.Info.Method),
			JournalMode: orNil(s.Info.JournalMode), RowsSeen: s.RowsSeen, RowsChanged: r.rowChanges[[2]string{src.id, s.Store}], IsComplete: s.Err == nil})
	}
}

func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
