package pipelines

import (
	"context"
	"iter"
	"slices"
	"strings"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/load/versions"
	"pipeline/pipelines/plan"
	"pipeline/sql/schema"
)

// This file hands what is read to the raw layer: every row of what changed, and the end of those that are no longer there.

// metaRawGap is the setting that names the sources, a line each, of which the raw layer is not what earlier runs have seen: they ran without
// it, or its files are others.
const metaRawGap = "raw_gap"

// rawGaps are the sources of that setting, and those of which files of the layer are others now.
func rawGaps(state *load.State, changed []string) map[string]bool {
	gaps := map[string]bool{}
	for id := range strings.Lines(state.Meta[metaRawGap]) {
		gaps[strings.TrimSuffix(id, "\n")] = true
	}
	for _, id := range changed {
		gaps[id] = true
	}
	return gaps
}

// rawRow is a document as the raw layer keeps it.
func rawRow(sourceID, owner string, d *extract.Document) schema.RawRow {
	hash := d.Hash()
	row := schema.RawRow{SourceID: sourceID, Store: d.Store, Table: d.Table, Family: d.Family, ConversationID: owner,
		Key: schema.CleanText(schema.KeyText(d.Key)), KeyType: d.KeyType, RowID: d.RowID, Value: d.Raw, ValueType: d.Type, ValueBytes: d.Bytes, Hash: &hash}
	if row.Key != d.Key || d.KeyType == extract.KeyBlob {
		row.KeyBytes = []byte(d.Key)
	}
	return row
}

// rows are all rows of a loaded conversation.
func rows(conv *extract.Conversation) iter.Seq2[*extract.Document, error] {
	return func(yield func(*extract.Document, error) bool) {
		if conv.Head != nil && !yield(conv.Head, nil) {
			return
		}
		conv.Parts(yield)
	}
}

func documents(docs []*extract.Document) iter.Seq2[*extract.Document, error] {
	return func(yield func(*extract.Document, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}
}

// keep has the raw layer keep what is new in the rows of an owner, and the end of those that it no longer has.
func (r *reading) keep(ctx context.Context, owner load.ConversationKey, known versions.Rows, docs iter.Seq2[*extract.Document, error]) error {
	raw := r.layer
	seen := map[versions.Key]bool{}
	for d, err := range docs {
		if err != nil {
			return err
		}
		if d.Problem == extract.ProblemCorrupt {
			continue
		}
		row := rawRow(owner.SourceID, owner.ConversationID, d)
		seen[versions.KeyOf(&row)] = true
		if row, isNew := known.Observe(row); isNew {
			if err := raw.Put(row); err != nil {
				return err
			}
		}
	}
	return r.end(ctx, owner.Store, known, func(k versions.Key) bool { return !seen[k] })
}

// end has the raw layer keep the end of rows that are no longer there. Those of a damaged store may be there still.
func (r *reading) end(ctx context.Context, store string, known versions.Rows, gone func(versions.Key) bool) error {
	if r.salvaged[store] {
		return nil
	}
	for key, versions := range known {
		if !gone(key) {
			continue
		}
		if row, ok := versions.End(); ok {
			if err := r.believe(ctx, store); err != nil {
				return err
			}
			if err := r.layer.Put(row); err != nil {
				return err
			}
		}
	}
	return nil
}

// keepOwner is keep for a single owner.
func (r *reading) keepOwner(ctx context.Context, owner load.ConversationKey, docs iter.Seq2[*extract.Document, error]) error {
	if r.layer == nil {
		return nil
	}
	known, err := r.layer.Known(ctx, []load.ConversationKey{owner})
	if err != nil {
		return err
	}
	return r.keep(ctx, owner, known[owner], docs)
}

// keepGone keeps the end of everything that some owners had.
func (r *reading) keepGone(ctx context.Context, owners []load.ConversationKey) error {
	if r.layer == nil {
		return nil
	}
	for some := range slices.Chunk(owners, blockSize) {
		known, err := r.layer.Known(ctx, some)
		if err != nil {
			return err
		}
		for _, o := range some {
			if err := r.end(ctx, o.Store, known[o], func(versions.Key) bool { return true }); err != nil {
				return err
			}
		}
	}
	return nil
}

// keepUnknownGone keeps the end of what only the raw layer knows: runs without it, or a later state of a warehouse that was restored from a
// backup, have seen it go or come.
func (r *reading) keepUnknownGone(ctx context.Context, complete plan.Complete) error {
	if r.layer == nil || !r.plan.Gap || r.plan.Wanted.Narrowed() {
		return nil
	}
	owners, err := r.layer.Owners(ctx, r.src.id)
	if err != nil {
		return err
	}
	return r.keepGone(ctx, r.plan.UnknownGone(owners, r.seen, r.snapshot.Kept(), complete))
}

// keptPage is how many rows are compared at a time.
const keptPage = 4096

// kept looks after the families that no table is built from. Values are read only of rows whose rowid is new, where nothing else asks for it.
func (r *reading) kept(ctx context.Context) error {
	if r.layer == nil || r.plan.Wanted.Narrowed() {
		return nil
	}
	if err := r.endKept(ctx); err != nil {
		return err
	}
	pages, changed := map[load.ConversationKey]*keptRows{}, map[extract.KeptFamily]bool{}
	depth := map[string]extract.Depth{} // how far each store's values were looked into
	for _, s := range r.snapshot.Stores() {
		depth[s.Store] = s.Depth
	}
	for _, f := range r.snapshot.Kept() {
		p := &keptRows{owner: r.plan.Key(f.Store, plan.Kept(f.Family)), family: f}
		var read bool
		if read, p.compare = r.plan.Family(f, depth[f.Store]); read {
			pages[p.owner], changed[f] = p, true
		}
	}
	flush := func(p *keptRows, to string) error {
		err := r.keepPage(ctx, p, to)
		p.rows, p.after = nil, to
		return err
	}
	for row, err := range r.snapshot.KeptRows(ctx, func(f extract.KeptFamily) bool { return changed[f] }) {
		if err != nil {
			return failureOf(r.src, storeAt(r.snapshot, err), err)
		}
		p := pages[r.plan.Key(row.Store, plan.Kept(row.Family))]
		if p.rows = append(p.rows, row); len(p.rows) == keptPage {
			if err := flush(p, row.Key); err != nil {
				return failureOf(r.src, row.Store, err)
			}
		}
	}
	for _, p := range pages {
		if err := flush(p, ""); err != nil {
			return failureOf(r.src, p.owner.Store, err)
		}
		if !r.salvaged[p.owner.Store] { // it is looked at again
			now := r.plan.Remembered(p.owner.Store, p.owner.ConversationID)
			now.Fingerprint, now.ContentHash = plan.Fingerprint{Rows: p.family.Fingerprint, Sizes: p.sums.Sizes()}.String(), p.sums.Content()
			r.remember = append(r.remember, now)
		}
	}
	return nil
}

// endKept keeps the end of families of which no row is left.
func (r *reading) endKept(ctx context.Context) error {
	var gone []load.ConversationKey
	for _, empty := range r.plan.EmptyFamilies(r.snapshot.Kept(), plan.CompleteStores(r.src.Source, r.snapshot.Stores())) {
		r.remember = append(r.remember, empty)
		gone = append(gone, r.plan.Key(empty.Store, empty.ConversationID))
	}
	return r.keepGone(ctx, gone)
}

// keptRows are consecutive rows of a family, and the key after which their range begins.
type keptRows struct {
	owner   load.ConversationKey
	family  extract.KeptFamily
	compare bool // every value is read
	after   string
	rows    []extract.KeptRow
	sums    extract.Sums // of all its rows so far
}

func (r *reading) keepPage(ctx context.Context, p *keptRows, to string) error {
	known, err := r.layer.KnownRange(ctx, p.owner, p.after, to)
	if err != nil {
		return err
	}
	seen := map[versions.Key]bool{}
	for _, row := range p.rows {
		key := versions.Key{Table: extract.KeyValueTable, KeyType: extract.KeyText, Key: row.Key}
		seen[key] = true
		v := known[key]
		stayed := v != nil && v.Latest != "" && v.RowID == row.RowID && row.RowID != 0
		if stayed && !p.compare && row.SameSize(v.Bytes()) {
			p.sums.AddKnown(row.Key, v.Bytes(), v.Latest)
			continue
		}
		d, err := row.Read(ctx)
		if err != nil {
			return err
		}
		if d.Problem == extract.ProblemCorrupt {
			continue
		}
		p.sums.Add(d)
		now := rawRow(p.owner.SourceID, p.owner.ConversationID, d)
		moved := v != nil && v.RowID != now.RowID
		switch row, isNew := known.Observe(now); {
		case isNew:
			if err := r.layer.Put(row); err != nil {
				return err
			}
			if stayed {
				r.result.overwritten(false)
			}
		case moved:
			r.layer.Moved(now)
		}
	}
	return r.end(ctx, p.owner.Store, known, func(k versions.Key) bool { return !seen[k] })
}
