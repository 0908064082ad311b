package plan

import (
	"cmp"
	"fmt"
	"slices"

	"pipeline/extract"
	"pipeline/load/figures"
	"pipeline/sql/schema"
)

// Gone lists the conversations that earlier loads knew and that no store has any more, and those that have moved to
// another store. seen has the store of each owner (schema.OwnerKey.Anywhere).
func (s *Source) Gone(seen map[schema.OwnerKey]string, complete Complete) (gone, moved []schema.OwnerKey) {
	if s.Wanted.Narrowed() {
		return nil, nil
	}
	for key := range s.All() {
		if key.Kind.OfStore() || !complete.Has(key.Store) {
			continue
		}
		switch store, ok := seen[key.Anywhere()]; {
		case !ok:
			gone = append(gone, key)
		case store != key.Store:
			moved = append(moved, key)
		}
	}
	slices.SortFunc(gone, func(a, b schema.OwnerKey) int {
		return cmp.Or(cmp.Compare(a.Store, b.Store), cmp.Compare(a.ID, b.ID))
	})
	return gone, moved
}

// TooMany reports that more than half of a source's conversations are gone or have become unusable at once. They may
// not be deleted: a file may have been moved, Cursor may have restored an old backup, or may write them in a new form.
// So they are kept until the user confirms the deletion (--accept-deletes), which does not help if rows are unusable.
// heads are the conversations whose own row this run has looked at; the value says whether the row has become unusable.
// The failures describe the problem.
func (s *Source) TooMany(gone []schema.OwnerKey, heads map[schema.OwnerKey]bool) (tooMany bool,
	failures []figures.CheckFailure) {
	isGone := map[schema.OwnerKey]bool{}
	lost := 0
	for _, key := range gone {
		isGone[key] = true
		if s.counts(key) {
			lost++
		}
	}
	known, unusable := 0, 0
	for key := range s.All() {
		if !s.counts(key) {
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
			First: fmt.Sprintf("of source %s %d of %d conversations are there but cannot be read. The warehouse keeps "+
				"their last readable form, and does not mark them deleted. "+
				"Cursor may write them in another form now: look for a newer version of pipeline, or put a backup of "+
				"the store in its place", s.ID, unusable, known)})
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
			Doc: "No more than half of a source's conversations go at once.",
			First: fmt.Sprintf("of source %s %d of %d conversations are gone%s; these are not marked deleted. If you "+
				"deleted them, run again with --accept-deletes", s.ID, lost, known, also)})
	}
	return true, failures
}

// counts reports whether an owner of rows is a conversation that a load has seen, of which more is known than a head: a
// list of heads may go at once, and no message goes with it. One that was emptied is gone already.
func (s *Source) counts(key schema.OwnerKey) bool {
	known := s.State.Known[key]
	return key.Kind == schema.KindConversation && !known.IsListed && !known.IsEmptied && known.LoadID > 0
}

// unusable reports whether a conversation's own row exists and has become unusable, in this run or, if the row is the
// same, in an earlier one.
func (s *Source) unusable(key schema.OwnerKey, heads map[schema.OwnerKey]bool) bool {
	if bad, looked := heads[key]; looked {
		return bad
	}
	q := s.State.Quarantined[key]
	return q.Live && (slices.Contains(q.Families, extract.FamilyComposer) ||
		slices.Contains(q.Families, extract.FamilyCLIMeta))
}

// RemovedFolders lists the shared rows of workspace folders that no longer exist.
func (s *Source) RemovedFolders(complete Complete) (gone []schema.OwnerKey) {
	if s.Wanted.Narrowed() {
		return nil
	}
	for key := range s.All() {
		if key.Kind == schema.KindShared && complete.mayBeGone(key.Store) && !complete.folders[key.Store] {
			gone = append(gone, key)
		}
	}
	return gone
}
