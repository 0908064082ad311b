package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"pipeline/load/reader"
	"pipeline/testdata/gen/storetest"
)

// needMore are the answers about commits: the invented history has no repositories and no account of who wrote what.
// The script git.txt and TestTracking ask them.
var needMore = []string{"commit_prompts", "commits_per_session", "commit_share", "commit_attribution",
	"ai_code_by_model", "billed_by_commit"}

// openWarehouse opens a warehouse for many queries, until the test ends.
func openWarehouse(t *testing.T, path string) *reader.Reader {
	t.Helper()
	r, err := reader.OpenAny(t.Context(), path)
	must(t, err)
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// demoWarehouse copies the warehouse of the invented history, with its raw layer, into a new folder.
func demoWarehouse(t *testing.T) string {
	t.Helper()
	must(t, loadDemo())
	dir := t.TempDir()
	must(t, os.CopyFS(dir, os.DirFS(demoDir)))
	return filepath.Join(dir, "w.duckdb")
}

// demoDir is the folder with the invented history and its warehouse, which the tests of one process copy. See TestMain.
var demoDir string

// loadDemo fills demoDir, once.
var loadDemo = sync.OnceValue(func() error {
	demo := filepath.Join(demoDir, "demo")
	if err := writeStore(demo, storetest.Options{Seed: 1, Messages: 2000}); err != nil {
		return err
	}
	var out, errs bytes.Buffer
	args := []string{"pipeline", "run", "--quiet", "--source", "demo=" + demo, "--usage", filepath.Join(demo, "usage"),
		"--warehouse", filepath.Join(demoDir, "w.duckdb")}
	if code := realMain(args, &out, &errs); code != 0 {
		return fmt.Errorf("%v: exit %d\n%s", args, code, errs.String())
	}
	return nil
})

// withDemo runs the tests with a folder for the demo, and removes the folder.
type withDemo struct{ *testing.M }

func (m withDemo) Run() int {
	var err error
	if demoDir, err = os.MkdirTemp("", "pipeline-demo"); err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(demoDir) }()
	return m.M.Run()
}
