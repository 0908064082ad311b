package extract

import (
	"database/sql"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"pipeline/testdata/gen/editortest"
)

// commitsDuring is how many commits each read in these tests must outlast.
const commitsDuring = 200

// await waits until the editor has made n commits in all.
func await(t *testing.T, e *editortest.Editor, n int) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); e.Commits() < n; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the editor made %d commits in 30 s, not %d: %v", e.Commits(), n, e.Stop())
		}
	}
}

// outlast is a step between two queries of a read that waits for n more commits.
func outlast(t *testing.T, e *editortest.Editor, n int) func() {
	return func() {
		t.Helper()
		await(t, e, e.Commits()+n)
	}
}

// While an editor commits, a read of a WAL store sees one state, and no commit fails.
func TestLiveWAL(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.vscdb")
	e := editortest.Start(t, path, editortest.Options{WAL: true})
	for round := range 3 {
		before := e.Commits()
		s := mustOpen(t, path, storeOptions{remote: isLocal})
		pinned := e.Commits()
		n, err := editortest.Check(t.Context(), s.Conn(), outlast(t, e, commitsDuring/5+1))
		if err != nil {
			t.Fatal(err)
		}
		if n < before || n > pinned+commitsDuring/4 { // some commits may not have been told of yet
			t.Errorf("round %d: %d messages, want those of the opening: %d to about %d", round, n, before, pinned)
		}
		if s.Info().Method != MethodWAL {
			t.Errorf("read by %s", s.Info().Method)
		}
		if during := e.Commits() - pinned; during < commitsDuring {
			t.Errorf("%d commits during the read, want %d", during, commitsDuring)
		}
		if err := errors.Join(s.Verify(), s.Close()); err != nil {
			t.Error(err)
		}
	}
	if err := e.Stop(); err != nil {
		t.Error(err)
	}
}

// The control of TestLiveWAL: without the one transaction the same read is torn.
func TestLiveControl(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.vscdb")
	e := editortest.Start(t, path, editortest.Options{WAL: true})
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if n, err := editortest.Check(t.Context(), db, outlast(t, e, 5)); !errors.Is(err, editortest.ErrTorn) {
		t.Errorf("a reader without a transaction saw %d messages and %v, want a torn state", n, err)
	}
	if err := e.Stop(); err != nil {
		t.Error(err)
	}
}

// A private copy of a WAL store in use holds one state, and no commit fails while it is made.
func TestLiveWALCopy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.vscdb")
	e := editortest.Start(t, path, editortest.Options{WAL: true})
	for round := 0; round < 20 || e.Commits() < commitsDuring; round++ {
		before := e.Commits()
		s := mustOpen(t, path, storeOptions{Copy: true, TempDir: t.TempDir(), remote: isLocal})
		if n := messages(t, s); n < before || s.Info().Method != MethodCopy {
			t.Errorf("%d messages by %s, want at least %d", n, s.Info().Method, before)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := e.Stop(); err != nil {
		t.Error(err)
	}
}

// When the editor closes the store while we read it, the -wal stays as the editor left it, then and after our end: a
// reader that closes last must not take it away. The next read has every row.
func TestEditorClosesDuringRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.vscdb")
	e := editortest.Start(t, path, editortest.Options{WAL: true})
	outlast(t, e, 50)()
	s := mustOpen(t, path, storeOptions{remote: isLocal})
	outlast(t, e, 200)()
	if err := e.Stop(); err != nil {
		t.Fatal(err)
	}
	left := files(t, filepath.Dir(path))
	if got := messages(t, s); got > e.Commits()-100 {
		t.Errorf("%d messages of %d, want the state of the opening", got, e.Commits())
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if after := files(t, filepath.Dir(path)); !maps.Equal(left, after) {
		t.Errorf("the folder afterwards:\n%v\nwant\n%v", after, left)
	}
	if got := messages(t, mustOpen(t, path, storeOptions{remote: isLocal})); got != e.Commits() {
		t.Errorf("%d messages in the next read, want %d", got, e.Commits())
	}
}

// While an editor commits to a rollback store, a read is whole, or torn and known to be, or busy; no commit fails and
// none waits for us. The editor rests in the end: where reads are slow (the race detector, a busy machine) no read is
// whole before.
func TestLiveRollback(t *testing.T) {
	for _, o := range []storeOptions{{}, {Copy: true}} {
		path := filepath.Join(t.TempDir(), "state.vscdb")
		e := editortest.Start(t, path, editortest.Options{Pause: 8 * time.Millisecond, Limit: 2 * commitsDuring})
		o.TempDir, o.pause, o.remote = t.TempDir(), 50*time.Millisecond, isLocal
		whole, torn, busy := 0, 0, 0
		for e.Commits() < commitsDuring || whole == 0 {
			before := e.Commits()
			s, err := openStore(t.Context(), path, o)
			if errors.Is(err, ErrBusy) {
				busy++
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			n, err := editortest.Check(t.Context(), s.Conn(), nil)
			switch verify := s.Verify(); {
			case errors.Is(verify, ErrTorn):
				torn++
			case verify != nil:
				t.Error(verify)
			case err != nil:
				t.Errorf("verified, but: %v", err)
			case n < before:
				t.Errorf("%d messages, want at least %d", n, before)
			default:
				whole++
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
		if err := e.Stop(); err != nil {
			t.Error(err)
		}
		t.Logf("copy %v: %d reads whole, %d torn, %d busy, %d commits", o.Copy, whole, torn, busy, e.Commits())
	}
}

// An in-place read that outlasts a commit is found torn by Verify, every time.
func TestLiveRollbackTorn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.vscdb")
	e := editortest.Start(t, path, editortest.Options{Pause: 20 * time.Millisecond})
	for reads := 0; reads < 10; {
		s, err := openStore(t.Context(), path, storeOptions{remote: isLocal})
		if errors.Is(err, ErrBusy) { // a journal at each look
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		reads++
		_, err = editortest.Check(t.Context(), s.Conn(), outlast(t, e, 1))
		if verify := s.Verify(); !errors.Is(verify, ErrTorn) {
			t.Errorf("Verify says %v after commits; the read says %v", verify, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := e.Stop(); err != nil {
		t.Error(err)
	}
}

// Cursor starting in WAL mode during an in-place read: torn, and the next try reads beside it.
func TestEditorStartsDuringRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.vscdb")
	edited(t, path, true, false, 20)
	s := mustOpen(t, path, storeOptions{remote: isLocal})
	e := editortest.Start(t, path, editortest.Options{WAL: true})
	if err := s.Verify(); !errors.Is(err, ErrTorn) {
		t.Errorf("Verify says %v, want ErrTorn", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if s := mustOpen(t, path, storeOptions{remote: isLocal}); s.Info().Method != MethodWAL {
		t.Errorf("read by %s", s.Info().Method)
	}
	if err := e.Stop(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}
