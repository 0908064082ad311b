package clitest_test

import (
	"os"
	"path/filepath"
	"testing"

	"pipeline/testdata/gen/clitest"
)

func TestMain(m *testing.M) {
	clitest.Main()
	os.Exit(m.Run())
}

// TestLive: a command line holds its store open and appends; when it stops, nothing is beside the store, and when it is
// killed, its -wal is.
func TestLive(t *testing.T) {
	t.Parallel()
	for _, end := range []struct {
		name string
		how  func(*clitest.Writer) error
		left bool
	}{{"stopped", (*clitest.Writer).Stop, false}, {"killed", (*clitest.Writer).Kill, true}} {
		t.Run(end.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			w, err := clitest.Live(dir)
			must(t, err)
			store := filepath.Join(folder(dir, w.Home().Chats[0]), "store.db")
			for turns := 1; turns < 4; turns++ {
				if found := read(t, store); head(t, found)["latestRootBlobId"] != w.Home().Want().
					Conversations[0]["root_blob"] {
					t.Errorf("%d turns: the store names another root", turns)
				}
				if n := len(w.Home().Want().Messages); n != turns*3 {
					t.Errorf("%d turns: %d messages", turns, n)
				}
				if _, err := os.Stat(store + "-wal"); err != nil {
					t.Errorf("%d turns: the store is not held open: %v", turns, err)
				}
				must(t, w.Append())
			}
			must(t, end.how(w))
			if _, err := os.Stat(store + "-wal"); (err == nil) != end.left {
				t.Errorf("a -wal is left: %v", err)
			}
			fresh := t.TempDir()
			must(t, w.Home().Write(fresh))
			if got, want := read(t, store), read(t,
				filepath.Join(folder(fresh, w.Home().Chats[0]), "store.db")); len(got.blobs) != len(want.blobs) ||
				got.meta["0"] != want.meta["0"] {
				t.Errorf("the store has %d blobs, want %d", len(got.blobs), len(want.blobs))
			}
		})
	}
}
