// Command pipeline turns Cursor's local history into a DuckDB warehouse.
//
// It parses flags and prints; what a run does is package pipelines'.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	_ "time/tzdata" // the time zones that schedules name, for machines that have none

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/runlog"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/extract"
	"pipeline/load"
	"pipeline/load/engine"
	"pipeline/load/outpath"
	"pipeline/pipelines"
	"pipeline/pipelines/file"
)

// version is stamped by the linker: -X main.version=...
var version = "dev"

// Exit codes of every command.
const (
	exitFailed      = 1
	exitUsage       = 2
	exitSource      = 3 // a source is missing or cannot be read
	exitCheck       = 4 // loaded, but a check failed
	exitStale       = 5 // the last good load is older than status --max-age
	exitBusy        = runlog.Busy
	exitInterrupted = runlog.Interrupted
)

func main() { os.Exit(realMain(os.Args, os.Stdout, os.Stderr)) }

// endSignals are those that ask the program to end. SIGHUP, of a terminal that is closed, is none for a program that is to outlive it (nohup).
func endSignals() []os.Signal {
	ends := append([]os.Signal{os.Interrupt, syscall.SIGTERM}, limitSignals...)
	if signal.Ignored(syscall.SIGHUP) {
		return ends
	}
	return append(ends, syscall.SIGHUP)
}

// realMain runs one command and returns its exit code.
func realMain(args []string, stdout, stderr io.Writer) int {
	restrictFileModes()
	survivesLimits()
	ctx, stop := signal.NotifyContext(context.Background(), endSignals()...)
	defer stop()
	context.AfterFunc(ctx, func() {
		signal.Ignore(syscall.SIGHUP) // a terminal that is closed may send it twice
		stop()                        // of the others a second one ends the program at once
	})
	return endsSoon(ctx, args, stderr, func(ctx context.Context) int { return execute(ctx, args, stdout, stderr) })
}

// execute does what the arguments say, says what went wrong, and returns the exit code.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	printed := &countingWriter{w: stdout}
	if term.IsTerminal(stdout) {
		printed = nil // width and colours are asked of the terminal itself
	} else {
		stdout = printed
	}
	app := newApp(stdout, stderr)
	err := app.RunContext(ctx, flagsFirst(app, args))
	if err == nil {
		err = lost(args, printed)
	}
	if err == nil {
		return 0
	}
	f := failureOf(ctx, err)
	f.tell(stderr)
	if printed != nil && wantsJSON(args) && printed.n == 0 && f.Message != "" { // else it has printed its result
		printFailure(stdout, f)
	}
	return f.ExitCode
}

// lost is why what a command printed did not arrive: half of a result in a file on a full disk is no success. A reader that has seen enough is none
// of it, and neither are a run and a server, whose work does not lie in what they print.
func lost(args []string, printed *countingWriter) error {
	if printed == nil || printed.err == nil || errors.Is(printed.err, syscall.EPIPE) || len(args) > 1 && (args[1] == "run" || args[1] == "serve") {
		return nil
	}
	return fmt.Errorf("print the result: %w", printed.err)
}

// printFailure prints a failure for programs, in one line: that of serve is one of a stream of lines.
func printFailure(w io.Writer, f failure) {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	_ = e.Encode(map[string]failure{"error": f}) // stderr has said it
}

// exitError ends with a code of its own; with a nil err everything has been said.
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

// exitCode is the one place where errors become codes.
func exitCode(ctx context.Context, err error) int {
	var coded *exitError
	var usage *pipelines.UsageError
	var source *pipelines.SourceError
	var store *extract.StoreError
	var file *file.Error
	var refused *outpath.Refused
	switch {
	case errors.As(err, &coded): // a load that came through before the signal did
		return coded.code
	case ctx.Err() != nil:
		return exitInterrupted
	case errors.As(err, &usage), errors.As(err, &file), errors.As(err, &refused), errors.Is(err, load.ErrNotOne):
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

// codeOfFailures is the code for stores that could not be read: unreadable comes before busy.
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

// newApp lists the commands.
func newApp(stdout, stderr io.Writer) *cli.App {
	app := &cli.App{
		Name:                      "pipeline",
		Usage:                     "turn Cursor's local history into a DuckDB warehouse",
		Version:                   version,
		Writer:                    stdout,
		ErrWriter:                 stderr,
		HideHelpCommand:           true,
		DisableSliceFlagSeparator: true, // a path may hold a comma
		UseShortOptionHandling:    false,
		EnableBashCompletion:      true,
		Commands: []*cli.Command{runCommand(), pipelinesCommand(), configCommand(), scheduleCommand(), serveCommand(), discoverCommand(), doctorCommand(), statusCommand(), sqlCommand(),
			answersCommand(), reportCommand(), searchCommand(), showCommand(), checkCommand(), verifyCommand(), historyCommand(), rebuildCommand(), retentionCommand(), compactCommand(),
			exportCommand(), schemaCommand(), demoCommand(), completionCommand(), manCommand(), versionCommand()},
		ExitErrHandler:  func(*cli.Context, error) {},
		OnUsageError:    usageError,
		Action:          greet,
		CommandNotFound: nil,
	}
	for _, c := range app.Commands {
		for _, c := range append(c.Subcommands, c) {
			c.OnUsageError = usageError
			c.HideHelpCommand = true
			if c.ArgsUsage == "" && len(c.Subcommands) == 0 && !c.Hidden {
				c.Action = withoutArguments(c.Action)
			}
		}
	}
	return app
}

// withoutArguments refuses arguments for a command that has none: what was meant by one, a warehouse say, would be passed over.
func withoutArguments(action cli.ActionFunc) cli.ActionFunc {
	return func(c *cli.Context) error {
		if c.NArg() == 0 {
			return action(c)
		}
		message := fmt.Sprintf("%s takes no argument %q", c.Command.Name, c.Args().First())
		if slices.ContainsFunc(c.Command.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), "warehouse") }) {
			message += ": name the warehouse with --warehouse"
		}
		return &pipelines.UsageError{Message: message}
	}
}

// usageError says which flag was meant where there is none of a name.
func usageError(c *cli.Context, err error, _ bool) error {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		return &pipelines.UsageError{Message: err.Error()}
	}
	flags := c.App.Flags
	if c.Command != nil && len(c.Command.Flags) > 0 {
		flags = c.Command.Flags
	}
	var names []string
	for _, f := range flags {
		if visible, ok := f.(cli.VisibleFlag); !ok || visible.IsVisible() {
			names = append(names, "--"+f.Names()[0])
		}
	}
	return &pipelines.UsageError{Message: fmt.Sprintf("there is no flag --%s%s", name, pipelines.DidYouMean("--"+name, names))}
}

// greet is what `pipeline` alone prints.
func greet(c *cli.Context) error {
	if name := c.Args().First(); name != "" {
		return &pipelines.UsageError{Message: fmt.Sprintf("there is no command %q%s", name, didYouMean(c.App.Commands, name))}
	}
	fmt.Fprint(c.App.Writer, `pipeline turns Cursor's local history into a DuckDB warehouse that you can query.
  pipeline run                                       find Cursor's stores and load them
  pipeline sql "FROM list_conversations()"           ask the warehouse
  pipeline demo --out demo                           make a synthetic Cursor folder to try it on
See 'pipeline --help' for all commands.
`)
	return nil
}

func didYouMean(commands []*cli.Command, name string) string {
	var names []string
	for _, c := range commands {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	return pipelines.DidYouMean(name, names)
}
