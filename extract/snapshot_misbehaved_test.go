package extract

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pipeline/testdata/gen/editortest"
)

// hold is a reader that holds the lock which SQLite gives it by default (mode=ro, one read transaction).
func hold(t *testing.T, path string) (release func()) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro&_pragma=busy_timeout(10000)")
	if err != nil {
		t.Fatal(err)
	}
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := tx.QueryRow("SELECT count(*) FROM cursorDiskKV").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := errors.Join(tx.Rollback(), db.Close()); err != nil {
			t.Error(err)
		}
	}
}

// The control of TestEditorStarts: a reader that holds a lock in rollback mode while the editor starts costs every row
// since the backup; one that lets go in time costs a second try.
func TestMisbehavedReaderLosesRows(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name        string
		failedOpens int
		lost        int
		found       int
	}{
		{name: "to the end", failedOpens: 2, lost: 101, found: 400}, // 100 bubbles and their conversation
		{name: "to the first failure", failedOpens: 1, found: 500},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "state.vscdb")
			edited(t, path, false, false, 400) // closed: there is a backup
			if n := edited(t, path, false, true, 100); n != 500 {
				t.Fatalf("%d messages, want 500", n)
			}
			release := hold(t, path)
			e := editortest.Prepare(t, path, editortest.Options{Limit: 10})
			if err := e.Open(); err != nil {
				t.Fatal(err)
			}
			for end := time.Now().Add(30 * time.Second); e.FailedOpens() < test.failedOpens &&
				time.Now().Before(end); time.Sleep(time.Millisecond) {
			}
			release()
			e.Await()
			await(t, e, 10)
			found, took := e.Found()
			if err := e.Stop(); err == nil ||
				strings.Contains(err.Error(), "given up for its backup") != (test.lost > 0) {
				t.Errorf("Stop says %v", err)
			}
			if e.FailedOpens() != test.failedOpens || e.RowsLost() != test.lost || found != test.found {
				t.Errorf("%d failed openings, %d rows lost, %d messages found; want %d, %d, %d", e.FailedOpens(),
					e.RowsLost(), found, test.failedOpens, test.lost, test.found)
			}
			if got := messages(t, mustOpen(t, path, storeOptions{remote: isLocal})); got != test.found+10 {
				t.Errorf("%d messages in the end, want %d", got, test.found+10)
			}
			t.Logf("the editor was open after %v, %d rows lost", took.Round(time.Millisecond), e.RowsLost())
		})
	}
}

// The same for commits: one that meets a reader's lock fails and leaves its transaction open, so that the next BEGIN
// fails; and an editor that met an error makes no backup when it closes.
func TestMisbehavedReaderFailsCommits(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.vscdb")
	e := editortest.Start(t, path, editortest.Options{Pause: 20 * time.Millisecond})
	release := hold(t, path)
	for end := time.Now().Add(30 * time.Second); e.Failed("END") < 2 &&
		time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
	}
	acknowledged := e.Commits()
	release()
	await(t, e, acknowledged+2)
	err := e.Stop()
	for _, text := range []string{"END of transaction", "database is locked", "BEGIN of transaction",
		"cannot start a transaction within a transaction"} {
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("Stop says %v, want %q", err, text)
		}
	}
	if e.Failed("END") < 2 || e.Failed("BEGIN") < e.Failed("END") {
		t.Errorf("%d commits and %d BEGINs failed", e.Failed("END"), e.Failed("BEGIN"))
	}
	if _, err := os.Stat(path + ".backup"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a backup after errors: %v", err)
	}
	t.Logf("%d commits; %s", e.Commits(), strings.ReplaceAll(fmt.Sprint(err), "\n", "; "))
}
