package storetest

import (
	"reflect"
	"slices"
	"testing"
)

// TestCasesApart: a case is the same in whatever place of the table it is, so a new one changes no other.
func TestCasesApart(t *testing.T) {
	t.Parallel()
	planned := func(table []namedCase) map[string]*conversation {
		p := New(Options{Seed: 1, Messages: 1, NoCases: true})
		p.chats = nil
		p.planCases(table)
		chats := map[string]*conversation{}
		for _, c := range p.chats {
			chats[c.id] = c
		}
		return chats
	}
	reversed := slices.Clone(caseTable)
	slices.Reverse(reversed)
	want, got := planned(caseTable), planned(reversed[1:])
	if len(got) < 100 {
		t.Fatalf("%d conversations", len(got))
	}
	for id, c := range got {
		if !reflect.DeepEqual(want[id], c) {
			t.Errorf("%s (%s) differs", c.title, id)
		}
	}
}
