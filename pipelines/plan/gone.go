package plan

import (
	"cmp"
	"fmt"
	"slices"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/load/figures"
)

// Gone lists the conversations that earlier loads knew and that are in no store any more, and those that are now in another store. seen has the store in
// which each conversation was seen.
func (s *Source) Gone(seen map[string]string, complete Complete) (gone, moved []load.ConversationKey) {
	if s.Wanted.Narrowed() {
		return nil, nil
	}
	for key := range s.All() {
		if OfStore(key.ConversationID) || !complete.Has(key.Store) {
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

// TooMany reports that more than half of a source's conversations are gone or have become unusable at once: rather than deleted they may be in a
// file that is not where it was, Cursor has put an old backup in its place, or it writes them in another form. They are kept until somebody says
// that it is meant (--accept-deletes); that makes no row usable. heads are the conversations whose own row this run has looked at, and whether it is
// there and has become unusable. The failures say what is wrong.
func (s *Source) TooMany(gone []load.ConversationKey, heads map[load.ConversationKey]bool) (tooMany bool, failures []figures.CheckFailure) {
	isGone := map[load.ConversationKey]bool{}
	lost := 0
	for _, key := range gone {
		isGone[key] = true
		if IsConversation(key.ConversationID) {
			lost++
		}
	}
	known, unusable := 0, 0
	for key := range s.All() {
		if !IsConversation(key.ConversationID) {
			continue
		}
		known++
		if !isGone[key] && s.unusable(key, heads) {
			unusable++
		}
	}
	if 2*unusable > known {
		failures = append(failures, figures.CheckFailure{Check: "unusable", Rows: int64(unusable),
			Doc: "No more than half of a source's conversations become unusable at once.",
			First: fmt.Sprintf("of source %s %d of %d conversations are there and cannot be read; they are kept as they last could be, and nothing is marked deleted. "+
				"Cursor may write them in another form now: look for a newer version of pipeline, or put a backup of the store in its place", s.ID, unusable, known)})
	}
	if 2*(lost+unusable) <= known || s.Wanted.AcceptDeletes {
		return false, failures
	}
	if lost > 0 {
		also := ""
		if unusable > 0 {
			also = fmt.Sprintf(" and %d cannot be read", unusable)
		}
		failures = append(failures, figures.CheckFailure{Check: "deletions", Rows: int64(lost),
			Doc:   "No more than half of a source's conversations go at once.",
			First: fmt.Sprintf("of source %s %d of %d conversations are gone%s; nothing is marked deleted. If you deleted them, run again with --accept-deletes", s.ID, lost, known, also)})
	}
	return true, failures
}

// unusable reports a conversation whose own row is there and has become unusable, in this run or, where the row is the same, in an earlier one.
func (s *Source) unusable(key load.ConversationKey, heads map[load.ConversationKey]bool) bool {
	if bad, looked := heads[key]; looked {
		return bad
	}
	q := s.State.Quarantined[key]
	return q.Live && slices.Contains(q.Families, extract.FamilyComposer)
}

// RemovedFolders are the shared rows of workspace folders that are no longer there: they hold nothing any more.
func (s *Source) RemovedFolders(complete Complete) (gone []load.ConversationKey) {
	if s.Wanted.Narrowed() {
		return nil
	}
	for key := range s.All() {
		if key.ConversationID == Shared && complete.mayBeGone(key.Store) && !complete.folders[key.Store] {
			gone = append(gone, key)
		}
	}
	return gone
}

// UnknownGone are the owners of rows that only the raw layer knows and that are no longer there: runs without it, or a later state of a warehouse that was
// restored from a backup, have seen them come or go. owners are all that it knows; kept are the families that were seen, as for EmptyFamilies.
func (s *Source) UnknownGone(owners []load.ConversationKey, seen map[string]string, kept []extract.KeptFamily, complete Complete) []load.ConversationKey {
	left := s.left(kept)
	return slices.DeleteFunc(owners, func(key load.ConversationKey) bool {
		_, known := s.State.Known[key]
		family, isKept := KeptFamily(key.ConversationID)
		store, isThere := seen[key.ConversationID]
		switch {
		case known, !complete.Has(key.Store): // what is known has been looked after
			return true
		case isKept:
			return left[key] || !s.Wanted.Raw.Keeps(family)
		case key.ConversationID == Shared:
			return complete.folders[key.Store]
		}
		return isThere && store == key.Store
	})
}
