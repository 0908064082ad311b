package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"pipeline/cmd/pipeline/internal/runlog"
	"pipeline/cmd/pipeline/internal/serve"
	"pipeline/load/engine"
)

// A refresher starts a run when an answer would be older than wished. It never waits for the run, and starts no second
// one while the first is under way.
type refresher struct {
	program string
	args    []string // of the run
	every   time.Duration

	mu      sync.Mutex
	running bool
	tried   time.Time // when the last run was started
	failed  string    // why the last run failed; "" if it did not
}

// before is called before an answer of a warehouse whose last good load began at that time. It returns what is to be
// said.
func (r *refresher) before(lastGood time.Time) (said string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	asOf := ""
	if lastGood.Unix() > 0 {
		asOf = " of " + lastGood.UTC().Format(time.RFC3339)
	}
	switch {
	case r.running:
		return "a run is under way; this is the state" + asOf
	case time.Since(lastGood) < r.every:
		return ""
	case time.Since(r.tried) < r.every: // it failed: not at every question
		return "this is the state" + asOf + r.failed
	}
	if err := r.start(); err != nil {
		return "this is the state" + asOf + ": a run could not be started: " + err.Error()
	}
	return "a run was started; this is the state" + asOf
}

// start starts a run in the background.
func (r *refresher) start() error {
	r.tried, r.failed = time.Now(), ""
	var said lastBytes
	run := exec.Command(r.program, r.args...)
	run.Env = append(os.Environ(), serve.TriggerVariable+"="+runlog.ByQuestion)
	run.Stderr = &said
	if err := run.Start(); err != nil {
		return err
	}
	r.running = true
	go func() {
		err := run.Wait()
		r.mu.Lock()
		defer r.mu.Unlock()
		r.running = false
		var ended *exec.ExitError
		switch {
		case err == nil, errors.As(err, &ended) && ended.ExitCode() == runlog.Busy: // another one runs
		default:
			r.failed = fmt.Sprintf("; the last run failed (%v): %s", err,
				engine.FirstLine(strings.TrimSpace(said.String())))
		}
	}()
	return nil
}

// lastBytes keeps the end of what is written to it.
type lastBytes struct{ buffer bytes.Buffer }

// lastBytesKept is how many bytes are kept.
const lastBytesKept = 4096

func (l *lastBytes) Write(p []byte) (int, error) {
	l.buffer.Write(p)
	if extra := l.buffer.Len() - lastBytesKept; extra > 0 {
		l.buffer.Next(extra)
	}
	return len(p), nil
}

func (l *lastBytes) String() string { return l.buffer.String() }
