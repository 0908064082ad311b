package plan

import (
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// compareEvery is the time between two full comparisons of a store. An UPDATE keeps the rowid. Most such changes show
// in a value's size, a conversation's own document or the shared rows; a full comparison finds the rest.
const compareEvery = 20 * time.Hour

// FileKnown returns what the warehouse has stored about a store's file. If it returns false, everything in the store is
// read and compared.
func (s *Source) FileKnown(store string) (schema.KnownConversation, bool) {
	known, ok := s.Known(store, File)
	return known, ok && known.TransformVersion == transform.Version
}

// ComparisonDue reports whether a full comparison of a store is due. It is also due if the clock was set back.
func (s *Source) ComparisonDue(store string) bool {
	file, known := s.FileKnown(store)
	last, err := strconv.ParseInt(file.ContentHash, 10, 64)
	now := int64(s.Wanted.Now)
	return !known || err != nil || now < last || now-last >= compareEvery.Milliseconds()
}

// Depth says how deep to compare the values of a store whose file is in a state. It is not needed if all values are
// read anyway, or if nobody has written since.
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

// ReadsAll reports whether every store is opened, whatever is known of it.
func (s *Source) ReadsAll() bool { return s.Wanted.Full || s.Gap || s.Wanted.Rebuild }

// Unopened returns the report of the last read of a store, if every byte of the store is the same and it need not be
// opened; nil if it must be opened.
func (s *Source) Unopened(store, state string, last *load.StoreRead) *extract.StoreReport {
	file, known := s.FileKnown(store)
	identity, isKnown := s.State.Stores[load.StoreKey{SourceID: s.ID, Store: store}]
	shared, hasShared := s.Known(store, Shared)
	switch {
	case !known || !isKnown || !hasShared || last == nil || !last.IsComplete || file.Fingerprint != s.whole(state):
		return nil
	case shared.Fingerprint == EarlierVersion: // the warehouse has stored something else than the store holds
		return nil
	}
	report := &extract.StoreReport{RowsSeen: last.RowsSeen, RowsRead: last.RowsRead, MaxRowID: identity.MaxRowID,
		Identity: identity.Identity}
	for _, f := range last.Families {
		report.Families = append(report.Families,
			extract.FamilyCount{Family: f.Family, Handling: extract.Handling(f.Handling), Rows: f.Rows,
				NullRows: f.NullRows, BytesRead: f.BytesRead})
	}
	return report
}

// whole is the fingerprint for the file of a store that need not be opened. It includes the version of the tool, since
// another version may read other rows.
func (s *Source) whole(state string) string { return state + " " + s.Wanted.ToolVersion }

// Signs are the results of comparing the stores' files.
type Signs struct {
	Forced map[string]bool // stores that must be read in full: the same rowids may mean other rows
	// stores whose index must be compared with its table: rows missing in the index would go unnoticed
	Check  []string
	Stores []schema.KnownStore // what the warehouse must store about them
}

// salvagedIdentity is the identity of a damaged store. Once it is sound again all of it is read and compared, since the
// content of damaged pages cannot be trusted.
const salvagedIdentity = "salvaged"

// Signs compares each store's file with that of the last load. A store is read in full if its file or its tables are
// different, or if its largest rowid is smaller than before.
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
		if (store.Salvaged || !s.Wanted.Narrowed()) && (!known || before != now) {
			// a narrowed run does not read all conversations
			out.Stores = append(out.Stores, now)
		}
	}
	return out
}

// Files returns what the warehouse must store about the stores' files: the state in which they were read, and the time
// of the last full comparison. A narrowed run does not read all conversations, but it reads all of a store that holds
// only shared rows.
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

// wholeFile is the row for the file of a store with only shared rows. An unknown state replaces an earlier one: the
// stored rows may no longer be those of the file.
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

// FileNow returns what is to be stored about a store's file, and whether it has changed.
func (s *Source) FileNow(store, state string, compared bool) (now schema.KnownConversation, changed bool) {
	before, known := s.FileKnown(store)
	now = s.Remembered(store, File)
	now.Fingerprint, now.ContentHash = state, before.ContentHash
	if compared || !known || s.Wanted.Full || s.Forced[store] {
		now.ContentHash = strconv.FormatInt(int64(s.Wanted.Now), 10)
	}
	return now, !known || now.Fingerprint != before.Fingerprint || now.ContentHash != before.ContentHash
}

// Expected adds reports for stores of a source that earlier loads have read and that no longer exist. Such a store
// counts as unreadable, as a missing store is no proof that its rows are deleted. A workspace's store may disappear
// with its folder. In a rebuild such a store was read and had no rows: the raw layer keeps the rows of a missing store.
// A rebuild knows no store's identity; those of earlier versions noted a global store of every source, so one without
// conversations counts only with its identity.
func (s *Source) Expected(src extract.Source, found []extract.StoreReport) []extract.StoreReport {
	reports := slices.Clone(found)
	expect := func(store string) {
		known, read := s.State.Stores[load.StoreKey{SourceID: s.ID, Store: store}]
		noted := known.Identity == "" && !s.Wanted.Rebuild && !s.hasConversations(store)
		if !read || noted || slices.ContainsFunc(reports,
			func(r extract.StoreReport) bool { return r.Store == store }) {
			return
		}
		missing := extract.StoreReport{Store: store}
		if !s.Wanted.Rebuild {
			missing.Info.Path = src.StorePath(store)
			missing.Err = &extract.StoreError{Path: missing.Info.Path, Kind: extract.KindMissing,
				Err: errors.New("earlier loads have read it")}
		}
		reports = append(reports, missing)
	}
	expect(extract.GlobalStore)
	for _, w := range src.Workspaces {
		if w.DB == "" {
			expect(extract.WorkspaceStore(w.ID))
		}
	}
	return reports
}

// hasConversations reports whether the warehouse remembers a conversation of a store.
func (s *Source) hasConversations(store string) bool {
	for key := range s.All() {
		if key.Store == store && extract.IsConversationID(key.ConversationID) {
			return true
		}
	}
	return false
}

// Complete says which stores a run has read whole.
type Complete struct {
	Stores  []string
	failed  map[string]bool
	folders map[string]bool // stores that exist, or whose workspace folder does
	listed  bool            // the workspace folders could be listed
}

// CompleteStores returns which stores of a source were read whole.
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

// Has reports whether rows that a store no longer has are gone: it was read whole, or its workspace folder no longer
// exists. A store whose folder is in one that cannot be listed may still exist.
func (c Complete) Has(store string) bool {
	return slices.Contains(c.Stores, store) || c.mayBeGone(store) && !c.failed[store] && !c.failed[path.Dir(store)]
}

// mayBeGone reports whether a store goes with its folder, and all such folders are known: a workspace's, a chat's of
// the command line, or that of a transcript.
func (c Complete) mayBeGone(store string) bool {
	return (strings.HasPrefix(store, extract.WorkspaceStore("")) || extract.GoesWithItsFolder(store)) && c.listed
}
