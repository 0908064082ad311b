package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/notify"
	"pipeline/cmd/pipeline/internal/retry"
	"pipeline/cmd/pipeline/internal/runlog"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/pipelines"
	"pipeline/pipelines/file"
)

// This file tells of a run, whoever began it: the log of runs beside the warehouse, the log of JSON lines, a monitor, a command of the user's. A
// run never fails for who cannot be told, and none of them changes its exit code.

// A teller tells of one run.
type teller struct {
	c         *cli.Context
	name      string // of the pipeline
	warehouse string
	telling
	run    runlog.Run
	before *runlog.Run // see runBefore; nil where nobody asks
	log    *runLogger
	noted  bool              // the log of runs could be written
	began  func() error      // waits for the ping at the beginning
	last   *pipelines.Result // of the last try
}

// runsRead is how many runs of the log are looked at: more than a month of an hourly pipeline has.
const runsRead = 1000

// newTeller tells of a run of a pipeline; nil is a run of flags alone.
func newTeller(c *cli.Context, p *file.Pipeline, warehouse string, about telling) *teller {
	t := &teller{c: c, name: "run", warehouse: warehouse, telling: about, began: func() error { return nil }, noted: true}
	now := time.Now()
	noted := c.Args().First() // a file by one path, whatever it was called by: its runs belong together
	if p != nil {
		t.name = p.Name
	}
	if path, err := filepath.Abs(noted); err == nil && file.IsFile(noted) {
		noted = path
	}
	t.run = runlog.Run{ID: runlog.NewID(now), Pipeline: noted, Trigger: trigger(), StartedAt: now, Attempts: 1}
	return t
}

// triggerVariable has one of the words of runlog for who begins a run.
const triggerVariable = "PIPELINE_TRIGGER"

// trigger is who began the run, as who did says in the environment.
func trigger() string {
	known := []string{runlog.BySchedule, runlog.ByCatchUp, runlog.ByWatch}
	if by := os.Getenv(triggerVariable); slices.Contains(known, by) {
		return by
	}
	return runlog.ByHand
}

func (t *teller) warn(format string, args ...any) {
	t.say(format, args...)
	t.log.warn(fmt.Sprintf(format, args...))
}

func (t *teller) say(format string, args ...any) {
	if !t.c.Bool("quiet") {
		term.Warnings(t.c.App.ErrWriter)(format, args...)
	}
}

// tell runs a run, and tells of its beginning and its end, whichever that is: also of a panic, which is an error here, with its stack on stderr.
func (t *teller) tell(run func() error) (err error) {
	t.begin()
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(t.c.App.ErrWriter, "panic: %v\n%s", p, debug.Stack())
			err = &exitError{exitFailed, fmt.Errorf("a fault in this program: %v; the warehouse is as it was, or has the whole load", p)}
		}
		err = t.end(err)
	}()
	return run()
}

func (t *teller) begin() {
	t.log = openRunLog(t.logFile, t.run, t.warehouse, t.say)
	t.log.info("run begins")
	if t.onEnd != "" && t.onEndWhen == file.NotifyChange {
		t.before = t.runBefore()
	}
	t.note()
	if t.ping == nil {
		return
	}
	more, stop := context.WithCancel(t.c.Context)
	answer := make(chan error, 1)
	go func() { answer <- t.ping.Start(more, t.name+": begins\n") }() // the run does not wait for it
	t.began = func() error {
		stop()
		if t.c.Context.Err() != nil { // who interrupts does not wait
			return nil
		}
		return <-answer
	}
}

// runBefore is the run of the same pipeline before this one that has ended; nil if there is none.
func (t *teller) runBefore() *runlog.Run {
	runs, err := runlog.Read(t.warehouse, runsRead)
	if i := slices.IndexFunc(runs, func(r runlog.Run) bool { return r.Pipeline == t.run.Pipeline && r.ExitCode != nil }); err == nil && i >= 0 {
		return &runs[i]
	}
	return nil
}

// note writes the log of runs. Where that fails once, it is said once.
func (t *teller) note() {
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

// phase has the log say what begins.
func (t *teller) phase(also func(string)) func(string) {
	return func(name string) {
		if also != nil {
			also(name)
		}
		t.log.phase(name)
	}
}

// warned has the log say what a run warns of.
func (t *teller) warned(also func(string, ...any)) func(string, ...any) {
	return func(format string, args ...any) {
		if also != nil {
			also(format, args...)
		}
		t.log.warn(fmt.Sprintf(format, args...))
	}
}

// loaded counts what a try has committed.
func (t *teller) loaded(r *pipelines.Result) {
	t.last, t.run.LoadID = r, r.LoadID
	t.run.New += r.Conversations.New
	t.run.Changed += r.Conversations.Changed
	t.run.Deleted += r.Conversations.Deleted
	t.run.Messages += r.Messages
}

// Pauses between the tries of a run that was busy.
const (
	firstPause = 30 * time.Second
	mostPause  = 15 * time.Minute
)

// tries runs a run again, as long as it is to be, while what keeps it from going well is passing.
func (t *teller) tries(try func() error) error {
	if t.retry == 0 {
		return try()
	}
	ctx := t.c.Context
	t.run.Attempts = 0
	return retry.Do(ctx, retry.Pauses{First: firstPause, Most: mostPause, Until: t.retry}, func() error {
		t.last = nil
		t.run.Attempts++
		return try()
	}, func(err error) bool { return exitCode(ctx, err) == exitBusy }, func(err error, next time.Time) {
		reason, _, _ := strings.Cut(t.lastWords(err), "\n")
		at := next.Local().Format("15:04")
		if time.Until(next) < time.Minute {
			at = next.Local().Format("15:04:05")
		}
		if !t.c.Bool("quiet") {
			fmt.Fprintf(t.c.App.ErrWriter, "busy: %s; trying again at %s\n", term.Printable(reason), at)
		}
		t.log.again(reason, t.run.Attempts, next)
	})
}

// lastWords are what was said of the end: the error, or what kept a load from being whole or right. Rows are not quoted.
func (t *teller) lastWords(err error) string {
	if err == nil || err.Error() != "" || t.last == nil {
		if err == nil {
			return ""
		}
		return err.Error()
	}
	var lines []string
	for _, e := range t.last.Errors() {
		lines = append(lines, e.Error())
	}
	for _, f := range t.last.Failures {
		lines = append(lines, fmt.Sprintf("check %s failed: %s (%s)", f.Check, f.Doc, term.Plural(f.Rows, "row")))
	}
	return strings.Join(lines, "\n")
}

// end tells how the run ended, and returns its error with its exit code.
func (t *teller) end(err error) error {
	code := 0
	if err != nil {
		code = exitCode(t.c.Context, err)
	}
	interrupted := t.c.Context.Err() != nil
	now := time.Now()
	t.run.FinishedAt, t.run.ExitCode, t.run.Error = &now, &code, t.lastWords(err)
	coded := errors.As(err, new(*exitError))
	if code == exitInterrupted && !coded {
		t.run.Error = "interrupted" // what it was doing then fails in one way or another
	}
	waitFor(t.c.Context, tellingTime)
	t.note()
	t.log.end(t.run)
	t.pingEnd(code, interrupted)
	t.command(code)
	t.log.close()
	if err != nil && !coded && code != exitInterrupted {
		return &exitError{code, err} // a signal that comes now changes nothing
	}
	return err
}

// hurry is how long a monitor may take where the run was interrupted: who has done that waits for the end.
const hurry = 1500 * time.Millisecond

func (t *teller) pingEnd(code int, interrupted bool) {
	if t.ping == nil {
		return
	}
	haste := time.Duration(0)
	if interrupted {
		haste = hurry
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

// body is what a monitor is told: counts, and nothing that a conversation or this machine has a name for.
func (t *teller) body(code int) string {
	r := t.run
	text := fmt.Sprintf("%s: exit code %d\n", t.name, code)
	if r.LoadID > 0 {
		text += fmt.Sprintf("load %d: %s new, %d changed, %d deleted, %s written\n", r.LoadID, term.Plural(r.New, "conversation"), r.Changed, r.Deleted, term.Plural(r.Messages, "message"))
	} else {
		text += "nothing was loaded\n"
	}
	if r.Attempts > 1 {
		text += fmt.Sprintf("%d tries\n", r.Attempts)
	}
	return text + fmt.Sprintf("%.0f s\n", r.FinishedAt.Sub(r.StartedAt).Seconds())
}

// command runs the user's command, if now is when it is to be run.
func (t *teller) command(code int) {
	before := 0 // who never heard of a run takes it that all is well
	if t.before != nil {
		before, _ = t.before.Code()
	}
	switch {
	case t.onEnd == "", t.onEndWhen == file.NotifyFailure && code == 0, t.onEndWhen == file.NotifyChange && code == before:
		return
	}
	withheld := []string{setting("notify.command").Env, setting("notify.ping").Env, triggerVariable} // a run that it starts would run it again, and would ping
	if err := (notify.Command{Line: t.onEnd, Output: t.c.App.ErrWriter}).Run(t.facts(), withheld...); err != nil {
		t.warn("%v", err)
	}
}

// facts are what the user's command finds in its environment. None has the name of a setting: a run that the command starts would be set by it.
func (t *teller) facts() map[string]string {
	r, name := t.run, t.name
	if r.Pipeline == "" {
		name = "" // of flags alone
	}
	count := func(n int64) string { return strconv.FormatInt(n, 10) }
	out := map[string]string{
		"PIPELINE_NAME": name, "PIPELINE_RUN_WAREHOUSE": t.warehouse, "PIPELINE_RUN_TRIGGER": r.Trigger, "PIPELINE_EXIT_CODE": strconv.Itoa(*r.ExitCode), "PIPELINE_ERROR": r.Error,
		"PIPELINE_STARTED_AT": r.StartedAt.Format(time.RFC3339), "PIPELINE_FINISHED_AT": r.FinishedAt.Format(time.RFC3339), "PIPELINE_ATTEMPTS": strconv.Itoa(r.Attempts),
		"PIPELINE_LOAD_ID": "", "PIPELINE_CONVERSATIONS_NEW": count(r.New), "PIPELINE_CONVERSATIONS_CHANGED": count(r.Changed), "PIPELINE_CONVERSATIONS_DELETED": count(r.Deleted),
		"PIPELINE_MESSAGES_LOADED": count(r.Messages),
	}
	if r.LoadID > 0 {
		out["PIPELINE_LOAD_ID"] = count(r.LoadID)
	}
	return out
}
