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
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/engine"
	"pipeline/load/tool/outpath"
	"pipeline/pipelines/file"
)

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
