package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"pipeline/load/reader"
	"pipeline/sql"
)

// needGit are the answers about commits: the invented history has no repositories, and no account of who wrote what. The script git.txt and
// TestTracking ask them.
var needGit = []string{"commit_prompts", "commits_per_session", "commit_share", "commit_attribution", "ai_code_by_model"}

// TestAnswersOnDemo: every answer has something to say of the invented history.
func TestAnswersOnDemo(t *testing.T) {
	warehouse := demoWarehouse(t)
	for _, answer := range sql.Answers() {
		got, err := reader.Query(context.Background(), warehouse, "SELECT count(*) FROM "+answer.Name)
		if err != nil {
			t.Errorf("%s: %v", answer.Name, err)
			continue
		}
		if fmt.Sprint(got.Rows) == "[[0]]" != slices.Contains(needGit, answer.Name) {
			t.Errorf("%s has %v rows", answer.Name, got.Rows)
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
