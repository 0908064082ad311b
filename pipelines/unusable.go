package pipelines

import (
	"context"
	"maps"
	"slices"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/load/versions"
	"pipeline/pipelines/raw"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// This file handles rows that exist and cannot be used. Such a row is not gone: its last usable version is used
// instead, and the row itself goes to quarantine.

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

// useEarlier replaces rows that became unusable by their last usable versions. It reports false for a conversation that
// must stay unchanged in the warehouse, since only the tables have such a version. If the rows are those of the last
// load, they are in quarantine already.
func (b *block) useEarlier(ctx context.Context, c *candidate, sameRows bool) (ok bool, err error) {
	r := b.r
	if _, known := r.state.Known[c.Key]; !known || sameRows && r.state.Quarantined[c.Key].Families == nil {
		return true, nil
	}
	bad, wanted := map[versions.Key]*extract.Document{}, map[versions.Key]string{}
	for d, err := range rows(c.conv) {
		if err != nil {
			return false, err
		}
		if unusable(d) {
			bad[keyOf(d)], wanted[keyOf(d)] = d, d.Hash()
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
	if len(good) > 0 {
		conv, err := standingIn(c.conv, slices.Collect(maps.Values(good)))
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

// noteHead notes whether a conversation's own row exists and is unusable while an earlier version of it is known.
func (r *reading) noteHead(key schema.OwnerKey, bad bool) {
	r.heads[key] = bad
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

// lastUsable is the newest usable version; nil if there is none, or if the row was deleted since.
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
			b.r.noteHead(c.Key, heads[at] || b.r.heads[c.Key])
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
