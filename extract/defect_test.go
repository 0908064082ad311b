package extract

import (
	"path/filepath"
	"strings"
	"testing"

	"pipeline/testdata/gen/storetest"
)

// TestDefect: a store over which this program fails counts as damaged, and the error says where in the program that
// was.
func TestDefect(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.vscdb")
	if err := storetest.WriteStore(path, []storetest.Row{{Key: "bubbleId:a:b", Value: `{}`}},
		storetest.StoreOptions{}); err != nil {
		t.Fatal(err)
	}
	o := OpenOptions{Depth: func(string, string) Depth {
		var none []Depth
		return none[1]
	}}
	_, err := readStore(t.Context(), storeLocation{name: GlobalStore, path: path}, o, storeOptions{})
	if !IsDamage(err) {
		t.Fatal(err)
	}
	for _, want := range []string{path, "an error in this program: ", "index out of range [1]",
		"at extract.TestDefect."} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v: does not say %q", err, want)
		}
	}
}
