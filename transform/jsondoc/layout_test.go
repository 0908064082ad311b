package jsondoc

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestLayouts: members are found by their names whatever was read before: objects of the same names, of the same first
// ones, of others, and of too many.
func TestLayouts(t *testing.T) {
	t.Parallel()
	memory := &Documents{}
	odd := &Picker{func(name []byte) (int, bool) { return len(name), len(name)%2 == 1 }}
	check := func(names ...string) {
		t.Helper()
		memory.Reset()
		var text []string
		var picked, wantPicked []string
		want := map[string]string{}
		for i, name := range names {
			text = append(text, fmt.Sprintf("%q:[%d]", name, i))
			want[name] = fmt.Sprintf("[%d]", i)
			if len(name)%2 == 1 {
				wantPicked = append(wantPicked, fmt.Sprintf("%d [%d]", len(name), i))
			}
		}
		o, err := memory.ParseObject([]byte("{" + strings.Join(text, ",") + "}"))
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range want {
			if got := o.Get(name).String(); got != value {
				t.Fatalf("%v: %s is %s, want %s", names, name, got, value)
			}
		}
		if o.Get("absent").Exists() {
			t.Fatalf("%v: there is a member that is absent", names)
		}
		for number, member := range o.Picked(odd) {
			picked = append(picked, fmt.Sprint(number, " ", member))
		}
		if !slices.Equal(picked, wantPicked) {
			t.Fatalf("%v: picked %v, want %v", names, picked, wantPicked)
		}
	}
	check("a", "bb", "c", "dd", "e", "ff")
	check("a", "bb", "c", "dd", "e", "ff")
	check("a", "bb", "c", "dd", "other")
	check("a", "bb", "c", "dd", "e")
	check("a", "bb", "a", "bb", "c", "a")
	check()
	data := func(from, count int) (names []string) {
		for i := range count {
			names = append(names, fmt.Sprintf("name%d", from+i))
		}
		return names
	}
	for _, count := range []int{mostMembers - 1, mostMembers, mostMembers + 1, 2 * mostMembers} {
		check(data(0, count)...)
	}
	for i := range 2 * mostLayouts {
		check(data(i, 10)...)
		if len(memory.layouts.known) > mostLayouts {
			t.Fatalf("%d layouts are remembered", len(memory.layouts.known))
		}
	}
	check("a", "bb", "c", "dd", "e", "ff")
}
