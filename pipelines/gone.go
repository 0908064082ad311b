package pipelines

import (
	"context"
	"slices"

	"pipeline/pipelines/plan"
	"pipeline/sql/schema"
)

// markGone announces the conversations that are gone. For one that has moved to another store, it only removes what was
// remembered of it in the old one. It reports whether deletions are accepted.
func (r *reading) markGone(ctx context.Context, complete plan.Complete) (believed bool, err error) {
	r.notSeen()
	gone, moved := r.plan.Gone(r.seen, complete)
	if believed = r.believed(gone); !believed {
		gone = nil
	}
	for _, key := range gone {
		if err := r.checkIndex(ctx, key.Store); err != nil {
			return false, err
		}
		r.gone[key] = true
		r.result.gone(key, r.dry)
		r.tx.Replace(key)
		if c := r.emptied[key]; c != nil {
			if err := r.empty(ctx, c); err != nil {
				return false, err
			}
		}
	}
	gone = slices.DeleteFunc(gone, func(key schema.OwnerKey) bool { return r.emptied[key] != nil })
	all := slices.Concat(gone, moved)
	for _, key := range all {
		r.tx.Forget(key)
	}
	return believed, r.keeper.Gone(ctx, all)
}

// believed reports whether so many conversations may be gone. If not, it notes the failures.
func (r *reading) believed(gone []schema.OwnerKey) bool {
	tooMany, failures := r.plan.TooMany(gone, r.heads)
	r.result.Failures = append(r.result.Failures, failures...)
	return !tooMany
}

// checkIndex returns an error if a store's index is damaged: then rows that are missing in the index are not gone.
func (r *reading) checkIndex(ctx context.Context, store string) error {
	return failureOf(r.src, store, r.snapshot.CheckIndex(ctx, store))
}
