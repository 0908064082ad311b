package main

import (
	"context"
	"errors"
	"fmt"

	"pipeline/cmd/pipeline/internal/runlog"
	"pipeline/extract"
	"pipeline/load/engine"
	"pipeline/load/reader"
	"pipeline/load/tool/outpath"
	"pipeline/pipelines"
	"pipeline/pipelines/file"
)

// Exit codes of every command. They are a promise to scripts.
const (
	exitFailed      = 1
	exitUsage       = 2
	exitSource      = 3 // a source is missing or cannot be read
	exitCheck       = 4 // loaded, but a check failed
	exitStale       = 5 // the last good load is older than status --max-age
	exitBusy        = runlog.Busy
	exitInterrupted = runlog.Interrupted
)

// exitError carries an exit code. If err is nil, all messages have been printed.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// exits is the end of a command that has printed its result: its error, else the exit code.
func exits(err error, code int) error {
	if err == nil && code != 0 {
		return &exitError{code: code}
	}
	return err
}

// usage is a mistake in the arguments.
func usage(format string, args ...any) error {
	return &pipelines.UsageError{Message: fmt.Sprintf(format, args...)}
}

// exitCode is the one place where errors become codes.
func exitCode(ctx context.Context, err error) int {
	var coded *exitError
	var usage *pipelines.UsageError
	var source *pipelines.SourceError
	var store *extract.StoreError
	var file *file.Error
	var refused *outpath.Refused
	switch {
	case errors.As(err, &coded): // the load was committed before the signal came
		return coded.code
	case ctx.Err() != nil:
		return exitInterrupted
	case errors.As(err, &usage), errors.As(err, &file), errors.As(err, &refused), errors.Is(err, reader.ErrNotOne):
		return exitUsage
	case errors.Is(err, engine.ErrBusy):
		return exitBusy
	case errors.As(err, &source):
		return codeOfFailures(source.Failures)
	case errors.As(err, &store):
		return codeOfFailures([]error{err})
	}
	return exitFailed
}

// codeOfFailures is the exit code for stores that could not be read. If some are unreadable and some busy, unreadable
// counts.
func codeOfFailures(failures []error) int {
	code := 0
	for _, err := range failures {
		if !errors.Is(err, extract.ErrBusy) && !errors.Is(err, extract.ErrTorn) {
			return exitSource
		}
		code = exitBusy
	}
	return code
}

// exitStatuses describe the exit codes.
var exitStatuses = []struct {
	code    int
	meaning string
}{
	{0, "Done."},
	{exitFailed, "Failed. The warehouse is as it was, unless the message says that it is loaded: then only what " +
		"follows a load was not done."},
	{exitUsage, "The command line, or a pipeline's file, is not understood."},
	{exitSource, "A source is missing or cannot be read."},
	{exitCheck, "Loaded, but a check failed; with --strict also: rows are quarantined."},
	{exitStale, "The last good load is older than status --max-age."},
	{exitBusy, "Busy: another run or a writer holds the warehouse, or a store could not be read without disturbing " +
		"Cursor. Try again later."},
	{exitInterrupted, "Interrupted; nothing is half done."},
}

// failureKinds are words for exit codes.
var failureKinds = map[int]string{exitFailed: "failed", exitUsage: "usage", exitSource: "source", exitCheck: "check",
	exitStale: "stale", exitBusy: "busy", exitInterrupted: "interrupted"}
