package plan_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/pipelines/plan"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// owner is what is known of an owner of rows, by STORE ID.
func owner(name string) schema.Owner {
	store, id, _ := strings.Cut(name, " ")
	out := of(store, id)
	out.LoadID = 1
	return out
}

func names(keys []schema.OwnerKey) (out []string) {
	for _, k := range keys {
		out = append(out, strings.TrimSpace(k.Store+" "+k.Name()))
	}
	slices.Sort(out)
	return out
}

func same(t *testing.T, what string, want, got []string) {
	t.Helper()
	if !slices.Equal(want, got) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// failed is a store that could not be read.
func failed(store string) extract.StoreReport {
	return extract.StoreReport{Store: store, Err: errors.New("it is busy")}
}

// workspaces is a source with the folders of some workspaces.
func workspaces(ids ...string) (src extract.Source) {
	for _, id := range ids {
		src.Workspaces = append(src.Workspaces, extract.Workspace{ID: id})
	}
	return src
}

// TestGone: only what a store that was read whole no longer has is gone.
func TestGone(t *testing.T) {
	t.Parallel()
	all := []string{"global alpha", "global beta", "global ", "global (shared)", "global (kept:x)", "workspace/w gamma",
		"workspace/removed delta"}
	unlisted := workspaces()
	unlisted.Err = errors.New("the folders cannot be listed")
	seen := map[string]string{"alpha": "global", "gamma": "workspace/w", "": "global", "delta": "global"} // by name
	for _, test := range []struct {
		name        string
		source      extract.Source
		stores      []extract.StoreReport
		seen        map[string]string
		narrowed    bool
		gone, moved []string
	}{
		{"all read", workspaces("w"), []extract.StoreReport{{Store: "global"}, {Store: "workspace/w"}}, seen, false,
			[]string{"global beta"}, []string{"workspace/removed delta"}},
		{"nothing is seen", workspaces("w"), []extract.StoreReport{{Store: "global"}, {Store: "workspace/w"}}, nil,
			false, []string{"global", "global alpha", "global beta", "workspace/removed delta", "workspace/w gamma"},
			nil},
		{"the global store was not read", workspaces("w"),
			[]extract.StoreReport{failed("global"), {Store: "workspace/w"}}, map[string]string{}, false,
			[]string{"workspace/removed delta", "workspace/w gamma"}, nil},
		{"the workspace was not read", workspaces("w"), []extract.StoreReport{{Store: "global"}, failed("workspace/w")},
			map[string]string{"alpha": "global", "beta": "global", "": "global"}, false,
			[]string{"workspace/removed delta"}, nil},
		{"the folders cannot be listed", unlisted, []extract.StoreReport{{Store: "global"}}, map[string]string{}, false,
			[]string{"global", "global alpha", "global beta"}, nil},
		{"narrowed", workspaces("w"), []extract.StoreReport{{Store: "global"}, {Store: "workspace/w"}}, nil, true, nil,
			nil},
	} {
		foreign := owner("global foreign")
		foreign.SourceID = "t"
		s := known(foreign)
		for _, name := range all {
			o := owner(name)
			s.State.Known[s.Key(o.Kind, o.Store, o.ID)] = o
		}
		seen := map[schema.OwnerKey]string{}
		for name, store := range test.seen {
			seen[schema.OwnerNamed("s", store, name).Anywhere()] = store
		}
		if test.narrowed {
			s.Wanted.Projects = []string{"p"}
		}
		gone, moved := s.Gone(seen, plan.CompleteStores(test.source, test.stores))
		same(t, test.name+": gone", test.gone, names(gone))
		same(t, test.name+": moved", test.moved, names(moved))
	}
}

// TestTooMany: more than half of a source's conversations do not go at once unless somebody says so.
func TestTooMany(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		known, gone, loose, unusableNow, unusableBefore, usableAgain int
		accept, want                                                 bool
		failures                                                     []string
	}{
		{known: 4, gone: 2},
		{known: 4, gone: 3, want: true, failures: []string{"deletions 3"}},
		{known: 4, gone: 3, accept: true},
		{known: 4, gone: 2, loose: 9}, // rows without a conversation do not count
		{known: 4, unusableNow: 2},
		{known: 4, unusableNow: 3, want: true, failures: []string{"unusable 3"}},
		{known: 4, unusableNow: 3, accept: true, failures: []string{"unusable 3"}}, // that makes no row usable
		{known: 4, unusableBefore: 3, want: true, failures: []string{"unusable 3"}},
		{known: 4, unusableBefore: 3, usableAgain: 1},
		{known: 4, gone: 1, unusableNow: 2, want: true, failures: []string{"deletions 1"}},
		{known: 0},
	} {
		s := known(owner("global (shared)"))
		s.Wanted.AcceptDeletes = test.accept
		heads := map[schema.OwnerKey]bool{}
		var gone []schema.OwnerKey
		for i := range test.known {
			key := s.Key(schema.KindConversation, "global", fmt.Sprint("c", i))
			s.State.Known[key] = owner("global c")
			if i < test.gone {
				gone = append(gone, key)
				heads[key] = true // one that is gone does not count twice
			}
			if j := test.known - 1 - i; j < test.unusableNow { // from the other end
				heads[key] = true
			}
			if i < test.unusableBefore {
				s.State.Quarantined[key] = load.Quarantined{Families: []string{extract.FamilyComposer}, Live: true}
			}
			if i < test.usableAgain {
				heads[key] = false
			}
		}
		for i := range test.loose {
			key := s.Key(schema.KindLoose, fmt.Sprint("workspace/", i), "")
			s.State.Known[key] = owner("workspace (workspace)")
			gone = append(gone, key)
		}
		tooMany, failures := s.TooMany(gone, heads)
		var got []string
		for _, f := range failures {
			got = append(got, fmt.Sprint(f.Check, " ", f.Rows))
		}
		if tooMany != test.want || !slices.Equal(got, test.failures) {
			t.Errorf("%+v: %v, %q", test, tooMany, got)
		}
	}
}

// TestRemovedFolders: the shared rows of a folder that is not there any more are gone, those of one that could not be
// read are not.
func TestRemovedFolders(t *testing.T) {
	t.Parallel()
	s := known(owner("global (shared)"), owner("workspace/w (shared)"), owner("workspace/removed (shared)"),
		owner("workspace/busy (shared)"), owner("workspace/removed alpha"))
	src := workspaces("w")
	stores := []extract.StoreReport{{Store: "global"}, failed("workspace/busy")}
	same(t, "removed", []string{"workspace/removed (shared)"},
		names(s.RemovedFolders(plan.CompleteStores(src, stores))))
	s.Wanted.Projects = []string{"p"}
	same(t, "narrowed", nil, names(s.RemovedFolders(plan.CompleteStores(src, stores))))
	s.Wanted.Projects, src.Err = nil, errors.New("the folders cannot be listed")
	same(t, "unlisted", nil, names(s.RemovedFolders(plan.CompleteStores(src, stores))))
}

// TestFamily: which families that no table is built from are gone through, and how.
func TestFamily(t *testing.T) {
	t.Parallel()
	before := schema.Owner{Store: "global", Kind: schema.KindFamily, ID: "f", RowsHash: "rows", SizesHash: "sizes",
		ContentHash: "content"}
	for _, test := range []struct {
		name        string
		family      extract.KeptFamily
		depth       extract.Depth
		change      func(*plan.Source)
		read, every bool
	}{
		{"as it was", extract.KeptFamily{Fingerprint: "rows"}, extract.DepthKeys, nil, false, false},
		{"never seen", extract.KeptFamily{Fingerprint: "rows"}, extract.DepthKeys,
			func(s *plan.Source) { clear(s.State.Known) }, true, false},
		{"rows replaced", extract.KeptFamily{Fingerprint: "others"}, extract.DepthKeys, nil, true, false},
		{"another size", extract.KeptFamily{Fingerprint: "rows", Sizes: "others"}, extract.DepthSizes, nil, true,
			false},
		{"other content", extract.KeptFamily{Fingerprint: "rows", Sizes: "sizes", Content: "other"},
			extract.DepthValues, nil, true, true},
		{"content as it was", extract.KeptFamily{Fingerprint: "rows", Sizes: "sizes", Content: "content"},
			extract.DepthValues, nil, false, false},
		{"content that could not be summed up", extract.KeptFamily{Fingerprint: "rows", Sizes: "sizes"},
			extract.DepthValues, nil, true, true},
		{"content that could not be summed up this time and last",
			extract.KeptFamily{Fingerprint: "rows", Sizes: "sizes"}, extract.DepthValues,
			func(s *plan.Source) {
				s.State.Known = known(schema.Owner{Store: "global", Kind: schema.KindFamily, ID: "f",
					RowsHash: "rows", SizesHash: "sizes"}).State.Known
			}, true, true},
		{"--full", extract.KeptFamily{Fingerprint: "rows"}, extract.DepthKeys,
			func(s *plan.Source) { s.Wanted.Full = true }, true, true},
		{"another file", extract.KeptFamily{Fingerprint: "rows"}, extract.DepthKeys,
			func(s *plan.Source) { s.Forced["global"] = true }, true, true},
	} {
		s := known(before)
		if test.change != nil {
			test.change(s)
		}
		test.family.Store, test.family.Family = "global", "f"
		if read, every := s.Family(test.family, test.depth); read != test.read || every != test.every {
			t.Errorf("%s: read %v, every value %v; want %v, %v", test.name, read, every, test.read, test.every)
		}
	}
}

// TestEmptyFamilies: the end of a family is remembered once, and only where its store was read whole.
func TestEmptyFamilies(t *testing.T) {
	t.Parallel()
	ended := owner("workspace/v (kept:ofsContent)")
	ended.IsGone = true
	s := known(owner("global (kept:ofsContent)"), owner("global (kept:composer.content)"),
		owner("global (kept:nobody keeps it)"), ended, owner("workspace/w (kept:ofsContent)"), owner("global alpha"))
	empty := func() (out []string) {
		for _, k := range s.EmptyFamilies([]extract.KeptFamily{{Store: "global", Family: "ofsContent"}},
			plan.CompleteStores(workspaces("w"),
				[]extract.StoreReport{{Store: "global"}, {Store: "workspace/v"}, failed("workspace/w")})) {
			out = append(out, fmt.Sprint(k.Store, " ", k.Key().Name(), " ", k.IsGone))
		}
		slices.Sort(out)
		return out
	}
	same(t, "empty", []string{"global (kept:composer.content) true"}, empty())
	s.RawMayLack = true
	same(t, "with a gap", []string{"global (kept:composer.content) true", "workspace/v (kept:ofsContent) true"},
		empty())
}

// TestShared: what conversations share is as it was only if every store says what it said, and no folder is gone.
func TestShared(t *testing.T) {
	t.Parallel()
	one, two := owner("global (shared)"), owner("workspace/w (shared)")
	one.ContentHash, two.ContentHash = "1", "2"
	for _, test := range []struct {
		hashes map[string]string
		want   bool
	}{
		{map[string]string{"global": "1", "workspace/w": "2"}, true},
		{map[string]string{"global": "1", "workspace/w": "3"}, false},
		{map[string]string{"global": "1"}, false},
		{map[string]string{"global": "1", "workspace/w": "2", "workspace/new": "4"}, false},
	} {
		if got := known(one, two).SharedUnchanged(test.hashes); got != test.want {
			t.Errorf("%v: %v", test.hashes, got)
		}
	}
	rows := schema.Owner{Store: "global", Kind: schema.KindSharedTables, ContentHash: "hash"}
	for _, test := range []struct {
		version int64
		hash    string
		changed bool
	}{{transform.Version, "hash", false}, {transform.Version, "other", true}, {transform.Version - 1, "hash", true}} {
		rows.TransformVersion = test.version
		if now, changed := known(rows).RowsNow(test.hash); changed != test.changed || now.ContentHash != test.hash {
			t.Errorf("%+v: %v, %+v", test, changed, now)
		}
	}
}
