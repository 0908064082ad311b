// Package pipelines puts the parts together: which sources are read, into which warehouse, and what a run reports.
//
// It knows the order of a run and nothing of formats (transform), files and keys (extract) or storage (load).
package pipelines

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/load/engine"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// Options say what a run does.
type Options struct {
	Sources       []extract.Source
	Warehouse     string           // path of the DuckDB file
	Parquet       string           // folder to publish Parquet in; "" for none
	ParquetKeep   time.Duration    // how long a publication stays after another took its place; 0: DefaultParquetKeep, less: not at all
	Full          bool             // load every conversation, changed or not
	Since         *schema.Millis   // only conversations with activity at or after it
	Until         *schema.Millis   // only conversations whose last activity is before it
	Projects      []string         // only conversations of the projects of these URIs, paths or names, or globs
	SessionGap    time.Duration    // 0: DefaultSessionGap
	Git           bool             // read the commits of the projects' repositories
	CommitWindow  time.Duration    // 0: DefaultCommitWindow
	AcceptDeletes bool             // believe that more than half of a source's conversations are gone
	Retention     time.Duration    // how long versions and loads are kept that others took the place of; 0: for ever
	Raw           extract.RawLevel // rows of which the raw layer keeps every version; RawNone: there is no raw layer
	Workers       int              // 0: one a core
	Memory        int64            // bytes to take, at least MinMemory; 0: DefaultMemory

	ToolVersion string
	Host        string                           // name of this machine
	MachineID   string                           // identifies this machine in source ids
	Now         func() time.Time                 // nil: time.Now
	Progress    func(done, total int)            // how much of the phase is done, of conversations, checks or files; may be nil
	Warn        func(format string, args ...any) // may be nil
	Note        func(format string, args ...any) // is told what was done beside the load; may be nil
	Phase       func(name string)                // is told what begins, one of the Phase constants; may be nil

	rebuild load.RebuildStep // the loads are made anew out of the raw layer
	grown   int              // how often the engine's share of the memory was doubled
	changed bool             // of a rebuild: the load changed rows, if only because a store could not be read
}

// Phases of a run, and of what else is done to a warehouse.
const (
	PhaseOpen    = "open"
	PhaseRead    = "read"
	PhaseMerge   = "merge" // what was read goes into the tables, and the models run
	PhaseCheck   = "check"
	PhaseCommit  = "commit"
	PhaseDone    = "done" // the load is in the warehouse; what follows is beside it
	PhaseIndex   = "search index"
	PhaseRetain  = "retain"
	PhasePublish = "publish"
	PhaseReport  = "report" // by who called for the run
	PhaseReplay  = "replay" // a rebuild makes the loads anew
	PhaseCompact = "compact"
	PhaseShrink  = "shrink"
)

// DefaultSessionGap is how long nothing may happen within a session.
const DefaultSessionGap = 30 * time.Minute

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
	subset       *subset         // of the conversations, which is compared in full; nil: none
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

// reading is one source in a run. It is made new for each source.
type reading struct {
	*run
	src        source
	rawGap     bool                          // the raw layer is not what earlier runs have seen of it: everything is read and compared
	snapshot   extract.Snapshot              // its stores, from begin on
	n          func() *transform.Normalizer  // reads what conversations share when it is first asked for
	lost       error                         // why the shared rows of earlier loads could not be read
	salvaged   map[string]bool               // its stores of which only a part could be read
	forced     map[string]bool               // its stores that are read in full because their file is not the one of the last load
	sharedSame bool                          // what its conversations share is as it was at the last load
	only       limits                        // only conversations within them
	seen       map[string]string             // the store in which each conversation was seen
	heads      map[load.ConversationKey]bool // conversations whose own row was looked at, and whether it has become unusable
	refused    []schema.Quarantine           // rows of conversations that stay as they are
	remember   []schema.KnownConversation    // unchanged in content, with new rowids
}

// newReading is the reading of a source of which nothing was looked at.
func (r *run) newReading(src source) *reading {
	gap := r.tx != nil && r.tx.Raw() != nil && r.gaps[src.id]
	return &reading{run: r, src: src, rawGap: gap, only: r.opt.limits(), forced: map[string]bool{}, seen: map[string]string{}, heads: map[load.ConversationKey]bool{}}
}

// begin takes the snapshot that is read from here on.
func (r *reading) begin(ctx context.Context, snapshot extract.Snapshot) {
	r.snapshot, r.salvaged, r.n = snapshot, salvagedStores(snapshot), r.newNormalizer(ctx)
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
	r.sharedSame = documents.same && !documents.stands && r.state.Meta[metaFactsDue] == "" && r.sameVersion()
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
	complete := completeStores(r.src, reports)
	if err := r.removedFolders(ctx, &complete, &documents); err != nil {
		return false, err
	}
	believed, err := r.markGone(ctx, complete)
	if err != nil {
		return false, err
	}
	if r.doubted = r.doubted || !believed; !believed {
		complete.names = nil
	} else if err := r.keepUnknownGone(ctx, complete); err != nil {
		return false, err
	}
	rows := r.sourceRows(&documents, complete.names, stores)
	r.rememberFiles()
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

// metaFactsDue is the setting of a warehouse in which what conversations share has changed since some of them were last looked at.
const metaFactsDue = "facts_due"

// sameVersion reports that all known conversations of a source were read by this version. What they share is known by what it says, whoever read it.
func (r *reading) sameVersion() bool {
	for key, known := range r.state.Known {
		if key.SourceID == r.src.id && !isShared(key.ConversationID) && known.TransformVersion != transform.Version {
			return false
		}
	}
	return true
}

// meta are the settings that the warehouse has to remember for later runs.
func (r *run) meta() map[string]string {
	out := map[string]string{}
	set := func(key, value string) {
		if r.state.Meta[key] != value {
			out[key] = value
		}
	}
	missed := r.opt.limits().narrowed() || !r.result.whole() || r.doubted // conversations that were not looked at
	switch {
	case missed && r.factsChanged:
		set(metaFactsDue, "1")
	case !missed:
		set(metaFactsDue, "")
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

func (o Options) withDefaults() Options {
	if o.SessionGap == 0 {
		o.SessionGap = DefaultSessionGap
	}
	if o.CommitWindow == 0 {
		o.CommitWindow = DefaultCommitWindow
	}
	if o.ParquetKeep == 0 {
		o.ParquetKeep = DefaultParquetKeep
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Progress == nil {
		o.Progress = func(int, int) {}
	}
	if o.Warn == nil {
		o.Warn = func(string, ...any) {}
	}
	if o.Note == nil {
		o.Note = func(string, ...any) {}
	}
	if o.Phase == nil {
		o.Phase = func(string) {}
	}
	return o
}

// limits are what is asked for of conversations.
type limits struct {
	since, until *schema.Millis
	projects     []string
}

func (o Options) limits() limits { return limits{o.Since, o.Until, o.Projects} }

// narrowed runs see only a part of the conversations: they mark none as deleted.
func (l limits) narrowed() bool { return len(l.projects) > 0 || l.timed() }

// timed runs see only conversations of some time.
func (l limits) timed() bool { return l.since != nil || l.until != nil }
