package raw

import (
	"context"
	"slices"

	"pipeline/extract"
	"pipeline/load/versions"
	"pipeline/sql/schema"
)

// This file compares a conversation with very many rows with the raw layer page by page: all that the layer knows of
// them would take more memory than their values.

// Page is how many rows the raw layer is asked for at once, about.
const Page = 16_384

// Paged reports that the rows of a conversation are compared by pages. Those of a damaged store are not: what it has
// lost is found by looking at all that is known.
func (k *Keeper) Paged(conv *extract.Conversation) bool {
	return conv.Rows() > Page && !conv.Loose && !k.Salvaged[conv.Store]
}

// A keyRange holds the keys after one key and up to another; "" is no limit.
type keyRange struct{ after, to string }

func (k keyRange) has(key string) bool { return key > k.after && (k.to == "" || key <= k.to) }

// keyRanges splits the space of all keys at the given bounds, which are sorted. First come the ranges of each family,
// in the order in which a conversation's rows are read; then come the ranges of the keys between the families.
func keyRanges(bounds []string) (out []keyRange) {
	families := extract.ConversationFamilies()
	add := func(from, to string) {
		for _, b := range bounds {
			if b > from && (to == "" || b < to) {
				out = append(out, keyRange{from, b})
				from = b
			}
		}
		out = append(out, keyRange{from, to})
	}
	for _, f := range families {
		add(f+":", f+";")
	}
	slices.Sort(families)
	from := ""
	for _, f := range families {
		add(from, f+":")
		from = f + ";"
	}
	add(from, "")
	return out
}

// pager walks through the rows of an owner and what the raw layer knows of them, side by side.
type pager struct {
	keeper *Keeper
	owner  schema.OwnerKey
	ranges []keyRange
	at     int             // index of the present range; -1: none yet
	known  versions.Rows   // of it, less the rows that have passed
	last   versions.Key    // of the row before
	left   versions.Rows   // what is known of rows that did not come in their range: they are gone, or among the strays
	strays []schema.RawRow // rows that are out of order by their keys in the warehouse
}

// Pages is Keep for a conversation that is paged.
func (k *Keeper) Pages(ctx context.Context, owner schema.OwnerKey, docs Rows) (Rows, error) {
	bounds, err := k.Layer.Bounds(ctx, owner, Page)
	if err != nil {
		return nil, err
	}
	p := &pager{keeper: k, owner: owner, ranges: keyRanges(bounds), at: -1, left: versions.Rows{}}
	return each(docs, func(d *extract.Document) error {
		row := Row(owner, d)
		at := p.rangeOf(&row)
		if at < 0 {
			p.strays = append(p.strays, row)
			return nil
		}
		if err := p.advance(ctx, at); err != nil {
			return err
		}
		return p.pass(row)
	}, func() error { return p.finish(ctx) }), nil
}

// rangeOf returns the range of a row, from the present range on; -1 for a row that is out of order.
func (p *pager) rangeOf(row *schema.RawRow) int {
	if row.KeyBytes != nil { // the key in the warehouse is different
		return -1
	}
	for i := max(p.at, 0); i < len(p.ranges); i++ {
		if p.ranges[i].has(row.Key) {
			return i
		}
	}
	return -1
}

// advance moves on to a range. Known rows that did not come before it are left over.
func (p *pager) advance(ctx context.Context, to int) (err error) {
	for p.at < to {
		p.endRange()
		p.at++
		span := p.ranges[p.at]
		if p.known, err = p.keeper.Layer.KnownRange(ctx, p.owner, span.after, span.to); err != nil {
			return err
		}
	}
	return nil
}

// endRange ends a range.
func (p *pager) endRange() {
	delete(p.known, p.last)
	for key, versions := range p.known {
		p.left[key] = versions
	}
}

// pass passes what is new in a row to the raw layer. It frees the known versions of a row when a row with another key
// comes.
func (p *pager) pass(row schema.RawRow) error {
	key := versions.KeyOf(&row)
	if key != p.last {
		delete(p.known, p.last)
		p.last = key
	}
	return p.keeper.put(p.known, row)
}

// finish passes the strays, and the end of every row that is gone.
func (p *pager) finish(ctx context.Context) error {
	if err := p.advance(ctx, len(p.ranges)-1); err != nil {
		return err
	}
	p.endRange()
	seen := map[versions.Key]bool{}
	for _, row := range p.strays {
		seen[versions.KeyOf(&row)] = true
		if err := p.keeper.put(p.left, row); err != nil {
			return err
		}
	}
	return p.keeper.end(ctx, p.owner.Store, p.left, func(k versions.Key) bool { return !seen[k] })
}
