package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"

	"pipeline/cmd/pipeline/internal/places"
	"pipeline/cmd/pipeline/internal/runlog"
	"pipeline/cmd/pipeline/internal/term"
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

// A failure is why a command failed. Every command prints it the same way: as text to stderr, and with --json as an
// object to stdout, unless something else was printed there.
type failure struct {
	Kind     string `json:"kind"` // a word for the exit code, see failureKinds
	ExitCode int    `json:"exit_code"`
	Message  string `json:"message"`
	Remedy   string `json:"remedy"` // what to do; "" if that is unknown, or if the message says it
}

// failureOf makes the failure of an error of a command; "" for no command. Its message is "" if all messages have been
// printed.
func failureOf(ctx context.Context, err error, command string) failure {
	// Windows ends a message with a line break
	f := failure{ExitCode: exitCode(ctx, err),
		Message: strings.TrimSpace(strings.ReplaceAll(err.Error(), "\r\n", "\n")), Remedy: engine.Remedy(err)}
	f.Kind = failureKinds[f.ExitCode]
	_, coded := errors.AsType[*exitError](err)
	_, ofFile := errors.AsType[*file.Error](err)
	_, ofPlace := errors.AsType[*outpath.Refused](err)
	_, ofOutput := errors.AsType[*places.Error](err)
	switch {
	case f.ExitCode == exitInterrupted && !coded:
		f.Message, f.Remedy = "interrupted; the warehouse is as it was", ""
	case f.ExitCode == exitUsage && !ofFile && !ofPlace && !ofOutput:
		f.Remedy = "Run 'pipeline --help' for the commands."
		if command != "" {
			f.Remedy = "Run 'pipeline " + command + " --help' to see how."
		}
	}
	if f.Remedy == "" && f.ExitCode == exitFailed && !strings.Contains(f.Message, "; name ") {
		f.Remedy = engine.Advice(err)
	}
	if f.Remedy != "" { // printed once, after everything else
		f.Message = strings.ReplaceAll(f.Message, "\n"+f.Remedy, "")
	}
	return f
}

// failed is a failure as --json prints it.
type failed struct {
	SchemaVersion int     `json:"schema_version"`
	Error         failure `json:"error"`
}

// print prints the failure for people.
func (f failure) print(w io.Writer) {
	if f.Message == "" {
		return
	}
	w = term.Fitted(w)
	fmt.Fprintln(w, "pipeline: "+term.PrintableLines(f.Message))
	if f.Remedy != "" {
		fmt.Fprintln(w, term.PrintableLines(f.Remedy))
	}
}

// wantsJSON reports whether a command line asks for JSON, even if the command line has errors.
func wantsJSON(args []string) bool {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return slices.ContainsFunc(args, func(arg string) bool {
		return arg == "--json" || arg == "-json" || arg == "--json=true"
	})
}

// printFailure prints a failure as JSON, on one line: serve prints a stream of lines.
func printFailure(w io.Writer, f failure) {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	_ = e.Encode(failed{term.JSONVersion, f}) // stderr has the message already
}

// lost returns the error if output could not be printed: a result that a full disk cuts off is a failure. It returns
// nil if the reader closed the pipe, and for run and serve, whose result is not their output.
func lost(args []string, printed *countingWriter) error {
	if printed == nil || printed.err == nil || errors.Is(printed.err, syscall.EPIPE) ||
		len(args) > 1 && (args[1] == "run" || args[1] == "serve") {
		return nil
	}
	return fmt.Errorf("print the result: %w", printed.err)
}

// countingWriter counts what goes through it, and keeps the first error.
type countingWriter struct {
	w   io.Writer
	n   int64
	err error
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	if c.err == nil {
		c.err = err
	}
	return n, err
}
