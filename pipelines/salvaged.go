package pipelines

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"
	"strings"

	"pipeline/extract"
	"pipeline/load/versions"
	"pipeline/pipelines/raw"
	"pipeline/sql/schema"
)

// This file handles damaged stores. Rows that cannot be read may still exist there: nothing counts as gone, and no row
// as emptied. In place of a lost row, the version in the raw layer is used.

// salvagedStores are the stores of a source of which only a part could be read.
func salvagedStores(snapshot extract.Snapshot) map[string]bool {
	out := map[string]bool{}
	for _, s := range snapshot.Stores() {
		if s.Salvaged {
			out[s.Store] = true
		}
	}
	return out
}

// mend replaces rows that a damaged store has lost, or that are emptied there, by their versions in the raw layer. It
// reports false for a conversation that must stay unchanged in the warehouse, because the lost rows are unknown.
func (b *block) mend(ctx context.Context, c *candidate, all []schema.OwnerKey) (ok bool, err error) {
	_, known := b.r.state.Known[c.Key]
	switch {
	case b.r.dry: // a dry run counts what can be read
		return true, nil
	case b.r.layer == nil || b.r.plan.RawMayLack:
		return !known, nil
	}
	if err := b.ask(ctx, all); err != nil {
		return false, err
	}
	lost := map[versions.Key]string{} // with every version
	for key, v := range b.rows[c.Key] {
		if v.Latest != "" {
			lost[key] = ""
		}
	}
	for d, err := range rows(c.conv) {
		if err != nil {
			return false, err
		}
		if d.Problem == extract.ProblemCorrupt || d.HoldsNothing() {
			c.lossy = true
			continue
		}
		row := raw.Row(c.Key, d)
		delete(lost, versions.KeyOf(&row))
	}
	if len(lost) == 0 {
		return true, nil
	}
	before, err := b.versions(ctx, c, lost)
	if err != nil {
		return false, err
	}
	if len(before) == 0 { // it cannot be read
		return !known, nil
	}
	var docs []*extract.Document
	for _, versions := range before {
		docs = append(docs, raw.Document(versions[0]))
	}
	c.lossy = true
	c.conv, err = standingIn(c.conv, docs)
	return true, err
}

// standingIn is a conversation in which documents stand for the rows with their keys. Those that have no such row are
// added, each at its position.
func standingIn(conv *extract.Conversation, docs []*extract.Document) (*extract.Conversation, error) {
	more := map[versions.Key]*extract.Document{}
	for _, d := range docs {
		more[keyOf(d)] = d
	}
	instead := map[versions.Key]*extract.Document{}
	for d, err := range rows(conv) {
		if err != nil {
			return nil, err
		}
		if key := keyOf(d); more[key] != nil {
			instead[key] = more[key]
			delete(more, key)
		}
	}
	swap := func(d *extract.Document) *extract.Document {
		if d == nil || instead[keyOf(d)] == nil {
			return d
		}
		return instead[keyOf(d)]
	}
	out := extract.NewConversation(*conv, conv.Rows()+len(more), nil)
	out.Head = swap(conv.Head)
	for key, d := range more {
		if d.Family == extract.FamilyComposer && !conv.Loose {
			out.Head = d
			delete(more, key)
		}
	}
	var families []string // loose rows are sorted by key alone
	if !conv.Loose {
		families = extract.ConversationFamilies()
	}
	order := func(a, b *extract.Document) int {
		return cmp.Or(slices.Index(families, a.Family)-slices.Index(families, b.Family), strings.Compare(a.Key, b.Key))
	}
	parts := conv.Parts
	out.Parts = merged(func(yield func(*extract.Document, error) bool) {
		for d, err := range parts {
			if !yield(swap(d), err) {
				return
			}
		}
	}, slices.SortedFunc(maps.Values(more), order), order)
	return out, nil
}

// merged merges two sorted sequences.
func merged(parts iter.Seq2[*extract.Document, error], more []*extract.Document,
	order func(a, b *extract.Document) int) iter.Seq2[*extract.Document, error] {
	return func(yield func(*extract.Document, error) bool) {
		next := 0
		for d, err := range parts {
			for ; err == nil && next < len(more) && order(more[next], d) < 0; next++ {
				if !yield(more[next], nil) {
					return
				}
			}
			if !yield(d, err) {
				return
			}
		}
		for _, d := range more[next:] {
			if !yield(d, nil) {
				return
			}
		}
	}
}

// mendShared adds the shared rows that a damaged store has lost, in their version in the warehouse. docs are the
// store's own.
func (r *reading) mendShared(ctx context.Context, store string, all *extract.Shared,
	docs []*extract.Document) ([]*extract.Document, error) {
	var before extract.Shared
	if err := r.remembered(ctx, store, &before, false); err != nil {
		return nil, err
	}
	key := func(d *extract.Document) [2]string { return [2]string{d.Table, d.Key} }
	known := map[[2]string]bool{}
	for _, d := range slices.Concat(before.Items, before.Headers) {
		known[key(d)] = true
	}
	replaced := func(d *extract.Document) bool {
		return d.Store == store && d.Problem == extract.ProblemCorrupt && known[key(d)]
	}
	docs, all.Items, all.Headers = slices.DeleteFunc(docs, replaced), slices.DeleteFunc(all.Items, replaced),
		slices.DeleteFunc(all.Headers, replaced)
	for _, d := range docs { // rows that could be read are newer
		delete(known, key(d))
	}
	for _, d := range before.Items {
		if known[key(d)] {
			all.Items, docs = append(all.Items, d), append(docs, d)
		}
	}
	for _, d := range before.Headers {
		if known[key(d)] {
			all.Headers, docs = append(all.Headers, d), append(docs, d)
		}
	}
	tables := []string{extract.FileTable, extract.ItemTable, extract.HeaderTable}
	slices.SortStableFunc(docs, func(a, b *extract.Document) int {
		return cmp.Or(slices.Index(tables, a.Table)-slices.Index(tables, b.Table), strings.Compare(a.Key, b.Key))
	})
	return docs, nil
}
