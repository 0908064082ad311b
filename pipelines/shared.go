package pipelines

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"pipeline/extract"
	"pipeline/pipelines/plan"
	"pipeline/pipelines/raw"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// This file handles the rows that the conversations of a store share: lists of conversations, old chats,
// workspace.json. The warehouse stores those of each store. If one exists and cannot be used, or a damaged store has
// lost it, the warehouse keeps, and runs use, its last usable version. A store is not opened if every byte of it is the
// same as in the last read (extract.OpenOptions.Known): its report is that of the last read, and its shared rows are
// those in the warehouse.

// sharedDocuments are the shared rows that the warehouse must store.
type sharedDocuments struct {
	rows    []schema.KnownDocument // until they are written
	known   []schema.Owner         // rows about the shared rows of stores that changed
	changed []string
	hashes  map[string]string // hash of each store's shared rows, including stores whose earlier rows are still used
	same    bool              // all shared rows are those of the last load
	stands  bool              // a store that did not change has a row that cannot be used
}

// newNormalizer returns a function that reads the shared rows when it is first called: if nothing changed, nobody calls
// it.
func (r *reading) newNormalizer(ctx context.Context) func() *transform.Normalizer {
	return sync.OnceValue(func() *transform.Normalizer {
		r.lost = errors.Join(r.lost, r.restoreShared(ctx))
		all := r.snapshot.Shared()
		shared := transform.ReadShared(r.src.id, all, r.earlier(ctx))
		all.Items, all.Headers = nil, nil // nobody else reads them, and they are large
		workspaces, err := r.past.Workspaces(ctx, r.src.id)
		r.lost = errors.Join(r.lost, err)
		shared.KnowWorkspaces(workspaces)
		return &transform.Normalizer{SourceID: r.src.id, Shared: shared, Budget: r.budget.Rows, Aside: r.newAside,
			Last: r.newLast(ctx), Worktrees: extract.WorktreesRoot()}
	})
}

// newLast returns a function that says what earlier loads know of a conversation of the source. It reads that when it
// is first called.
func (r *reading) newLast(ctx context.Context) func(id string) *schema.Lasting {
	lasting := sync.OnceValue(func() map[string]schema.Lasting {
		out, err := r.past.Lasting(ctx, r.src.id)
		r.lostLast = err
		return out
	})
	return func(id string) *schema.Lasting {
		row, ok := lasting()[id]
		if !ok {
			return nil
		}
		if r.state.Due() && row.KeptFrom == nil { // the version that wrote it noted no origins
			row.KeptFrom = transform.UnknownOrigin
		}
		return &row
	}
}

// knownStores returns the reports of earlier loads on a source's stores. The function is nil if all stores must be
// read.
func (r *reading) knownStores(ctx context.Context) (func(store, state string) *extract.StoreReport, error) {
	if r.plan.ReadsAll() || len(r.src.Workspaces) == 0 {
		return nil, nil
	}
	last, err := r.past.LastRead(ctx, r.src.id)
	if err != nil {
		return nil, err
	}
	return func(store, state string) *extract.StoreReport { return r.plan.Unopened(store, state, last[store]) }, nil
}

// restoreShared adds the shared rows of stores that were not opened, in the order of the stores.
func (r *reading) restoreShared(ctx context.Context) error {
	place, known := map[string]int{}, map[string]bool{}
	for i, s := range r.snapshot.Stores() {
		place[s.Store] = i + 1
		if s.AsBefore {
			known[s.Store] = true
		}
	}
	if len(known) == 0 {
		return nil
	}
	docs, err := r.past.Documents(ctx, r.src.id)
	if err != nil {
		return err
	}
	all := r.snapshot.Shared()
	for _, k := range docs {
		if known[k.Store] && k.Table == extract.ItemTable {
			all.Items = append(all.Items, restored(k))
		}
	}
	slices.SortStableFunc(all.Items, func(a, b *extract.Document) int { return place[a.Store] - place[b.Store] })
	return nil
}

// workspaceDocument is a folder's workspace.json as a document, also for a folder without one, since it is a workspace
// all the same.
func workspaceDocument(w extract.Workspace) *extract.Document {
	d := &extract.Document{Store: extract.WorkspaceStore(w.ID), Table: extract.FileTable, Key: "workspace.json",
		KeyType: extract.KeyText, Family: "workspace.json", Type: "text", Value: w.JSON, Raw: w.JSON,
		Bytes: int64(len(w.JSON))}
	switch {
	case w.JSONErr != nil && !errors.Is(w.JSONErr, fs.ErrNotExist):
		d.Type, d.Value, d.Raw, d.Bytes = extract.TypeUnreadable, nil, nil, 0
	case w.JSON == nil:
		d.Type = "null"
	}
	return d
}

// shared stores the shared rows and the workspace.json of each store that was read. For stores and folders that could
// not be read it adds the rows of the last read: facts about conversations from them stay the same.
func (r *reading) shared(ctx context.Context) (out sharedDocuments, err error) {
	out.hashes = map[string]string{}
	all := r.snapshot.Shared()
	byStore := sharedByStore(all)
	for _, store := range r.stores() {
		before, known := r.state.Known[r.plan.Shared(store.Store)]
		if store.AsBefore { // and so is its workspace.json
			out.hashes[store.Store] = before.ContentHash
			delete(byStore, store.Store)
			continue
		}
		if !store.Unreadable() {
			byStore[store.Store] = append([]*extract.Document{}, byStore[store.Store]...)
			if store.Salvaged {
				if byStore[store.Store], err = r.mendShared(ctx, store.Store, all, byStore[store.Store]); err != nil {
					return out, err
				}
			}
			continue
		}
		if !known { // nothing else is known of it
			continue
		}
		if err := r.keepFile(ctx, byStore[store.Store]); err != nil {
			return out, err
		}
		delete(byStore, store.Store)
		out.hashes[store.Store] = before.ContentHash
		if err := r.remembered(ctx, store.Store, all, false); err != nil {
			return out, err
		}
	}
	if r.src.Err != nil { // the folders could not be listed
		for key, known := range r.plan.All() {
			_, read := byStore[key.Store]
			if key.Kind != schema.KindShared || key.Store == extract.GlobalStore || read {
				continue
			}
			out.hashes[key.Store] = known.ContentHash
			if err := r.remembered(ctx, key.Store, all, true); err != nil {
				return out, err
			}
		}
	}
	for _, store := range slices.Sorted(maps.Keys(byStore)) {
		if err := r.rememberShared(ctx, store, byStore[store], &out); err != nil {
			return out, err
		}
	}
	out.same = r.plan.SharedUnchanged(out.hashes)
	return out, nil
}

// sharedByStore returns the shared rows of each store, with its folder's workspace.json first.
func sharedByStore(all *extract.Shared) map[string][]*extract.Document {
	out := map[string][]*extract.Document{}
	for _, w := range all.Workspaces {
		out[extract.WorkspaceStore(w.ID)] = []*extract.Document{workspaceDocument(w)}
	}
	for _, d := range slices.Concat(all.Items, all.Headers) {
		out[d.Store] = append(out[d.Store], d)
	}
	return out
}

// keepFile passes the workspace.json of a store that could not be read to the raw layer: it is used all the same.
func (r *reading) keepFile(ctx context.Context, docs []*extract.Document) error {
	if len(docs) == 0 || r.layer == nil {
		return nil
	}
	key := r.plan.Shared(docs[0].Store)
	known, err := r.layer.Known(ctx, []schema.OwnerKey{key})
	if err != nil {
		return err
	}
	if row, isNew := known[key].Observe(raw.Row(key, docs[0])); isNew {
		return r.layer.Put(row)
	}
	return nil
}

// rememberShared makes the warehouse store a store's shared rows, if they have changed.
func (r *reading) rememberShared(ctx context.Context, store string, docs []*extract.Document,
	out *sharedDocuments) error {
	owner := r.plan.Shared(store)
	before := r.state.Known[owner]
	hash := extract.HashDocuments(docs)
	out.hashes[store] = hash
	same := before.ContentHash == hash && !before.IsUnsure
	if !same || r.plan.RawMayLack {
		if err := r.keeper.Owner(ctx, owner, extract.Rows(docs)); err != nil {
			return err
		}
	}
	if same {
		out.stands = out.stands || before.UsesEarlier
		return nil
	}
	now := r.plan.Remembered(owner)
	now.ContentHash = hash
	out.known = append(out.known, now)
	out.changed = append(out.changed, store)
	for i, d := range docs {
		if d.Problem == extract.ProblemCorrupt { // its content is unknown
			continue
		}
		out.rows = append(out.rows, schema.KnownDocument{SourceID: r.src.id, Store: store, Table: d.Table,
			Ordinal: int64(i), Key: d.Key, Family: d.Family, Type: d.Type, Value: d.Raw})
	}
	return nil
}

// remembered adds a store's shared rows of the last read, and with folder its workspace.json.
func (r *reading) remembered(ctx context.Context, store string, all *extract.Shared, folder bool) error {
	docs, err := r.past.Documents(ctx, r.src.id, store)
	if err != nil {
		return err
	}
	workspace := extract.Workspace{ID: strings.TrimPrefix(store, extract.WorkspaceStore(""))}
	for _, k := range docs {
		d := restored(k)
		switch k.Table {
		case extract.FileTable:
			workspace = raw.Workspace(d)
		case extract.HeaderTable:
			all.Headers = append(all.Headers, d)
		default:
			all.Items = append(all.Items, d)
		}
	}
	if folder {
		all.Workspaces = append(all.Workspaces, workspace)
	}
	return nil
}

// restored is a shared row as the warehouse has it.
func restored(k schema.KnownDocument) *extract.Document {
	return extract.Restore(extract.Document{Store: k.Store, Table: k.Table, Family: k.Family, Key: k.Key,
		KeyType: extract.KeyText, Type: k.Type, Bytes: int64(len(k.Value)), Raw: k.Value})
}

// removedFolders counts workspace folders that no longer exist as read whole: they hold nothing any more.
func (r *reading) removedFolders(ctx context.Context, complete *plan.Complete, documents *sharedDocuments) error {
	gone := r.plan.RemovedFolders(*complete)
	for _, key := range gone {
		complete.Stores = append(complete.Stores, key.Store)
		documents.changed = append(documents.changed, key.Store)
		r.tx.Forget(key)
	}
	return r.keeper.Gone(ctx, gone)
}

// sharedRow is the key of a shared row of a source.
type sharedRow struct{ store, table, key string }

func sharedRowOf(d *extract.Document) sharedRow { return sharedRow{d.Store, d.Table, d.Key} }

// earlier returns the shared rows of a source that the warehouse has stored. It reads those of a store when the first
// one is needed.
func (r *reading) earlier(ctx context.Context) transform.Earlier {
	stores := map[string]map[sharedRow]*extract.Document{}
	return func(d *extract.Document) *extract.Document {
		if _, known := r.state.Known[r.plan.Shared(d.Store)]; !known {
			return nil
		}
		if stores[d.Store] == nil {
			stores[d.Store] = map[sharedRow]*extract.Document{}
			docs, err := r.past.Documents(ctx, r.src.id, d.Store)
			r.lost = errors.Join(r.lost, err)
			for _, k := range docs {
				last := restored(k)
				stores[d.Store][sharedRowOf(last)] = last
			}
		}
		return stores[d.Store][sharedRowOf(d)]
	}
}

// writeDocuments makes the warehouse store the shared rows that have changed, with the earlier versions that are used
// instead of unusable rows. It does so before conversations are read: the rows are large, and need not be held so long.
func (r *reading) writeDocuments(documents *sharedDocuments) error {
	if len(documents.rows) == 0 {
		return nil
	}
	standIns := map[sharedRow]*extract.Document{}
	for _, last := range r.n().Shared.EarlierVersions() {
		standIns[sharedRowOf(last)] = last
	}
	for i := range documents.rows {
		row := &documents.rows[i]
		if last := standIns[sharedRow{row.Store, row.Table, row.Key}]; last != nil {
			row.Type, row.Value = last.Type, last.Raw
		}
	}
	err := r.tx.Documents(documents.rows)
	documents.rows = nil
	return err
}

// rememberEarlier makes the warehouse store which stores have rows of which earlier versions are used.
func (r *reading) rememberEarlier(documents *sharedDocuments, shared *transform.Shared) {
	stores := map[string]bool{}
	for _, last := range shared.EarlierVersions() {
		stores[last.Store] = true
	}
	for _, known := range documents.known {
		known.UsesEarlier = stores[known.Store]
		r.remember = append(r.remember, known)
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
