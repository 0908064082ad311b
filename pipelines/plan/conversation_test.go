package plan_test

import (
	"testing"
	"time"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/pipelines/plan"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// now is when the runs of these tests begin.
var now = schema.Millis(time.Date(2026, 3, 1, 2, 0, 0, 0, time.UTC).UnixMilli())

const day = schema.Millis(24 * 60 * 60 * 1000)

// of makes an owner of a store by its name.
func of(store, name string) schema.Owner {
	k := schema.OwnerNamed("", store, name)
	return schema.Owner{Store: k.Store, Kind: k.Kind, ID: k.ID}
}

// known is a source of which earlier loads know some owners of rows.
func known(all ...schema.Owner) *plan.Source {
	s := &plan.Source{ID: "s", State: &load.State{LastLoadID: 7,
		Known: map[schema.OwnerKey]schema.Owner{}, Stores: map[load.StoreKey]schema.KnownStore{},
		Quarantined: map[schema.OwnerKey]load.Quarantined{}}, Wanted: plan.Wanted{Now: now, ToolVersion: "1.0"},
		Forced: map[string]bool{}}
	for _, k := range all {
		if k.SourceID == "" {
			k.SourceID = "s"
		}
		if k.TransformVersion == 0 {
			k.TransformVersion = transform.Version
		}
		s.State.Known[k.Key()] = k
	}
	return s
}

// alpha is a conversation as the load before has read it.
func alpha() schema.Owner {
	return schema.Owner{Store: "global", Kind: schema.KindConversation, ID: "alpha", WorkspaceID: "w",
		RowsHash: "rows", SizesHash: "sizes", FactsHash: "facts of w", ContentHash: "content"}
}

// TestConversation: what is read of a conversation, and why, by what is known of it and what a look from outside tells.
func TestConversation(t *testing.T) {
	t.Parallel()
	type input struct {
		before *schema.Owner
		conv   extract.Conversation
		facts  string
		source *plan.Source
	}
	for _, test := range []struct {
		name        string
		change      func(*input)
		read, known bool
		why         string
	}{
		{"as it was", func(*input) {}, false, true, "new"},
		{"never seen", func(i *input) { i.before = nil }, true, false, plan.WhyNew},
		{"of another source", func(i *input) { i.before.SourceID = "t" }, true, false, plan.WhyNew},
		{"of another store", func(i *input) { i.before.Store = "workspace/w" }, true, false, plan.WhyNew},
		{"rows replaced", func(i *input) { i.conv.Fingerprint = "others" }, true, true, "new"},
		{"rows without rowids", func(i *input) { i.conv.Fingerprint = "" }, true, true, "new"},
		{"a fingerprint that was lost with a damaged page", func(i *input) { i.before.RowsHash = "" }, true, true,
			"new"},
		{"the raw layer may lack something of it", func(i *input) { i.before.IsUnsure = true }, true, true, "new"},
		{"an editor has it now, too", func(i *input) { i.conv.Elsewhere = true }, true, true, "new"},
		{"an editor had it, too", func(i *input) { i.before.IsElsewhere = true }, true, true, "new"},
		{"its store lost its rows, and a workspace has a copy", func(i *input) { i.conv.IsCopied = true }, true, true,
			"new"},
		{"it is in a list no longer", func(i *input) { i.before.IsListed = true }, true, true, "new"},
		{"sizes as they were", func(i *input) { i.conv.Sizes = "sizes" }, false, true, "new"},
		{"another size", func(i *input) { i.conv.Sizes = "others" }, true, true, "new"},
		{"content as it was", func(i *input) { i.conv.Content = "content" }, false, true, "new"},
		{"other content under the same rowids and sizes",
			func(i *input) { i.conv.Sizes, i.conv.Content = "sizes", "other" }, true, true, "new"},
		{"another title", func(i *input) { i.facts = "other facts of " }, true, true, "new"},
		{"another title, but what is shared is as it was",
			func(i *input) { i.facts, i.source.SharedSame = "other facts of ", true }, false, true, "new"},
		{"the store's file is another", func(i *input) { i.source.Forced["global"] = true }, true, true, "new"},
		{"the file of another store is another", func(i *input) { i.source.Forced["workspace/w"] = true }, false, true,
			"new"},
		{"another file, though what is shared is as it was",
			func(i *input) { i.source.Forced["global"], i.source.SharedSame = true, true }, true, true, "new"},
		{"--full", func(i *input) { i.source.Wanted.Full = true }, true, false, plan.WhyFull},
		{"read by another version", func(i *input) { i.before.TransformVersion = transform.Version - 1 }, true, false,
			plan.WhyVersion},
		{"read by another version, though what is shared is as it was", func(i *input) {
			i.before.TransformVersion, i.source.SharedSame = transform.Version-1, true
		}, true, false, plan.WhyVersion},
		{"in the part that is read in full", func(i *input) { i.source.Wanted.Part = &plan.Part{Nth: 0, Of: 1} }, true,
			true, "new"},
		{"not in the part that is read in full", func(i *input) { i.source.Wanted.Part = &plan.Part{Nth: 1, Of: 1} },
			false, true, "new"},
	} {
		before := alpha()
		i := input{&before, extract.Conversation{Store: "global", ID: "alpha", Fingerprint: "rows"}, "facts of ",
			known()}
		test.change(&i)
		if i.before != nil {
			i.source.State.Known = known(*i.before).State.Known
		}
		decision := i.source.Conversation(&i.conv, func(workspace string) string { return i.facts + workspace })
		if decision.Read != test.read || decision.Known != test.known || decision.Why != test.why {
			t.Errorf("%s: read %v, known %v, %q; want %v, %v, %q", test.name, decision.Read, decision.Known,
				decision.Why, test.read, test.known, test.why)
		}
		want := schema.OwnerKey{SourceID: "s", Store: "global", Kind: schema.KindConversation, ID: "alpha"}
		if decision.Key != want {
			t.Errorf("%s: its key is %v", test.name, decision.Key)
		}
	}
}

// TestAfter: why a conversation is loaded once it was read.
func TestAfter(t *testing.T) {
	t.Parallel()
	elsewhere, emptied, lost := alpha(), alpha(), alpha()
	elsewhere.IsElsewhere, emptied.IsEmptied, lost.IsLost = true, true, true
	for _, before := range []schema.Owner{elsewhere, emptied, lost} {
		decision := plan.Decision{Before: before, Known: true}
		if got := decision.After(&extract.Conversation{Fingerprint: "rows"}, alpha(),
			decision.SameRows("content")); got != plan.WhyFacts {
			t.Errorf("%+v: %q, want %q", before, got, plan.WhyFacts)
		}
	}
	if decision := (plan.Decision{Before: alpha()}); !decision.SameRows("") || decision.SameRows("c") {
		t.Error("rows that could not all be read cannot be said to differ, and others differ")
	}
	for _, test := range []struct {
		name, rows, content, facts string
		known                      bool
		want                       string
	}{
		{"rows were replaced and say the same", "others", "content", "facts of w", true, ""},
		{"as it was", "rows", "content", "facts of w", true, ""},
		{"as it was, but not to be compared with", "rows", "content", "facts of w", false, plan.WhyFull},
		{"another title", "rows", "content", "other", true, plan.WhyFacts},
		{"rows were replaced, and another title", "others", "content", "other", true, plan.WhyFacts},
		{"rows were replaced", "others", "other", "facts of w", true, plan.WhyRows},
		{"rows were overwritten under their old rowids", "rows", "other", "facts of w", true, plan.WhyInPlace},
	} {
		decision := plan.Decision{Before: alpha(), Known: test.known, Why: plan.WhyFull}
		conv := &extract.Conversation{Fingerprint: test.rows}
		if got := decision.After(conv, schema.Owner{ContentHash: test.content, FactsHash: test.facts},
			decision.SameRows(test.content)); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestTrusted: when no shared fact has to be looked up.
func TestTrusted(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*plan.Source){
		"what is shared is another": func(s *plan.Source) { s.SharedSame = false },
		"--full":                    func(s *plan.Source) { s.Wanted.Full = true },
		"--since":                   func(s *plan.Source) { s.Wanted.Since = &s.Wanted.Now },
		"--until":                   func(s *plan.Source) { s.Wanted.Until = &s.Wanted.Now },
		"--project":                 func(s *plan.Source) { s.Wanted.Projects = []string{"p"} },
		"a gap in the raw layer":    func(s *plan.Source) { s.RawMayLack = true },
		"a part to compare":         func(s *plan.Source) { s.Wanted.Part = &plan.Part{Of: 2} },
		"a store with another file": func(s *plan.Source) { s.Forced["global"] = true },
	} {
		s := known()
		s.SharedSame = true
		if !s.Trusted() {
			t.Fatal("it is not trusted where nothing is said against it")
		}
		if change(s); s.Trusted() {
			t.Errorf("%s: it is trusted", name)
		}
	}
}

// TestSameVersion: what stands for shared rows may be of any version, conversations and rows without one not.
func TestSameVersion(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		source string
		kind   schema.OwnerKind
		want   bool
	}{
		{"s", schema.KindConversation, false}, {"s", schema.KindLoose, false}, {"t", schema.KindConversation, true},
		{"s", schema.KindShared, true}, {"s", schema.KindSharedTables, true}, {"s", schema.KindFamily, true},
	} {
		s := known(alpha(), schema.Owner{SourceID: test.source, Store: "global", Kind: test.kind, ID: "beta",
			TransformVersion: transform.Version + 1})
		if got := s.SameVersion(); got != test.want {
			t.Errorf("%s of %s is of another version: %v, want %v", test.kind, test.source, got, test.want)
		}
	}
}

// TestOwnerNames: no id of a conversation is the name of another owner.
func TestOwnerNames(t *testing.T) {
	t.Parallel()
	for _, kind := range []schema.OwnerKind{schema.KindLoose, schema.KindShared, schema.KindSharedTables,
		schema.KindFamily} {
		for _, store := range []string{extract.GlobalStore, extract.WorkspaceStore("w"), extract.UsageStore} {
			for _, id := range []string{"", "alpha", "a/b)"} {
				k := schema.OwnerKey{SourceID: "s", Store: store, Kind: kind, ID: id}
				if extract.IsConversationID(k.Name()) {
					t.Errorf("%+v is called %q, which may be a conversation", k, k.Name())
				}
			}
		}
	}
}

// TestWithin: which times are wanted.
func TestWithin(t *testing.T) {
	t.Parallel()
	early, middle, late := now-2*day, now-day, now
	for _, test := range []struct {
		since, until, last *schema.Millis
		want               bool
	}{
		{nil, nil, nil, true}, {nil, nil, &middle, true},
		{&middle, nil, nil, false}, {nil, &middle, nil, false},
		{&middle, nil, &early, false}, {&middle, nil, &middle, true}, {&middle, nil, &late, true},
		{nil, &middle, &early, true}, {nil, &middle, &middle, false}, {nil, &middle, &late, false},
		{&early, &late, &middle, true},
	} {
		if got := (load.Limits{Since: test.since, Until: test.until}).Within(test.last); got != test.want {
			t.Errorf("%v: %v", test, got)
		}
	}
}

// TestCopies: the known conversations that only shared rows hold, and those that the global store has.
func TestCopies(t *testing.T) {
	t.Parallel()
	copied := schema.Owner{Store: "workspace/w", Kind: schema.KindConversation, ID: "beta", IsCopied: true}
	foreign := copied
	foreign.SourceID, foreign.ID = "t", "gamma"
	s := known(alpha(), copied, foreign)
	if got := s.Copies(); len(got) != 1 || got[0].ID != "beta" {
		t.Errorf("copies: %v", got)
	}
	if !s.KnownInGlobal("alpha") || s.KnownInGlobal("beta") {
		t.Error("alpha is known of the global store, and beta is not")
	}
}
