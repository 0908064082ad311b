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
	"pipeline/sql/schema"
	"pipeline/transform"
)

// This file handles rows of conversations that a store has lost, because a part of it could not be read, and rows that
// exist and cannot be used. Neither is gone: an earlier version is used instead (fold). A row that cannot be used goes
// to quarantine as well.

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
	lost := map[versions.Key]*extract.Document{}
	for key, v := range b.rows[c.Key] {
		if v.Latest != "" {
			lost[key] = nil
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
	used, err := b.standIns(ctx, c, lost)
	if err != nil {
		return false, err
	}
	if len(used) == 0 { // it cannot be read
		return !known, nil
	}
	c.lossy = true
	c.conv, err = standingIn(c.conv, used)
	return true, err
}

// useEarlier replaces rows that became unusable by their last usable versions. It reports false for a conversation that
// must stay unchanged in the warehouse, since only the tables have such a version. If the rows are those of the last
// load, they are in quarantine already.
func (b *block) useEarlier(ctx context.Context, c *candidate, sameRows bool) (ok bool, err error) {
	r := b.r
	if _, known := r.state.Known[c.Key]; !known || sameRows && r.state.Quarantined[c.Key].Families == nil {
		return true, nil
	}
	bad := map[versions.Key]*extract.Document{}
	for d, err := range rows(c.conv) {
		if err != nil {
			return false, err
		}
		if unusable(d) {
			bad[keyOf(d)] = d
		}
	}
	if !isCopied(c.conv) {
		r.heads[c.Key] = false
	}
	if len(bad) == 0 {
		return true, nil
	}
	good, err := b.standIns(ctx, c, bad)
	if err != nil {
		return false, err
	}
	for key := range good {
		r.heads[c.Key] = bad[key].IsHead() || r.heads[c.Key]
	}
	frozen, err := b.holdsMore(ctx, c, bad, good)
	if err != nil || frozen {
		return false, err
	}
	if len(good) > 0 {
		conv, err := standingIn(c.conv, good)
		if err != nil {
			return false, err
		}
		for key := range good {
			conv.Unusable = append(conv.Unusable, bad[key])
		}
		c.conv = conv
	}
	return true, nil
}

// standIns are the versions in the raw layer that stand in for some rows (fold), of those that have one.
func (b *block) standIns(ctx context.Context, c *candidate,
	bad map[versions.Key]*extract.Document) (map[versions.Key]*extract.Document, error) {
	wanted, out := map[versions.Key]string{}, map[versions.Key]*extract.Document{}
	for key, now := range bad {
		if wanted[key] = ""; now != nil {
			wanted[key] = now.Hash()
		}
	}
	before, err := b.versions(ctx, c, wanted)
	for key, now := range bad {
		if d := fold(now, before[key]); d != nil {
			out[key] = d
		}
	}
	return out, err
}

// fold says which version stands in for a row. before has its versions in the raw layer, the newest first, back to its
// last deletion. If now is nil, the row was lost, since a part of its store could not be read: the newest version
// stands in. Else the row is there, and no table can be built from it: the newest usable version does, unless the row
// was emptied since. The result is nil if there is none.
func fold(now *extract.Document, before []schema.RawRow) *extract.Document {
	for _, row := range before {
		d := raw.Document(row)
		switch {
		case now == nil:
			return d
		case d.HoldsNothing():
			return nil
		case d.Problem == "" && transform.Usable(d):
			return d
		}
	}
	return nil
}

// unusable reports a row from which no table can be built. A row without content counts as deleted instead. A row with
// a bad key is left out, as no version of it can be usable.
func unusable(d *extract.Document) bool {
	switch {
	case d.HoldsNothing(), d.Problem == extract.ProblemBadKey, d.Problem == extract.ProblemCorrupt:
		return false
	}
	return d.Problem != "" || !transform.Usable(d)
}

// keyOf is the key of a row in the raw layer.
func keyOf(d *extract.Document) versions.Key {
	return versions.Key{Table: d.Table, KeyType: d.KeyType, Key: d.Key}
}

// versions returns the versions of rows in the raw layer, the newest first, back to the row's last deletion. The hashes
// are those of the versions that the store has now, which are not among them.
func (b *block) versions(ctx context.Context, c *candidate,
	wanted map[versions.Key]string) (map[versions.Key][]schema.RawRow, error) {
	replay, ok := b.r.src.replay.(*raw.Replay)
	switch {
	case ok:
		return replay.Versions(ctx, c.Key, wanted)
	case b.r.layer == nil:
		return nil, nil
	}
	versions, err := b.r.layer.Versions(ctx, c.Key, wanted)
	if err != nil && ctx.Err() == nil {
		b.r.opt.Warn("what the raw layer has of %s cannot be read, so what the warehouse has of it stays: %v",
			c.Key.ID, err)
		return nil, nil
	}
	return versions, err
}

// standingIn is a conversation in which documents stand for the rows with their keys. Those that have no such row are
// added, each at its position.
func standingIn(conv *extract.Conversation, docs map[versions.Key]*extract.Document) (*extract.Conversation, error) {
	more := maps.Clone(docs)
	for d, err := range rows(conv) {
		if err != nil {
			return nil, err
		}
		delete(more, keyOf(d))
	}
	swap := func(d *extract.Document) *extract.Document {
		if d == nil || docs[keyOf(d)] == nil {
			return d
		}
		return docs[keyOf(d)]
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

// isCopied reports whether a conversation exists only in shared rows.
func isCopied(conv *extract.Conversation) bool {
	return conv.IsCopied || conv.IsListed
}

// rows yields all rows of a loaded conversation.
func rows(conv *extract.Conversation) iter.Seq2[*extract.Document, error] {
	return func(yield func(*extract.Document, error) bool) {
		if conv.Head != nil && !yield(conv.Head, nil) {
			return
		}
		conv.Parts(yield)
	}
}

// holdsMore reports whether only the tables have the earlier content of an unusable row: then the conversation stays
// unchanged.
func (b *block) holdsMore(ctx context.Context, c *candidate, bad, good map[versions.Key]*extract.Document) (bool,
	error) {
	type place struct{ table, column string }
	ids, heads := map[place][]string{}, map[place]bool{}
	for key, d := range bad {
		table, column, ok := transform.TableOf(d.Family)
		if good[key] != nil || !ok {
			continue
		}
		at, id := place{table, column}, d.ID
		if d.IsHead() {
			id, heads[at] = c.Key.ID, true
		}
		ids[at] = append(ids[at], schema.CleanText(id))
	}
	for at, ids := range ids {
		holds, err := b.r.tx.Holds(ctx, at.table, at.column,
			load.RowKey{SourceID: c.Key.SourceID, ConversationID: c.Key.ID}, ids)
		if err != nil {
			return false, err
		}
		if holds {
			b.r.heads[c.Key] = heads[at] || b.r.heads[c.Key]
			return true, nil
		}
	}
	return false, nil
}

// freeze leaves a conversation unchanged in the warehouse. Its unusable rows are quarantined, and it is looked at again
// when its rows change.
func (b *block) freeze(c *candidate, now schema.Owner, sameRows bool) error {
	r := b.r
	r.dealtWith(c.conv)
	now.LoadID, now.IsUnsure = c.Before.LoadID, true // the raw layer lacks its earlier rows
	r.remember = append(r.remember, now)
	if sameRows {
		return nil
	}
	for rows, err := range b.r.n().Normalize(c.conv) {
		if err != nil {
			return err
		}
		r.refused = append(r.refused, rows.Quarantine...)
	}
	return nil
}
