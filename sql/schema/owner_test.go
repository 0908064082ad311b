package schema_test

import (
	"testing"

	"pipeline/sql/schema"
)

// TestOwnerNames: the name of each kind of owner, as files of the raw layer have it, and back.
func TestOwnerNames(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		store, name string
		kind        schema.OwnerKind
		id          string
	}{
		{"global", "alpha", schema.KindConversation, "alpha"},
		{"workspace/w", "alpha", schema.KindConversation, "alpha"},
		{"global", "", schema.KindLoose, ""},
		{"workspace/w", "(workspace/w)", schema.KindLoose, ""},
		{"git/r", "(git/r/2026-03)", schema.KindLoose, "2026-03"},
		{"plans", "(plans/(a)/b).md)", schema.KindLoose, "(a)/b).md"},
		{"ai-tracking", "(ai-tracking/ai_code_hashes/0)", schema.KindLoose, "ai_code_hashes/0"},
		{"workspace/w", "(shared)", schema.KindShared, ""},
		{"global", "(rows)", schema.KindSharedTables, ""},
		{"global", "(kept:agentKv:blob)", schema.KindFamily, "agentKv:blob"},
		// names that no load writes keep their rows together all the same
		{"global", "(x)", schema.KindConversation, "(x)"},
		{"global", "(", schema.KindConversation, "("},
		{"global", "(global)", schema.KindConversation, "(global)"},
		{"workspace/w", "", schema.KindConversation, ""},
	} {
		want := schema.OwnerKey{SourceID: "s", Store: test.store, Kind: test.kind, ID: test.id}
		if got := schema.OwnerNamed("s", test.store, test.name); got != want || got.Name() != test.name {
			t.Errorf("%q of %s: %+v is called %q, want %+v", test.name, test.store, got, got.Name(), want)
		}
	}
}
