package pipelines

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/pipelines/plan"
	"pipeline/pipelines/raw"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// reading is the state of reading one source in a run. It is made new for each source.
type reading struct {
	*run
	src        source
	plan       plan.Source                  // what to read of it, and why
	snapshot   extract.Snapshot             // set by begin
	keeper     raw.Keeper                   // hands its rows to the raw layer, from begin on
	n          func() *transform.Normalizer // reads the shared rows when it is first called
	lost       error                        // why the shared rows of earlier loads could not be read
	lostLast   error                        // why what earlier loads know of conversations could not be read
	chatsKnown map[string][]schema.OwnerKey // see knownChats; nil: not asked for yet
	lostPlaces []schema.OwnerKey            // stores that are gone while their conversations stay
	salvaged   map[string]bool              // stores of which only a part could be read
	seen       map[schema.OwnerKey]string   // the store in which each owner was seen, by OwnerKey.Anywhere
	listed     map[string]bool              // of these, those of which there is only a head in a list
	// conversations that other stores of the same home have, for a source with transcripts
	others map[string]bool
	// conversations whose own row was looked at; true: it has become unusable
	heads    map[schema.OwnerKey]bool
	emptied  map[schema.OwnerKey]*candidate // conversations of which every row was found emptied
	refused  []schema.Quarantine            // quarantined rows of conversations that stay unchanged
	remember []schema.Owner                 // conversations with unchanged content and new rowids
}

// newReading starts the reading of a source.
func (r *run) newReading(src source) *reading {
	gap := r.layer != nil && plan.IsUnsure(r.state, src.id)
	return &reading{run: r, src: src, plan: plan.Source{ID: src.id, State: r.state, Wanted: r.wanted(), RawMayLack: gap,
		Forced: map[string]bool{}},
		seen: map[schema.OwnerKey]string{}, listed: map[string]bool{}, heads: map[schema.OwnerKey]bool{},
		emptied: map[schema.OwnerKey]*candidate{}}
}

// wanted is the plan's input for a source of conversations.
func (r *run) wanted() plan.Wanted {
	return plan.Wanted{Limits: r.opt.limits(), Full: r.opt.Full, Part: r.part, AcceptDeletes: r.opt.AcceptDeletes,
		Rebuild: r.anew.rebuild != load.NoRebuild, ToolVersion: r.opt.ToolVersion, Now: r.started}
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

// open takes a snapshot of the source and compares values. ok is false if none of its stores could be read.
func (r *reading) open(ctx context.Context, how extract.OpenOptions) (ok bool, err error) {
	how.Depth = r.plan.Depth
	kept := keptNodes{r: r}
	how.Kept = func(own []*extract.Document, name string) (*extract.Document, error) {
		return kept.node(ctx, own, name)
	}
	snapshot, err := r.src.open(ctx, how)
	switch {
	case err == nil:
		r.begin(ctx, snapshot)
		return true, nil
	case ctx.Err() != nil:
		return false, ctx.Err()
	}
	r.result.unreadable(r.src, err)
	return false, nil
}

// begin sets the snapshot.
func (r *reading) begin(ctx context.Context, snapshot extract.Snapshot) {
	r.snapshot, r.salvaged, r.n = snapshot, salvagedStores(snapshot), r.newNormalizer(ctx)
	r.keeper = raw.Keeper{Layer: r.layer, Snapshot: snapshot, Salvaged: r.salvaged,
		Failed: func(store string, err error) error {
			return failureOf(r.src, cmp.Or(store, storeAt(snapshot, err)), err)
		}}
}

// families hands the rows of which no table is built to the raw layer.
func (r *reading) families(ctx context.Context) error {
	if r.layer == nil || r.plan.Wanted.Narrowed() {
		return nil
	}
	remember, err := r.keeper.Families(ctx, &r.plan, plan.CompleteStores(r.src.Source, r.snapshot.Stores()),
		func() { r.result.overwritten(false) })
	r.remember = append(r.remember, remember...)
	return err
}

// trust decides whether the shared rows are those of the last load.
func (r *reading) trust(shared *sharedDocuments) {
	r.plan.SharedSame = shared.same && !shared.stands && r.state.Meta[load.MetaFactsDue] == "" && r.plan.SameVersion()
	r.factsChanged = r.factsChanged || !shared.same
}

// signs compares the stores' files with those of the last load.
func (r *reading) signs(ctx context.Context) error {
	signs := r.plan.Signs(r.snapshot.Stores())
	r.plan.Forced = signs.Forced
	for _, store := range signs.Check {
		if err := r.checkIndex(ctx, store); err != nil {
			return err
		}
	}
	return nil
}

// deletions handles rows that no longer exist. It returns the stores that were read whole, or none if the deletions are
// not accepted.
func (r *reading) deletions(ctx context.Context, reports []extract.StoreReport, shared *sharedDocuments) ([]string,
	error) {
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
	return complete.Stores, nil
}

// finish adds the rows from the source's shared rows, and makes the warehouse store what the next run compares with.
func (r *reading) finish(shared *sharedDocuments, complete []string) error {
	rows := r.sourceRows(shared, complete)
	r.rememberAll()
	if err := cmp.Or(r.lost, r.lostLast); err != nil {
		return err
	}
	return r.tx.Source(rows)
}

// verify returns an error if a store has changed while it was read.
func (r *reading) verify() error {
	err := r.snapshot.Verify()
	if err == nil {
		return nil
	}
	return failureOf(r.src, storeAt(r.snapshot, err), err)
}

// rememberAll makes the warehouse store the state of unchanged conversations and of stores.
func (r *reading) rememberAll() {
	for _, known := range r.remember {
		r.tx.Remember(known)
	}
}

// report returns the reports on the stores of a source.
func (r *reading) report() []extract.StoreReport {
	reports := r.stores()
	if r.anew.rebuild == load.NoRebuild { // a rebuild does not know their state at that time
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

// sourceRow is the row of the source itself.
func (r *reading) sourceRow() schema.Source {
	return schema.Source{SourceID: r.src.id, UserDir: r.src.UserDir, Host: r.src.host, OS: r.src.OS, App: r.src.App,
		FirstSeenAt: r.started, LastSeenAt: r.started}
}

// sourceRows are the rows of a source that are made from shared rows; only the source's own row, if the shared rows
// have not changed.
func (r *reading) sourceRows(documents *sharedDocuments, complete []string) load.SourceRows {
	rows := load.SourceRows{
		Source: r.sourceRow(), Changed: documents.changed, Complete: complete,
		Stores: r.plan.Stores(r.snapshot.Stores()), LostPlaces: r.lostPlaces,
	}
	if rows.Unchanged = r.rowsUnchanged(documents, complete) && !r.anew.changed &&
		len(r.refused) == 0; !rows.Unchanged {
		shared := r.n().Shared
		r.rememberEarlier(documents, shared)
		rows.Workspaces, rows.Prompts, rows.DailyStats, rows.Quarantine = shared.Workspaces, shared.Prompts,
			shared.DailyStats, slices.Concat(shared.Quarantine, r.refused)
		anew := r.sharedAnew(documents)
		rows.UnknownFields, rows.Elements = shared.UnknownFields(r.src.id, anew), shared.Elements(r.src.id, anew)
		rows.McpServers = shared.McpServers
	}
	return rows
}

// rowsUnchanged reports whether the rows made from shared rows are those of the last load, because everything that they
// are made from is the same. If not, it makes the warehouse store the new state.
func (r *reading) rowsUnchanged(documents *sharedDocuments, complete []string) bool {
	// json writes maps in the order of their keys
	text, err := json.Marshal([]any{documents.hashes, complete, transform.Version})
	if err != nil {
		return false
	}
	now, changed := r.plan.RowsNow(transform.Hash(text))
	if len(documents.changed) == 0 && !changed {
		return true
	}
	r.remember = append(r.remember, now)
	return false
}
