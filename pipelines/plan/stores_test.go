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

// file is what is remembered of the global store's file: its state, and when it was compared whole.
func file(state string, compared schema.Millis) schema.KnownStore {
	return schema.KnownStore{SourceID: "s", Store: "global", Identity: "file", MaxRowID: 9, State: state,
		ComparedAt: &compared, TransformVersion: transform.Version}
}

// knownFile is the plan for a source of which this file is remembered.
func knownFile(file schema.KnownStore) *plan.Source {
	s := known()
	s.State.Stores[load.StoreKey{SourceID: "s", Store: file.Store}] = file
	return s
}

// TestDepth: how far the values of a store are looked into.
func TestDepth(t *testing.T) {
	t.Parallel()
	hour := day / 24
	for _, test := range []struct {
		name   string
		before schema.KnownStore
		state  string
		change func(*plan.Source)
		want   extract.Depth
	}{
		{"nobody has written since", file("state", now-hour), "state", nil, extract.DepthKeys},
		{"somebody has", file("state", now-hour), "other", nil, extract.DepthSizes},
		{"nothing can be said of its state", file("", now-hour), "", nil, extract.DepthSizes},
		{"a comparison is due", file("state", now-20*hour), "state", nil, extract.DepthValues},
		{"it is not due yet", file("state", now-20*hour+1), "state", nil, extract.DepthKeys},
		{"the clock was set back", file("state", now+1), "state", nil, extract.DepthValues},
		{"it was never compared", schema.KnownStore{Store: "global", State: "state",
			TransformVersion: transform.Version}, "state", nil, extract.DepthValues},
		{"never read: all of it is read anyway", schema.KnownStore{Store: "workspace/w", State: "state",
			TransformVersion: transform.Version}, "state", nil, extract.DepthKeys},
		{"read by another version", schema.KnownStore{Store: "global", TransformVersion: transform.Version + 1},
			"state", nil, extract.DepthKeys},
		{"--full", file("state", now-day), "other", func(s *plan.Source) { s.Wanted.Full = true }, extract.DepthKeys},
		{"a gap", file("state", now-day), "other", func(s *plan.Source) { s.RawMayLack = true }, extract.DepthKeys},
		{"a part to compare", file("state", now-day), "other",
			func(s *plan.Source) { s.Wanted.Part = &plan.Part{Of: 2} }, extract.DepthKeys},
		{"due, in a narrowed run", file("state", now-day), "state",
			func(s *plan.Source) { s.Wanted.Projects = []string{"p"} }, extract.DepthKeys},
	} {
		s := knownFile(test.before)
		if test.change != nil {
			test.change(s)
		}
		if got := s.Depth("global", test.state); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// TestSigns: which stores are read in full because of what their files are, and what is remembered of them.
func TestSigns(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name            string
		store           extract.StoreReport
		change          func(*plan.Source)
		forced, checked bool
		identity        string // that is remembered anew; "": none
	}{
		{"as it was", extract.StoreReport{Identity: "file", MaxRowID: 9}, nil, false, false, ""},
		{"it has grown", extract.StoreReport{Identity: "file", MaxRowID: 10}, nil, false, false, "file"},
		{"it has shrunk", extract.StoreReport{Identity: "file", MaxRowID: 8}, nil, true, true, "file"},
		{"another file", extract.StoreReport{Identity: "other", MaxRowID: 9}, nil, true, true, "other"},
		{"never read", extract.StoreReport{Identity: "file", MaxRowID: 9},
			func(s *plan.Source) { clear(s.State.Stores) }, false, true, "file"},
		{"its file is not remembered", extract.StoreReport{Identity: "file", MaxRowID: 9},
			func(s *plan.Source) {
				s.State.Stores[load.StoreKey{SourceID: "s", Store: "global"}] = schema.KnownStore{SourceID: "s",
					Store: "global", Identity: "file", MaxRowID: 9}
			}, true, true, "file"},
		{"its file is not remembered, and it has no rows", extract.StoreReport{Identity: "file"}, func(s *plan.Source) {
			s.State.Stores[load.StoreKey{SourceID: "s", Store: "global"}] = schema.KnownStore{SourceID: "s",
				Store: "global", Identity: "file"}
		}, false, false, ""},
		{"a gap", extract.StoreReport{Identity: "file", MaxRowID: 9}, func(s *plan.Source) { s.RawMayLack = true },
			true, true, ""},
		{"--full", extract.StoreReport{Identity: "file", MaxRowID: 9}, func(s *plan.Source) { s.Wanted.Full = true },
			false, true, ""},
		{"narrowed", extract.StoreReport{Identity: "other", MaxRowID: 9},
			func(s *plan.Source) { s.Wanted.Projects = []string{"p"} }, true, true, ""},
		{"not read", extract.StoreReport{Identity: "other", Err: errors.New("busy")}, nil, false, false, ""},
		{"damaged", extract.StoreReport{Identity: "file", MaxRowID: 9, Err: errors.New("damaged"), Salvaged: true}, nil,
			false, false, "salvaged"},
		{"damaged in a narrowed run", extract.StoreReport{Identity: "file", MaxRowID: 9, Err: errors.New("damaged"),
			Salvaged: true},
			func(s *plan.Source) { s.Wanted.Projects = []string{"p"} }, false, false, "salvaged"},
		{"still damaged", extract.StoreReport{Identity: "file", MaxRowID: 9, Err: errors.New("damaged"),
			Salvaged: true}, func(s *plan.Source) {
			s.State.Stores[load.StoreKey{SourceID: "s", Store: "global"}] = schema.KnownStore{SourceID: "s",
				Store: "global", IsSalvaged: true, MaxRowID: 9, TransformVersion: transform.Version}
		}, false, false, ""},
		{"sound again", extract.StoreReport{Identity: "file", MaxRowID: 9}, func(s *plan.Source) {
			s.State.Stores[load.StoreKey{SourceID: "s", Store: "global"}] = schema.KnownStore{SourceID: "s",
				Store: "global", IsSalvaged: true, MaxRowID: 9}
		}, true, true, "file"},
	} {
		s := knownFile(file("", now))
		if test.change != nil {
			test.change(s)
		}
		test.store.Store = "global"
		got := s.Signs([]extract.StoreReport{test.store})
		identity := ""
		for _, file := range s.Stores([]extract.StoreReport{test.store}) {
			if identity = file.Identity; file.IsSalvaged {
				identity += "salvaged"
			}
		}
		if got.Forced["global"] != test.forced || slices.Contains(got.Check, "global") != test.checked ||
			identity != test.identity {
			t.Errorf("%s: forced %v, checked %v, %q; want %v, %v, %q", test.name, got.Forced["global"], got.Check,
				identity, test.forced, test.checked, test.identity)
		}
	}
}

// TestUnopened: a store is left closed only where all that is known of it holds for its state.
func TestUnopened(t *testing.T) {
	t.Parallel()
	store := load.StoreKey{SourceID: "s", Store: "workspace/w"}
	for _, test := range []struct {
		name   string
		state  string
		change func(*plan.Source, *load.StoreRead)
		want   bool
	}{
		{"as it was", "state", nil, true},
		{"another state", "other", nil, false},
		{"another version of the tool", "state",
			func(s *plan.Source, _ *load.StoreRead) { s.Wanted.ToolVersion = "1.1" }, false},
		{"not read whole", "state", func(_ *plan.Source, last *load.StoreRead) { last.IsComplete = false }, false},
		{"its identity is not known", "state",
			func(s *plan.Source, _ *load.StoreRead) { delete(s.State.Stores, store) }, false},
		{"its shared rows are not known", "state",
			func(s *plan.Source, _ *load.StoreRead) { delete(s.State.Known, s.Shared(store.Store)) }, false},
		{"an earlier version stands for a shared row", "state", func(s *plan.Source, _ *load.StoreRead) {
			shared := s.State.Known[s.Shared(store.Store)]
			shared.UsesEarlier = true
			s.State.Known[s.Shared(store.Store)] = shared
		}, false},
	} {
		s := known(schema.Owner{Store: store.Store, Kind: schema.KindShared})
		s.State.Stores[store] = schema.KnownStore{SourceID: "s", Store: store.Store, Identity: "file", MaxRowID: 3,
			State: "state", ToolVersion: "1.0", TransformVersion: transform.Version}
		last := &load.StoreRead{RowsSeen: 5, RowsRead: 4, IsComplete: true,
			Families: []schema.KeyFamily{{Family: "f", Rows: 5}}}
		if test.change != nil {
			test.change(s, last)
		}
		got := s.Unopened(store.Store, test.state, last)
		if (got != nil) != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
		if got != nil && (got.RowsSeen != 5 || got.Identity != "file" || got.MaxRowID != 3 || len(got.Families) != 1) {
			t.Errorf("%s: the report is %+v", test.name, got)
		}
	}
	if got := known().Unopened("workspace/w", "state", nil); got != nil {
		t.Errorf("a store of which nothing is known: %v", got)
	}
}

func millis(t schema.Millis) string { return fmt.Sprint(int64(t)) }

// TestStores: what is remembered of the stores' files after a run.
func TestStores(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		store  extract.StoreReport
		change func(*plan.Source)
		want   string // state, and when it was compared whole; "": nothing is news
	}{
		{"as it was", extract.StoreReport{MaxRowID: 9, State: "state"}, nil, ""},
		{"another state", extract.StoreReport{MaxRowID: 9, State: "other"}, nil, "other " + millis(now-day)},
		{"compared whole", extract.StoreReport{MaxRowID: 9, State: "state", Depth: extract.DepthValues}, nil,
			"state " + millis(now)},
		{"--full", extract.StoreReport{MaxRowID: 9, State: "state"}, func(s *plan.Source) { s.Wanted.Full = true },
			"state " + millis(now)},
		{"read in full", extract.StoreReport{MaxRowID: 9, State: "state"},
			func(s *plan.Source) { s.Forced["global"] = true }, "state " + millis(now)},
		{"never read", extract.StoreReport{MaxRowID: 9, State: "state"}, func(s *plan.Source) { clear(s.State.Stores) },
			"state " + millis(now)},
		{"damaged", extract.StoreReport{MaxRowID: 9, State: "state", Salvaged: true, Err: errors.New("damaged")}, nil,
			" " + millis(now-day)},
		{"not read", extract.StoreReport{MaxRowID: 9, State: "other", Err: errors.New("busy")}, nil, ""},
		{"not opened", extract.StoreReport{MaxRowID: 9, State: "other", AsBefore: true}, nil, ""},
		{"narrowed", extract.StoreReport{MaxRowID: 9, State: "other"},
			func(s *plan.Source) { s.Wanted.Projects = []string{"p"} }, ""},
		{"a rebuild", extract.StoreReport{MaxRowID: 9, State: "other"},
			func(s *plan.Source) { s.Wanted.Rebuild = true }, ""},
		{"without rows", extract.StoreReport{State: "other"}, nil, "state " + millis(now-day)},
		{"only shared rows", extract.StoreReport{State: "other", SharedOnly: true}, nil,
			"other 1.0 " + millis(now-day)},
		{"only shared rows, narrowed", extract.StoreReport{State: "other", SharedOnly: true},
			func(s *plan.Source) { s.Wanted.Projects = []string{"p"} }, "other 1.0 " + millis(now-day)},
		{"only shared rows, and nothing can be said of its state", extract.StoreReport{SharedOnly: true}, nil,
			" " + millis(now-day)},
		{"only shared rows, nothing can be said, never read", extract.StoreReport{SharedOnly: true},
			func(s *plan.Source) { clear(s.State.Stores) }, ""},
	} {
		s := knownFile(file("state", now-day))
		if test.change != nil {
			test.change(s)
		}
		test.store.Store = "global"
		got := ""
		test.store.Identity = "file"
		for _, f := range s.Stores([]extract.StoreReport{test.store}) {
			if f.ComparedAt != nil {
				got = fmt.Sprint(strings.TrimRight(f.State+" "+f.ToolVersion, " "), " ", int64(*f.ComparedAt))
			}
			if f.SourceID != "s" || f.Store != "global" {
				t.Errorf("%s: %+v is remembered", test.name, f)
			}
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestExpected: a store that earlier loads have read and that is not there is no empty one.
func TestExpected(t *testing.T) {
	t.Parallel()
	src := extract.Source{UserDir: "/u", Workspaces: []extract.Workspace{{ID: "w"},
		{ID: "v", DB: "/u/workspaceStorage/v/state.vscdb"}, {ID: "never"}}}
	s := known()
	for _, store := range []string{"global", "workspace/w", "workspace/v", "workspace/removed"} {
		s.State.Stores[load.StoreKey{SourceID: "s", Store: store}] = schema.KnownStore{Identity: "file"}
	}
	// a rebuild noted it, and nothing was in it
	s.State.Stores[load.StoreKey{SourceID: "s", Store: "workspace/noted"}] = schema.KnownStore{}
	src.Workspaces = append(src.Workspaces, extract.Workspace{ID: "noted"})
	s.State.Stores[load.StoreKey{SourceID: "t", Store: "workspace/never"}] = schema.KnownStore{}
	names := func(reports []extract.StoreReport) (out []string) {
		for _, r := range reports {
			name := r.Store
			var missing *extract.StoreError
			if errors.As(r.Err, &missing) && missing.Kind == extract.KindMissing {
				name += " missing"
			}
			out = append(out, name)
		}
		return out
	}
	found := []extract.StoreReport{{Store: "workspace/v"}}
	if got, want := names(s.Expected(src, found)),
		[]string{"workspace/v", "global missing", "workspace/w missing"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	s.Wanted.Rebuild = true
	if got, want := names(s.Expected(src, found)),
		[]string{"workspace/v", "global", "workspace/w", "workspace/noted"}; !slices.Equal(got, want) {
		t.Errorf("in a rebuild %q, want %q", got, want)
	}
}
