// Package pipelines puts the parts together: which sources are read, into which warehouse, and what a run reports.
//
// It knows the order of a run and nothing of formats (transform), files and keys (extract) or storage (load).
package pipelines

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/load/engine"
	"pipeline/pipelines/plan"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// Run takes one run from the stores to the committed warehouse. The result is never nil when the error is.
func Run(ctx context.Context, opt Options) (*Result, error) {
	extract.SweepScratch()
	opt = opt.withDefaults()
	defer opt.budget().limitHeap()()
	began := opt.Now()
	for {
		result, err := opt.load(ctx)
		switch {
		case err == nil:
			opt.indexLoaded(ctx, result)
			opt.retainLoaded(ctx, result) // what is published is what stays
			err = opt.publishLoaded(ctx, result)
			result.Seconds = opt.Now().Sub(began).Seconds()
			return result, err
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case !opt.grow(err): // else from the beginning: what a commit that failed for want of memory has kept is seen when the warehouse is opened
			return nil, err
		}
	}
}

// load opens the warehouse and tries until the stores that can be read are loaded.
func (o Options) load(ctx context.Context) (_ *Result, err error) {
	o.Phase(PhaseOpen)
	warehouse, err := load.Open(ctx, o.Warehouse)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, warehouse.Close()) }()
	state, err := warehouse.State(ctx)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", o.Warehouse, err)
	}
	o.tellMigration(state.Migration)
	o.Sources = slices.Concat(o.Sources, trackingSources(o.Sources))
	if o.Git {
		o.Sources = append(o.Sources, gitSource())
	}
	sources := identify(o, state)
	tries := newAttempts(o, sources)
	for {
		result, err := attempt(ctx, o, warehouse, state, sources, tries.how)
		if err == nil || ctx.Err() != nil || engine.OutOfMemory(err) || !tries.again(err) {
			return result, err
		}
	}
}

// attempt is one run in one transaction.
func attempt(ctx context.Context, opt Options, w load.Warehouse, state *load.State, sources []source, how map[string]extract.OpenOptions) (_ *Result, err error) {
	result := newResult(opt, state)
	started := result.load.StartedAt
	tx, err := w.Begin(ctx, load.Settings{LoadID: state.LastLoadID + 1, StartedAt: started, GapMs: opt.SessionGap.Milliseconds(),
		GapBefore: state.GapMs, WindowMs: opt.CommitWindow.Milliseconds(), WindowBefore: state.WindowMs, Recheck: state.LastStatus == "check_failed",
		Memory: opt.budget().Engine, Raw: opt.Raw != extract.RawNone, Rebuild: opt.rebuild, Full: opt.Full || state.Due(), TransformVersion: transform.Version, ToolVersion: opt.ToolVersion, Warn: opt.Warn,
		Progress: opt.Progress, Checking: func() { opt.Phase(PhaseCheck) }})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	r := &run{opt: opt, w: w, tx: tx, state: state, started: started, result: result, frozen: map[string]bool{}}
	r.gaps = rawGaps(state, tx.Raw())
	opened := 0
	opt.Phase(PhaseRead)
	for _, src := range sources {
		ok, err := r.readSource(ctx, src, how[src.id])
		if err != nil {
			return nil, err
		}
		if ok {
			opened++
		}
	}
	if opened == 0 {
		return nil, &SourceError{r.result.failures()}
	}
	if err := r.projectFound(); err != nil {
		return nil, err
	}
	opt.Phase(PhaseMerge)
	if r.result.Read > 0 {
		debug.FreeOSMemory() // what was read is in the engine now, which has its largest sorts and texts before it
	}
	outcome, err := tx.Finish(ctx)
	if err != nil {
		return nil, err
	}
	r.result.finish(outcome, opt.Now())
	if err := r.newFamilies(ctx); err != nil {
		return nil, err
	}
	opt.Phase(PhaseCommit)
	if err := tx.Commit(ctx, r.result.run(r.meta())); err != nil {
		return nil, err
	}
	opt.Phase(PhaseDone)
	return r.result, nil
}

// run is one attempt in the making: what it knows of all sources together.
type run struct {
	opt          Options
	w            load.Warehouse
	tx           load.Load
	state        *load.State
	started      schema.Millis
	result       *Result
	part         *plan.Part      // of the conversations, which is compared in full; nil: none
	doubted      bool            // deletions were not believed
	factsChanged bool            // what conversations of a source share is not as it was at the last load
	sources      []string        // that the run has come to
	gaps         map[string]bool // sources of which the raw layer is not what earlier runs have seen
	frozen       map[string]bool // sources of which a conversation stays as it is, since the raw layer lacks what it was
	total        int             // conversations to look at, about
	dealt        int             // with how many of them the run is done
	dealing      sync.Mutex      // of both: one goroutine reads and another one writes
	matched      map[string]bool // the wanted projects of which a conversation was seen
	names        map[string]bool // of projects, for the message when none matches
	projects     []load.Project  // of the conversations that are written, where commits are to be read
}

// readSource reads a source of any kind; ok is false when it has no conversations.
func (r *run) readSource(ctx context.Context, src source, how extract.OpenOptions) (ok bool, err error) {
	s := r.newReading(src)
	switch src.App {
	case extract.AppGit: // after all others: it asks for their projects
		return false, s.commits(ctx, how)
	case extract.AppTracking:
		return false, s.tracking(ctx, how)
	}
	return s.source(ctx, how)
}

// meta are the settings that the warehouse has to remember for later runs.
func (r *run) meta() map[string]string {
	out := map[string]string{}
	set := func(key, value string) {
		if r.state.Meta[key] != value {
			out[key] = value
		}
	}
	missed := r.opt.limits().Narrowed() || !r.result.whole() || r.doubted // conversations that were not looked at
	switch {
	case missed && r.factsChanged:
		set(plan.MetaFactsDue, "1")
	case !missed:
		set(plan.MetaFactsDue, "")
	}
	for _, id := range r.sources {
		switch {
		case r.tx.Raw() == nil:
			r.gaps[id] = true
		case r.frozen[id]: // the tables alone have what some rows were
			r.gaps[id] = true
		case !missed:
			delete(r.gaps, id)
		}
	}
	if r.opt.rebuild == load.NoRebuild {
		set(metaRawGap, strings.Join(slices.Sorted(maps.Keys(r.gaps)), "\n"))
	}
	return out
}
