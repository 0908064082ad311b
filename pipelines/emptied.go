package pipelines

import (
	"context"

	"pipeline/load"
	"pipeline/pipelines/plan"
)

// This file handles conversations of which Cursor has emptied every row (docs/formats.md, Encodings of values). They
// are as gone as those without a row, and are doubted with these if they are too many.

// findEmptied reports whether every row of a conversation holds nothing, and whether that is news: then it waits until
// it is decided what is gone. A conversation of which a workspace has a copy is not emptied.
func (r *reading) findEmptied(c *candidate, sameRows bool) (emptied, waits bool, err error) {
	if c.conv.Loose || isCopied(c.conv) {
		return false, false, nil
	}
	for d, err := range rows(c.conv) {
		if err != nil || !d.HoldsNothing() {
			return false, false, err
		}
	}
	if r.n().Shared.Of(c.conv.ID).Store() != "" {
		return false, false, nil
	}
	before, known := r.state.Known[c.Key]
	// what a rebuild reads was believed
	if waits = known && !sameRows && !plan.IsEmptied(before) && !r.plan.Wanted.Rebuild; waits {
		r.emptied[c.Key] = c
		r.dealtWith(c.conv)
	}
	return true, waits, nil
}

// notSeen has the conversations that were found emptied count as gone.
func (r *reading) notSeen() {
	for key := range r.emptied {
		delete(r.seen, key.ConversationID)
	}
}

// empty loads a conversation that was found emptied, once its deletion is believed.
func (r *reading) empty(ctx context.Context, c *candidate) error {
	b := &block{r: r}
	if err := b.keep(ctx, c, []load.ConversationKey{c.Key}, true); err != nil {
		return err
	}
	sums, err := c.conv.Sums()
	if err != nil {
		return err
	}
	now, facts := b.remembered(c)
	now.Fingerprint, now.ContentHash = c.fingerprint(sums, facts), plan.Content(sums.Content()+facts, true)
	for rows, err := range r.n().Normalize(c.conv) {
		if err != nil {
			return err
		}
		if err := r.tx.Write(rows); err != nil {
			return err
		}
	}
	r.tx.Remember(now)
	return nil
}
