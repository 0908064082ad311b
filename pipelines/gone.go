package pipelines

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"pipeline/extract"
	"pipeline/load"
)

// gone lists the conversations that earlier loads knew and that are in no store any more, and those that are now in another store.
func (r *reading) gone(complete completeness) (gone, moved []load.ConversationKey) {
	if r.only.narrowed() {
		return nil, nil
	}
	for key := range r.state.Known {
		if key.SourceID != r.src.id || isShared(key.ConversationID) || !complete.is(key.Store) {
			continue
		}
		switch store, ok := r.seen[key.ConversationID]; {
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

// tooMany reports that more than half of a source's conversations are gone or have become unusable at once: rather than deleted they may be in a
// file that is not where it was, Cursor has put an old backup in its place, or it writes them in another form. They are kept until somebody says
// that it is meant (--accept-deletes); that makes no row usable.
func (r *reading) tooMany(gone []load.ConversationKey) bool {
	known, unusable := 0, 0
	for key := range r.state.Known {
		if key.SourceID == r.src.id && !isShared(key.ConversationID) && !isLoose(key.ConversationID) {
			known++
			if r.isUnusable(key) && !slices.Contains(gone, key) {
				unusable++
			}
		}
	}
	lost := len(slices.DeleteFunc(slices.Clone(gone), func(key load.ConversationKey) bool { return isLoose(key.ConversationID) }))
	if 2*unusable > known {
		r.result.Failures = append(r.result.Failures, load.CheckFailure{Check: "unusable", Rows: int64(unusable),
			Doc: "No more than half of a source's conversations become unusable at once.",
			First: fmt.Sprintf("of source %s %d of %d conversations are there and cannot be read; they are kept as they last could be, and nothing is marked deleted. "+
				"Cursor may write them in another form now: look for a newer version of pipeline, or put a backup of the store in its place", r.src.id, unusable, known)})
	}
	if 2*(lost+unusable) <= known || r.opt.AcceptDeletes {
		return false
	}
	if lost > 0 {
		r.result.Failures = append(r.result.Failures, load.CheckFailure{Check: "deletions", Rows: int64(lost),
			Doc:   "No more than half of a source's conversations go at once.",
			First: fmt.Sprintf("of source %s %d of %d conversations are gone%s; nothing is marked deleted. If you deleted them, run again with --accept-deletes", r.src.id, lost, known, unreadable(unusable))})
	}
	return true
}

func unreadable(conversations int) string {
	if conversations == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d cannot be read", conversations)
}

// isUnusable reports a conversation whose own row is there and has become unusable, in this run or, where the row is the same, in an earlier one.
func (r *reading) isUnusable(key load.ConversationKey) bool {
	if bad, looked := r.heads[key]; looked {
		return bad
	}
	q := r.state.Quarantined[key]
	return q.Live && slices.Contains(q.Families, extract.FamilyComposer)
}

// markGone announces the conversations that are gone; one that is now in another store is only forgotten where it was. It reports whether
// deletions may be believed.
func (r *reading) markGone(ctx context.Context, complete completeness) (believed bool, err error) {
	gone, moved := r.gone(complete)
	if r.tooMany(gone) {
		gone = nil
	} else {
		believed = true
	}
	for _, key := range gone {
		if err := r.believe(ctx, key.Store); err != nil {
			return false, err
		}
		r.result.Reasons[WhyGone]++
		r.tx.Replace(r.src.id, key.ConversationID)
	}
	all := slices.Concat(gone, moved)
	for _, key := range all {
		r.tx.Forget(key)
	}
	return believed, r.keepGone(ctx, all)
}

// believe returns an error where a store's index is damaged: then rows that it does not name are not gone.
func (r *reading) believe(ctx context.Context, store string) error {
	return failureOf(r.src, store, r.snapshot.CheckIndex(ctx, store))
}
