// Package raw hands what is read to the raw layer, and gives it back: every row of what changed goes there, and the end
// of those that are no longer there; a load that is made anew reads it out of there, as a snapshot of the stores.
//
// It knows how a document is a row of the layer. It must never know why something is read, what the tables are, or what
// a value means.
package raw

import (
	"context"
	"iter"
	"slices"

	"pipeline/extract"
	"pipeline/load/versions"
	"pipeline/sql/schema"
)

// ownersAtOnce is for how many owners of rows the layer is asked at once.
const ownersAtOnce = 256

// Layer is the raw layer, as a run that reads asks it and writes to it; tests have one in memory.
type Layer interface {
	Known(ctx context.Context, owners []schema.OwnerKey) (map[schema.OwnerKey]versions.Rows, error)
	KnownRange(ctx context.Context, owner schema.OwnerKey, after, to string) (versions.Rows, error)
	Bounds(ctx context.Context, owner schema.OwnerKey, rows int) ([]string, error)
	Versions(ctx context.Context, owner schema.OwnerKey,
		wanted map[versions.Key]string) (map[versions.Key][]schema.RawRow, error)
	Put(row schema.RawRow) error
	Moved(row schema.RawRow)
}

// A Keeper hands the rows of a source to the raw layer. Without a Layer it keeps nothing.
type Keeper struct {
	Layer    Layer
	Snapshot extract.Snapshot
	Salvaged map[string]bool                     // stores of which only a part could be read
	Failed   func(store string, err error) error // says of which store an error is; "": the error tells
}

// Rows is a sequence of the rows of an owner.
type Rows = iter.Seq2[*extract.Document, error]

// Keep yields the rows of an owner as they come. The raw layer gets what is new in each row before the next one comes,
// and after the last row the end of those that the owner no longer has.
func (k *Keeper) Keep(ctx context.Context, owner schema.OwnerKey, known versions.Rows, docs Rows) Rows {
	seen := map[versions.Key]bool{}
	return each(docs, func(d *extract.Document) error {
		row := Row(owner, d)
		seen[versions.KeyOf(&row)] = true
		return k.put(known, row)
	}, func() error {
		return k.end(ctx, owner.Store, known, func(key versions.Key) bool { return !seen[key] })
	})
}

// each yields rows once keep was called with them, and calls end after the last one. Rows on damaged pages are not
// kept.
func each(docs Rows, keep func(*extract.Document) error, end func() error) Rows {
	return func(yield func(*extract.Document, error) bool) {
		for d, err := range docs {
			if err == nil && d.Problem != extract.ProblemCorrupt {
				err = keep(d)
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
		if err := end(); err != nil {
			yield(nil, err)
		}
	}
}

// Drain reads rows to their end.
func Drain(rows Rows) error {
	for _, err := range rows {
		if err != nil {
			return err
		}
	}
	return nil
}

// put passes a row on if the layer does not have it.
func (k *Keeper) put(known versions.Rows, row schema.RawRow) error {
	if row, isNew := known.Observe(row); isNew {
		return k.Layer.Put(row)
	}
	return nil
}

// end passes the end of rows that no longer exist to the raw layer. Rows of a damaged store may still exist.
func (k *Keeper) end(ctx context.Context, store string, known versions.Rows, gone func(versions.Key) bool) error {
	if k.Salvaged[store] {
		return nil
	}
	for key, versions := range known {
		if !gone(key) {
			continue
		}
		if row, ok := versions.End(); ok {
			if err := k.Failed(store, k.Snapshot.CheckIndex(ctx, store)); err != nil {
				return err
			}
			if err := k.Layer.Put(row); err != nil {
				return err
			}
		}
	}
	return nil
}

// Owner has the raw layer keep the rows of a single owner.
func (k *Keeper) Owner(ctx context.Context, owner schema.OwnerKey, docs Rows) error {
	if k.Layer == nil {
		return nil
	}
	known, err := k.Layer.Known(ctx, []schema.OwnerKey{owner})
	if err != nil {
		return err
	}
	return Drain(k.Keep(ctx, owner, known[owner], docs))
}

// Gone marks all rows of some owners as gone in the raw layer.
func (k *Keeper) Gone(ctx context.Context, owners []schema.OwnerKey) error {
	if k.Layer == nil {
		return nil
	}
	for some := range slices.Chunk(owners, ownersAtOnce) {
		known, err := k.Layer.Known(ctx, some)
		if err != nil {
			return err
		}
		for _, o := range some {
			if err := k.end(ctx, o.Store, known[o], func(versions.Key) bool { return true }); err != nil {
				return err
			}
		}
	}
	return nil
}
