package pipelines_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"pipeline/extract"
	"pipeline/load/reader"
	"pipeline/pipelines"
	"pipeline/testdata/gen/storetest"
)

// TestIndependentFigures compares the warehouse with what the generator planned before it wrote anything: two readings
// of the data dictionary.
func TestIndependentFigures(t *testing.T) {
	concurrent(t)
	for _, o := range []storetest.Options{
		{Seed: 1, Messages: 1500},
		{Seed: 2, Messages: 1500, WAL: true},
		{Seed: 3, Messages: 1500, PrimaryKey: true},
		{Seed: 4, Messages: 1500, PrimaryKey: true, WAL: true, NoCases: true},
	} {
		if testing.Short() && o.Seed > 1 {
			continue // make test-all takes all seeds
		}
		t.Run(fmt.Sprintf("seed=%d,primaryKey=%v,wal=%v,noCases=%v", o.Seed, o.PrimaryKey, o.WAL,
			o.NoCases), func(t *testing.T) {
			t.Parallel()
			plan := storetest.New(o)
			want := plan.Want()
			dir := t.TempDir()
			user := filepath.Join(dir, "User")
			if err := plan.Write(user); err != nil {
				t.Fatal(err)
			}
			result := mustRun(t, options(t, dir, user))
			for _, f := range result.Failures {
				t.Errorf("check %s failed: %s", f.Check, f.First)
			}
			w := open(t, result.Warehouse)
			for _, q := range want.Queries() {
				if diff := cmp.Diff(q.Rows, query(t, w, q.SQL), cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("%s differs (-plan +warehouse):\n%s\n%s", q.Name, shorten(diff), q.SQL)
				}
			}
			for _, c := range plan.Cases() {
				got := query(t, w, c.WarehouseSQL)
				if len(got) != 1 || len(got[0]) != 1 || got[0][0] != c.WarehouseWant {
					t.Errorf("case %s: got %v, want %s\n%s", c.Name, got, c.WarehouseWant, c.WarehouseSQL)
				}
			}
		})
	}
}

func shorten(s string) string {
	if len(s) > 3000 {
		return s[:3000] + "\n..."
	}
	return s
}

// options are those of a run in tests: one source, fixed names.
func options(t *testing.T, dir, user string) pipelines.Options {
	t.Helper()
	found, err := extract.Resolve("test="+user, extract.Env{OS: "linux", Home: dir})
	if err != nil {
		t.Fatal(err)
	}
	return pipelines.Options{Sources: found, Warehouse: filepath.Join(dir, "w.duckdb"), ToolVersion: "test",
		Host: "host", MachineID: "machine"}
}

func mustRun(t *testing.T, o pipelines.Options) *pipelines.Result {
	t.Helper()
	r, err := pipelines.Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// query returns a query's rows as text, sorted.
func query(t *testing.T, w *reader.Reader, sql string) [][]string {
	t.Helper()
	answer, err := w.Query(context.Background(), sql)
	if err != nil {
		t.Fatalf("%v\n%s", err, sql)
	}
	rows := make([][]string, len(answer.Rows))
	for i, row := range answer.Rows {
		rows[i] = make([]string, len(row))
		for j, v := range row {
			rows[i][j] = reader.Text(v)
		}
	}
	sort.Slice(rows, func(i, j int) bool { return strings.Join(rows[i], "\x00") < strings.Join(rows[j], "\x00") })
	return rows
}

// open opens a warehouse for questions until the test ends.
func open(t *testing.T, warehouse string) *reader.Reader {
	t.Helper()
	r, err := reader.Open(context.Background(), warehouse)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}
