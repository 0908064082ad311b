package pipelines

import (
	"context"
	"sync"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/pipelines/plan"
	"pipeline/pipelines/raw"
	"pipeline/sql/schema"
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
	Lasting(ctx context.Context, sourceID string) (map[string]schema.Lasting, error)
	Spoken(ctx context.Context, sourceID string) (map[string]bool, error)
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

// anew says which load of a rebuild is repeated. The zero value means a run that reads stores.
type anew struct {
	rebuild load.RebuildStep
	changed bool              // the load changed rows, or a store could not be read
	kept    map[string]string // settings of kept, for the last load

	stores   []schema.LoadStore // what the raw layer has of the sources that no later load read
	families []schema.KeyFamily
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

	has  map[string][]string      // by source that was read: what its stores have, not only heads in lists
	gone map[schema.OwnerKey]bool // conversations that are marked deleted
	// of the chats of the command line that were written, whether they have a message
	spoke map[load.RowKey]bool
}

// expect adds to the number of conversations to look at.
func (r *run) expect(more int) {
	r.dealing.Lock()
	defer r.dealing.Unlock()
	r.total += more
	r.opt.Progress(r.dealt, r.total)
}

// dealtWith counts a conversation as done: it is unchanged, left out or written.
func (r *run) dealtWith(conv *extract.Conversation) {
	r.dealing.Lock()
	defer r.dealing.Unlock()
	if !conv.Loose {
		r.dealt++
	}
	r.opt.Progress(r.dealt, r.total)
}
