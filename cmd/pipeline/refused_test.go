package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pipeline/cmd/pipeline/internal/runlog"
	"pipeline/testdata/gen/storetest"
)

// TestRefusedRuns: a run that is refused for what lies where it would write is noted beside a warehouse that is in use,
// and status tells of it; one with a mistake in its arguments is not, nor one that would change nothing. Where no run
// was ever noted nothing is made.
func TestRefusedRuns(t *testing.T) {
	t.Parallel()
	w := newCLITest(t)
	w.store(talk("a", "hello"), storetest.StoreOptions{})
	file, mine := filepath.Join(w.dir, "file"), filepath.Join(w.dir, "mine")
	w.must(os.WriteFile(file, []byte("a diary"), 0o600))
	w.must(os.Mkdir(mine, 0o700))
	w.must(os.WriteFile(filepath.Join(mine, "current"), []byte("a diary"), 0o600))
	asks := func(args ...string) (said string) {
		t.Helper()
		_, said = w.does(exitUsage,
			append([]string{"run", "--quiet", "--source", "test=" + w.user, "--warehouse", w.warehouse}, args...)...)
		return said
	}
	before := filesIn(t, w.dir)
	asks("--parquet", file)
	w.same("the files, where no run was noted", before, filesIn(t, w.dir))
	w.run(0)
	noted := func() (runs []runlog.Run) {
		t.Helper()
		runs, err := runlog.Read(w.warehouse, 100)
		w.must(err)
		return runs
	}
	n := len(noted())
	for _, args := range [][]string{{"--parquet", "published", "--parquet-keep", "soon"}, {"--session-gap", "x"},
		{"--since", "whenever", "--log", "none", "--dry-run"}, {"--parquet", file, "--dry-run"}} {
		asks(args...)
		w.same("runs noted after "+strings.Join(args, " "), n, len(noted()))
	}
	w.must(os.RemoveAll(w.warehouse + ".search"))
	w.must(os.Mkdir(w.warehouse+".search", 0o700))
	for _, test := range []struct {
		what, says string
		args       []string
	}{
		{"a folder in the place of the search index", w.warehouse + ".search is a folder", nil},
		{"a file in the place of publications", file + " is a file", []string{"--parquet", file}},
		{"a folder with another's current", mine, []string{"--parquet", mine}},
		{"a report among Cursor's files", w.user, []string{"--report", filepath.Join(w.user, "r.html")}},
		{"a log among Cursor's files", w.user, []string{"--log", filepath.Join(w.user, "log")}},
		{"a log that is a folder", mine + " is a folder", []string{"--log", mine}},
	} {
		said := asks(test.args...)
		runs := noted()
		n++
		if w.same("runs noted of "+test.what, n, len(runs)); len(runs) == 0 {
			continue
		}
		if last := runs[0]; last.ExitCode == nil || *last.ExitCode != exitUsage ||
			!strings.Contains(last.Error, test.says) || !strings.Contains(said, last.Error) {
			t.Errorf("%s: noted %+v, said %s", test.what, last, said)
		}
		if strings.Contains(test.what, "search") {
			w.must(os.Remove(w.warehouse + ".search"))
		}
	}
	if _, err := os.Stat(filepath.Join(w.user, "log")); err == nil {
		t.Error("a log was made among Cursor's files")
	}
	if printed, _ := w.does(0, "status", "--warehouse", w.warehouse); !strings.Contains(printed, "failed (exit 2)") ||
		!strings.Contains(printed, "6 runs in a row") {
		t.Errorf("status: %s", printed)
	}
}
