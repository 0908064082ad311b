// Package editortest runs an editor beside a test: another process that has a store open as Cursor has it and commits
// to it all the time. It must be another process, since POSIX locks do not hold against the process that took them.
//
// A test package calls Main first thing in its TestMain and Start where it needs an editor:
//
//	func TestMain(m *testing.M) {
//		editortest.Main()
//		os.Exit(m.Run())
//	}
//
// The process opens, writes and closes the store by the rules of VS Code (see storage), so whoever holds a lock too
// long makes it fail a commit, or lose every row since its last clean end. Stop tells.
//
// Every transaction keeps what Check looks for, so a reader that mixes two states is found out:
//   - it adds a bubble to a growing conversation, and to that conversation's composerData the header which names it: a
//     state never has
//     the one without the other;
//   - it moves tokens from one probe conversation to another, in composerData (contextTokensUsed) and in the
//     conversation's one bubble
//     (tokenCount.inputTokens): the sum over all probes is always ProbeSum, and a probe's two figures are always equal.
//
// An editor that opens a store which another one left goes on where that one stopped.
//
// Values are the conversations of Cursor 2 and later (composerData `_v` 13 with fullConversationHeadersOnly, bubbles
// `_v` 3).
package editortest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is the longest that Start and Stop wait for the editor process, which they kill then.
const patience = time.Minute

// Options say how an editor works.
type Options struct {
	// journal_mode WAL; else as the store is: a new one has a rollback journal that every commit deletes
	WAL   bool
	Pause time.Duration // between two transactions
	// after so many transactions the editor rests, the store still open; 0: it never does; -1: it only opens the store
	Limit   int
	Ballast int // so many bytes each transaction writes besides, to one of a few keys in turn
}

// Editor is an editor process.
type Editor struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stderr bytes.Buffer
	read   sync.WaitGroup // the reader of its reports
	first  chan struct{}  // closed when it has made a commit, or all that it is to do, or ended
	ended  bool

	mu       sync.Mutex
	open     report // zero until the store is open
	commits  []time.Duration
	messages int
	failures []failure
}

// Start begins an editor on the store at path, which it makes if it is not there, and returns after its first commit.
// The test's end kills it if it still runs.
func Start(t testing.TB, path string, o Options) *Editor {
	t.Helper()
	e := Prepare(t, path, o)
	if err := e.Open(); err != nil {
		t.Fatal(err)
	}
	e.Await()
	if e.Commits() == 0 {
		t.Fatalf("the editor made no commit: %v", e.Stop())
	}
	return e
}

// Prepare begins an editor that does not touch the store before Open is called: so a test chooses the moment.
func Prepare(t testing.TB, path string, o Options) *Editor {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	e := &Editor{cmd: exec.Command(self), first: make(chan struct{})}
	options, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	e.cmd.Env = append(os.Environ(), envStore+"="+path, envOptions+"="+string(options))
	e.cmd.Stderr = &e.stderr
	if e.stdin, err = e.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	stdout, err := e.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := e.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	e.read.Go(func() {
		tell := sync.OnceFunc(func() { close(e.first) })
		defer tell()
		for reports := json.NewDecoder(stdout); ; {
			var r report
			if reports.Decode(&r) != nil {
				return // it ended; if not well, its exit code says so
			}
			if e.note(r); r.Committed || r.Opened && o.Limit < 0 {
				tell()
			}
		}
	})
	t.Cleanup(e.Kill)
	return e
}

func (e *Editor) note(r report) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if r.Opened || r.FailedOpens > 0 {
		e.open = r
	}
	if r.Opened || r.Committed {
		e.messages = r.Messages
	}
	if r.Committed {
		e.commits = append(e.commits, r.Took)
	}
	e.failures = append(e.failures, r.Failures...)
}

// Open lets an editor that was prepared open the store. It does not wait for that.
func (e *Editor) Open() error {
	_, err := e.stdin.Write([]byte{'\n'})
	return err
}

// Await waits for the first commit of an editor that Open was called for, for the open store where it makes none, or
// for its end.
func (e *Editor) Await() {
	defer time.AfterFunc(patience, func() { _ = e.cmd.Process.Kill() }).Stop()
	<-e.first
}

// Commits is the number of commits that the editor has reported.
func (e *Editor) Commits() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.commits)
}

// Messages is the number of messages in the growing conversations by the last commit that the editor told of, those
// included that it found.
func (e *Editor) Messages() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.messages
}

// Found is the number of messages that the editor found in the store when it opened it, and how long that took.
func (e *Editor) Found() (messages int, took time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.open.Messages, e.open.Took
}

// FailedOpens is how often the editor failed to open the store. After the first time it tries again; after the second
// it puts the backup in the place of the store, or begins with an empty one.
func (e *Editor) FailedOpens() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.open.FailedOpens
}

// RowsLost is how many rows more the store had than the backup that was put in its place.
func (e *Editor) RowsLost() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.open.RowsLost
}

// Failed is how often that statement of a transaction failed: BEGIN, INSERT or END, which is the commit.
func (e *Editor) Failed(statement string) (n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, f := range e.failures {
		if f.Statement == statement {
			n++
		}
	}
	return n
}

// Latency is the slowest and the median time of a transaction that was committed, from BEGIN to the end of END.
func (e *Editor) Latency() (slowest, median time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.commits) == 0 {
		return 0, 0
	}
	sorted := slices.Sorted(slices.Values(e.commits))
	return sorted[len(sorted)-1], sorted[len(sorted)/2]
}

// Stop lets the editor finish its transaction and close the store (in WAL mode the last one to close takes the -wal
// away), which it then copies to its backup. It returns an error if any opening or statement failed, that is, had to
// wait for a lock longer than one second, or if the store was lost.
func (e *Editor) Stop() error {
	if e.ended {
		return nil
	}
	e.ended = true
	defer time.AfterFunc(patience, func() { _ = e.cmd.Process.Kill() }).Stop()
	closed := e.stdin.Close()
	e.read.Wait() // before Wait, which closes the pipe
	if err := e.cmd.Wait(); err != nil {
		return fmt.Errorf("editor: %w: %s", err, strings.TrimSpace(e.stderr.String()))
	}
	return errors.Join(closed, e.harm())
}

// harm is the error for everything that failed for the editor.
func (e *Editor) harm() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	var errs []error
	if e.open.FailedOpens > 0 {
		errs = append(errs, fmt.Errorf("the store could not be opened %d times", e.open.FailedOpens))
	}
	if e.open.Replaced {
		errs = append(errs, fmt.Errorf("the store was given up for its backup: %d rows lost", e.open.RowsLost))
	}
	for _, f := range e.failures {
		errs = append(errs, fmt.Errorf("%s of transaction %d: %s", f.Statement, f.Transaction, f.Text))
	}
	return errors.Join(errs...)
}

// Kill ends the editor at once, as a crash does: a -wal and -shm, or a journal, stay.
func (e *Editor) Kill() {
	if e.ended {
		return
	}
	e.ended = true
	_ = e.cmd.Process.Kill() // it may have ended by itself
	e.read.Wait()
	var exit *exec.ExitError
	if err := e.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		panic(err) // it was never started: a mistake in this package
	}
}
