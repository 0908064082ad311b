package yeartest_test

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pipeline/testdata/gen/storetest"
	"pipeline/testdata/gen/yeartest"
)

// small is a year that is written fast.
var small = yeartest.Options{Seed: 3, Messages: 500}

// written writes a year into an empty folder, and returns a hash of each file.
func written(t *testing.T, dir string, o yeartest.Options) map[string]string {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := yeartest.Write(dir, o); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		files[path] = fmt.Sprintf("%x", sha256.Sum256(b))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestSameSeedSameYear: a seed gives the same bytes in every file, and another one other stores.
func TestSameSeedSameYear(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "demo")
	first, second := written(t, dir, small), written(t, dir, small)
	for path := range first {
		if first[path] != second[path] {
			t.Errorf("%s differs", path)
		}
	}
	if len(first) != len(second) || len(first) < 100 {
		t.Errorf("%d files, then %d", len(first), len(second))
	}
	other := small
	other.Seed = 4
	store := filepath.Join(dir, yeartest.User, "globalStorage", "state.vscdb")
	if written(t, dir, other)[store] == first[store] {
		t.Error("two seeds gave the same store")
	}
}

// TestUntil: a year ends before the day that is asked for.
func TestUntil(t *testing.T) {
	until := time.Date(2027, 2, 1, 0, 0, 0, 0, time.UTC)
	year, err := yeartest.Plan(t.TempDir(), yeartest.Options{Seed: 1, Messages: 1500, Until: until})
	if err != nil {
		t.Fatal(err)
	}
	first, last := until, time.Time{}
	for _, m := range year.Want().Messages {
		at := time.UnixMilli(m.Created)
		if at.Before(first) {
			first = at
		}
		if at.After(last) {
			last = at
		}
	}
	if first.Before(until.AddDate(-1, 0, 0)) || first.After(until.AddDate(-1, 1, 0)) || last.After(until) ||
		last.Before(until.AddDate(0, -1, 0)) {
		t.Errorf("from %v to %v", first, last)
	}
}

// TestRepositories: git finds the commits that were planned in sound repositories, and no change in the files beside
// them.
func TestRepositories(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	written(t, dir, small)
	year, err := yeartest.Plan(dir, small)
	if err != nil {
		t.Fatal(err)
	}
	planned := map[string][]storetest.Commit{}
	for _, c := range year.Commits {
		planned[c.Project] = append(planned[c.Project], c)
	}
	if len(planned) != 6 {
		t.Errorf("commits of %d projects", len(planned))
	}
	for project, commits := range planned {
		slices.SortStableFunc(commits, func(a, b storetest.Commit) int { return int((a.At - b.At) / 1000) })
		var want []string
		for _, c := range commits {
			want = append(want, fmt.Sprintf("%d %s %s", c.At/1000, c.Author, c.Message))
		}
		if got := git(t, dir, project, "log", "--reverse", "--format=%at %an %s"); got != strings.Join(want, "\n") {
			t.Errorf("%s has\n%s\nwant\n%s", project, got, strings.Join(want, "\n"))
		}
		if got := git(t, dir, project, "fsck", "--strict") + git(t, dir, project, "status", "--short"); got != "" {
			t.Errorf("%s: %s", project, got)
		}
		last := commits[len(commits)-1]
		for _, path := range slices.Sorted(maps.Keys(last.Files)) {
			if got := git(t, dir, project, "show", "HEAD:"+path); got != strings.TrimSpace(last.Files[path]) {
				t.Errorf("%s of %s is\n%s", path, project, got)
			}
		}
	}
}

// git runs git in a project's folder.
func git(t *testing.T, dir, project string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", filepath.Join(dir, yeartest.Src, project)}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}
