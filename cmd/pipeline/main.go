// Command pipeline turns Cursor's local history into a DuckDB warehouse.
//
// It parses flags and prints; what a run does is package pipelines'.
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
	_ "time/tzdata" // time zones for schedules, for machines that have none

	"github.com/urfave/cli/v2"

	_ "pipeline/cmd/pipeline/internal/early" // signals and limits before Go begins
	"pipeline/cmd/pipeline/internal/hooks"
	"pipeline/cmd/pipeline/internal/notify"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/pipelines"
)

// oneCommand says that the process ends after its command, as main sees to.
var oneCommand bool

func main() {
	if hooks.Called(os.Args, os.Stdin, time.Now()) {
		return
	}
	oneCommand = true
	os.Exit(realMain(os.Args, os.Stdout, os.Stderr))
}

// endSignals ask the program to end. SIGHUP, which a closed terminal sends, is not among them if the program is to
// outlive the terminal (nohup).
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
	pipelines.LimitHeap()
	ctx, stop := signal.NotifyContext(context.Background(), endSignals()...)
	defer stop()
	context.AfterFunc(ctx, func() {
		signal.Ignore(syscall.SIGHUP) // a closed terminal may send it twice
		stop()                        // a second signal of the others ends the program at once
	})
	return endsSoon(ctx, args, stderr, func(ctx context.Context) int { return execute(ctx, args, stdout, stderr) })
}

// execute runs the command, prints its error, and returns the exit code.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	printed := &countingWriter{w: stdout}
	if term.IsTerminal(stdout) {
		printed = nil // not wrapped: width and colours depend on the terminal itself
	} else {
		stdout = printed
	}
	app := newApp(stdout, stderr)
	err := runApp(ctx, app, args)
	if err == nil {
		err = lost(args, printed)
	}
	if err == nil {
		return 0
	}
	_, first := commandOf(app, args)
	f := failureOf(ctx, err, strings.Join(args[min(1, len(args)):min(first, len(args))], " "))
	f.print(stderr)
	if printed != nil && wantsJSON(args) && printed.n == 0 && f.Message != "" {
		// otherwise the command has printed its result already
		printFailure(stdout, f)
	}
	return f.ExitCode
}

// runApp runs a command. A panic is an error that says where it was.
func runApp(ctx context.Context, app *cli.App, args []string) (err error) {
	defer pipelines.Caught(&err)
	return app.RunContext(ctx, flagsFirst(app, args))
}

// newApp lists the commands.
func newApp(stdout, stderr io.Writer) *cli.App {
	useOwnHelp()
	app := &cli.App{
		Name:                      "pipeline",
		Usage:                     "turn Cursor's local history into a DuckDB warehouse",
		Version:                   version,
		Writer:                    stdout,
		ErrWriter:                 stderr,
		HideHelpCommand:           true,
		DisableSliceFlagSeparator: true, // a path may hold a comma
		EnableBashCompletion:      true,
		Commands: []*cli.Command{runCommand(), pipelinesCommand(), configCommand(), scheduleCommand(), serveCommand(),
			hookCommand(), discoverCommand(), doctorCommand(), statusCommand(), sqlCommand(), answersCommand(),
			reportCommand(), searchCommand(), showCommand(), openCommand(), secretsCommand(), mcpCommand(),
			checkCommand(), historyCommand(), rebuildCommand(), pushCommand(), pruneCommand(), exportCommand(),
			schemaCommand(), pricesCommand(), demoCommand(), completionCommand(), manCommand(), versionCommand()},
		ExitErrHandler: func(*cli.Context, error) {},
		OnUsageError:   usageError,
		Action:         greet,
	}
	for _, c := range app.Commands {
		for _, c := range append(c.Subcommands, c) {
			c.OnUsageError = usageError
			c.HideHelpCommand = true
			if c.ArgsUsage == "" && len(c.Subcommands) == 0 {
				c.Action = withoutArguments(c.Action)
			}
		}
	}
	return app
}

// greet prints the text of `pipeline` without a command.
func greet(c *cli.Context) error {
	if name := c.Args().First(); name != "" {
		return usage("there is no command %q%s", name, cmp.Or(otherWord(name), didYouMean(c.App.Commands, name)))
	}
	fmt.Fprint(c.App.Writer, `pipeline turns Cursor's local history into a DuckDB warehouse that you can ask.
  pipeline run              find Cursor's stores and load them
  pipeline answers          the questions that people ask first
  pipeline open             read the chats and a page with charts in a browser
  pipeline demo --out demo  write an invented year to try it on
See 'pipeline --help' for all commands.
`)
	return nil
}

// What follows makes every command end soon after an interrupt, even if it is waiting for something. Most of a command
// ends with its context. Three things do not: a read of standard input, a write to a pipe that nobody reads, and a disk
// that does not answer.

// How long a command may take to end.
const (
	commandTime = 700 * time.Millisecond // a command that only reads leaves nothing behind
	// a command that writes needs a moment to undo what it has begun; killing it does no harm
	writerTime    = 10 * time.Second
	reportingTime = interruptedPing + notify.CommandLimit + writerTime
)

// writers are the commands that write more than their output.
var writers = []string{"run", "rebuild", "prune", "export", "demo", "schedule"}

// An allowance is the time that a command has to end after an interrupt. A command may extend it.
type allowance struct{ atomic.Int64 }

type allowanceKey struct{}

// waitFor sets the allowance of the command with this context.
func waitFor(ctx context.Context, d time.Duration) {
	if a, ok := ctx.Value(allowanceKey{}).(*allowance); ok {
		a.Store(int64(d))
	}
}

// endsSoon runs a command, and stops waiting for it if it does not end in time after an interrupt. 'serve' handles its
// signals itself.
func endsSoon(ctx context.Context, args []string, stderr io.Writer, command func(context.Context) int) int {
	if len(args) > 1 && args[1] == "serve" {
		return command(ctx)
	}
	a := &allowance{}
	a.Store(int64(commandTime))
	if len(args) > 1 && slices.Contains(writers, args[1]) {
		a.Store(int64(writerTime))
	}
	ended := make(chan int, 1)
	go func() { ended <- command(context.WithValue(ctx, allowanceKey{}, a)) }()
	select {
	case code := <-ended:
		return code
	case <-ctx.Done():
	}
	for told := time.Now(); ; {
		left := time.Duration(a.Load()) - time.Since(told)
		if left <= 0 {
			return givenUp(stderr)
		}
		select {
		case code := <-ended:
			return code
		case <-time.After(min(left, 100*time.Millisecond)): // the command may have extended its allowance
		}
	}
}

// givenUp prints a message about that, but does not wait for the message either.
func givenUp(stderr io.Writer) int {
	said := make(chan struct{})
	go func() {
		fmt.Fprintln(stderr, "pipeline: interrupted; gave up waiting for an operation that did not end")
		close(said)
	}()
	select {
	case <-said:
	case <-time.After(100 * time.Millisecond):
	}
	return exitInterrupted
}

// interruptedPing is the time limit for a monitor after an interrupt: somebody is waiting for the end.
const interruptedPing = 1500 * time.Millisecond
