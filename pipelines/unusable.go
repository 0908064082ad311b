package pipelines

import (
	"context"
	"iter"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/load/versions"
	"pipeline/pipelines/raw"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// This file looks after rows that are there and cannot be used. Such a row is not gone: its last version that could be used stands in its place,
// and the row itself goes to quarantine.

// unusable reports a row that no table can be built from. One that holds nothing is as good as gone; a bad key has no version that could be used.
func unusable(d *extract.Document) bool {
	switch {
	case d.HoldsNothing(), d.Problem == extract.ProblemBadKey, d.Problem == extract.ProblemCorrupt:
		return false
	}
	return d.Problem != "" || !transform.Usable(d)
}

// keyOf is the key under which the raw layer knows a row.
func keyOf(d *extract.Document) versions.Key {
	return versions.Key{Table: d.Table, KeyType: d.KeyType, Key: d.Key}
}

// standIn puts the last usable versions of rows in the place of those that became unusable. It reports false for a conversation that has to stay
// as it is in the warehouse, since that alone has such a version. Where the rows are those of the last load, its quarantine knows them.
func (b *block) standIn(ctx context.Context, c *candidate, sameRows bool) (ok bool, err error) {
	r := b.r
	if _, known := r.state.Known[c.Key]; !known || sameRows && r.state.Quarantined[c.Key].Families == nil {
		return true, nil
	}
	bad, wanted := map[versions.Key]*extract.Document{}, map[versions.Key]bool{}
	for d, err := range rows(c.conv) {
		if err != nil {
			return false, err
		}
		if unusable(d) {
			bad[keyOf(d)], wanted[keyOf(d)] = d, true
		}
	}
	if !isCopied(c.conv) {
		r.noteHead(c.Key, false)
	}
	if len(bad) == 0 {
		return true, nil
	}
	before, err := b.versions(ctx, c, wanted)
	if err != nil {
		return false, err
	}
	good := map[versions.Key]*extract.Document{}
	for key, d := range bad {
		if last := lastUsable(before[key]); last != nil {
			good[key] = last
			r.noteHead(c.Key, d.IsHead() || r.heads[c.Key])
		}
	}
	frozen, err := b.holdsMore(ctx, c, bad, good)
	if err != nil || frozen {
		return false, err
	}
	c.conv = withStandIns(c.conv, bad, good)
	return true, nil
}

// noteHead notes whether a conversation's own row is there and unusable, while an earlier version of it is known.
func (r *reading) noteHead(key load.ConversationKey, bad bool) {
	r.heads[key] = bad
}

// versions are what the raw layer has of rows, the newest first, up to where the row was last gone.
func (b *block) versions(ctx context.Context, c *candidate, wanted map[versions.Key]bool) (map[versions.Key][]schema.RawRow, error) {
	replay, ok := b.r.src.replay.(*raw.Replay)
	switch {
	case ok:
		return replay.Versions(ctx, c.Key, wanted)
	case b.r.layer == nil:
		return nil, nil
	}
	versions, err := b.r.layer.Versions(ctx, c.Key, wanted)
	if err != nil && ctx.Err() == nil {
		b.r.opt.Warn("what the raw layer has of %s cannot be read, so what the warehouse has of it stays: %v", c.Key.ConversationID, err)
		return nil, nil
	}
	return versions, err
}

// lastUsable is the newest version that can be used; nil where the row was deleted since, or where there is none.
func lastUsable(versions []schema.RawRow) *extract.Document {
	for _, row := range versions {
		d := raw.Document(row)
		switch {
		case d.HoldsNothing():
			return nil
		case !unusable(d) && d.Problem == "":
			return d
		}
	}
	return nil
}

// holdsMore reports that the tables hold what an unusable row was, where nothing else says it: then the conversation stays as it is there.
func (b *block) holdsMore(ctx context.Context, c *candidate, bad, good map[versions.Key]*extract.Document) (bool, error) {
	for key, d := range bad {
		table, column, ok := transform.TableOf(d.Family)
		if good[key] != nil || !ok {
			continue
		}
		id := d.ID
		if d.IsHead() {
			id = c.Key.ConversationID
		}
		holds, err := b.r.tx.Holds(ctx, table, column, load.RowKey{SourceID: c.Key.SourceID, ConversationID: c.Key.ConversationID}, schema.CleanText(id))
		if err != nil {
			return false, err
		}
		if !holds {
			continue
		}
		b.r.noteHead(c.Key, d.IsHead() || b.r.heads[c.Key])
		return true, nil
	}
	return false, nil
}

// freeze leaves a conversation as it is in the warehouse. Its unusable rows are quarantined, and it is looked at again when its rows change.
func (b *block) freeze(c *candidate, now schema.KnownConversation, sameRows bool) error {
	r := b.r
	r.frozen[b.r.src.id] = true
	now.LoadID = c.Before.LoadID
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

// withStandIns is a conversation in which some rows stand for unusable ones of the same key.
func withStandIns(conv *extract.Conversation, bad, good map[versions.Key]*extract.Document) *extract.Conversation {
	if len(good) == 0 {
		return conv
	}
	out := extract.NewConversation(*conv, conv.Rows(), nil)
	for key := range good {
		out.Unusable = append(out.Unusable, bad[key])
	}
	swap := func(d *extract.Document) *extract.Document {
		if d != nil && good[keyOf(d)] != nil {
			return good[keyOf(d)]
		}
		return d
	}
	parts := conv.Parts
	out.Head = swap(conv.Head)
	out.Parts = iter.Seq2[*extract.Document, error](func(yield func(*extract.Document, error) bool) {
		for d, err := range parts {
			if !yield(swap(d), err) {
				return
			}
		}
	})
	return out
}
