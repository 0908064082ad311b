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
		c := &copied{path: path}
		t.Cleanup(c.end)
		return sinktest.Store{
			Open:  func(ctx context.Context) (*warehouse.Warehouse, error) { return warehouse.Open(ctx, path) },
			Query: c.query,
		}
	})
}

// copied is a warehouse of which copies are asked: each is what a crash at that moment would leave. A copy stays open
// for more questions until the warehouse's files are others.
type copied struct {
	path  string
	files [2]string
	*reader.Reader
}

// end closes the copy that is open.
func (c *copied) end() {
	if c.Reader != nil {
		_ = c.Close()
	}
}

// query asks a copy. Its answer is nil where there is no warehouse yet.
func (c *copied) query(t *testing.T, query string) [][]string {
	t.Helper()
	var files [2]string
	for i, suffix := range []string{"", ".wal"} {
		b, err := os.ReadFile(c.path + suffix)
		switch {
		case errors.Is(err, fs.ErrNotExist) && suffix == "":
			return nil
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			t.Fatal(err)
		}
		files[i] = string(b)
	}
	if c.Reader == nil || c.files != files {
		c.end()
		scratch := filepath.Join(t.TempDir(), "copy.duckdb")
		err := os.WriteFile(scratch, []byte(files[0]), 0o600)
		if files[1] != "" {
			err = errors.Join(err, os.WriteFile(scratch+".wal", []byte(files[1]), 0o600))
		}
		if err != nil {
			t.Fatal(err)
		}
		if c.Reader, err = reader.Open(t.Context(), scratch); err != nil {
			t.Fatal(err)
		}
		c.files = files
	}
	answer, err := c.Query(t.Context(), query)
	if err != nil {
		t.Fatalf("%v\n%s", err, query)
	}
	return texts(answer)
}

// cells runs a query on a warehouse and returns its cells as text.
func cells(t *testing.T, path, query string) [][]string {
	t.Helper()
	answer, err := reader.Query(context.WithoutCancel(t.Context()), path, query)
	if err != nil {
		t.Fatalf("%v\n%s", err, query)
	}
	return texts(answer)
}

func texts(answer *reader.Answer) [][]string {
	out := make([][]string, len(answer.Rows))
	for i, row := range answer.Rows {
		for _, v := range row {
			out[i] = append(out[i], reader.Text(v))
		}
	}
	return out
}
