package scratch

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

const prefix = "pipeline-test-"

// TestSweep: folders of processes that were killed go at once when the next is made; those of processes that go on
// stay, and so does, however old it is, a folder of another name that begins like theirs, or with their name, with
// files and without the lock of one.
func TestSweep(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	old := time.Now().Add(-2 * time.Hour)
	for name, at := range map[string]time.Time{"1/" + lockName: time.Now(), "1/state.vscdb": time.Now(),
		"2024/thesis.txt": old, "3/lock": old, "4/": old, "other-5/": old, "other-6/" + lockName: old} {
		path := temp + "/" + prefix + name
		folder, empty := strings.CutSuffix(path, "/")
		if !empty {
			folder = filepath.Dir(path)
		}
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if empty {
			continue
		}
		if err := errors.Join(os.WriteFile(path, []byte("a copy"), 0o600), os.Chtimes(path, at, at),
			os.Chtimes(filepath.Dir(path), at, at)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Mkdir(filepath.Join(temp, "another"), 0o700),
		os.WriteFile(filepath.Join(temp, prefix+"file"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	held, err := New("", prefix)
	if err != nil {
		t.Fatal(err)
	}
	Sweep(temp, prefix)
	left, err := filepath.Glob(filepath.Join(temp, "*"))
	want := []string{filepath.Join(temp, "another"), held.Path(), filepath.Join(temp, prefix+"file"),
		filepath.Join(temp, prefix+"2024"), filepath.Join(temp, prefix+"3"),
		filepath.Join(temp, prefix+"other-5"), filepath.Join(temp, prefix+"other-6")}
	slices.Sort(want)
	if err != nil || !slices.Equal(left, want) {
		t.Errorf("left %v, want %v: %v", left, want, err)
	}
	if err := held.Remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(held.lock.Path()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that was let go is there: %v", err)
	}
}

// TestRemoveLockLast: while a folder is removed, its lock is there as long as anything else is. Without it, what a
// process that is killed then has left is somebody's for an hour.
func TestRemoveLockLast(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	f, err := New("", prefix)
	if err != nil {
		t.Fatal(err)
	}
	dir, lock := f.Path(), f.lock.Path()
	for i := range 5000 {
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	removed := make(chan error, 1)
	go func() { removed <- f.Remove() }()
	for {
		if _, err := os.Lstat(lock); err != nil {
			break
		}
	}
	if left, err := os.ReadDir(dir); err == nil && len(left) > 0 {
		t.Errorf("the lock has gone before %d files", len(left))
	}
	if err := <-removed; err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is there: %v", err)
	}
}
