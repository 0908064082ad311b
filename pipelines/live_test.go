package pipelines_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"pipeline/extract"
	"pipeline/load/reader"
	"pipeline/pipelines"
	"pipeline/testdata/gen/clitest"
	"pipeline/testdata/gen/editortest"
	"pipeline/testdata/gen/night"
	"pipeline/testdata/gen/storetest"
)

func TestMain(m *testing.M) {
	editortest.Main() // an editor is another process: this binary, started again
	clitest.Main()    // so is a command line
	if err := onlyConcurrent(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// TestLive loads a store while an editor commits to it all the time: every load holds one state, and no commit of the
// editor fails. That the invariants do tell a torn read from a whole one is shown in package extract (TestLiveControl).
func TestLive(t *testing.T) {
	concurrent(t)
	dir := t.TempDir()
	user := filepath.Join(dir, "User")
	store := filepath.Join(user, "globalStorage", "state.vscdb")
	if err := os.MkdirAll(filepath.Dir(store), 0o700); err != nil {
		t.Fatal(err)
	}
	editor := editortest.Start(t, store, editortest.Options{WAL: true})
	wait := func(n int) {
		t.Helper()
		for end := time.Now().Add(60 * time.Second); editor.Commits() < n; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("the editor made only %d commits: %v", editor.Commits(), editor.Stop())
			}
		}
	}
	wait(300)
	rounds := 3
	if testing.Short() {
		rounds = 1
	}
	for round := range rounds {
		o := options(t, dir, user)
		first, last := 0, 0
		o.Progress = func(int, int) { // while conversations are read, the editor goes on
			last = editor.Commits() + 10
			if first == 0 {
				first = editor.Commits()
				last = first + 200
			}
			wait(last)
		}
		result := mustRun(t, o)
		if during := last - first; during < 200 {
			t.Errorf("round %d: %d commits during the read, want at least 200", round, during)
		}
		if len(result.Failures) > 0 {
			t.Errorf("round %d: check %s failed: %s", round, result.Failures[0].Check, result.Failures[0].First)
		}
		w, err := reader.Open(t.Context(), result.Warehouse)
		if err != nil {
			t.Fatal(err)
		}
		got := query(t, w, `SELECT sum(missing_message_count)::BIGINT, sum(unlisted_message_count)::BIGINT,
			(SELECT sum(input_tokens)::BIGINT FROM live_messages WHERE conversation_id LIKE 'probe-%'),
			(SELECT count(*) FROM live_messages m JOIN live_conversations c USING (source_id, conversation_id)
				WHERE conversation_id LIKE 'probe-%' AND m.input_tokens IS DISTINCT FROM c.context_tokens_used)
			FROM live_conversations`)
		if err := w.Close(); err != nil { // the next round writes this file
			t.Fatal(err)
		}
		if diff := cmp.Diff([][]string{{"0", "0", fmt.Sprint(editortest.ProbeSum), "0"}}, got); diff != "" {
			t.Errorf("round %d: states are mixed (-want +got):\n%s", round, diff)
		}
	}
	if err := editor.Stop(); err != nil {
		t.Errorf("the editor was disturbed: %v", err)
	}
}

// TestSourceUntouched: a run changes no file of the source but a -shm, and creates nothing where Cursor is closed.
func TestSourceUntouched(t *testing.T) {
	concurrent(t)
	for _, wal := range []bool{false, true} {
		t.Run(fmt.Sprintf("wal=%v", wal), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			user := filepath.Join(dir, "User")
			if err := storetest.New(storetest.Options{Seed: 9, Messages: 100, WAL: wal}).Write(user); err != nil {
				t.Fatal(err)
			}
			before := files(t, user)
			for range 2 {
				mustRun(t, options(t, dir, user))
			}
			if diff := cmp.Diff(before, files(t, user)); diff != "" {
				t.Errorf("the source changed (-before +after):\n%s", diff)
			}
		})
	}
}

// files maps each file below dir but -shm files to its size and hash.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || strings.HasSuffix(path, "-shm") {
			return err
		}
		if d.IsDir() {
			out[path] = "folder"
			return nil
		}
		b, err := os.ReadFile(path)
		out[path] = fmt.Sprintf("%d %x", len(b), sha256.Sum256(b))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestBusyRollbackStore: a store that is written all the time in rollback mode gives whole states or the busy error,
// and nothing is loaded then.
func TestBusyRollbackStore(t *testing.T) {
	long(t)
	concurrent(t)
	dir := t.TempDir()
	user := filepath.Join(dir, "User")
	store := filepath.Join(user, "globalStorage", "state.vscdb")
	if err := os.MkdirAll(filepath.Dir(store), 0o700); err != nil {
		t.Fatal(err)
	}
	editor := editortest.Start(t, store, editortest.Options{})
	for end := time.Now().Add(60 * time.Second); editor.Commits() < 200 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	for range 5 {
		o := options(t, dir, user)
		// long enough for the editor to commit meanwhile
		o.Progress = func(int, int) { time.Sleep(5 * time.Millisecond) }
		result, err := pipelines.Run(t.Context(), o)
		var source *pipelines.SourceError
		switch {
		case errors.As(err, &source) && (errors.Is(err, extract.ErrBusy) || errors.Is(err, extract.ErrTorn)):
			if _, err := os.Stat(o.Warehouse); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("a busy store left a warehouse: %v", err)
			}
		case err != nil:
			t.Fatal(err)
		default:
			if len(result.Failures) > 0 {
				t.Errorf("check %s failed: %s", result.Failures[0].Check, result.Failures[0].First)
			}
			if err := os.Remove(o.Warehouse); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := editor.Stop(); err != nil {
		t.Errorf("the editor was disturbed: %v", err)
	}
}

// TestWALGrows: while a run reads, the editor writes more than the -wal may grow (256 MB). The run lets go of it and
// loads a private copy.
func TestWALGrows(t *testing.T) {
	long(t)
	dir := t.TempDir()
	user := filepath.Join(dir, "User")
	store := filepath.Join(user, "globalStorage", "state.vscdb")
	if err := os.MkdirAll(filepath.Dir(store), 0o700); err != nil {
		t.Fatal(err)
	}
	really := night.On()
	const before = 800 // messages: so many rows that the growth is looked for while they are read
	work := editortest.Options{WAL: true, Limit: before}
	if really {
		work.Limit, work.Ballast = 0, 1<<20
	}
	editor := editortest.Start(t, store, work)
	wait := func(holds func() bool) {
		t.Helper()
		for end := time.Now().Add(2 * time.Minute); !holds(); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("it took more than two minutes")
			}
		}
	}
	wait(func() bool { return editor.Commits() >= before })
	size := func() int64 {
		info, err := os.Stat(store + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	const growth = 256<<20 + 1
	o := options(t, dir, user)
	grow := sync.OnceFunc(func() {
		first := size()
		if !really { // SQLite does not look beyond the last commit
			if err := os.Truncate(store+"-wal", first+growth); err != nil {
				t.Fatal(err)
			}
		}
		wait(func() bool { return size() >= first+growth })
	})
	o.Progress = func(int, int) { grow() }
	var warned []string
	o.Warn = func(format string, args ...any) { warned = append(warned, fmt.Sprintf(format, args...)) }
	result := mustRun(t, o)
	if len(warned) != 1 || !strings.Contains(warned[0], "-wal grew by 25") ||
		!strings.Contains(warned[0], "private copy") {
		t.Errorf("warned %q", warned)
	}
	w, err := reader.Open(t.Context(), result.Warehouse)
	if err != nil {
		t.Fatal(err)
	}
	got := query(t, w,
		`SELECT any_value(snapshot_method), sum(missing_message_count)::BIGINT, sum(unlisted_message_count)::BIGINT, sum(message_count) >= 800
		FROM live_conversations, load_stores WHERE store = 'global'`)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]string{{"copy", "0", "0", "true"}}, got); diff != "" {
		t.Errorf("what was loaded (-want +got):\n%s", diff)
	}
	if really { // the -wal can be begun anew: it does not grow any further
		after, committed := size(), editor.Commits()
		wait(func() bool { return editor.Commits() >= committed+100 })
		if now := size(); now > after+32<<20 {
			t.Errorf("the -wal has grown from %d to %d MB after the run", after>>20, now>>20)
		}
	}
	if err := editor.Stop(); err != nil {
		t.Errorf("the editor was disturbed: %v", err)
	}
}
