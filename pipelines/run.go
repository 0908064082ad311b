// Package pipelines puts the parts together: which sources are read, into which warehouse, and what a run reports.
//
// It knows the order of a run and nothing of formats (transform), files and keys (extract) or storage (load).
package pipelines

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/load/warehouse"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// Run takes one run from the stores to the committed warehouse. The result is never nil when the error is.
func Run(ctx context.Context, opt Options) (*Result, error) {
	extract.SweepScratch()
	opt = opt.withDefaults()
	memory := opt.memory()
	defer memory.limitHeap()()
	began := opt.Now()
	var result *Result
	var w opened
	err := memory.grow(ctx, func() (err error) {
		// the warehouse is opened again each time, since a failed commit keeps its memory until then
		result, w, err = opt.load(ctx, memory.Budget)
		return err
	})
	if err != nil {
		return nil, cmp.Or(ctx.Err(), err)
	}
	err = opt.follow(ctx, memory, w, result)
	result.Seconds = opt.Now().Sub(began).Seconds()
	return result, err
}

// load opens the warehouse and tries until the stores that can be read are loaded. If that succeeds, the caller closes
// the warehouse.
func (o Options) load(ctx context.Context, budget Budget) (_ *Result, w opened, err error) {
	w, err = o.open(ctx)
	defer func() {
		if err != nil {
			err = errors.Join(err, w.Close())
		}
	}()
	if err != nil {
		return nil, w, err
	}
	for _, target := range o.Publish {
		if err := target.CheckOwner(ctx, w.Conn()); err != nil {
			return nil, w, &UsageError{Message: err.Error()}
		}
	}
	o.Sources = o.withKinds()
	sources, err := identify(o, w.state)
	if err != nil {
		return nil, w, err
	}
	t := task{opt: o, budget: budget, past: w.Warehouse, state: w.state, sources: sources}
	a := newAttempts(o, t.sources)
	t.left = a.left
	r, err := a.until(ctx, func(how map[string]extract.OpenOptions) (*Result, error) {
		return attempt(ctx, w.Warehouse, t, how)
	})
	return r, w, err
}

// follow does what follows a load: the search index, the publications. It closes the warehouse: before the first, which
// opens it itself, and else after the publications, which are read by the load's own connection, as it costs more to
// open a warehouse than to find that nothing is to be published.
func (o Options) follow(ctx context.Context, m *memory, w opened, r *Result) (err error) {
	defer func() {
		if o.Ends && err == nil {
			err = w.Leave(ctx)
			return
		}
		err = errors.Join(err, w.Close())
	}()
	if o.indexDue(r) {
		if err := w.Close(); err != nil {
			return err
		}
		o.indexLoaded(ctx, m, r)
	}
	return o.publishLoaded(ctx, m, w, r)
}

// attempt is one run in one transaction. A rebuild makes one for each load that it repeats.
func attempt(ctx context.Context, w *warehouse.Warehouse, t task, how map[string]extract.OpenOptions) (_ *Result,
	err error) {
	r := newRun(t)
	if r.called, err = r.aliases(); err != nil {
		return nil, err
	}
	tx, err := w.Begin(ctx, r.settings())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	r.tx = tx
	if raw := tx.Raw(); raw != nil {
		r.layer = raw
		r.unsure(raw.Unsure())
	}
	if err := r.readSources(ctx, how); err != nil {
		return nil, err
	}
	if err := r.merge(ctx, tx); err != nil {
		return nil, err
	}
	t.opt.Phase(PhaseCommit)
	if r.result.Read > 0 {
		r.budget.returnHeap() // of the merge: a large load takes most memory in its commit
	}
	if err := tx.Commit(ctx, load.Run{Load: r.result.load, Meta: r.meta()}); err != nil {
		return nil, err
	}
	r.tellAliases()
	r.tellPersons(r.result.Totals.Usage)
	t.opt.Phase(PhaseDone)
	return r.result, nil
}

// newRun starts a run.
func newRun(t task) *run {
	t.sources = inOrder(t.sources)
	result := newResult(t)
	return &run{task: t, result: result, started: result.load.StartedAt, has: map[string][]string{},
		gone: map[schema.OwnerKey]bool{}, spoke: map[load.RowKey]bool{}}
}

// settings are the settings of the load.
func (r *run) settings() load.Settings {
	opt := r.opt
	return load.Settings{LoadID: r.state.LastLoadID + 1, StartedAt: r.started,
		SessionGapMs: opt.SessionGap.Milliseconds(), GapBefore: r.state.SessionGapMs,
		CommitWindowMs: opt.CommitWindow.Milliseconds(), WindowBefore: r.state.CommitWindowMs, Aliases: r.opt.Aliases,
		Prices: opt.prices(r.state), PricesBefore: r.state.Prices, UsageUser: r.usageUser(),
		UsageUserBefore: r.state.Meta[metaUsageUser], Recheck: r.state.LastStatus == "check_failed",
		Memory: r.budget.Engine, Raw: r.anew.rebuild == load.NoRebuild, Rebuild: r.anew.rebuild,
		Full: opt.Full || r.state.Due(), Limits: opt.limits(), TransformVersion: transform.Version,
		ToolVersion: opt.ToolVersion, Warn: opt.Warn, Progress: opt.Progress,
		Checking: func() { opt.Phase(PhaseCheck) }}
}

// meta are the settings that the warehouse must store for later runs.
func (r *run) meta() map[string]string {
	out := map[string]string{}
	set := func(key, value string) {
		if r.state.Meta[key] != value {
			out[key] = value
		}
	}
	if len(r.opt.prices(r.state)) > 0 {
		set(metaPrices, r.opt.pricesOf(r.state))
	}
	for key, value := range r.anew.kept {
		set(key, value)
	}
	set(metaUsageUser, r.usageUser())
	if r.newPersonKey != "" {
		set(metaUsageKey, r.newPersonKey)
	}
	missed := r.opt.limits().Narrowed() || !r.result.whole() || r.doubted // some conversations were not looked at
	switch {
	case missed && r.factsChanged:
		set(load.MetaFactsDue, "1")
	case !missed:
		set(load.MetaFactsDue, "")
	}
	return out
}

// unsure has the run compare every row of some owners with the raw layer.
func (r *run) unsure(owners []schema.OwnerKey) {
	for _, key := range owners {
		known, ok := r.state.Known[key]
		if !ok {
			known = schema.Owner{SourceID: key.SourceID, Store: key.Store, Kind: key.Kind, ID: key.ID,
				TransformVersion: transform.Version}
		}
		known.IsUnsure = true
		r.state.Known[key] = known
	}
}

// readSources reads all sources. A dry run does no more.
func (r *run) readSources(ctx context.Context, how map[string]extract.OpenOptions) error {
	r.opt.Phase(PhaseRead)
	opened := 0
	for _, src := range r.sources {
		ok, err := r.readSource(ctx, r.newReading(src), how[src.id])
		if err != nil {
			return err
		}
		if ok {
			opened++
		}
	}
	usage := slices.ContainsFunc(r.sources, func(s source) bool { return s.App == extract.AppUsage })
	alone := usage && r.result.whole() // it may be all that there is
	r.result.errs = append(r.result.errs, r.opt.Missing...)
	if opened == 0 && !alone {
		return &SourceError{r.result.failures()}
	}
	if r.anew.rebuild != load.NoRebuild { // the load found them
		return nil
	}
	return r.projectFound()
}

// readSource reads a source of any kind; ok is false when it has no conversations.
func (r *run) readSource(ctx context.Context, s *reading, how extract.OpenOptions) (ok bool, err error) {
	defer caught(schema.OwnerKey{SourceID: s.src.id, Store: extract.GlobalStore}, false, &err)
	if k, ok := kindOf(s.src); ok {
		return false, s.loose(ctx, k, how)
	}
	return s.chats(ctx, how)
}

// chats reads a source of conversations; ok is false when none of its stores could be read.
func (r *reading) chats(ctx context.Context, how extract.OpenOptions) (ok bool, err error) {
	if r.others, err = r.storedElsewhere(ctx, r.src); err != nil {
		return false, err
	}
	if how.Known, err = r.knownStores(ctx); err != nil {
		return false, err
	}
	if ok, err = r.open(ctx, how); err != nil || !ok {
		return false, err
	}
	defer func() { err = errors.Join(err, r.snapshot.Close()) }()
	shared, err := r.shared(ctx)
	if err != nil {
		return false, err
	}
	if err := r.signs(ctx); err != nil {
		return false, err
	}
	r.trust(&shared)
	if err := r.writeDocuments(&shared); err != nil {
		return false, err
	}
	if err := r.conversations(ctx); err != nil {
		return false, err
	}
	if err := r.families(ctx); err != nil {
		return false, err
	}
	if err := r.verify(); err != nil {
		return false, err
	}
	complete, err := r.deletions(ctx, r.report(), &shared)
	if err != nil {
		return false, err
	}
	for key, store := range r.seen {
		if key.Kind == schema.KindConversation && !r.listed[key.ID] && !extract.IsTranscript(store) {
			r.has[r.src.id] = append(r.has[r.src.id], key.ID)
		}
	}
	return true, r.finish(&shared, complete)
}

// merge merges the rows that were read into the tables, and runs the models and the checks.
func (r *run) merge(ctx context.Context, tx *warehouse.Load) error {
	r.opt.Phase(PhaseMerge)
	if r.result.Read > 0 {
		r.budget.returnHeap() // the rows are in the engine now
	}
	if err := errors.Join(r.newFamilies(ctx),
		tx.Stores(append(r.result.stores, r.anew.stores...),
			append(r.result.families, r.anew.families...))); err != nil {
		return err
	}
	outcome, err := tx.Finish(ctx)
	if err != nil {
		return err
	}
	r.result.finish(outcome, r.opt.Now())
	return nil
}
