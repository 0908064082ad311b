package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"pipeline/load"
	"pipeline/sql"
)

// TestAnswersOnDemo: every answer has something to say of the invented history.
func TestAnswersOnDemo(t *testing.T) {
	warehouse := demoWarehouse(t)
	for _, answer := range sql.Answers() {
		got, err := load.Query(context.Background(), warehouse, "SELECT count(*) FROM "+answer.Name)
		if err != nil {
			t.Errorf("%s: %v", answer.Name, err)
			continue
		}
		if fmt.Sprint(got.Rows) == "[[0]]" {
			t.Errorf("%s has no row", answer.Name)
		}
	}
}

// demoWarehouse loads the invented history into a new warehouse.
func demoWarehouse(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	warehouse := filepath.Join(dir, "w.duckdb")
	for _, args := range [][]string{
		{"pipeline", "demo", "--out", filepath.Join(dir, "demo")},
		{"pipeline", "run", "--quiet", "--source", "demo=" + filepath.Join(dir, "demo"), "--warehouse", warehouse},
	} {
		var out, errs bytes.Buffer
		if code := realMain(args, &out, &errs); code != 0 {
			t.Fatalf("%v: exit %d\n%s", args, code, errs.String())
		}
	}
	return warehouse
}
