// Package editortest runs an editor beside a test: another process that has a store open as Cursor has it and commits to it all the time.
// It must be another process, since POSIX locks do not hold against the process that took them.
//
// A test package calls Main first thing in its TestMain and Start where it needs an editor:
//
//	func TestMain(m *testing.M) {
//		editortest.Main()
//		os.Exit(m.Run())
//	}
//
// Every transaction keeps what Check looks for, so a reader that mixes two states is found out:
//   - it adds a bubble to a growing conversation, and to that conversation's composerData the header which names it: a state never has
//     the one without the other;
//   - it moves tokens from one probe conversation to another, in composerData (contextTokensUsed) and in the conversation's one bubble
//     (tokenCount.inputTokens): the sum over all probes is always ProbeSum, and a probe's two figures are always equal.
//
// Values are the conversations of Cursor 2 and later (composerData `_v` 13 with fullConversationHeadersOnly, bubbles `_v` 3).
package editortest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The environment of an editor process.
const (
	envStore = "EDITORTEST_STORE"
	envWAL   = "EDITORTEST_WAL"
	envPause = "EDITORTEST_PAUSE"
	envLimit = "EDITORTEST_LIMIT"
)

// patience is the longest that Start and Stop wait for the editor process, which they kill then.
const patience = time.Minute

// Options say how an editor works.
type Options struct {
	WAL   bool          // journal_mode WAL; else a rollback journal that every commit deletes
	Pause time.Duration // between two transactions
	Limit int           // after so many transactions the editor rests, the store still open; 0: it never does
}

// Editor is a running editor process.
type Editor struct {
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	stderr  bytes.Buffer
	commits atomic.Int64
	read    sync.WaitGroup // the reader of its output
	ended   bool
}

// Main turns this process into an editor if Start began it, and does not return then.
func Main() {
	path := os.Getenv(envStore)
	if path == "" {
		return
	}
	pause, err := time.ParseDuration(os.Getenv(envPause))
	limit, notNumber := strconv.Atoi(os.Getenv(envLimit))
	if err = errors.Join(err, notNumber); err == nil {
		err = edit(path, Options{WAL: os.Getenv(envWAL) != "", Pause: pause, Limit: limit}, os.Stdin, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// Start begins an editor on the store at path, which it makes if it is not there, and returns after its first commit. The test's
// end kills it if it still runs.
func Start(t testing.TB, path string, o Options) *Editor {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	e := &Editor{cmd: exec.Command(self)}
	e.cmd.Env = append(os.Environ(), envStore+"="+path, envPause+"="+o.Pause.String(), envLimit+"="+strconv.Itoa(o.Limit))
	if o.WAL {
		e.cmd.Env = append(e.cmd.Env, envWAL+"=1")
	}
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
	first := make(chan struct{})
	e.read.Go(func() {
		var once sync.Once
		for lines := bufio.NewScanner(stdout); lines.Scan(); {
			e.commits.Add(1)
			once.Do(func() { close(first) })
		}
		once.Do(func() { close(first) })
	})
	t.Cleanup(e.Kill)
	defer time.AfterFunc(patience, func() { _ = e.cmd.Process.Kill() }).Stop()
	<-first
	if e.Commits() == 0 {
		t.Fatalf("the editor made no commit: %v", e.Stop())
	}
	return e
}

// Commits is the number of transactions that the editor has committed and told of.
func (e *Editor) Commits() int { return int(e.commits.Load()) }

// Stop lets the editor finish its transaction and close the store (in WAL mode the last one to close takes the -wal away). It returns an
// error if any of its commits failed or had to wait for a lock longer than its patience of one second.
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
	return closed
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
