package main

import (
	"context"
	"io"
	"log/slog"

	"gopkg.in/natefinch/lumberjack.v2"

	"pipeline/cmd/pipeline/internal/runlog"
	"pipeline/load/tool/outpath"
)

// This file logs runs as JSON lines, for runs that nobody watches. Only this file uses the library that rotates log
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
