package pipelines

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/pipelines/plan"
	"pipeline/pipelines/raw"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// A task is what a run has to do, and what earlier loads left.
type task struct {
	opt     Options
	budget  Budget
	past    past
	state   *load.State
	sources []source
	anew    anew       // which load of a rebuild is made anew
	part    *plan.Part // of the conversations, which is compared in full; nil: none
	dry     bool       // nothing is loaded: what a run would load is listed
}

// past is what a run asks of earlier loads while it reads.
type past interface {
	Documents(ctx context.Context, sourceID string, stores ...string) ([]schema.KnownDocument, error)
	LastRead(ctx context.Context, sourceID string) (map[string]*load.StoreRead, error)
	UnknownFamilies(ctx context.Context) (map[load.FamilyKey]bool, error)
	Projects(ctx context.Context) ([]load.Project, error)
}

// destination takes what is read: a load, or what a dry run counts with.
type destination interface {
	Replace(sourceID, conversationID string)
	Write(rows *schema.Rows) error
	Remember(known schema.KnownConversation)
	Forget(key load.ConversationKey)
	Holds(ctx context.Context, table, column string, conversation load.RowKey, id string) (bool, error)
	Source(rows load.SourceRows) error
}

// run is one attempt in the making: what it knows of all sources together.
type run struct {
	task
	tx           destination
	layer        raw.Layer // nil: there is none, or what is read is not compared with it
	result       *Result
	started      schema.Millis
	doubted      bool            // deletions were not believed
	factsChanged bool            // what conversations of a source share is not as it was at the last load
	visited      []string        // ids of the sources that the run has come to
	gaps         map[string]bool // sources of which the raw layer is not what earlier runs have seen
	frozen       map[string]bool // sources of which a conversation stays as it is, since the raw layer lacks what it was
	total        int             // conversations to look at, about
	dealt        int             // with how many of them the run is done
	dealing      sync.Mutex      // of both: one goroutine reads and another one writes
	matched      map[string]bool // the wanted projects of which a conversation was seen
	names        map[string]bool // of projects, for the message when none matches
	projects     []load.Project  // of the conversations that are written, where commits are to be read
}

// newRun is a run that has read nothing.
func newRun(t task) *run {
	result := newResult(t)
	return &run{task: t, result: result, started: result.load.StartedAt, frozen: map[string]bool{}}
}

// settings begin the load.
func (r *run) settings() load.Settings {
	opt := r.opt
	return load.Settings{LoadID: r.state.LastLoadID + 1, StartedAt: r.started, GapMs: opt.SessionGap.Milliseconds(), GapBefore: r.state.GapMs,
		WindowMs: opt.CommitWindow.Milliseconds(), WindowBefore: r.state.WindowMs, Recheck: r.state.LastStatus == "check_failed", Memory: r.budget.Engine,
		Raw: opt.Raw != extract.RawNone, Rebuild: r.anew.rebuild, Full: opt.Full || r.state.Due(), TransformVersion: transform.Version, ToolVersion: opt.ToolVersion,
		Warn: opt.Warn, Progress: opt.Progress, Checking: func() { opt.Phase(PhaseCheck) }}
}

// wanted is what is asked for of a source of conversations.
func (r *run) wanted() plan.Wanted {
	return plan.Wanted{Limits: r.opt.limits(), Full: r.opt.Full, Part: r.part, AcceptDeletes: r.opt.AcceptDeletes, Raw: r.opt.Raw,
		Rebuild: r.anew.rebuild != load.NoRebuild, ToolVersion: r.opt.ToolVersion, Now: r.started}
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
	for _, id := range r.visited {
		switch {
		case r.layer == nil:
			r.gaps[id] = true
		case r.frozen[id]: // the tables alone have what some rows were
			r.gaps[id] = true
		case !missed:
			delete(r.gaps, id)
		}
	}
	if r.anew.rebuild == load.NoRebuild {
		set(metaRawGap, strings.Join(slices.Sorted(maps.Keys(r.gaps)), "\n"))
	}
	return out
}

// metaRawGap is the setting that names the sources, a line each, of which the raw layer is not what earlier runs have seen: they ran without
// it, or its files are others.
const metaRawGap = "raw_gap"

// rawGaps are the sources of that setting, and those of which files of the layer are others now.
func rawGaps(state *load.State, changed []string) map[string]bool {
	gaps := map[string]bool{}
	for id := range strings.Lines(state.Meta[metaRawGap]) {
		gaps[strings.TrimSuffix(id, "\n")] = true
	}
	for _, id := range changed {
		gaps[id] = true
	}
	return gaps
}
