package main

import (
	"context"
	"io"
	"log/slog"
	"time"

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

// A runLogger logs one run; nil logs nothing. It logs steps, counts and errors, but no title and no text of a
// conversation.
type runLogger struct {
	lines *slog.Logger
	file  io.Closer
}

// openRunLog opens the log of JSON lines; "" is none. A log that cannot be written causes one warning, and no failure.
func openRunLog(file string, r runlog.Run, warehouse string, warn func(format string, args ...any)) *runLogger {
	if file == "" {
		return nil
	}
	out, err := logWriter(file)
	if err != nil {
		warn("the log %s is not written: %v", file, err)
		return nil
	}
	lines := slog.New(slog.NewJSONHandler(&firstFailure{to: out,
		failed: func(err error) { warn("the log %s is not written: %v", file, err) }}, nil))
	return &runLogger{lines.With("pipeline", r.Pipeline, "trigger", r.Trigger, "run", r.ID, "warehouse", warehouse),
		out}
}

// logWriter writes to a file, which is rotated when it is large, or to a stream.
func logWriter(file string) (io.WriteCloser, error) {
	if outpath.IsStream(file) {
		return outpath.OpenStream(file)
	}
	return &lumberjack.Logger{Filename: file, MaxSize: logMegabytes, MaxBackups: logsAside}, nil
}

// firstFailure warns of the first error, and writes nothing after it.
type firstFailure struct {
	to     io.Writer
	failed func(error)
	over   bool
}

// Write implements io.Writer.
func (f *firstFailure) Write(b []byte) (int, error) {
	if f.over {
		return len(b), nil
	}
	if _, err := f.to.Write(b); err != nil {
		f.over = true
		f.failed(err)
	}
	return len(b), nil
}

func (l *runLogger) info(text string) {
	if l != nil {
		l.lines.Info(text)
	}
}

func (l *runLogger) warn(text string) {
	if l != nil {
		l.lines.Warn(text)
	}
}

func (l *runLogger) phase(name string) {
	if l != nil {
		l.lines.Info("phase", "phase", name)
	}
}

func (l *runLogger) again(reason string, attempt int, next time.Time) {
	if l != nil {
		l.lines.Warn("busy, trying again", "error", reason, "attempt", attempt, "next", next)
	}
}

func (l *runLogger) end(r runlog.Run) {
	if l == nil {
		return
	}
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
	l.lines.Log(context.Background(), level, "run ended", facts...)
}

// close closes the file.
func (l *runLogger) close() {
	if l != nil {
		_ = l.file.Close() // each line has been written already
	}
}
