package main

import (
	"os"
	"strings"
	"testing"

	"pipeline/extract/storetest"
	"pipeline/load/filelock"
)

// TestUninstallBusy: while a run holds the warehouse nothing is removed.
func TestUninstallBusy(t *testing.T) {
	w := newCLITest(t)
	for _, name := range []string{"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"} {
		t.Setenv(name, "")
	}
	t.Setenv("HOME", w.dir) // nothing of this user is looked at
	w.store(talk("a", "hello"), storetest.StoreOptions{})
	w.run(0)
	w.does(0, "search", "hello", "--warehouse", w.warehouse)
	lock := filelock.New(w.warehouse + ".lock")
	if held, err := lock.TryLock(); err != nil || !held {
		t.Fatal(held, err)
	}
	if _, said := w.runs(75, "uninstall", "--yes", "--data", "--warehouse", w.warehouse); !strings.Contains(said, "a run is under way; nothing was removed") {
		t.Error(said)
	}
	for _, file := range []string{w.warehouse, w.warehouse + ".search", w.warehouse + ".runs"} {
		if _, err := os.Stat(file); err != nil {
			t.Error(err)
		}
	}
	w.must(lock.Close())
}
