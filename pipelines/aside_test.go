package pipelines_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"pipeline/pipelines"
	"pipeline/transform"
)

// TestAsideBesideWarehouse: rows that wait for their order leave nothing beside the warehouse, whatever its name is,
// and a dry run leaves nothing at all.
func TestAsideBesideWarehouse(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	baseUserDir().write(t, l.user)
	little := func(o *pipelines.Options) {
		o.Hold(1)
		o.Warehouse = filepath.Join(l.dir, "ware[h]ouse*.duckdb")
	}
	if _, err := pipelines.DryRun(t.Context(), l.options(little)); err != nil {
		t.Fatal(err)
	}
	l.run(baseUserDir(), little)
	for name := range l.files() {
		if strings.Contains(name, "rows") {
			t.Errorf("%s is left behind", name)
		}
	}
}

// TestNoAside: without a place for rows that wait there is an error that says so, and no load without them. The store
// is not to blame.
func TestNoAside(t *testing.T) {
	l := newFixture(t)
	baseUserDir().write(t, l.user)
	none := filepath.Join(l.dir, "none")
	t.Setenv("TMPDIR", none)
	t.Setenv("TMP", none)
	_, err := pipelines.DryRun(t.Context(), l.options(func(o *pipelines.Options) { o.Hold(1) }))
	if aside := new(transform.AsideError); !errors.As(err, &aside) || !strings.Contains(err.Error(), none) {
		t.Errorf("a run that can set no rows aside: %v", err)
	}
	if blamed := new(pipelines.SourceError); errors.As(err, &blamed) {
		t.Errorf("the source is said not to be readable: %v", err)
	}
}
