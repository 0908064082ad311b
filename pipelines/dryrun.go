package pipelines

import (
	"context"
	"fmt"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/load/warehouse"
	"pipeline/pipelines/plan"
	"pipeline/sql/schema"
)

// DryRun says what a run would load. It takes no lock and changes nothing.
func DryRun(ctx context.Context, opt Options) (*Result, error) { return dryRun(ctx, opt, nil) }

// Compare is a dry run that reads one part of the conversations in full, whatever their fingerprints are. part counts
// from 0.
func Compare(ctx context.Context, opt Options, part, parts int) (*Result, error) {
	return dryRun(ctx, opt, &plan.Part{Nth: part, Of: parts})
}

func dryRun(ctx context.Context, opt Options, part *plan.Part) (*Result, error) {
	extract.SweepScratch()
	opt = opt.withDefaults()
	opt.Phase(PhaseOpen)
	state, err := warehouse.ReadState(ctx, opt.Warehouse)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", opt.Warehouse, err)
	}
	if m := state.Migration; m != nil {
		opt.Note("a run would first add the tables and columns that this version has and the warehouse lacks, and "+
			"keep a copy of the warehouse in %s", m.CopyPath)
	}
	sources, err := identify(opt, state)
	if err != nil {
		return nil, err
	}
	t := task{opt: opt, budget: opt.memory().Budget, state: state, sources: sources, part: part, dry: true,
		past: unlocked{warehouse.PastOf(opt.Warehouse), state.Migration != nil}}
	a := newAttempts(opt, t.sources)
	t.left = a.left
	return a.until(ctx, func(how map[string]extract.OpenOptions) (*Result, error) { return predict(ctx, t, how) })
}

// predict is one attempt of a dry run. It reads like a run, but counts where a run writes.
func predict(ctx context.Context, t task, how map[string]extract.OpenOptions) (*Result, error) {
	r := newRun(t)
	called, err := r.aliases()
	if err != nil {
		return nil, err
	}
	r.called = called
	counts := newPrediction(t.state)
	r.tx = counts
	if err := r.readSources(ctx, how); err != nil {
		return nil, err
	}
	r.result.Status, r.result.Conversations = "dry_run", counts.total()
	r.result.Messages, r.result.ToolCalls = 0, 0 // nothing was loaded
	r.result.Seconds = t.opt.Now().Sub(r.result.started).Seconds()
	return r.result, nil
}

// prediction is the destination of a dry run: it counts what a load would do with each conversation, and stores
// nothing.
type prediction struct {
	state   *load.State
	counts  ConversationCount
	present *load.RowKey // the last announced conversation, of which no row has come yet
}

func newPrediction(state *load.State) *prediction {
	f := &prediction{state: state}
	for _, row := range state.Rows {
		if !row.Deleted {
			f.counts.Unchanged++
		}
	}
	return f
}

// total counts the results for all conversations.
func (f *prediction) total() ConversationCount {
	f.next(nil)
	return f.counts
}

// next announces the next conversation. If no row of the one before has come, it has none.
func (f *prediction) next(key *load.RowKey) {
	if f.present != nil {
		f.count(*f.present, nil)
	}
	f.present = key
}

func (f *prediction) Replace(owner schema.OwnerKey) {
	if owner.Kind != schema.KindConversation {
		f.next(nil)
		return
	}
	f.next(&load.RowKey{SourceID: owner.SourceID, ConversationID: owner.ID})
}

func (f *prediction) Write(rows *schema.Rows) error {
	if len(rows.Conversations) > 0 && f.present != nil {
		f.count(*f.present, &rows.Conversations[0])
		f.present = nil
	}
	return nil
}

// count counts what a load would do with a conversation: row is the row that it would write; nil for none.
func (f *prediction) count(key load.RowKey, row *schema.Conversation) {
	before, had := f.state.Rows[key]
	// it is deleted, and stays deleted
	headless := row != nil && row.Status != nil && *row.Status == "orphaned" && had &&
		(before.Deleted || !before.Orphaned) &&
		!(before.NeverHeaded && sameOrNone(before.Title, row.Title) && sameOrNone(before.Mode, row.Mode))
	switch {
	case row != nil && !had:
		f.counts.New++
	case had && !before.Deleted && (row == nil || headless):
		f.counts.Deleted++
		f.counts.Unchanged--
	case row != nil && !headless:
		f.counts.Changed++
		if !before.Deleted {
			f.counts.Unchanged--
		}
	}
}

func (f *prediction) Documents([]schema.KnownDocument) error { return nil }
func (f *prediction) Remember(schema.Owner)                  {}
func (f *prediction) Forget(schema.OwnerKey)                 {}
func (f *prediction) Source(load.SourceRows) error           { return nil }

// Holds reports true, so that a conversation with an unusable row counts as unchanged.
func (f *prediction) Holds(context.Context, string, string, load.RowKey, []string) (bool, error) {
	return true, nil
}

// unlocked answers a dry run's questions about earlier loads: it opens the warehouse for each question, and only for
// reading.
type unlocked struct {
	warehouse.Past
	outdated bool // it may lack columns of this version
}

func (u unlocked) Lasting(ctx context.Context, sourceID string) (map[string]schema.Lasting, error) {
	if u.outdated {
		return nil, nil
	}
	return u.Past.Lasting(ctx, sourceID)
}

// LastRead knows no store, so each store is opened.
func (unlocked) LastRead(context.Context, string) (map[string]*load.StoreRead, error) {
	return nil, nil
}

// UnknownFamilies and Projects are needed only for what a dry run leaves out: the end of a load, and commits.
func (unlocked) UnknownFamilies(context.Context) (map[load.FamilyKey]bool, error) { return nil, nil }
func (unlocked) Projects(context.Context) ([]load.Project, error)                 { return nil, nil }

// sameOrNone reports whether before is nil or equal to after.
func sameOrNone(before, after *string) bool {
	return before == nil || after != nil && *before == *after
}
