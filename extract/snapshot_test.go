package extract

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pipeline/testdata/gen/editortest"
)

func TestMain(m *testing.M) {
	editortest.Main() // the process that a test starts as the editor ends here
	os.Exit(m.Run())
}

// files is every file of a folder with its size and content.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = fmt.Sprintf("%d bytes, %x", len(b), sha256.Sum256(b))
	}
	return all
}

func names(all map[string]string) string { return strings.Join(slices.Sorted(maps.Keys(all)), " ") }

// edited makes a store, or goes on with one, by an editor that makes n commits, one message each, and then closes it or
// is killed. It returns how many messages the store has.
func edited(t *testing.T, path string, wal, kill bool, n int) int {
	t.Helper()
	e := editortest.Start(t, path, editortest.Options{WAL: wal, Limit: n})
	await(t, e, n)
	if kill {
		e.Kill()
	} else if err := e.Stop(); err != nil {
		t.Fatal(err)
	}
	return e.Messages()
}

func mustOpen(t *testing.T, path string, o storeOptions) *storeSnapshot {
	t.Helper()
	s, err := openStore(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func messages(t *testing.T, s *storeSnapshot) int {
	t.Helper()
	n, err := editortest.Check(t.Context(), s.Conn(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// isRemote and isLocal stand for the kind of file system.
func isRemote(string) (bool, error) { return true, nil }
func isLocal(string) (bool, error)  { return false, nil }

// A store at rest, in each state that Cursor, a crash or a copy may leave: it is read in the right way, whole, and
// nothing in its folder changes, the -shm included, neither while it is open nor after.
func TestReadAtRest(t *testing.T) {
	tests := []struct {
		name         string
		wal, kill    bool
		prepare      func(path string) error
		options      storeOptions
		files        string
		method, mode string
	}{
		{name: "closed, rollback", files: "state.vscdb state.vscdb.backup", method: MethodInPlace, mode: "delete"},
		{name: "closed, WAL", wal: true, files: "state.vscdb state.vscdb.backup", method: MethodInPlace, mode: "wal"},
		{name: "WAL of 0 bytes without a -shm", wal: true,
			prepare: func(p string) error { return os.WriteFile(p+"-wal", nil, 0o644) },
			files:   "state.vscdb state.vscdb-wal state.vscdb.backup", method: MethodInPlace, mode: "wal"},
		{name: "-shm alone", wal: true, prepare: func(p string) error {
			return os.WriteFile(p+"-shm", make([]byte, 32768), 0o644)
		},
			files: "state.vscdb state.vscdb-shm state.vscdb.backup", method: MethodInPlace, mode: "wal"},
		{name: "journal of journal_mode=truncate",
			prepare: func(p string) error { return os.WriteFile(p+"-journal", nil, 0o644) },
			files:   "state.vscdb state.vscdb-journal state.vscdb.backup", method: MethodInPlace, mode: "delete"},
		{name: "journal of journal_mode=persist",
			prepare: func(p string) error { return os.WriteFile(p+"-journal", make([]byte, 4096), 0o644) },
			files:   "state.vscdb state.vscdb-journal state.vscdb.backup", method: MethodInPlace, mode: "delete"},
		{name: "killed, WAL", wal: true, kill: true, files: "state.vscdb state.vscdb-shm state.vscdb-wal",
			method: MethodWAL, mode: "wal"},
		{name: "killed, -shm of 0 bytes", wal: true, kill: true,
			prepare: func(p string) error { return os.Truncate(p+"-shm", 0) },
			files:   "state.vscdb state.vscdb-shm state.vscdb-wal", method: MethodWAL, mode: "wal"},
		{name: "backup without -shm", wal: true, kill: true,
			prepare: func(p string) error { return os.Remove(p + "-shm") }, files: "state.vscdb state.vscdb-wal",
			method: MethodCopy, mode: "wal"},
		{name: "remote, closed", wal: true, options: storeOptions{remote: isRemote},
			files: "state.vscdb state.vscdb.backup", method: MethodCopy, mode: "wal"},
		{name: "remote, rollback", options: storeOptions{remote: isRemote}, files: "state.vscdb state.vscdb.backup",
			method: MethodCopy, mode: "delete"},
		{name: "remote, killed", wal: true, kill: true, options: storeOptions{remote: isRemote},
			files: "state.vscdb state.vscdb-shm state.vscdb-wal", method: MethodCopy, mode: "wal"},
		{name: "file system unknown", options: storeOptions{remote: func(string) (bool, error) {
			return false, errors.New("no statfs")
		}},
			files: "state.vscdb state.vscdb.backup", method: MethodCopy, mode: "delete"},
		{name: "copy asked for", options: storeOptions{Copy: true}, files: "state.vscdb state.vscdb.backup",
			method: MethodCopy, mode: "delete"},
		{name: "copy asked for, killed", wal: true, kill: true, options: storeOptions{Copy: true},
			files: "state.vscdb state.vscdb-shm state.vscdb-wal", method: MethodCopy, mode: "wal"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "state.vscdb")
			want := edited(t, path, test.wal, test.kill, 30)
			if test.prepare != nil {
				if err := test.prepare(path); err != nil {
					t.Fatal(err)
				}
			}
			before := files(t, filepath.Dir(path))
			if names(before) != test.files {
				t.Fatalf("the store has %s, want %s", names(before), test.files)
			}
			var bytes int64
			for _, end := range []string{"", "-wal"} {
				if info, err := os.Stat(path + end); err == nil {
					bytes += info.Size()
				}
			}
			test.options.TempDir, test.options.pause = t.TempDir(), 50*time.Millisecond
			s := mustOpen(t, path, test.options)
			if got := messages(t, s); got != want {
				t.Errorf("%d messages, want %d", got, want)
			}
			info := s.Info()
			if info.Method != test.method || info.JournalMode != test.mode || info.Bytes != bytes ||
				info.Path != path || len(info.Warnings) > 0 {
				t.Errorf("info %+v, want method %s, mode %s, %d bytes", info, test.method, test.mode, bytes)
			}
			if err := s.Verify(); err != nil {
				t.Error(err)
			}
			var queryOnly bool
			if err := s.Conn().QueryRowContext(t.Context(), "PRAGMA query_only").Scan(&queryOnly); err != nil ||
				!queryOnly {
				t.Errorf("query_only is %v, %v", queryOnly, err)
			}
			if _, err := s.Conn().ExecContext(t.Context(), "CREATE TABLE x (y)"); err == nil {
				t.Error("the snapshot can be written to")
			}
			if during := files(t, filepath.Dir(path)); !maps.Equal(before, during) {
				t.Errorf("the folder while the store is open:\n%v\nwant\n%v", during, before)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if after := files(t, filepath.Dir(path)); !maps.Equal(before, after) {
				t.Errorf("the folder afterwards:\n%v\nwant\n%v", after, before)
			}
			if left := files(t, test.options.TempDir); len(left) > 0 {
				t.Errorf("left in the temporary directory: %s", names(left))
			}
		})
	}
}

// Whatever happens to a store while it is read in place, Verify sees it.
func TestVerify(t *testing.T) {
	update := func(path string) error {
		db, err := sql.Open("sqlite", "file:"+path)
		if err != nil {
			return err
		}
		_, err = db.Exec("UPDATE cursorDiskKV SET value = replace(value, 'growing', 'GROWING')")
		return errors.Join(err, db.Close())
	}
	tests := []struct {
		name   string
		change func(path string) error
		torn   bool
	}{
		{"nothing", func(string) error { return nil }, false},
		{"a -shm comes", func(p string) error { return os.WriteFile(p+"-shm", []byte{1}, 0o644) }, false},
		{"a commit", update, true},
		{"a commit that keeps size and time", func(p string) error {
			info, err := os.Stat(p)
			if err != nil {
				return err
			}
			return errors.Join(update(p), os.Chtimes(p, info.ModTime(), info.ModTime()))
		}, true},
		{"only the time", func(p string) error { return os.Chtimes(p, time.Time{}, time.Now().Add(time.Nanosecond)) },
			true},
		{"a -wal comes", func(p string) error { return os.WriteFile(p+"-wal", nil, 0o644) }, true},
		{"a journal comes", func(p string) error { return os.WriteFile(p+"-journal", []byte{0xd9}, 0o644) }, true},
		{"another file of the same content", func(p string) error {
			info, err := os.Stat(p)
			if err != nil {
				return err
			}
			b, err := os.ReadFile(p)
			return errors.Join(err, os.WriteFile(p+".new", b, 0o644),
				os.Chtimes(p+".new", info.ModTime(), info.ModTime()), os.Rename(p+".new", p))
		}, true},
		{"it goes", os.Remove, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "state.vscdb")
			edited(t, path, false, false, 5)
			s := mustOpen(t, path, storeOptions{remote: isLocal})
			messages(t, s)
			if err := test.change(path); err != nil {
				t.Fatal(err)
			}
			if err := s.Verify(); errors.Is(err, ErrTorn) != test.torn || (err != nil) != test.torn {
				t.Errorf("Verify says %v, want torn %v", err, test.torn)
			}
			if err := s.explain(errors.New("read failed")); errors.Is(err, ErrTorn) != test.torn {
				t.Errorf("explain says %v, want torn %v", err, test.torn)
			}
		})
	}
}

// A journal that a crash left is rolled back on a private copy: committed state only, the source untouched.
func TestHotJournal(t *testing.T) {
	path, want := hotStore(t)
	before := files(t, filepath.Dir(path))
	s := mustOpen(t, path, storeOptions{pause: 50 * time.Millisecond, remote: isLocal})
	if got := messages(t, s); got != want || s.Info().Method != MethodCopy {
		t.Errorf("%d messages by %s, want %d by copy", got, s.Info().Method, want)
	}
	// The control: what an immutable read of the same files shows is not the committed state.
	db, err := sql.Open("sqlite", "file:"+path+"?immutable=1")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if n, err := editortest.Check(t.Context(), db, nil); err == nil && n == want {
		t.Error("the store holds nothing uncommitted: this test proves nothing")
	}
	if after := files(t, filepath.Dir(path)); !maps.Equal(before, after) {
		t.Errorf("the folder afterwards:\n%v\nwant\n%v", after, before)
	}
}

// hotStore is a copy of a store and its journal, made in the middle of a transaction that had spilled pages into the
// file.
func hotStore(t *testing.T) (path string, messages int) {
	t.Helper()
	from := filepath.Join(t.TempDir(), "state.vscdb")
	messages = edited(t, from, false, false, 300)
	return interrupted(t, from), messages
}

// A store whose journal is never still is busy after three tries, and soon.
func TestBusy(t *testing.T) {
	path, _ := hotStore(t)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for n := int64(1); ; n++ {
			select {
			case <-stop:
				return
			case <-time.After(2 * time.Millisecond):
				os.Chtimes(path+"-journal", time.Time{}, time.UnixMilli(n))
			}
		}
	}()
	start := time.Now()
	_, err := openStore(t.Context(), path, storeOptions{pause: 100 * time.Millisecond})
	close(stop)
	<-stopped
	var known *StoreError
	if !errors.Is(err, ErrBusy) || errors.Is(err, ErrTorn) || !errors.As(err, &known) || known.Kind != KindBusy ||
		!strings.Contains(err.Error(), "always under way") {
		t.Errorf("got %v, want ErrBusy and the reason", err)
	}
	if took := time.Since(start); took < 300*time.Millisecond || took > 5*time.Second {
		t.Errorf("it took %v, want three tries of 100 ms and the pauses", took)
	}
}

func TestOverBudget(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.vscdb")
	edited(t, path, true, true, 10)
	clock := time.Now()
	s := mustOpen(t, path, storeOptions{now: func() time.Time { return clock }, remote: isLocal})
	if s.Info().Method != MethodWAL || s.overBudget() != "" {
		t.Fatalf("%s, over budget: %q", s.Info().Method, s.overBudget())
	}
	info, err := os.Stat(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		growth int64
		age    time.Duration
		over   bool
	}{{256 << 20, 30 * time.Second, false}, {256<<20 + 1, 0, true}, {0, 31 * time.Second, true}} {
		if err := os.Truncate(path+"-wal", info.Size()+test.growth); err != nil { // sparse
			t.Fatal(err)
		}
		clock = s.opened.Add(test.age)
		if over := s.overBudget(); (over != "") != test.over {
			t.Errorf("%d bytes more after %v: %q, want over %v", test.growth, test.age, over, test.over)
		}
	}
}

func TestContextEnds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.vscdb")
	edited(t, path, false, false, 5)
	for _, o := range []storeOptions{{}, {Copy: true, TempDir: t.TempDir()}, {remote: isRemote, TempDir: t.TempDir()}} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := openStore(ctx, path, o); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want context.Canceled", err)
		}
		if o.TempDir != "" && len(files(t, o.TempDir)) > 0 {
			t.Error("a private copy was left")
		}
	}
}

// long leaves a test that takes some seconds to make test-all: make test runs with -short.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it is long: make test-all runs it")
	}
}
