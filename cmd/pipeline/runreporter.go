package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/notify"
	"pipeline/cmd/pipeline/internal/runlog"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/pipelines"
	"pipeline/pipelines/file"
)

// This file reports a run: to the log of runs beside the warehouse, the log of JSON lines, a monitor, and a command of
// the user's. A run never fails because a report fails, and no report changes its exit code.

// A runReporter reports one run.
type runReporter struct {
	c         *cli.Context
	name      string // name of the pipeline
	warehouse string
	runReporting
	run    runlog.Run
	before *runlog.Run // see runBefore; nil if nothing needs it
	log    runLogger
	noted  bool              // the log of runs was written
	began  func() error      // waits for the first ping
	last   *pipelines.Result // result of the last try
}

// newRunReporter makes the reporter of one run. p is nil for a run without a pipeline.
func newRunReporter(c *cli.Context, p *file.Pipeline, warehouse string, about runReporting) *runReporter {
	t := &runReporter{c: c, name: "run", warehouse: warehouse, runReporting: about, began: func() error { return nil },
		noted: true, log: noLog}
	now := time.Now()
	noted := c.Args().First() // a file is noted by its absolute path, so that its runs belong together
	if p != nil {
		t.name = p.Name
	}
	if path, err := filepath.Abs(noted); err == nil && file.IsFile(noted) {
		noted = path
	}
	t.run = runlog.Run{ID: runlog.NewID(now), Pipeline: noted, Trigger: trigger(), StartedAt: now, Attempts: 1}
	return t
}

// triggerVariable holds a word of package runlog that says who started the run.
const triggerVariable = "PIPELINE_TRIGGER"

// trigger returns what the environment says about who started the run.
func trigger() string {
	known := []string{runlog.BySchedule, runlog.ByCatchUp, runlog.ByWatch, runlog.ByQuestion}
	if by := os.Getenv(triggerVariable); slices.Contains(known, by) {
		return by
	}
	return runlog.ByHand
}

func (t *runReporter) warn(format string, args ...any) {
	t.say(format, args...)
	t.log.Warn(fmt.Sprintf(format, args...))
}

func (t *runReporter) say(format string, args ...any) {
	if !t.c.Bool("quiet") {
		term.Warnings(t.c.App.ErrWriter)(format, args...)
	}
}

// report runs a run, and reports its beginning and its end. A panic becomes an error, with its stack on stderr.
func (t *runReporter) report(run func() error) (err error) {
	t.begin()
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(t.c.App.ErrWriter, "panic: %v\n%s", p, debug.Stack())
			err = &exitError{exitFailed,
				fmt.Errorf("an error in this program: %v; the warehouse is as it was, or has the whole load", p)}
		}
		err = t.end(err)
	}()
	return run()
}

func (t *runReporter) begin() {
	t.log = openRunLog(t.logFile, t.run, t.warehouse, t.say)
	t.log.Info("run begins")
	if t.onEnd != "" && t.onEndWhen == file.NotifyChange {
		t.before = t.runBefore()
	}
	t.note()
	if t.ping == nil {
		return
	}
	more, stop := context.WithCancel(t.c.Context)
	answer := make(chan error, 1)
	go func() { answer <- t.ping.Start(more, t.name+": begins\n") }() // the run does not wait for the answer
	t.began = func() error {
		stop()
		if t.c.Context.Err() != nil { // after an interrupt nothing waits for the monitor
			return nil
		}
		return <-answer
	}
}

// runBefore is the last run of the same pipeline that has ended; nil if there is none.
func (t *runReporter) runBefore() *runlog.Run {
	runs, err := runlog.Read(t.warehouse, runsRead)
	if i := slices.IndexFunc(runs, func(r runlog.Run) bool {
		return r.Pipeline == t.run.Pipeline && r.ExitCode != nil
	}); err == nil && i >= 0 {
		return &runs[i]
	}
	return nil
}

// note writes the log of runs. If that fails it warns once.
func (t *runReporter) note() {
	if !t.noted {
		return
	}
	err := os.MkdirAll(filepath.Dir(t.warehouse), 0o700)
	if err == nil {
		err = runlog.Append(t.warehouse, t.run)
	}
	if t.noted = err == nil; !t.noted {
		t.warn("'pipeline status' will not know of this run: %v", err)
	}
}

// phase also logs the phases of a run.
func (t *runReporter) phase(also func(string)) func(string) {
	return func(name string) {
		if also != nil {
			also(name)
		}
		t.log.Info("phase", "phase", name)
	}
}

// warned also logs the warnings of a run.
func (t *runReporter) warned(also func(string, ...any)) func(string, ...any) {
	return func(format string, args ...any) {
		if also != nil {
			also(format, args...)
		}
		t.log.Warn(fmt.Sprintf(format, args...))
	}
}

// loaded adds up what a try has committed.
func (t *runReporter) loaded(r *pipelines.Result) {
	t.last, t.run.LoadID = r, r.LoadID
	t.run.New += r.Conversations.New
	t.run.Changed += r.Conversations.Changed
	t.run.Deleted += r.Conversations.Deleted
	t.run.Messages += r.Messages
}

// end reports how the run ended, and returns its error with its exit code.
func (t *runReporter) end(err error) error {
	code := 0
	if err != nil {
		code = exitCode(t.c.Context, err)
	}
	interrupted := t.c.Context.Err() != nil
	now := time.Now()
	t.run.FinishedAt, t.run.ExitCode, t.run.Error = &now, &code, t.lastWords(err)
	coded := errors.As(err, new(*exitError))
	if code == exitInterrupted && !coded {
		t.run.Error = "interrupted" // after an interrupt the present operation fails with any error
	}
	waitFor(t.c.Context, reportingTime)
	t.note()
	t.log.end(t.run)
	t.pingEnd(code, interrupted)
	t.command(code)
	_ = t.log.Close() // each line has been written already
	if err != nil && !coded && code != exitInterrupted {
		return &exitError{code, err} // a signal after this changes nothing
	}
	return err
}

func (t *runReporter) pingEnd(code int, interrupted bool) {
	if t.ping == nil {
		return
	}
	haste := time.Duration(0)
	if interrupted {
		haste = interruptedPing
	}
	first := t.began()
	last := t.ping.End(code, t.body(code), haste)
	if first != nil && (last == nil || first.Error() != last.Error()) {
		t.warn("at the beginning: %v", first)
	}
	if last != nil {
		t.warn("%v", last)
	}
}

// command runs the user's command, if its condition is met.
func (t *runReporter) command(code int) {
	before := 0 // without an earlier run, it counts as a good one
	if t.before != nil {
		before, _ = t.before.Code()
	}
	switch {
	case t.onEnd == "", t.onEndWhen == file.NotifyFailure && code == 0,
		t.onEndWhen == file.NotifyChange && code == before:
		return
	}
	// otherwise a run that the command starts would start it again, and ping
	withheld := []string{setting("notify.command").Env, setting("notify.ping").Env, triggerVariable}
	if err := (notify.Command{Line: t.onEnd, Output: t.c.App.ErrWriter}).Run(t.facts(), withheld...); err != nil {
		t.warn("%v", err)
	}
}
