package raw

import (
	"context"

	"pipeline/extract"
	"pipeline/load/versions"
	"pipeline/pipelines/plan"
	"pipeline/sql/schema"
)

// This file looks after the families of which no table is built.

// familyPage is how many rows are compared at a time.
const familyPage = 4096

// Families hands their rows to the layer, and returns what is to be remembered of each family. Values are read only of
// rows whose rowid is new, where nothing else asks for it; overwritten is told of each row that has another value under
// its old rowid. complete are the stores that were read whole.
func (k *Keeper) Families(ctx context.Context, of *plan.Source, complete plan.Complete,
	overwritten func()) (remember []schema.Owner, err error) {
	remember, err = k.endFamilies(ctx, of, complete)
	if err != nil {
		return nil, err
	}
	pages, wanted := k.changedFamilies(of, overwritten)
	for row, err := range k.Snapshot.KeptRows(ctx, func(f extract.KeptFamily) bool { return wanted[f] }) {
		if err != nil {
			return nil, k.Failed("", err)
		}
		p := pages[of.FamilyKey(row.Store, row.Family)]
		if p.rows = append(p.rows, row); len(p.rows) == familyPage {
			if err := p.flush(ctx, row.Key); err != nil {
				return nil, k.Failed(row.Store, err)
			}
		}
	}
	for _, p := range pages {
		if err := p.flush(ctx, ""); err != nil {
			return nil, k.Failed(p.owner.Store, err)
		}
		if !k.Salvaged[p.owner.Store] { // it is looked at again
			now := of.Remembered(p.owner)
			now.RowsHash, now.SizesHash, now.ContentHash = p.family.Fingerprint, p.sums.Sizes(), p.sums.Content()
			remember = append(remember, now)
		}
	}
	return remember, nil
}

// changedFamilies are those of which something may have changed.
func (k *Keeper) changedFamilies(of *plan.Source, overwritten func()) (pages map[schema.OwnerKey]*familyRows,
	wanted map[extract.KeptFamily]bool) {
	pages, wanted = map[schema.OwnerKey]*familyRows{}, map[extract.KeptFamily]bool{}
	depth := map[string]extract.Depth{} // how deep each store's values were compared
	for _, s := range k.Snapshot.Stores() {
		depth[s.Store] = s.Depth
	}
	for _, f := range k.Snapshot.Kept() {
		if read, compare := of.Family(f, depth[f.Store]); read {
			owner := of.FamilyKey(f.Store, f.Family)
			pages[owner], wanted[f] = &familyRows{keeper: k, owner: owner, family: f, compare: compare,
				overwritten: overwritten}, true
		}
	}
	return pages, wanted
}

// endFamilies marks, in the raw layer, all rows of the families that are now empty as gone.
func (k *Keeper) endFamilies(ctx context.Context, of *plan.Source, complete plan.Complete) ([]schema.Owner,
	error) {
	empty := of.EmptyFamilies(k.Snapshot.Kept(), complete)
	var gone []schema.OwnerKey
	for _, family := range empty {
		gone = append(gone, family.Key())
	}
	return empty, k.Gone(ctx, gone)
}

// familyRows are consecutive rows of a family, and the key after which their range begins.
type familyRows struct {
	keeper      *Keeper
	owner       schema.OwnerKey
	family      extract.KeptFamily
	compare     bool // read every value
	overwritten func()
	after       string
	rows        []extract.KeptRow
	sums        extract.Sums // sum over all rows so far
}

// flush compares the rows with what the layer knows of the keys up to one, and goes on behind it; "" is the end.
func (p *familyRows) flush(ctx context.Context, to string) error {
	known, err := p.keeper.Layer.KnownRange(ctx, p.owner, p.after, to)
	if err != nil {
		return err
	}
	seen := map[versions.Key]bool{}
	for _, row := range p.rows {
		key := versions.Key{Table: extract.KeyValueTable, KeyType: extract.KeyText, Key: row.Key}
		seen[key] = true
		if err := p.pass(ctx, row, known, key); err != nil {
			return err
		}
	}
	p.rows, p.after = nil, to
	return p.keeper.end(ctx, p.owner.Store, known, func(key versions.Key) bool { return !seen[key] })
}

// pass has the layer keep what is new in a row.
func (p *familyRows) pass(ctx context.Context, row extract.KeptRow, known versions.Rows, key versions.Key) error {
	v := known[key]
	stayed := v != nil && v.Latest != "" && v.RowID == row.RowID && row.RowID != 0
	if stayed && !p.compare && row.SameSize(v.Bytes()) {
		p.sums.AddKnown(row.Key, v.Bytes(), v.Latest)
		return nil
	}
	d, err := row.Read(ctx)
	if err != nil || d.Problem == extract.ProblemCorrupt {
		return err
	}
	p.sums.Add(d)
	now := Row(p.owner, d)
	moved := v != nil && v.RowID != now.RowID
	switch row, isNew := known.Observe(now); {
	case isNew:
		if stayed {
			p.overwritten()
		}
		return p.keeper.Layer.Put(row)
	case moved:
		p.keeper.Layer.Moved(now)
	}
	return nil
}
