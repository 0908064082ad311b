package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
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

// demoWarehouse copies the warehouse of the invented history, with its raw layer, into a new folder.
func demoWarehouse(t *testing.T) string {
	t.Helper()
	demo.once.Do(func() { demo.err = demo.make() })
	if demo.err != nil {
		t.Fatal(demo.err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(demo.dir)); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "w.duckdb")
}

// demo is a folder with the invented history and its warehouse. The tests of one process share it: each takes a copy.
var demo sharedDemo

type sharedDemo struct {
	once sync.Once
	dir  string
	err  error
}

func (d *sharedDemo) make() (err error) {
	if d.dir, err = os.MkdirTemp("", "pipeline-demo"); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"pipeline", "demo", "--out", filepath.Join(d.dir, "demo")},
		{"pipeline", "run", "--quiet", "--source", "demo=" + filepath.Join(d.dir, "demo"), "--warehouse", filepath.Join(d.dir, "w.duckdb")},
	} {
		var out, errs bytes.Buffer
		if code := realMain(args, &out, &errs); code != 0 {
			return fmt.Errorf("%v: exit %d\n%s", args, code, errs.String())
		}
	}
	return nil
}

// A sharing runs the tests, and then removes what they share.
type sharing struct{ *testing.M }

func (m sharing) Run() int {
	code := m.M.Run()
	if demo.dir != "" {
		_ = os.RemoveAll(demo.dir)
	}
	return code
}
