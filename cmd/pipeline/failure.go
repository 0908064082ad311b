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

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/engine"
	"pipeline/load/outpath"
	"pipeline/pipelines/file"
)

// A failure is why a command did not do what it was asked for. Of every command it is printed alike: in prose to stderr, and as an object to stdout where
// --json was asked for and nothing else was printed there.
type failure struct {
	Kind     string `json:"kind"` // a word for the exit code, see failureKinds
	ExitCode int    `json:"exit_code"`
	Message  string `json:"message"`
	Remedy   string `json:"remedy"` // what to do; "" where nothing is known, or where the message says it
}

// failureOf says what is to be said of an error; its message is "" where everything has been said.
func failureOf(ctx context.Context, err error) failure {
	f := failure{ExitCode: exitCode(ctx, err), Message: err.Error(), Remedy: engine.Remedy(err)}
	f.Kind = failureKinds[f.ExitCode]
	_, coded := errors.AsType[*exitError](err)
	_, ofFile := errors.AsType[*file.Error](err)
	_, ofPlace := errors.AsType[*outpath.Refused](err)
	switch {
	case f.ExitCode == exitInterrupted && !coded:
		f.Message, f.Remedy = "interrupted; the warehouse is as it was", ""
	case f.ExitCode == exitUsage && !ofFile && !ofPlace:
		f.Remedy = "Run 'pipeline --help' for the commands, 'pipeline COMMAND --help' for one of them."
	}
	if f.Remedy == "" && f.ExitCode == exitFailed && !strings.Contains(f.Message, "; name ") {
		f.Remedy = engine.Advice(err)
	}
	if f.Remedy != "" { // it is said once, behind all that happened
		f.Message = strings.ReplaceAll(f.Message, "\n"+f.Remedy, "")
	}
	return f
}

// print says it to people.
func (f failure) print(w io.Writer) {
	if f.Message == "" {
		return
	}
	fmt.Fprintln(w, "pipeline: "+term.PrintableLines(f.Message))
	if f.Remedy != "" {
		fmt.Fprintln(w, term.PrintableLines(f.Remedy))
	}
}

// wantsJSON reports that a command line asks for JSON, whether or not it can be read.
func wantsJSON(args []string) bool {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return slices.ContainsFunc(args, func(arg string) bool { return arg == "--json" || arg == "-json" || arg == "--json=true" })
}

// printFailure prints a failure for programs, in one line: that of serve is one of a stream of lines.
func printFailure(w io.Writer, f failure) {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	_ = e.Encode(map[string]failure{"error": f}) // stderr has said it
}

// lost is why what a command printed did not arrive: half of a result in a file on a full disk is no success. A reader that has seen enough is none
// of it, and neither are a run and a server, whose work does not lie in what they print.
func lost(args []string, printed *countingWriter) error {
	if printed == nil || printed.err == nil || errors.Is(printed.err, syscall.EPIPE) || len(args) > 1 && (args[1] == "run" || args[1] == "serve") {
		return nil
	}
	return fmt.Errorf("print the result: %w", printed.err)
}
