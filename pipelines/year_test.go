package pipelines_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"pipeline/extract/storetest"
)

// TestYear compares the warehouse of a developer's year with what was planned before anything was written, as TestIndependentFigures does with histories of odd rows.
func TestYear(t *testing.T) {
	concurrent(t)
	dir := t.TempDir()
	user := filepath.Join(dir, "User")
	year := storetest.NewYear(storetest.YearOptions{Seed: 1, Root: "/home/mira/src"})
	must(t, year.Write(user))
	result := mustRun(t, options(t, dir, user))
	for _, f := range result.Failures {
		t.Errorf("check %s failed: %s", f.Check, f.First)
	}
	w := open(t, result.Warehouse)
	for _, q := range year.Want().Queries() {
		if diff := cmp.Diff(q.Rows, query(t, w, q.SQL), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s differs (-plan +warehouse):\n%s\n%s", q.Name, shorten(diff), q.SQL)
		}
	}
}
