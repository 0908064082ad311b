package pipelines

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"pipeline/load"
)

// gone lists the conversations that earlier loads knew and that are in no store any more, and those that are now in another store.
func (r *run) gone(src source, seen map[string]string, complete completeness) (gone, moved []load.ConversationKey) {
	if r.opt.narrowed() {
		return nil, nil
	}
	for key := range r.state.Known {
		if key.SourceID != src.id || isShared(key.ConversationID) || !complete.is(key.Store) {
			continue
		}
		switch store, ok := seen[key.ConversationID]; {
		case !ok:
			gone = append(gone, key)
		case store != key.Store:
			moved = append(moved, key)
		}
	}
	slices.SortFunc(gone, func(a, b load.ConversationKey) int {
		return cmp.Or(cmp.Compare(a.Store, b.Store), cmp.Compare(a.ConversationID, b.ConversationID))
	})
	return gone, moved
}

// tooMany reports that more than half of a source's conversations are gone at once: rather than deleted they may be in a file that is not
// where it was, or Cursor has put an old backup in its place. They are kept until somebody says that it is meant (--accept-deletes).
func (r *run) tooMany(src source, gone []load.ConversationKey) bool {
	known := 0
	for key := range r.state.Known {
		if key.SourceID == src.id && !isShared(key.ConversationID) && !isLoose(key.ConversationID) {
			known++
		}
	}
	lost := len(slices.DeleteFunc(slices.Clone(gone), func(key load.ConversationKey) bool { return isLoose(key.ConversationID) }))
	if 2*lost <= known || r.opt.AcceptDeletes {
		return false
	}
	r.result.Failures = append(r.result.Failures, load.CheckFailure{Check: "deletions", Rows: int64(lost),
		Doc:   "No more than half of a source's conversations go at once.",
		First: fmt.Sprintf("of source %s %d of %d conversations are gone; nothing is marked deleted. If you deleted them, run again with --accept-deletes", src.id, lost, known)})
	return true
}

// markGone announces the conversations that are gone; one that is now in another store is only forgotten where it was. It reports whether
// deletions may be believed.
func (r *run) markGone(ctx context.Context, src source, seen map[string]string, complete completeness) (believed bool, err error) {
	gone, moved := r.gone(src, seen, complete)
	if r.tooMany(src, gone) {
		gone = nil
	} else {
		believed = true
	}
	for _, key := range gone {
		if err := r.believe(ctx, key.Store); err != nil {
			return false, err
		}
		r.result.Reasons[WhyGone]++
		r.tx.Replace(src.id, key.ConversationID)
	}
	all := slices.Concat(gone, moved)
	for _, key := range all {
		r.tx.Forget(key)
	}
	return believed, r.keepGone(ctx, all)
}

// believe returns an error where a store's index is damaged: then rows that it does not name are not gone.
func (r *run) believe(ctx context.Context, store string) error {
	return failureOf(r.src, store, r.snapshot.CheckIndex(ctx, store))
}
