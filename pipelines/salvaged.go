package pipelines

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"
	"strings"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/load/versions"
	"pipeline/pipelines/raw"
	"pipeline/transform"
)

// This file handles damaged stores. Rows that cannot be read may still exist there: nothing counts as gone. In place of
// a lost row, the version in the raw layer is used.

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

// mend replaces rows that a damaged store has lost by their versions in the raw layer. It reports false for a
// conversation that must stay unchanged in the warehouse, because the lost rows are unknown.
func (b *block) mend(ctx context.Context, c *candidate, all []load.ConversationKey) (ok bool, err error) {
	_, known := b.r.state.Known[c.Key]
	switch {
	case b.r.dry: // a dry run counts what can be read
		return true, nil
	case b.r.layer == nil || b.r.plan.Gap:
		return !known, nil
	}
	if err := b.ask(ctx, all); err != nil {
		return false, err
	}
	held := b.rows[c.Key]
	lost := map[versions.Key]bool{}
	for key, v := range held {
		lost[key] = v.Latest != ""
	}
	c.conv = withoutUnusable(c.conv, func(d *extract.Document) bool {
		row := raw.Row(c.Key.SourceID, c.Key.ConversationID, d)
		v := held[versions.KeyOf(&row)]
		return v != nil && v.Latest != "" && v.Latest != *row.Hash
	})
	for d, err := range rows(c.conv) {
		if err != nil {
			return false, err
		}
		if d.Problem == extract.ProblemCorrupt {
			c.lossy = true
			continue
		}
		row := raw.Row(c.Key.SourceID, c.Key.ConversationID, d)
		delete(lost, versions.KeyOf(&row))
	}
	maps.DeleteFunc(lost, func(_ versions.Key, there bool) bool { return !there })
	if len(lost) == 0 {
		return true, nil
	}
	values, err := b.r.layer.Values(ctx, c.Key, held, lost)
	if err != nil && ctx.Err() == nil {
		b.r.opt.Warn("what the raw layer has of %s cannot be read, so it stays as it is: %v", c.Key.ConversationID, err)
		return !known, nil
	}
	if err != nil {
		return false, err
	}
	var docs []*extract.Document
	for _, row := range values {
		docs = append(docs, raw.Document(row))
	}
	if len(docs) > 0 {
		c.lossy = true
		c.conv = withRows(c.conv, docs)
	}
	return true, nil
}

// withoutUnusable is a conversation without rows that were usable before and no longer are: they count as lost, because
// bytes were overwritten.
func withoutUnusable(conv *extract.Conversation, known func(*extract.Document) bool) *extract.Conversation {
	judge := func(d *extract.Document) *extract.Document {
		if d == nil || d.Problem != "" || d.HoldsNothing() || transform.Usable(d) || !known(d) {
			return d
		}
		lost := *d
		lost.Type, lost.Problem, lost.Value, lost.Raw = extract.TypeUnreadable, extract.ProblemCorrupt, nil, nil
		return &lost
	}
	parts := conv.Parts
	out := extract.NewConversation(*conv, conv.Rows(), nil)
	out.Head = judge(conv.Head)
	out.Parts = func(yield func(*extract.Document, error) bool) {
		for d, err := range parts {
			if !yield(judge(d), err) {
				return
			}
		}
	}
	return out
}

// withRows is a conversation with additional rows, each at its position. A row that replaces a lost row takes its
// position.
func withRows(conv *extract.Conversation, more []*extract.Document) *extract.Conversation {
	restored := map[string]bool{}
	for _, d := range more {
		restored[d.Table+" "+d.Key] = true
	}
	head := conv.Head
	more = slices.DeleteFunc(more, func(d *extract.Document) bool {
		if d.Family == extract.FamilyComposer && !conv.Loose {
			head = d
			return true
		}
		return false
	})
	var families []string // loose rows are sorted by key alone
	if !conv.Loose {
		families = extract.ConversationFamilies()
	}
	order := func(a, b *extract.Document) int {
		return cmp.Or(slices.Index(families, a.Family)-slices.Index(families, b.Family), strings.Compare(a.Key, b.Key))
	}
	slices.SortFunc(more, order)
	out := extract.NewConversation(*conv, conv.Rows()+len(more), nil)
	parts := conv.Parts
	out.Head, out.Parts = head, merged(func(yield func(*extract.Document, error) bool) {
		for d, err := range parts {
			if err == nil && d.Problem == extract.ProblemCorrupt && restored[d.Table+" "+d.Key] {
				continue
			}
			if !yield(d, err) {
				return
			}
		}
	}, more, order)
	return out
}

// merged merges two sorted sequences.
func merged(parts iter.Seq2[*extract.Document, error], more []*extract.Document, order func(a, b *extract.Document) int) iter.Seq2[*extract.Document, error] {
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
func (r *reading) mendShared(ctx context.Context, store string, all *extract.Shared, docs []*extract.Document) ([]*extract.Document, error) {
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
	docs, all.Items, all.Headers = slices.DeleteFunc(docs, replaced), slices.DeleteFunc(all.Items, replaced), slices.DeleteFunc(all.Headers, replaced)
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
