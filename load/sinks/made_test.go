package sinks_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"pipeline/load/sinks"
)

// testMade: what this program has made in a folder is removed, and nothing that somebody else has put there.
func testMade(t *testing.T, c *sinkCase) {
	wants := func(what string, publications, foreign int) {
		t.Helper()
		if made, err := c.Target.Made(); err != nil || len(made.Publications) != publications || len(made.Foreign) != foreign || (made.Bytes > 0) != (publications > 0) {
			t.Errorf("%s: %+v %v, want %d publications and %d others", what, made, err, publications, foreign)
		}
	}
	removed := func() {
		t.Helper()
		if err := c.Target.Remove(t.Context()); err != nil {
			t.Error(err)
		}
	}
	wants("no folder", 0, 0)
	removed()
	mine := filepath.Join(c.Dir, "mine.txt")
	if err := errors.Join(os.MkdirAll(filepath.Join(c.Dir, "v-00000009"), 0o700), os.WriteFile(mine, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	wants("a folder of somebody else", 0, 0)
	removed()
	c.wantFolders("mine.txt", "v-00000009")

	c.Keep = sinks.DefaultKeep
	c.loads(map[string]string{"2025-03": "x"})
	c.publish(1)
	c.loads(map[string]string{"2025-03": "y"})
	c.publish(2)
	if err := os.WriteFile(filepath.Join(c.Dir, "v-00000001", "added.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	wants("two, and to one a file was added", 1, 3)
	removed()
	c.wantFolders("mine.txt", "v-00000001", "v-00000009")

	if err := errors.Join(os.Remove(mine), os.RemoveAll(filepath.Join(c.Dir, "v-00000001")), os.Remove(filepath.Join(c.Dir, "v-00000009"))); err != nil {
		t.Fatal(err)
	}
	c.publish(2)
	removed()
	if _, err := os.Stat(c.Dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}
}
