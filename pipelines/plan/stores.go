package plan

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// compareEvery is how long after a full comparison of a store the next one is due: rows that are overwritten under their old rowids show in their sizes,
// in conversations' own documents and in what the shared rows say of a conversation, but not all of them.
const compareEvery = 20 * time.Hour

// FileKnown is what the warehouse remembers of a store's file; false: nothing that counts, and everything in it is read and compared.
func (s *Source) FileKnown(store string) (schema.KnownConversation, bool) {
	known, ok := s.Known(store, File)
	return known, ok && known.TransformVersion == transform.Version
}

// ComparisonDue reports that a store is to be compared whole. A clock that was set back does not stop it.
func (s *Source) ComparisonDue(store string) bool {
	file, known := s.FileKnown(store)
	last, err := strconv.ParseInt(file.ContentHash, 10, 64)
	now := int64(s.Wanted.Now)
	return !known || err != nil || now < last || now-last >= compareEvery.Milliseconds()
}

// Depth says how far to look into the values of a store whose file is in a state. Where all of them are read anyway, and where nobody has written since,
// not at all.
func (s *Source) Depth(store, state string) extract.Depth {
	file, known := s.FileKnown(store)
	switch {
	case !known, s.Wanted.Full, s.Gap, s.Wanted.Part != nil:
		return extract.DepthKeys
	case s.ComparisonDue(store) && !s.Wanted.Narrowed():
		return extract.DepthValues
	case state != "" && state == file.Fingerprint:
		return extract.DepthKeys
	}
	return extract.DepthSizes
}

// ReadsAll reports that every store is opened, whatever is known of it.
func (s *Source) ReadsAll() bool { return s.Wanted.Full || s.Gap || s.Wanted.Rebuild }

// Unopened is what a run says of a store that is not opened, since every byte of it is as it was when it was read last: what that read said. It is nil for
// a store that is to be opened.
func (s *Source) Unopened(store, state string, last *load.StoreRead) *extract.StoreReport {
	file, known := s.FileKnown(store)
	identity, isKnown := s.State.Stores[load.StoreKey{SourceID: s.ID, Store: store}]
	shared, hasShared := s.Known(store, Shared)
	switch {
	case !known || !isKnown || !hasShared || last == nil || !last.IsComplete || file.Fingerprint != s.whole(state):
		return nil
	case shared.Fingerprint == EarlierVersion: // what is remembered is not what the store holds
		return nil
	}
	report := &extract.StoreReport{RowsSeen: last.RowsSeen, RowsRead: last.RowsRead, MaxRowID: identity.MaxRowID, Identity: identity.Identity}
	for _, f := range last.Families {
		report.Families = append(report.Families, extract.FamilyCount{Family: f.Family, Handling: extract.Handling(f.Handling), Rows: f.Rows, NullRows: f.NullRows, BytesRead: f.BytesRead})
	}
	return report
}

// whole is the fingerprint of the file of a store that need not be opened. Another version of the tool may read other rows.
func (s *Source) whole(state string) string { return state + " " + s.Wanted.ToolVersion }

// Signs are what the files of the stores tell.
type Signs struct {
	Forced map[string]bool     // stores that are read in full: rowids there may stand for other rows
	Check  []string            // stores whose index is to be compared with its table: what an index does not name would be missed without a word
	Stores []schema.KnownStore // what the warehouse has to remember anew
}

// salvagedIdentity is that of a damaged store: once it is sound, all of it is read and compared, since what was read of damaged pages may be
// anything.
const salvagedIdentity = "salvaged"

// Signs compares each store's file with the one of the last load. One whose file or tables are others, or whose largest rowid shrank, is
// read in full.
func (s *Source) Signs(stores []extract.StoreReport) Signs {
	out := Signs{Forced: map[string]bool{}}
	for _, store := range stores {
		if store.Unreadable() {
			continue
		}
		now := schema.KnownStore{SourceID: s.ID, Store: store.Store, Identity: store.Identity, MaxRowID: store.MaxRowID}
		before, known := s.State.Stores[load.StoreKey{SourceID: s.ID, Store: store.Store}]
		other := known && (before.Identity != now.Identity || now.MaxRowID < before.MaxRowID)
		if store.Salvaged {
			other, now.Identity = other && before.Identity != salvagedIdentity, salvagedIdentity
		}
		if _, compared := s.FileKnown(store.Store); s.Gap || other || known && !compared && store.MaxRowID > 0 {
			out.Forced[store.Store] = true
		}
		if !known || out.Forced[store.Store] || s.Wanted.Full {
			out.Check = append(out.Check, store.Store)
		}
		if (store.Salvaged || !s.Wanted.Narrowed()) && (!known || before != now) { // a narrowed run leaves conversations unread
			out.Stores = append(out.Stores, now)
		}
	}
	return out
}

// Files are what the warehouse has to remember of the stores' files: in which state they were read, and when they were compared whole. A narrowed run
// leaves conversations unread, but reads the rows of a store that holds only what conversations share as any other run does.
func (s *Source) Files(stores []extract.StoreReport) (out []schema.KnownConversation) {
	for _, store := range stores {
		var now schema.KnownConversation
		changed := false
		switch {
		case s.Wanted.Rebuild || store.Unreadable() || store.AsBefore:
		case store.SharedOnly:
			now, changed = s.wholeFile(store.Store, store.State)
		case store.MaxRowID > 0 && !s.Wanted.Narrowed():
			state := store.State
			if store.Salvaged {
				state = ""
			}
			now, changed = s.FileNow(store.Store, state, store.Depth == extract.DepthValues)
		}
		if changed {
			out = append(out, now)
		}
	}
	return out
}

// wholeFile is the file of a store that holds only what conversations share. A state of which nothing can be said takes the place of an earlier one: the
// rows that are remembered are no longer its.
func (s *Source) wholeFile(store, state string) (now schema.KnownConversation, changed bool) {
	before, known := s.Known(store, File)
	now = s.Remembered(store, File)
	now.ContentHash = before.ContentHash
	if state != "" {
		now.Fingerprint = s.whole(state)
	}
	same := now.Fingerprint == before.Fingerprint && now.TransformVersion == before.TransformVersion
	return now, !same && (known || state != "")
}

// FileNow is what is to be remembered of a store's file, and whether it is news.
func (s *Source) FileNow(store, state string, compared bool) (now schema.KnownConversation, changed bool) {
	before, known := s.FileKnown(store)
	now = s.Remembered(store, File)
	now.Fingerprint, now.ContentHash = state, before.ContentHash
	if compared || !known || s.Wanted.Full || s.Forced[store] {
		now.ContentHash = strconv.FormatInt(int64(s.Wanted.Now), 10)
	}
	return now, !known || now.Fingerprint != before.Fingerprint || now.ContentHash != before.ContentHash
}

// Expected adds to the reports on a source's stores those that earlier loads have read and that are no longer there: such a store is one that cannot be
// read, as not to have found it is no good news. A workspace's store may go with its folder. In a rebuild it is one that was read and had no rows: the
// raw layer keeps the rows of one that is not there.
func (s *Source) Expected(src extract.Source, found []extract.StoreReport) []extract.StoreReport {
	reports := slices.Clone(found)
	expect := func(store, path string) {
		_, read := s.State.Stores[load.StoreKey{SourceID: s.ID, Store: store}]
		if !read || slices.ContainsFunc(reports, func(r extract.StoreReport) bool { return r.Store == store }) {
			return
		}
		missing := extract.StoreReport{Store: store}
		if !s.Wanted.Rebuild {
			missing.Info.Path = path
			missing.Err = &extract.StoreError{Path: path, Kind: extract.KindMissing, Err: errors.New("earlier loads have read it")}
		}
		reports = append(reports, missing)
	}
	expect(extract.GlobalStore, filepath.Join(src.UserDir, "globalStorage", "state.vscdb"))
	for _, w := range src.Workspaces {
		if w.DB == "" {
			expect(extract.WorkspaceStore(w.ID), filepath.Join(src.UserDir, "workspaceStorage", w.ID, "state.vscdb"))
		}
	}
	return reports
}

// Complete says of which stores a run saw everything.
type Complete struct {
	Stores  []string
	failed  map[string]bool
	folders map[string]bool // stores that are there, or whose workspace folder is
	listed  bool            // the workspace folders could be listed
}

// CompleteStores are those of a source that were read whole.
func CompleteStores(src extract.Source, stores []extract.StoreReport) Complete {
	c := Complete{failed: map[string]bool{}, folders: map[string]bool{}, listed: src.Err == nil}
	for _, w := range src.Workspaces {
		c.folders[extract.WorkspaceStore(w.ID)] = true
	}
	for _, s := range stores {
		c.folders[s.Store] = true
		if s.Err != nil {
			c.failed[s.Store] = true
			continue
		}
		c.Stores = append(c.Stores, s.Store)
	}
	return c
}

// Has reports whether what a store no longer has is gone: it was read whole, or its workspace folder is no longer there.
func (c Complete) Has(store string) bool {
	return slices.Contains(c.Stores, store) || c.mayBeGone(store) && !c.failed[store]
}

// mayBeGone reports that a store is a workspace's, and that the folders of workspaces are all known.
func (c Complete) mayBeGone(store string) bool {
	return strings.HasPrefix(store, extract.WorkspaceStore("")) && c.listed
}
