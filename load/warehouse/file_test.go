package warehouse_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pipeline/load"
	"pipeline/load/engine"
	"pipeline/load/reader"
	"pipeline/load/warehouse"
	"pipeline/sql/schema"
)

// names lists a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func mustOpen(t *testing.T, path string) *warehouse.Warehouse {
	t.Helper()
	w, err := warehouse.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// openFails opens what must not open, and returns why.
func openFails(t *testing.T, path string) error {
	t.Helper()
	w, err := warehouse.Open(t.Context(), path)
	if err == nil {
		_ = w.Close()
		t.Fatalf("%s opened", path)
	}
	return err
}

// One run at a time, in this process and in another, for a first load and a later one.
func TestLock(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "warehouse.duckdb")
	for range 2 {
		w := mustOpen(t, path)
		if err := openFails(t, path); !errors.Is(err, engine.ErrBusy) || !strings.Contains(err.Error(), path) {
			t.Errorf("a second run in this process: %v", err)
		}
		p := other(t, "open", path)
		p.stop()
		if p.said != "busy" {
			t.Errorf("a second run in another process said: %s", p.said)
		}
		tx, err := beginLoad(t.Context(), w) // the attempts did no harm
		if err != nil {
			t.Fatal(err)
		}
		if err := tx.Commit(t.Context(),
			load.Run{Load: schema.Load{LoadID: 1, Status: "ok", Mode: "first"}}); err != nil {
			t.Fatal(err)
		}
		if err := openFails(t, path); !errors.Is(err, engine.ErrBusy) {
			t.Errorf("the lock must hold until Close: %v", err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	p := other(t, "open", path)
	if p.said != "ready" {
		t.Fatalf("another process said: %s", p.said)
	}
	if err := openFails(t, path); !errors.Is(err, engine.ErrBusy) {
		t.Errorf("while another process holds it: %v", err)
	}
	p.stop()
	mustOpen(t, path)
}

// A reader in another process never fails a load: it goes to a copy that is renamed over the file, and the reader keeps
// the old data.
func TestReader(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "warehouse.duckdb")
	mustLoad(t, path, nil)
	p := other(t, "read", path)
	if p.said != "ready" {
		t.Fatalf("reader: %s", p.said)
	}
	held, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	mustLoad(t, path, nil)
	if n := cells(t, path, `SELECT count(*) FROM loads`); n[0][0] != "2" {
		t.Errorf("loads after one beside a reader: %v", n)
	}
	now, err := os.Stat(path)
	if err != nil || os.SameFile(held, now) {
		t.Errorf("the reader's file was written: %v", err)
	}
	p.stop()
	mustLoad(t, path, nil)
	if n := cells(t, path, `SELECT count(*) FROM loads`); n[0][0] != "3" {
		t.Errorf("loads when the reader is gone: %v", n)
	}
	if left, err := filepath.Glob(path + ".new-*"); len(left) > 0 || err != nil {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// What a killed first load leaves blocks nobody, is no warehouse, and is swept; files with other names stay.
func TestKilledFirstLoad(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "ware[h]ouse*.duckdb")
	neighbour := filepath.Join(dir, "ware[h]ouse-2.duckdb.new-1")
	if err := os.WriteFile(neighbour, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p := other(t, "load", path)
	if p.said != "ready" {
		t.Fatalf("load: %s", p.said)
	}
	p.kill()
	left := names(t, dir)
	if !slices.ContainsFunc(left, func(n string) bool { return strings.HasPrefix(n, filepath.Base(path)+".new-") }) {
		t.Fatalf("a killed load left only %v", left)
	}
	if slices.Contains(left, filepath.Base(path)) {
		t.Fatal("a load that did not commit left a warehouse")
	}
	if err := os.WriteFile(path+".new-1-rows2718", nil, 0o600); err != nil {
		// rows of a large conversation, where an open file cannot be removed
		t.Fatal(err)
	}
	mustLoad(t, path, nil)
	want := []string{filepath.Base(neighbour), filepath.Base(path), filepath.Base(path) + ".lock"}
	slices.Sort(want)
	if got := names(t, dir); !slices.Equal(got, want) {
		t.Errorf("files: %v, want %v", got, want)
	}
}

// A later load that is killed leaves the old state. The next load removes the rows that the engine had put aside, and
// nothing that a reader may have put aside.
func TestKilledLoad(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "warehouse.duckdb")
	mustLoad(t, path, nil)
	p := other(t, "load", path)
	if p.said != "ready" {
		t.Fatalf("load: %s", p.said)
	}
	p.kill()
	if left, err := filepath.Glob(path + ".new-*.tmp/*"); len(left) == 0 || err != nil {
		t.Errorf("the killed load put nothing aside where the next one looks: %v, %v", names(t, filepath.Dir(path)),
			err)
	}
	reader := path + ".tmp"
	if err := os.Mkdir(reader, 0o700); err != nil {
		t.Fatal(err)
	}
	mustLoad(t, path, nil)
	if left := names(t, filepath.Dir(path)); !slices.Equal(left,
		[]string{"warehouse.duckdb", "warehouse.duckdb.lock", "warehouse.duckdb.tmp"}) {
		t.Errorf("left after the next load: %v", left)
	}
	state, err := mustOpen(t, path).State(t.Context())
	if err != nil || state.LastLoadID != 2 || len(state.Sources) != 0 {
		t.Errorf("state after a kill and a load: %+v, %v", state, err)
	}
}

// A first load that ends without a commit leaves nothing but the lock file.
func TestUncommittedFirstLoad(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "warehouse.duckdb")
	w := mustOpen(t, path)
	if _, err := beginLoad(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"warehouse.duckdb.lock"}) {
		t.Errorf("files: %v", got)
	}
	if state, err := warehouse.ReadState(t.Context(), path); err != nil || !state.First {
		t.Errorf("state: %+v, %v", state, err)
	}
}

// A commit leaves one file: no write-ahead log, no scratch.
func TestFilesAfterCommit(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a folder", "that is new")
	path := filepath.Join(dir, "warehouse.duckdb")
	for range 2 {
		mustLoad(t, path, nil)
		if got := names(t, dir); !slices.Equal(got, []string{"warehouse.duckdb", "warehouse.duckdb.lock"}) {
			t.Errorf("files: %v", got)
		}
	}
}

// By itself load makes its folders 0700 and its lock file 0600. The engine's files get what the umask leaves: the
// command sets it to 077.
func TestModes(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new", "folder")
	path := filepath.Join(dir, "warehouse.duckdb")
	mustLoad(t, path, nil)
	parquet := filepath.Join(dir, "parquet")
	if _, err := in(parquet).Publish(t.Context(), path, how()); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{
		dir: 0o700, filepath.Dir(dir): 0o700, path + ".lock": 0o600, parquet: 0o700,
		filepath.Join(parquet, "v-00000001"): 0o700,
	} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got&^want != 0 {
			t.Errorf("%s has mode %o, want %o", name, got, want)
		}
	}
}

// inEngine runs statements on a DuckDB file that is no warehouse of ours, or is one that somebody changed.
func inEngine(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("duckdb", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// What is no warehouse of this version is refused: the message names the file and the remedy, the file keeps its bytes,
// and nothing is left.
func TestRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, test := range []struct {
		name string
		make func(path string)
		want []string
	}{
		{"another DuckDB file", func(path string) {
			inEngine(t, path, `CREATE TABLE mine (a INT)`, `INSERT INTO mine VALUES (1)`)
		}, []string{"not a warehouse of this tool", "--warehouse"}},
		{"a newer schema", func(path string) {
			mustLoad(t, path, nil)
			inEngine(t, path, `UPDATE internal._meta SET value = '999' WHERE key = 'warehouse_version'`)
		}, []string{"schema version 999", fmt.Sprint("this tool knows ", schema.Version)}},
		{"a text file", func(path string) { writeFile(t, path, strings.Repeat("some text\n", 1000)) },
			[]string{"not a warehouse", "--warehouse"}},
		{"a short file", func(path string) { writeFile(t, path, "x") }, []string{"not a warehouse", "--warehouse"}},
		{"an empty file", func(path string) { writeFile(t, path, "") }, []string{"not a warehouse", "--warehouse"}},
		{"a SQLite file", func(path string) { writeFile(t, path, "SQLite format 3\x00"+strings.Repeat("\x00", 8192)) },
			[]string{"not a warehouse", "--warehouse"}},
		{"a cut warehouse", func(path string) {
			mustLoad(t, path, nil)
			if err := os.Truncate(path, 5000); err != nil {
				t.Fatal(err)
			}
		}, []string{"--warehouse"}},
	} {
		path := filepath.Join(dir, strings.ReplaceAll(test.name, " ", "-"), "w.duckdb")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		test.make(path)
		before := readFile(t, path)
		err := openFails(t, path)
		for _, part := range append(test.want, path) {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v\nwant %q in it", test.name, err, part)
			}
		}
		if errors.Is(err, engine.ErrBusy) || strings.Contains(err.Error(), "download") { // nothing is ever fetched
			t.Errorf("%s: %v", test.name, err)
		}
		if readFile(t, path) != before {
			t.Errorf("%s: the file was changed", test.name)
		}
		if got := names(t, filepath.Dir(path)); slices.ContainsFunc(got,
			func(n string) bool { return n != "w.duckdb" && n != "w.duckdb.lock" }) {
			t.Errorf("%s: files: %v", test.name, got)
		}
	}
	if err := openFails(t, dir); !strings.Contains(err.Error(), "folder") {
		t.Errorf("a folder: %v", err)
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A path is a name, whatever is in it: the warehouse is where it says, or the error says why not.
func TestPaths(t *testing.T) {
	t.Parallel()
	for _, name := range []string{`it's "100%25" мир`, "a:b=c&d", "100%", "a#b", "a?access_mode=read_only"} {
		dir := filepath.Join(t.TempDir(), name)
		path := filepath.Join(dir, name+".duckdb")
		w, err := warehouse.Open(t.Context(), path)
		if err != nil {
			if !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "--warehouse") {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		tx, err := beginLoad(t.Context(), w)
		if err == nil {
			err = tx.Commit(t.Context(), load.Run{Load: schema.Load{LoadID: 1, Status: "ok", Mode: "first"}})
		}
		if err = errors.Join(err, w.Close()); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := cells(t, path, `SELECT count(*) FROM sources`); got[0][0] != "1" {
			t.Errorf("%s: %v", name, got)
		}
		if _, err := reader.Query(t.Context(), path, `DELETE FROM sources`); err == nil {
			t.Errorf("%s: a reader wrote", name)
		}
		if _, err := in(filepath.Join(dir, "parquet")).Publish(t.Context(), path, how()); err != nil {
			t.Errorf("%s: publish: %v", name, err)
		}
	}
}

// A run that was interrupted opens nothing.
func TestCancelled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if w, err := warehouse.Open(ctx, filepath.Join(dir, "warehouse.duckdb")); err == nil {
		_ = w.Close()
		t.Error("opened")
	}
	if got := names(t, dir); len(got) > 1 {
		t.Errorf("files: %v", got)
	}
}

// TestSyncBeside: a file is synced beside the load that writes it, and an error of the disk is not lost.
func TestSyncBeside(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "w")
	if err := os.WriteFile(file, []byte("rows"), 0o600); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	some := func() bool { return time.Since(begin) > 50*time.Millisecond }
	if err := warehouse.SyncsBeside(file, some); err != nil {
		t.Error(err)
	}
	begin = time.Now()
	if err := warehouse.SyncsBeside(file+"-gone", some); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is gone was synced: %v", err)
	}
}
