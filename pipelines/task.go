package pipelines

import (
	"context"
	"sync"

	"pipeline/load"
	"pipeline/pipelines/plan"
	"pipeline/pipelines/raw"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// A task is what a run has to do, and what it knows of earlier loads.
type task struct {
	opt     Options
	budget  Budget
	past    earlierLoads
	state   *load.State
	sources []source
	anew    anew // the load that a rebuild repeats
	// conversations that made this program fail in an earlier attempt: they stay as they are
	left map[schema.OwnerKey]error
	part *plan.Part // the part of the conversations that is compared in full; nil: none
	dry  bool       // only list what a run would load
}

// earlierLoads answers a run's questions about earlier loads.
type earlierLoads interface {
	Documents(ctx context.Context, sourceID string, stores ...string) ([]schema.KnownDocument, error)
	Workspaces(ctx context.Context, sourceID string) ([]schema.Workspace, error)
	Lasting(ctx context.Context, sourceID string) (map[string]*schema.Conversation, error)
	LastRead(ctx context.Context, sourceID string) (map[string]*load.StoreRead, error)
	UnknownFamilies(ctx context.Context) (map[load.FamilyKey]bool, error)
	Projects(ctx context.Context) ([]load.Project, error)
}

// destination receives what is read: a load, or the counters of a dry run.
type destination interface {
	Replace(owner schema.OwnerKey)
	Write(rows *schema.Rows) error
	Remember(known schema.Owner)
	Forget(key schema.OwnerKey)
	Holds(ctx context.Context, table, column string, conversation load.RowKey, ids []string) (bool, error)
	Documents(rows []schema.KnownDocument) error
	Source(rows load.SourceRows) error
}

// run is the state of one attempt that concerns all sources.
type run struct {
	task
	tx           destination
	layer        raw.Layer // nil: there is none, or what is read is not compared with it
	result       *Result
	started      schema.Millis
	doubted      bool                    // deletions were not accepted
	factsChanged bool                    // shared rows of a source have changed since the last load
	total        int                     // approximate number of conversations to look at
	dealt        int                     // number of conversations that are done
	dealing      sync.Mutex              // guards total and dealt: one goroutine reads and another writes
	matched      map[string]bool         // wanted projects for which a conversation was found
	called       map[string]load.Project // what projects are called now, by their old URIs
	names        map[string]bool         // names of all projects, for the error if none matches
	projects     []load.Project          // projects of the conversations that are written, if commits are wanted
	newPersonKey string                  // key of the hashes of persons, if the warehouse has none yet

	has  map[string][]string      // by source that was read: its conversations that are more than a head in a list
	gone map[schema.OwnerKey]bool // conversations that are marked deleted
}

// newRun starts a run.
func newRun(t task) *run {
	t.sources = inOrder(t.sources)
	result := newResult(t)
	return &run{task: t, result: result, started: result.load.StartedAt, has: map[string][]string{},
		gone: map[schema.OwnerKey]bool{}}
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

// wanted is the plan's input for a source of conversations.
func (r *run) wanted() plan.Wanted {
	return plan.Wanted{Limits: r.opt.limits(), Full: r.opt.Full, Part: r.part, AcceptDeletes: r.opt.AcceptDeletes,
		Rebuild: r.anew.rebuild != load.NoRebuild, ToolVersion: r.opt.ToolVersion, Now: r.started}
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
