package pipelines

import (
	"context"
	"errors"
	"fmt"

	"pipeline/extract"
	"pipeline/load"
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
	state, err := load.ReadState(ctx, opt.Warehouse)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", opt.Warehouse, err)
	}
	switch m := state.Migration; {
	case m == nil:
	case m.From == m.To:
		opt.Note("a run would first add to the warehouse the tables and columns that this version has and it has not, and keep it as it is in %s", m.Copy)
	default:
		opt.Note("a run would first bring the warehouse from schema version %d to %d, and keep it as it is in %s", m.From, m.To, m.Copy)
	}
	sources := identify(opt, state)
	tries := newAttempts(opt, sources)
	for {
		result, err := foresight(ctx, opt, state, sources, tries.how, part)
		if err == nil || ctx.Err() != nil || !tries.again(err) {
			return result, err
		}
	}
}

// foresight is one attempt of a dry run.
func foresight(ctx context.Context, opt Options, state *load.State, sources []source, how map[string]extract.OpenOptions, part *plan.Part) (*Result, error) {
	r := &run{opt: opt, state: state, result: newResult(opt, state), part: part}
	r.started = schema.Millis(r.result.started.UnixMilli())
	r.result.Status = "dry_run"
	for _, row := range state.Rows {
		if !row.Deleted {
			r.result.Conversations.Unchanged++
		}
	}
	opened := 0
	opt.Phase(PhaseRead)
	for _, src := range sources {
		ok, err := r.newReading(src).preview(ctx, how[src.id])
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
	r.result.Seconds = opt.Now().Sub(r.result.started).Seconds()
	return r.result, r.projectFound()
}

// preview compares one source with what the warehouse knows.
func (r *reading) preview(ctx context.Context, how extract.OpenOptions) (ok bool, err error) {
	if ok, err = r.open(ctx, how); err != nil || !ok {
		return false, err
	}
	defer func() { err = errors.Join(err, r.snapshot.Close()) }()
	if _, err := r.signs(ctx); err != nil {
		return false, err
	}
	err = r.read(ctx, func(j *job, _ bool) error {
		var conversation *schema.Conversation
		for rows, err := range r.n().Normalize(j.conv) {
			if err != nil {
				return err
			}
			if len(rows.Conversations) > 0 {
				conversation = &rows.Conversations[0]
			}
		}
		if !j.conv.Loose {
			r.foresee(load.RowKey{SourceID: r.src.id, ConversationID: schema.CleanText(j.conv.ID)}, conversation)
		}
		bytes, err := weigh(j.conv)
		r.result.Bytes += bytes
		if conversation != nil && !j.conv.Loose {
			r.result.Changes = append(r.result.Changes, Change{conversation.ConversationID, conversation.Title, conversation.Project, j.why, bytes})
		}
		r.dealtWith(j.conv)
		return err
	})
	if err = errors.Join(err, r.lost); err != nil {
		return false, err
	}
	stores := r.stores()
	r.result.addStores(r.src, stores)
	complete := plan.CompleteStores(r.src.Source, stores)
	gone, _ := r.plan.Gone(r.seen, complete)
	if !r.believed(gone) {
		gone = nil
	}
	for _, key := range gone {
		if !plan.IsConversation(key.ConversationID) {
			continue
		}
		r.foresee(load.RowKey{SourceID: r.src.id, ConversationID: key.ConversationID}, nil)
		r.result.Reasons[plan.WhyGone]++
		r.result.Changes = append(r.result.Changes, Change{ConversationID: key.ConversationID, Why: plan.WhyGone})
	}
	return true, r.verify()
}

// foresee counts what a load would make of a conversation: row is what would be written of it, nil for nothing.
func (r *run) foresee(key load.RowKey, row *schema.Conversation) {
	counts := &r.result.Conversations
	before, had := r.state.Rows[key]
	headless := row != nil && row.Status != nil && *row.Status == "orphaned" && had && (before.Deleted || !before.Orphaned) && !before.NeverHeaded // deleted, and stays so
	switch {
	case row != nil && !had:
		counts.New++
	case had && !before.Deleted && (row == nil || headless):
		counts.Deleted++
		counts.Unchanged--
	case row != nil && !headless:
		counts.Changed++
		if !before.Deleted {
			counts.Unchanged--
		}
	}
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
