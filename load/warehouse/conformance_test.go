package warehouse_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"pipeline/load/reader"
	"pipeline/load/sinktest"
	"pipeline/load/warehouse"
)

func TestConformance(t *testing.T) {
	sinktest.Run(t, func(t *testing.T) sinktest.Store {
		path := filepath.Join(t.TempDir(), "warehouse.duckdb")
		return sinktest.Store{
			Open:  func(ctx context.Context) (*warehouse.Warehouse, error) { return warehouse.Open(ctx, path) },
			Query: func(t *testing.T, query string) [][]string { return queryCopy(t, path, query) },
		}
	})
}

// queryCopy asks a copy of the warehouse: what a crash at this moment would leave. It is nil where there is none yet.
func queryCopy(t *testing.T, path, query string) [][]string {
	t.Helper()
	scratch := filepath.Join(t.TempDir(), "copy.duckdb")
	for _, suffix := range []string{"", ".wal"} {
		b, err := os.ReadFile(path + suffix)
		switch {
		case errors.Is(err, fs.ErrNotExist) && suffix == "":
			return nil
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			t.Fatal(err)
		}
		if err := os.WriteFile(scratch+suffix, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cells(t, scratch, query)
}

// cells runs a query on a warehouse and returns its cells as text.
func cells(t *testing.T, path, query string) [][]string {
	t.Helper()
	answer, err := reader.Query(context.WithoutCancel(t.Context()), path, query)
	if err != nil {
		t.Fatalf("%v\n%s", err, query)
	}
	out := make([][]string, len(answer.Rows))
	for i, row := range answer.Rows {
		for _, v := range row {
			out[i] = append(out[i], reader.Text(v))
		}
	}
	return out
}
