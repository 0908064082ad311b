package transform

import (
	"slices"

	"pipeline/extract"
	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// This file makes the rows of conversations of which nothing is left but their heads in lists: the title, and when they
// were (docs/formats.md, Heads in lists).

// Listed lists, by id, the conversations that a list names and that no workspace store has a copy of. Deleted ones may
// be among them, and those that have rows.
func (s *Shared) Listed() []string {
	var ids []string
	for id, f := range s.facts {
		if f.isListed() && len(f.copies) == 0 {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// isListed reports whether a list has a head of the conversation that is no mark of its deletion.
func (f *Facts) isListed() bool {
	return f.hasHead() && !isTombstone(heads{f.tableValue, f.tableColumns, f.itemHead, f.listHead})
}

// isTombstone reports whether the first head is what Cursor leaves of a conversation that was deleted: an archived one
// without a name.
func isTombstone(h heads) bool {
	for _, head := range h {
		if head.Exists() {
			named := head.Get("name").Says() || head.Get("subtitle").Says() || head.Get("draftTarget").Says() ||
				head.Get("isDraft").IsTrue()
			return !named && h.get("isArchived").IsTrue()
		}
	}
	return false
}

// headStore is the store of the list that names the conversation first.
func (f *Facts) headStore() string {
	switch {
	case f.tableValue.Exists():
		return extract.GlobalStore
	case f.itemHead.Exists():
		return f.itemStore
	}
	return f.listStore
}

// OnlyListed reports whether the warehouse knows no more of a conversation than a head. One that it knows with messages
// was deleted if only its head is left.
func OnlyListed(last *schema.Lasting) bool { return last == nil || last.IsListed }

// isListed reports whether nothing is left of the conversation but its head, and nothing else was ever known.
func (a *assembly) isListed() bool {
	last, _ := a.last()
	return !a.conv.Loose && a.facts.isListed() && OnlyListed(last)
}

// listedRow is the row of a conversation that only lists name.
func (a *assembly) listedRow() schema.Conversation {
	a.listed = true
	row := a.n.Shared.conversationRow(a.n.SourceID, a.conv.ID, jsondoc.Value{}, a.facts)
	a.n.Shared.project(a.facts, jsondoc.Value{}).apply(&row)
	a.claims(jsondoc.Value{})
	return row
}
