package pipelines

import (
	"context"

	"pipeline/extract"
	"pipeline/sql/schema"
)

// This file handles conversations of which Cursor has emptied every row (docs/formats.md, Encodings of values). They
// are as gone as those without a row, and are doubted with these if they are too many.

// mayBeEmptied reports whether a conversation is emptied if every row of it holds nothing (extract.Sums.HoldNothing):
// one of which a workspace has a copy is not.
func (r *reading) mayBeEmptied(conv *extract.Conversation) bool {
	return !conv.Loose && !isCopied(conv) && r.n().Shared.Of(conv.ID).Store() == ""
}

// awaitsEmptying has an emptied conversation wait until it is decided what is gone, if that is news.
func (r *reading) awaitsEmptying(c *candidate, sameRows bool) bool {
	before, known := r.state.Known[c.Key]
	// what a rebuild reads was believed
	if !known || sameRows || before.IsEmptied || r.plan.Wanted.Rebuild {
		return false
	}
	r.emptied[c.Key] = c
	r.dealtWith(c.conv)
	return true
}

// notSeen has the conversations that were found emptied count as gone.
func (r *reading) notSeen() {
	for key := range r.emptied {
		delete(r.seen, key.Anywhere())
	}
}

// empty loads a conversation that was found emptied, once its deletion is believed.
func (r *reading) empty(ctx context.Context, c *candidate) error {
	b := &block{r: r}
	if err := b.keep(ctx, c, []schema.OwnerKey{c.Key}, true); err != nil {
		return err
	}
	sums, err := c.conv.Sums()
	if err != nil {
		return err
	}
	now := b.remembered(c)
	c.sum(&now, sums, true)
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
