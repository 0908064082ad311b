package warehouse_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pipeline/load/engine"
	"pipeline/load/reader"
	"pipeline/load/warehouse"
)

// killedAfterCommit loads a warehouse n times, the last time in a process that is killed when the load is in the log
// alone. It also gives the file as it was before each load but the first.
func killedAfterCommit(t *testing.T, n int) (path string, earlier []string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "w.duckdb")
	for range n - 1 {
		mustLoad(t, path, nil)
		before := filepath.Join(t.TempDir(), "w"+strconv.Itoa(len(earlier)))
		copyFile(t, path, before)
		earlier = append(earlier, before)
	}
	p := other(t, "commit", path)
	if p.said != "ready" {
		t.Fatal(p.said)
	}
	p.kill()
	if info, err := os.Stat(path + ".wal"); err != nil || info.Size() == 0 {
		t.Fatalf("no log is left: %v", err)
	}
	return path, earlier
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err := errors.Join(err, os.WriteFile(to, b, 0o600)); err != nil {
		t.Fatal(err)
	}
}

// TestForeignLog: a log is taken in by the file that it belongs to, and by no other one, whoever opens it: all
// warehouses come out of one template, and the engine plays in whatever lies there.
func TestForeignLog(t *testing.T) {
	t.Parallel()
	killed, earlier := killedAfterCommit(t, 3)
	for _, test := range []struct {
		name  string
		spoil func(t *testing.T, path string)
		loads int64  // that are there then
		says  string // "": it is taken in, or left out
	}{
		{name: "its own", loads: 3, spoil: func(*testing.T, string) {}},
		{name: "its own, beside the state before it", loads: 3,
			spoil: func(t *testing.T, path string) { copyFile(t, earlier[1], path) }},
		{name: "cut off before its end", loads: 2, spoil: func(t *testing.T, path string) {
			b, err := os.ReadFile(path + ".wal")
			if err := errors.Join(err, os.Truncate(path+".wal", int64(len(b)/2))); err != nil {
				t.Fatal(err)
			}
		}},
		{name: "garbage", loads: 2, spoil: func(t *testing.T, path string) {
			if err := os.WriteFile(path+".wal", []byte(strings.Repeat("no log", 1000)), 0o600); err != nil {
				t.Fatal(err)
			}
		}},
		{name: "that of the load after next", says: "does not belong to",
			spoil: func(t *testing.T, path string) { copyFile(t, earlier[0], path) }},
		{name: "that of another warehouse", says: "does not belong to",
			spoil: func(t *testing.T, path string) {
				another, _ := killedAfterCommit(t, 3)
				copyFile(t, another+".wal", path+".wal")
			}},
		{name: "that of no warehouse", says: "does not belong to", spoil: func(t *testing.T, path string) {
			database := filepath.Join(t.TempDir(), "own.duckdb")
			if p := other(t, "own", database); p.said != "ready" {
				t.Fatal(p.said)
			} else {
				p.kill()
			}
			copyFile(t, database+".wal", path+".wal")
		}},
		{name: "without its file", says: "is missing, and its log", spoil: func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(filepath.Dir(killed))); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, filepath.Base(killed))
			test.spoil(t, path)
			if test.says == "" {
				if n := ask(t, path, `SELECT count(*) FROM loads`)[0][0]; n != test.loads {
					t.Errorf("a reader sees %v loads, want %d", n, test.loads)
				}
				mustLoad(t, path, nil)
				if n := ask(t, path, `SELECT count(*) FROM loads`)[0][0]; n != test.loads+1 {
					t.Errorf("%v loads after one more, want %d", n, test.loads+1)
				}
				return
			}
			before := filesBeside(t, path)
			_, asked := reader.Query(t.Context(), path, `SELECT 1`)
			_, opened := warehouse.Open(t.Context(), path)
			_, anew := warehouse.OpenAnew(t.Context(), path)
			for i, err := range []error{asked, opened, anew} {
				if err == nil || !strings.Contains(err.Error(), test.says) || engine.Remedy(err) == "" {
					t.Errorf("way %d: got %v", i, err)
				}
			}
			if after := filesBeside(t, path); after != before {
				t.Errorf("before:\n%s\nafter:\n%s", before, after)
			}
		})
	}
}

// filesBeside are the names and sizes of the files in a warehouse's folder, without its lock.
func filesBeside(t *testing.T, path string) (list string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(e.Name(), ".lock") {
			list += e.Name() + " " + strconv.FormatInt(info.Size(), 10) + "\n"
		}
	}
	return list
}

// TestReplacedLog: a warehouse that takes the place of one with a log has none, whether the old file can still take its
// log in or is damaged.
func TestReplacedLog(t *testing.T) {
	t.Parallel()
	for _, damaged := range []bool{false, true} {
		path, _ := killedAfterCommit(t, 2)
		if damaged {
			if err := os.WriteFile(path, []byte(strings.Repeat("damaged", 1<<16)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		w, err := warehouse.OpenAnew(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.Place(), w.Close()); err != nil {
			t.Fatal(err)
		}
		if list := filesBeside(t, path); strings.Contains(list, ".wal") {
			t.Errorf("damaged %t: there are\n%s", damaged, list)
		}
		if n := ask(t, path, `SELECT count(*) FROM loads`)[0][0]; n != int64(0) {
			t.Errorf("damaged %t: %v loads in the new file", damaged, n)
		}
	}
}
