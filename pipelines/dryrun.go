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

// Compare is a dry run that reads a part of the conversations, the part-th of so many from 0, in full, whatever their fingerprints say.
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
	switch m := state.Migration; {
	case m == nil:
	case m.From == m.To:
		opt.Note("a run would first add the tables and columns that this version has and the warehouse lacks, and keep a copy of the warehouse in %s", m.Copy)
	default:
		opt.Note("a run would first bring the warehouse from schema version %d to %d, and keep a copy of the old one in %s", m.From, m.To, m.Copy)
	}
	t := task{opt: opt, budget: Split(opt.Memory), past: unlocked{opt.Warehouse}, state: state, sources: identify(opt, state), part: part, dry: true}
	return newAttempts(opt, t.sources).until(ctx, func(how map[string]extract.OpenOptions) (*Result, error) { return foresee(ctx, t, how) })
}

// foresee is one attempt of a dry run: it reads as a run does, and counts where that one writes.
func foresee(ctx context.Context, t task, how map[string]extract.OpenOptions) (*Result, error) {
	r := newRun(t)
	counts := newForesight(t.state)
	r.tx, r.gaps = counts, rawGaps(r.state, nil)
	if err := r.readSources(ctx, how); err != nil {
		return nil, err
	}
	r.result.Status, r.result.Conversations = "dry_run", counts.total()
	r.result.Messages, r.result.ToolCalls = 0, 0 // none was loaded
	r.result.Seconds = t.opt.Now().Sub(r.result.started).Seconds()
	return r.result, nil
}

// weigh is the size of a conversation's values.
func weigh(conv *extract.Conversation) (bytes int64, err error) {
	for d, err := range rows(conv) {
		if err != nil {
			return bytes, err
		}
		bytes += d.Bytes
	}
	return bytes, nil
}

// foresight is the destination of a dry run: it counts what a load would make of each conversation, and keeps nothing.
type foresight struct {
	state   *load.State
	counts  ConversationCount
	present *load.RowKey // the conversation that was announced last, and of which no row has come yet
}

func newForesight(state *load.State) *foresight {
	f := &foresight{state: state}
	for _, row := range state.Rows {
		if !row.Deleted {
			f.counts.Unchanged++
		}
	}
	return f
}

// total is what came of all conversations.
func (f *foresight) total() ConversationCount {
	f.next(nil)
	return f.counts
}

// next goes on to a conversation. The one before it has no row if none has come.
func (f *foresight) next(key *load.RowKey) {
	if f.present != nil {
		f.count(*f.present, nil)
	}
	f.present = key
}

func (f *foresight) Replace(sourceID, conversationID string) {
	if !plan.IsConversation(conversationID) {
		f.next(nil)
		return
	}
	f.next(&load.RowKey{SourceID: sourceID, ConversationID: conversationID})
}

func (f *foresight) Write(rows *schema.Rows) error {
	if len(rows.Conversations) > 0 && f.present != nil {
		f.count(*f.present, &rows.Conversations[0])
		f.present = nil
	}
	return nil
}

// count counts what a load would make of a conversation: row is what would be written of it, nil for nothing.
func (f *foresight) count(key load.RowKey, row *schema.Conversation) {
	before, had := f.state.Rows[key]
	headless := row != nil && row.Status != nil && *row.Status == "orphaned" && had && (before.Deleted || !before.Orphaned) && !before.NeverHeaded // deleted, and stays so
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

func (f *foresight) Remember(schema.KnownConversation) {}
func (f *foresight) Forget(load.ConversationKey)       {}
func (f *foresight) Source(load.SourceRows) error      { return nil }

// Holds reports true, so that a conversation of which a row cannot be used is taken for one that stays as it is.
func (f *foresight) Holds(context.Context, string, string, load.RowKey, string) (bool, error) {
	return true, nil
}

// unlocked is the past of a dry run: a warehouse that is opened for each question, and for reading only.
type unlocked struct{ warehouse string }

func (u unlocked) Documents(ctx context.Context, sourceID string, stores ...string) ([]schema.KnownDocument, error) {
	return warehouse.ReadDocuments(ctx, u.warehouse, sourceID, stores...)
}

// LastRead knows of no store, so that each is opened.
func (unlocked) LastRead(context.Context, string) (map[string]*load.StoreRead, error) {
	return nil, nil
}

// UnknownFamilies and Projects are asked for by what a dry run leaves out: the end of a load, and commits.
func (unlocked) UnknownFamilies(context.Context) (map[load.FamilyKey]bool, error) { return nil, nil }
func (unlocked) Projects(context.Context) ([]load.Project, error)                 { return nil, nil }
