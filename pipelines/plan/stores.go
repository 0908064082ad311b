package plan

import (
	"errors"
	"path"
	"reflect"
	"slices"
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
func (s *Source) FileKnown(store string) (schema.KnownStore, bool) {
	known := s.State.Stores[load.StoreKey{SourceID: s.ID, Store: store}]
	return known, known.TransformVersion == transform.Version
}

// ComparisonDue reports whether a full comparison of a store is due. It is also due if the clock was set back.
func (s *Source) ComparisonDue(store string) bool {
	file, known := s.FileKnown(store)
	if !known || file.ComparedAt == nil {
		return true
	}
	ago := s.Wanted.Now - *file.ComparedAt
	return ago < 0 || int64(ago) >= compareEvery.Milliseconds()
}

// Depth says how deep to compare the values of a store whose file is in a state. It is not needed if all values are
// read anyway, or if nobody has written since.
func (s *Source) Depth(store, state string) extract.Depth {
	file, known := s.FileKnown(store)
	switch {
	case !known, s.Wanted.Full, s.RawMayLack, s.Wanted.Part != nil:
		return extract.DepthKeys
	case s.ComparisonDue(store) && !s.Wanted.Narrowed():
		return extract.DepthValues
	case state != "" && state == file.State:
		return extract.DepthKeys
	}
	return extract.DepthSizes
}

// ReadsAll reports whether every store is opened, whatever is known of it.
func (s *Source) ReadsAll() bool { return s.Wanted.Full || s.RawMayLack || s.Wanted.Rebuild }

// Unopened returns the report of the last read of a store, if every byte of the store is the same and it need not be
// opened; nil if it must be opened.
func (s *Source) Unopened(store, state string, last *load.StoreRead) *extract.StoreReport {
	file, known := s.FileKnown(store)
	shared, hasShared := s.State.Known[s.Shared(store)]
	switch {
	case !known || !hasShared || last == nil || !last.IsComplete || file.State != state:
		return nil
	case file.ToolVersion != s.Wanted.ToolVersion: // another version may read other rows
		return nil
	case shared.UsesEarlier: // the warehouse has stored something else than the store holds
		return nil
	}
	report := &extract.StoreReport{RowsSeen: last.RowsSeen, RowsRead: last.RowsRead, MaxRowID: file.MaxRowID,
		Identity: file.Identity}
	for _, f := range last.Families {
		report.Families = append(report.Families,
			extract.FamilyCount{Family: f.Family, Handling: extract.Handling(f.Handling), Rows: f.Rows,
				NullRows: f.NullRows, BytesRead: f.BytesRead})
	}
	return report
}

// Signs are the results of comparing the stores' files.
type Signs struct {
	Forced map[string]bool // stores that must be read in full: the same rowids may mean other rows
	// stores whose index must be compared with its table: rows missing in the index would go unnoticed
	Check []string
}

// Signs compares each store's file with that of the last load. A store is read in full if its file or its tables are
// different, or if its largest rowid is smaller than before. So is a damaged one once it is sound again, since the
// content of damaged pages cannot be trusted.
func (s *Source) Signs(stores []extract.StoreReport) Signs {
	out := Signs{Forced: map[string]bool{}}
	for _, store := range stores {
		if store.Unreadable() {
			continue
		}
		before, known := s.State.Stores[load.StoreKey{SourceID: s.ID, Store: store.Store}]
		other := known && (before.IsSalvaged || before.Identity != store.Identity || store.MaxRowID < before.MaxRowID)
		if store.Salvaged {
			other = other && !before.IsSalvaged
		}
		if _, compared := s.FileKnown(store.Store); s.RawMayLack || other || known && !compared && store.MaxRowID > 0 {
			out.Forced[store.Store] = true
		}
		if !known || out.Forced[store.Store] || s.Wanted.Full {
			out.Check = append(out.Check, store.Store)
		}
	}
	return out
}

// Stores returns what the warehouse must store about the stores' files, of those of which there is news.
func (s *Source) Stores(stores []extract.StoreReport) (out []schema.KnownStore) {
	for _, store := range stores {
		if store.Unreadable() {
			continue
		}
		before := s.State.Stores[load.StoreKey{SourceID: s.ID, Store: store.Store}]
		now := s.file(store, s.identity(store, before))
		if !reflect.DeepEqual(before, now) {
			out = append(out, now)
		}
	}
	return out
}

// identity notes which file a store is. A narrowed run does not read all conversations, but it reads all of a store
// that holds only shared rows.
func (s *Source) identity(store extract.StoreReport, now schema.KnownStore) schema.KnownStore {
	if store.Salvaged || store.SharedOnly || !s.Wanted.Narrowed() {
		now.SourceID, now.Store, now.Identity, now.MaxRowID = s.ID, store.Store, store.Identity, store.MaxRowID
		now.IsSalvaged = store.Salvaged
	}
	if store.Salvaged {
		now.Identity = ""
	}
	return now
}

// file notes the state in which a store's file was read, and when all of it was compared. An unknown state of a store
// with only shared rows replaces an earlier one: the stored rows may no longer be those of the file.
func (s *Source) file(store extract.StoreReport, now schema.KnownStore) schema.KnownStore {
	switch {
	case s.Wanted.Rebuild || store.AsBefore:
	case store.SharedOnly && (store.State != "" || now.TransformVersion != 0):
		now.TransformVersion, now.State, now.ToolVersion = transform.Version, store.State, ""
		if store.State != "" {
			now.ToolVersion = s.Wanted.ToolVersion
		}
	case store.SharedOnly:
	case store.MaxRowID > 0 && !s.Wanted.Narrowed():
		if now = s.read(now, store.Store, store.Depth == extract.DepthValues); !store.Salvaged {
			now.State = store.State
		}
	}
	return now
}

// StoreRead returns what the warehouse must store about a store all of which was read, and whether that is news.
func (s *Source) StoreRead(store string) (now schema.KnownStore, news bool) {
	before := s.State.Stores[load.StoreKey{SourceID: s.ID, Store: store}]
	now = s.read(before, store, false)
	return now, !reflect.DeepEqual(before, now)
}

// read notes that all of a store was read, and whether every value in it was compared.
func (s *Source) read(now schema.KnownStore, store string, compared bool) schema.KnownStore {
	if _, known := s.FileKnown(store); compared || !known || s.Wanted.Full || s.Forced[store] {
		at := s.Wanted.Now
		now.ComparedAt = &at
	}
	now.SourceID, now.Store, now.State, now.TransformVersion = s.ID, store, "", transform.Version
	return now
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
		noted := known.Identity == "" && !known.IsSalvaged && !s.Wanted.Rebuild && !s.hasConversations(store)
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
		if key.Store == store && key.Kind == schema.KindConversation {
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
