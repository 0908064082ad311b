package serve_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"pipeline/cmd/pipeline/internal/serve"
)

// editor is a store that a real SQLite has open in WAL mode.
type editor struct {
	t     *testing.T
	db    *sql.DB
	store string
	rows  int
}

func newEditor(t *testing.T, folder string) *editor {
	t.Helper()
	must(t, os.MkdirAll(folder, 0o700))
	e := &editor{t: t, store: filepath.Join(folder, "state.vscdb")}
	var err error
	if e.db, err = sql.Open("sqlite", e.store); err != nil {
		t.Fatal(err)
	}
	e.db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = e.db.Close() })
	e.exec("PRAGMA journal_mode = WAL")
	e.exec("CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")
	return e
}

func (e *editor) exec(query string) {
	e.t.Helper()
	if _, err := e.db.Exec(query); err != nil {
		e.t.Fatal(err)
	}
}

// commit changes the -wal; the time that a file system gives a change is of some milliseconds.
func (e *editor) commit() {
	e.t.Helper()
	time.Sleep(20 * time.Millisecond)
	e.rows++
	e.exec(fmt.Sprintf("INSERT INTO cursorDiskKV VALUES ('bubbleId:a:%d', '{}')", e.rows))
}

// read reads the store as a run does: the -shm is touched by it.
func (e *editor) read() {
	e.t.Helper()
	db, err := sql.Open("sqlite", "file:"+e.store+"?mode=ro")
	must(e.t, err)
	var n int
	if err := errors.Join(db.QueryRow("SELECT count(*) FROM cursorDiskKV").Scan(&n), db.Close()); err != nil ||
		n != e.rows {
		e.t.Fatalf("%d of %d rows: %v", n, e.rows, err)
	}
}

// watched is a clock of its own beside a real store.
type watched struct {
	*serve.Watch
	t         *testing.T
	now       time.Time
	pipelines []serve.Pipeline
	lastStart time.Time
}

// look looks after so many seconds.
func (w *watched) look(after int) []string {
	w.t.Helper()
	w.now = w.now.Add(time.Duration(after) * time.Second)
	changed, err := w.Look(w.now, w.pipelines, func(serve.Pipeline) time.Time { return w.lastStart })
	if err != nil {
		w.t.Error(err)
	}
	return changed
}

// hear waits for a notice, and passes it on; false if there is none.
func (w *watched) hear(within time.Duration) bool {
	select {
	case <-w.C():
		w.Poke()
		return true
	case <-time.After(within):
		return false
	}
}

func newWatched(t *testing.T, notices serve.Notices, p ...serve.Pipeline) *watched {
	w := &watched{Watch: serve.NewWatch(notices), t: t, now: time.Now(), pipelines: p,
		lastStart: time.Now().Add(time.Hour)}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// TestWatchPolls: without notices, a commit counts within a minute and some seconds of quiet; what does not end counts
// after a minute; reading counts not.
func TestWatchPolls(t *testing.T) {
	t.Parallel()
	e := newEditor(t, t.TempDir())
	p := serve.Pipeline{Name: "w", Watched: true, Stores: []string{e.store}}
	other := serve.Pipeline{Name: "full", Stores: []string{e.store}}
	w := newWatched(t, nil, p, other)
	expect := func(what string, after int, want ...string) {
		t.Helper()
		if got := w.look(after); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	expect("at the start", 0)
	expect("nothing happened", 60)
	e.commit()
	expect("it is not looked at yet", 30)
	expect("seen", 30)
	if wake := w.Wake(); !wake.Equal(w.now.Add(10 * time.Second)) {
		t.Errorf("it wakes at %v, now is %v", wake, w.now)
	}
	expect("not quiet for long", 9)
	expect("quiet", 1, "w")
	expect("once", 1)
	e.read()
	expect("a reader", 60)
	expect("a reader", 60)
	e.exec("PRAGMA wal_checkpoint(TRUNCATE)") // what was in the -wal is in the database now
	expect("a checkpoint", 60)
	expect("a checkpoint", 10, "w")
	counted := 0
	for range 25 { // two minutes of work without a pause
		e.commit()
		w.Poke()
		counted += len(w.look(5))
	}
	if expect("the rest of it", 10, "w"); counted != 1 {
		t.Errorf("what does not end counts %d times in two minutes", counted)
	}
	w.now = w.now.Add(-24 * time.Hour) // the clock is set back
	e.commit()
	expect("seen at once by another clock", 0)
	expect("quiet", 10, "w")
}

// TestWatchStart: what changed while nobody looked counts when the last run began before it; a new store counts.
func TestWatchStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e := newEditor(t, filepath.Join(dir, "globalStorage"))
	e.commit()
	p := serve.Pipeline{Name: "w", Watched: true, Stores: []string{e.store}}
	w := newWatched(t, nil, p)
	w.lastStart = time.Now().Add(-time.Hour)
	if got := append(w.look(0), w.look(10)...); !slices.Equal(got, []string{"w"}) {
		t.Errorf("changed before the start: %q", got)
	}
	w.lastStart = time.Now().Add(time.Hour)
	w.pipelines[0].Stores = append(w.pipelines[0].Stores,
		newEditor(t, filepath.Join(dir, "workspaceStorage", "a")).store)
	if got := append(w.look(60), w.look(10)...); !slices.Equal(got, []string{"w"}) {
		t.Errorf("a new store: %q", got)
	}
	if err := os.Remove(e.store + "-shm"); err != nil { // nobody reads the store
		t.Fatal(err)
	}
	if got := append(w.look(60), w.look(60)...); got != nil {
		t.Errorf("the -shm: %q", got)
	}
}

// TestWatchNotices: a burst of commits in a store, and in one of a folder that came later, is heard of and counts once;
// reading is not heard.
func TestWatchNotices(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e := newEditor(t, filepath.Join(dir, "globalStorage"))
	notifier, err := serve.NewNotifier(func(string) (bool, error) { return false, nil })
	if err != nil {
		t.Skip("the system tells no changes: ", err)
	}
	p := serve.Pipeline{Name: "w", Watched: true, Stores: []string{e.store},
		Folders: []string{filepath.Join(dir, "workspaceStorage"), filepath.Join(dir, "not there")}}
	must(t, os.Mkdir(p.Folders[0], 0o700))
	w := newWatched(t, notifier, p)
	burst := func(e *editor) (counted int) {
		t.Helper()
		for i := range 10 {
			e.commit()
			if heard := w.hear(5 * time.Second); !heard && i == 0 {
				t.Error("a commit is not heard")
			}
			counted += len(w.look(2))
		}
		for w.hear(100 * time.Millisecond) {
		}
		for range 5 {
			counted += len(w.look(3))
		}
		return counted
	}
	w.look(0)
	if n := burst(e); n != 1 {
		t.Errorf("a burst counts %d times", n)
	}
	e.read()
	if w.hear(300 * time.Millisecond) {
		if got := append(w.look(2), w.look(10)...); got != nil {
			t.Error("a reader counts")
		}
	}
	later := newEditor(t, filepath.Join(dir, "workspaceStorage", "b"))
	if !w.hear(5 * time.Second) {
		t.Error("a new folder is not heard of")
	}
	w.pipelines[0].Stores = append(w.pipelines[0].Stores, later.store)
	w.look(60)
	for range 5 {
		w.look(10)
	}
	if n := burst(later); n != 1 {
		t.Errorf("a burst of a store that came later counts %d times", n)
	}
}

// TestNotifierRefuses: folders that the system tells nothing of are named, once, and others are followed.
func TestNotifierRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	n, err := serve.NewNotifier(func(path string) (bool, error) { return strings.Contains(path, "mnt"), nil })
	if err != nil {
		t.Skip("the system tells no changes: ", err)
	}
	defer n.Close()
	err = n.Follow([]string{"/mnt/c/one", "/mnt/c/two", dir})
	if err == nil || !strings.Contains(err.Error(), "/mnt/c/one lies on a network drive") ||
		!strings.Contains(err.Error(), "1 more") {
		t.Error(err)
	}
	if err := n.Follow([]string{"/mnt/c/one", "/mnt/c/two", dir}); err != nil {
		t.Error("told twice: ", err)
	}
	must(t, os.WriteFile(filepath.Join(dir, "state.vscdb-wal"), []byte("x"), 0o600))
	select {
	case <-n.C():
	case <-time.After(5 * time.Second):
		t.Error("the folder that can be followed is not")
	}
}
