package pipelines

import (
	"context"
	"errors"

	"pipeline/extract"
	"pipeline/load/versions"
	"pipeline/pipelines/plan"
	"pipeline/pipelines/raw"
	"pipeline/sql/schema"
)

// candidate is a conversation whose values are to be read.
type candidate struct {
	plan.Decision
	conv  *extract.Conversation
	lossy bool // some rows are on damaged pages: each run looks at it again
}

// block collects candidates, so that many are looked up in the raw layer at once.
type block struct {
	r          *reading
	emit       func(*job, bool) error
	candidates []*candidate
	asked      int                               // number of rows to look up in the raw layer
	rows       map[schema.OwnerKey]versions.Rows // what the raw layer holds of them, once it is asked for
}

// add adds a conversation, unless it is unchanged or not wanted.
func (b *block) add(ctx context.Context, conv *extract.Conversation) error {
	var c *candidate
	key := b.r.plan.KeyOf(conv)
	err := guard(key, func() (err error) {
		c, err = b.r.candidate(ctx, conv)
		return err
	})
	if isDefect(err) && b.r.left[key] != nil {
		b.r.leaveDefect(conv, b.r.left[key])
		return nil
	}
	if err != nil {
		if b.leave(ctx, conv, err) {
			return nil
		}
		return failureOf(b.r.src, conv.Store, err)
	}
	if c == nil {
		b.r.dealtWith(conv)
		return nil
	}
	b.candidates = append(b.candidates, c)
	if !b.r.keeper.Paged(conv) {
		b.asked += conv.Rows()
	}
	if len(b.candidates) < blockSize && b.asked < raw.Page {
		return nil
	}
	return b.end(ctx)
}

// end processes the collected candidates.
func (b *block) end(ctx context.Context) error {
	var keys []schema.OwnerKey
	for _, c := range b.candidates {
		if !b.r.keeper.Paged(c.conv) {
			keys = append(keys, c.Key)
		}
	}
	for i, c := range b.candidates {
		b.candidates[i] = nil // frees each conversation's memory once it is processed
		if err := b.guarded(ctx, c, keys); err != nil {
			if b.leave(ctx, c.conv, err) {
				continue
			}
			return failureOf(b.r.src, c.conv.Store, err)
		}
		delete(b.rows, c.Key)
	}
	b.candidates, b.rows, b.asked = nil, nil, 0
	return nil
}

// leave leaves a conversation as it is that has a store of its own, if the store cannot be read. Nothing has been
// passed on of it: such a conversation is read before anything else.
func (b *block) leave(ctx context.Context, conv *extract.Conversation, err error) bool {
	s, ok := b.r.snapshot.(interface {
		Leave(store string, err error) bool
	})
	if !ok || ctx.Err() != nil || !isStoreError(err) || !s.Leave(conv.Store, err) {
		return false
	}
	b.r.dealtWith(conv)
	return true
}

// isStoreError reports whether an error says that a store cannot be read.
func isStoreError(err error) bool {
	var known *extract.StoreError
	return errors.As(err, &known) || errors.Is(err, extract.ErrTorn)
}

// candidate compares a conversation's fingerprint with the known one; nil if there is nothing to do. It reads no
// values, except the conversation's own document if only some conversations are wanted.
func (r *reading) candidate(ctx context.Context, conv *extract.Conversation) (*candidate, error) {
	decision := r.plan.Conversation(conv, func(workspace string) string { return r.facts(conv.ID, workspace) })
	if !decision.Read {
		var err error
		if decision.Read, err = r.mayHaveCome(ctx, decision.Key); err != nil {
			return nil, err
		}
	}
	if r.plan.Wanted.Narrowed() && (decision.Read || len(r.plan.Wanted.Projects) > 0) {
		if err := conv.LoadHead(); err != nil {
			return nil, err
		}
	}
	wanted := r.ofProject(conv) // also for an unchanged conversation: its project counts as found
	if !decision.Read {
		return nil, nil
	}
	if wanted {
		var err error
		if wanted, err = r.inTime(conv); err != nil {
			return nil, err
		}
	}
	if !wanted {
		if !conv.Loose {
			r.result.LeftOut++
		}
		return nil, nil
	}
	return &candidate{Decision: decision, conv: conv}, nil
}

// facts is the fingerprint of the shared facts about a conversation and about the workspace that its rows name.
func (r *reading) facts(conversation, workspace string) string {
	shared := r.n().Shared
	return shared.Fingerprint(conversation) + shared.WorkspaceFingerprint(workspace)
}

// consider reads a candidate's values and passes it on if they differ from the known ones (Cursor rewrites unchanged
// rows: docs/formats.md, How Cursor writes).
func (b *block) consider(ctx context.Context, c *candidate, all []schema.OwnerKey) error {
	r := b.r
	if b.isLarge(c) {
		return b.stream(ctx, c, all)
	}
	sums, held, err := c.conv.Load(r.budget.Buffer)
	if err != nil {
		return err
	}
	if r.salvaged[c.Key.Store] {
		if ok, err := b.mend(ctx, c, all); err != nil || !ok {
			r.dealtWith(c.conv)
			return err
		}
		if sums, err = c.conv.Sums(); err != nil {
			return err
		}
	}
	if !c.conv.Loose {
		r.result.Read++
	}
	known := c.Known
	if c.Known && r.hasCome(c) {
		c.Known, c.Why = false, plan.WhyRows
	}
	hash := sums.Content()
	sameRows, lost := c.SameRows(hash), r.hasLostStore(c.conv)
	emptied := sums.HoldNothing() && r.mayBeEmptied(c.conv)
	if emptied && r.awaitsEmptying(c, sameRows) {
		return nil
	}
	if !sameRows || r.plan.RawMayLack || !c.Known && sums.HasNodes() {
		// an earlier version did not keep nodes of the graph
		if err := b.keep(ctx, c, all, held || sameRows || lost); err != nil {
			return err
		}
	}
	whole, err := b.useEarlier(ctx, c, sameRows)
	if err != nil {
		return err
	}
	now := b.remembered(c)
	c.sum(&now, sums, emptied)
	if lost {
		return b.leaveLost(ctx, c, now)
	}
	if !whole {
		return b.freeze(c, now, sameRows)
	}
	why := c.After(c.conv, now, sameRows)
	if why == "" {
		r.leaveSame(c, now)
		return nil
	}
	if why == plan.WhyInPlace {
		r.result.overwritten(!c.conv.Loose)
	}
	if known && r.layer == nil { // nothing says which rows it had
		if err := r.checkIndex(ctx, c.Key.Store); err != nil {
			return err
		}
	}
	r.result.changedRows(r.src, c.conv, why)
	return b.pass(&job{conv: c.conv, rows: make(chan batch, 1), known: now, why: why}, held)
}

// leaveSame leaves a conversation whose content is the same.
func (r *reading) leaveSame(c *candidate, now schema.Owner) {
	if now.LoadID = c.Before.LoadID; now != c.Before {
		r.remember = append(r.remember, now)
	}
	r.dealtWith(c.conv)
}

// remembered starts what is to be remembered of a conversation, with all that is known before its values are added up.
func (b *block) remembered(c *candidate) schema.Owner {
	now := b.r.plan.Remembered(c.Key)
	now.WorkspaceID = b.r.n().Shared.NamedWorkspace(c.conv)
	now.FactsHash = b.r.facts(c.conv.ID, now.WorkspaceID)
	now.IsCopied, now.IsListed, now.IsElsewhere = c.conv.IsCopied, c.conv.IsListed, c.conv.Elsewhere
	return now
}

// sum notes what the values of a conversation add up to. If rows are on damaged pages, its index says nothing of it.
func (c *candidate) sum(now *schema.Owner, sums extract.Sums, emptied bool) {
	now.ContentHash, now.IsEmptied = sums.Content(), emptied
	if !c.lossy {
		now.RowsHash, now.SizesHash = c.conv.Fingerprint, sums.Sizes()
	}
}

// rowSize is about how many bytes a row of a conversation has.
const rowSize = 4 << 10

// isLarge reports whether a conversation is new and has so many rows that it is probably not held. Its values are not
// needed before its rows are made, so they are read once.
func (b *block) isLarge(c *candidate) bool {
	r := b.r
	_, known := r.state.Known[c.Key] // with --full it may be known, and its earlier rows are of use
	return !known && !r.dry && !r.salvaged[c.Key.Store] && int64(c.conv.Rows())*rowSize > r.budget.Buffer
}

// stream passes on a large conversation that is new. What is to be remembered of it is known once its rows are made.
func (b *block) stream(ctx context.Context, c *candidate, all []schema.OwnerKey) error {
	r := b.r
	if err := c.conv.LoadHead(); err != nil {
		return err
	}
	if !c.conv.Loose {
		r.result.Read++
	}
	var sums extract.Sums
	mayBeEmptied := r.mayBeEmptied(c.conv)
	c.conv = readingFirst(c.conv, summed(rows(c.conv), &sums))
	if err := b.keep(ctx, c, all, false); err != nil {
		return err
	}
	now := b.remembered(c)
	r.result.changedRows(r.src, c.conv, c.Why)
	j := &job{conv: c.conv, rows: make(chan batch, 1), known: now, why: c.Why}
	j.whole = func() { c.sum(&j.known, sums, mayBeEmptied && sums.HoldNothing()) }
	return b.pass(j, false)
}

// summed adds rows up as they come.
func summed(docs raw.Rows, sums *extract.Sums) raw.Rows {
	return func(yield func(*extract.Document, error) bool) {
		for d, err := range docs {
			if err == nil {
				sums.Add(d)
			}
			if !yield(d, err) {
				return
			}
		}
	}
}

// pass passes a changed conversation on. For the list of a dry run it reads the size of the values here, while the
// store is read.
func (b *block) pass(j *job, held bool) (err error) {
	if b.r.dry {
		if j.bytes, err = weigh(j.conv); err != nil {
			return err
		}
	}
	return b.emit(j, held)
}

// weigh returns the size of a conversation's values.
func weigh(conv *extract.Conversation) (bytes int64, err error) {
	for d, err := range rows(conv) {
		if err != nil {
			return bytes, err
		}
		bytes += d.Bytes
	}
	return bytes, nil
}

// keep passes a conversation's rows to the raw layer, after one lookup for the whole block: now, or when the
// conversation is read for the first time after this call, which saves a pass over a conversation that is not held.
func (b *block) keep(ctx context.Context, c *candidate, all []schema.OwnerKey, now bool) (err error) {
	if b.r.layer == nil {
		return nil
	}
	var kept raw.Rows
	if b.r.keeper.Paged(c.conv) {
		kept, err = b.r.keeper.Pages(ctx, c.Key, rows(c.conv))
	} else if err = b.ask(ctx, all); err == nil {
		kept = b.r.keeper.Keep(ctx, c.Key, b.rows[c.Key], rows(c.conv))
	}
	switch {
	case err != nil:
		return err
	case now:
		return raw.Drain(kept)
	}
	c.conv = readingFirst(c.conv, kept)
	return nil
}

// readingFirst is a conversation whose parts come out of another sequence, which also has its head, when they are read
// for the first time.
func readingFirst(conv *extract.Conversation, all raw.Rows) *extract.Conversation {
	out := extract.NewConversation(*conv, conv.Rows(), nil)
	out.Parts = func(yield func(*extract.Document, error) bool) {
		if all == nil {
			conv.Parts(yield)
			return
		}
		first := all
		all = nil
		for d, err := range first {
			if d != nil && d == conv.Head {
				continue
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
	return out
}

// ask looks up the rows of a whole block in the raw layer, once.
func (b *block) ask(ctx context.Context, all []schema.OwnerKey) (err error) {
	if b.rows == nil {
		b.rows, err = b.r.layer.Known(ctx, all)
	}
	return err
}
