package pipelines

import (
	"context"
	"slices"

	"pipeline/load"
	"pipeline/pipelines/plan"
)

// markGone announces the conversations that are gone; one that is now in another store is only forgotten where it was. It reports whether
// deletions may be believed.
func (r *reading) markGone(ctx context.Context, complete plan.Complete) (believed bool, err error) {
	gone, moved := r.plan.Gone(r.seen, complete)
	if believed = r.believed(gone); !believed {
		gone = nil
	}
	for _, key := range gone {
		if err := r.believe(ctx, key.Store); err != nil {
			return false, err
		}
		r.result.gone(key.ConversationID, r.dry)
		r.tx.Replace(r.src.id, key.ConversationID)
	}
	all := slices.Concat(gone, moved)
	for _, key := range all {
		r.tx.Forget(key)
	}
	return believed, r.keeper.Gone(ctx, all)
}

// believed reports that so many conversations may be gone, and notes it otherwise.
func (r *reading) believed(gone []load.ConversationKey) bool {
	tooMany, failures := r.plan.TooMany(gone, r.heads)
	r.result.Failures = append(r.result.Failures, failures...)
	return !tooMany
}

// believe returns an error where a store's index is damaged: then rows that it does not name are not gone.
func (r *reading) believe(ctx context.Context, store string) error {
	return failureOf(r.src, store, r.snapshot.CheckIndex(ctx, store))
}

// keepUnknownGone keeps the end of what only the raw layer knows: runs without it, or a later state of a warehouse that was restored from a
// backup, have seen it go or come.
func (r *reading) keepUnknownGone(ctx context.Context, complete plan.Complete) error {
	if r.layer == nil || !r.plan.Gap || r.plan.Wanted.Narrowed() {
		return nil
	}
	owners, err := r.layer.Owners(ctx, r.src.id)
	if err != nil {
		return err
	}
	return r.keeper.Gone(ctx, r.plan.UnknownGone(owners, r.seen, r.snapshot.Kept(), complete))
}
