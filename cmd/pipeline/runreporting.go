package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/adrg/xdg"
	"gopkg.in/natefinch/lumberjack.v2"

	"pipeline/cmd/pipeline/internal/notify"
	"pipeline/cmd/pipeline/internal/retry"
	"pipeline/cmd/pipeline/internal/runlog"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/tool/outpath"
	"pipeline/pipelines/file"
)

// This file reads the settings for reports of a run.

// runReporting says to whom a run is reported, and whether it is tried again.
type runReporting struct {
	retry     time.Duration
	ping      *notify.Ping // nil: nobody
	onEnd     string       // "": none
	onEndWhen string
	logFile   string // "": none
}

// readRunReporting reads the settings; terminal is whether somebody watches the run.
func readRunReporting(run *file.Run, terminal bool) (out runReporting, err error) {
	out = runReporting{retry: run.Retry, onEnd: run.Command, onEndWhen: run.When}
	if run.Ping != nil {
		out.ping = notify.NewPing(run.Ping, file.MaskedPing(run.Ping), version)
	}
	switch {
	case run.Log == file.LogNone, run.Log == "" && terminal:
	case run.Log == "":
		out.logFile = filepath.Join(xdg.StateHome, "pipeline", "pipeline.log")
	default:
		out.logFile, err = filepath.Abs(run.Log)
	}
	if err == nil && out.logFile != "" {
		err = isLog(out.logFile, run.Options.Warehouse)
	}
	return out, err
}

// isLog refuses an existing file that does not hold JSON lines: a log is appended to, and rotated when it is large.
func isLog(file, warehouse string) error {
	refused := func(why string) error {
		return usage("--log %s: %s; name another file, or 'none'", file, why)
	}
	if file == warehouse {
		return refused("it is the warehouse")
	}
	if err := outpath.Result(file); err != nil || outpath.IsStream(file) {
		return err
	}
	info, err := os.Stat(file)
	if err != nil || info.Size() == 0 {
		return nil // opening the log makes it, or fails
	}
	f, err := os.Open(file)
	if err != nil {
		return nil // writing to it gives the error
	}
	defer f.Close()
	first := make([]byte, 1)
	if _, err := f.Read(first); err != nil || first[0] != '{' {
		return refused("it holds something other than JSON lines, which would be lost")
	}
	return nil
}

// tellsLater reports whether the end of the run is told to others while the process goes on.
func (t *runReporter) tellsLater() bool { return t.onEnd != "" || t.ping != nil }

// What follows logs runs as JSON lines, for runs that nobody watches. Only this file uses the library that rotates log
// files.

const (
	logMegabytes = 10 // size of a file at which it is rotated
	logsAside    = 5
)

// A runLogger logs one run. It logs steps, counts and errors, but no title and no text of a conversation.
type runLogger struct {
	*slog.Logger
	io.Closer
}

// noLog logs nothing.
var noLog = runLogger{slog.New(slog.DiscardHandler), io.NopCloser(nil)}

// openRunLog opens the log of JSON lines; "" is none. A log that cannot be written causes one warning, and no failure.
func openRunLog(file string, r runlog.Run, warehouse string, warn func(format string, args ...any)) runLogger {
	if file == "" {
		return noLog
	}
	failed := func(err error) { warn("the log %s is not written: %v", file, err) }
	var out io.WriteCloser = &lumberjack.Logger{Filename: file, MaxSize: logMegabytes, MaxBackups: logsAside}
	if outpath.IsStream(file) {
		var err error
		if out, err = outpath.OpenStream(file); err != nil {
			failed(err)
			return noLog
		}
	}
	lines := slog.New(slog.NewJSONHandler(&firstFailure{out, failed}, nil))
	return runLogger{lines.With("pipeline", r.Pipeline, "trigger", r.Trigger, "run", r.ID, "warehouse", warehouse), out}
}

// firstFailure warns of the first error, and writes nothing after it.
type firstFailure struct {
	to     io.Writer
	failed func(error) // nil: it has failed
}

// Write implements io.Writer.
func (f *firstFailure) Write(b []byte) (int, error) {
	if f.failed != nil {
		if _, err := f.to.Write(b); err != nil {
			f.failed(err)
			f.failed = nil
		}
	}
	return len(b), nil
}

// end logs how the run has ended.
func (l runLogger) end(r runlog.Run) {
	level := slog.LevelInfo
	if *r.ExitCode != 0 {
		level = slog.LevelError
	}
	facts := []any{"exit_code", *r.ExitCode, "error", r.Error, "attempts", r.Attempts, "seconds",
		r.FinishedAt.Sub(r.StartedAt).Seconds(), "load_id", nil}
	if r.LoadID > 0 {
		facts[len(facts)-1] = r.LoadID
		facts = append(facts, "conversations_new", r.New, "conversations_changed", r.Changed, "conversations_deleted",
			r.Deleted, "messages_loaded", r.Messages)
	}
	l.Log(context.Background(), level, "run ended", facts...)
}

// body is the text for a monitor: counts, and no name of a conversation or of this machine.
func (t *runReporter) body(code int) string {
	r := t.run
	text := fmt.Sprintf("%s: exit code %d\n", t.name, code)
	if r.LoadID > 0 {
		text += fmt.Sprintf("load %d: %s new, %d changed, %d deleted, %s written\n", r.LoadID,
			term.Plural(r.New, "conversation"), r.Changed, r.Deleted, term.Plural(r.Messages, "message"))
	} else {
		text += "nothing was loaded\n"
	}
	if r.Attempts > 1 {
		text += fmt.Sprintf("%d tries\n", r.Attempts)
	}
	return text + fmt.Sprintf("%.0f s\n", r.FinishedAt.Sub(r.StartedAt).Seconds())
}

// facts are the environment variables for the user's command. None has the name of a setting: otherwise it would set a
// run that the command starts.
func (t *runReporter) facts() map[string]string {
	r, name := t.run, t.name
	if r.Pipeline == "" {
		name = "" // a run without a pipeline
	}
	count := func(n int64) string { return strconv.FormatInt(n, 10) }
	out := map[string]string{
		"PIPELINE_NAME": name, "PIPELINE_RUN_WAREHOUSE": t.warehouse, "PIPELINE_RUN_TRIGGER": r.Trigger,
		"PIPELINE_EXIT_CODE": strconv.Itoa(*r.ExitCode), "PIPELINE_ERROR": r.Error,
		"PIPELINE_STARTED_AT":  r.StartedAt.Format(time.RFC3339),
		"PIPELINE_FINISHED_AT": r.FinishedAt.Format(time.RFC3339), "PIPELINE_ATTEMPTS": strconv.Itoa(r.Attempts),
		"PIPELINE_LOAD_ID": "", "PIPELINE_CONVERSATIONS_NEW": count(r.New),
		"PIPELINE_CONVERSATIONS_CHANGED": count(r.Changed), "PIPELINE_CONVERSATIONS_DELETED": count(r.Deleted),
		"PIPELINE_MESSAGES_LOADED": count(r.Messages),
	}
	if r.LoadID > 0 {
		out["PIPELINE_LOAD_ID"] = count(r.LoadID)
	}
	return out
}

// lastWords describes the end of a run: the error, or what kept the load from being complete. It quotes no rows.
func (t *runReporter) lastWords(err error) string {
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

// Pauses between the tries of a run that was busy.
const (
	firstPause = 30 * time.Second
	mostPause  = 15 * time.Minute
)

// tries repeats a run, within the configured time, while its failure is temporary.
func (t *runReporter) tries(try func() error) error {
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
		t.log.Warn("busy, trying again", "error", reason, "attempt", t.run.Attempts, "next", next)
	})
}
