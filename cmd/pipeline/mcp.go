package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/mcpserver"
	"pipeline/cmd/pipeline/internal/runlog"
	"pipeline/cmd/pipeline/internal/serve"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/engine"
	"pipeline/pipelines/file"
)

func mcpCommand() *cli.Command {
	return &cli.Command{
		Name:      "mcp",
		Usage:     "let agents ask the warehouse (Model Context Protocol)",
		ArgsUsage: "[NAME|FILE]",
		Description: `Answers the questions of an agent, such as Cursor's or Claude Code, on standard input and output. The client starts it: --print-config prints what to put
into the client's configuration. It opens no port.

An agent can list conversations, read them, search them, and ask in SQL. It changes nothing: neither the warehouse nor files, and it makes no index. What an
agent asks goes to its model's vendor, so texts have [redacted:RULE] in place of secrets and ~ in place of home folders, unless --full is given.
--project and --source limit what an agent may see; then it cannot ask in SQL.

Without NAME it asks the warehouse of 'pipeline run'; with the NAME or FILE of a pipeline, that pipeline's. With --refresh, a question starts a run in the
background if the last good one is older. The question does not wait for it.

Examples:
   pipeline mcp --print-config cursor  # for ~/.cursor/mcp.json
   pipeline mcp --print-config claude  # for .mcp.json
   pipeline mcp --print-config vscode --refresh 10m --project 'shop-*'
   pipeline mcp nightly --refresh 1h   # the pipeline nightly, and its warehouse

Exit codes: 0 the client has ended the connection, 1 failed, 2 usage, 130 interrupted.`,
		Flags: []cli.Flag{
			warehouseFlag(), timezoneFlag(),
			&cli.StringFlag{Name: "project", Usage: "show only conversations of `PROJECT`: its URI, path or name, or " +
				"a glob"},
			&cli.StringFlag{Name: "source", Usage: "show only conversations of the source of this `ID`"},
			&cli.BoolFlag{Name: "full", Usage: "show texts as they are, with secrets and home folders"},
			&cli.StringFlag{Name: "refresh", Usage: "start a run if the last good one is older than `DURATION`, such " +
				"as 10m"},
			&cli.StringFlag{Name: "print-config",
				Usage: "print the configuration of `CLIENT` for these flags: cursor, claude or vscode"},
		},
		Action:       mcpAction,
		BashComplete: pipelineNames,
	}
}

func mcpAction(c *cli.Context) error {
	p, err := namedPipeline(c)
	if err != nil {
		return err
	}
	path, err := warehouseOf(c, p)
	if err != nil {
		return err
	}
	refresh, err := refresherOf(c)
	if err != nil {
		return err
	}
	if client := c.String("print-config"); client != "" {
		return printClientConfig(c, client)
	}
	if term.IsTerminal(os.Stdin) {
		fmt.Fprintln(c.App.ErrWriter, "This waits for an agent's questions on standard input: a client starts it, see "+
			"pipeline mcp --print-config cursor. Ctrl-C ends it.")
	}
	o := mcpserver.Options{
		Warehouse: path, Version: version, Project: c.String("project"), Source: c.String("source"),
		Full: c.Bool("full"), People: peopleOf,
		Missing: fmt.Sprintf("there is no warehouse at %s yet: tell the user to run '%s' in a terminal once", path,
			runLine(c)),
	}
	if refresh != nil {
		o.Refresh = refresh.before
	}
	err = mcpserver.Serve(c.Context, o, os.Stdin, writeCloser{c.App.Writer})
	if c.Context.Err() != nil {
		return &exitError{code: exitInterrupted}
	}
	return err
}

// warehouseOf is the warehouse that the command line or a pipeline names.
func warehouseOf(c *cli.Context, p *file.Pipeline) (string, error) {
	for _, ch := range choices(c, p) {
		if ch.Key == "warehouse" && len(ch.texts) > 0 {
			return fitWarehouse(ch.texts[0])
		}
	}
	return warehousePath(c)
}

// askedRun are the arguments of the run that fills the warehouse.
func askedRun(c *cli.Context) []string {
	args := []string{"run"}
	if name := c.Args().First(); name != "" {
		args = append(args, name)
	}
	if path := c.Path("warehouse"); path != "" {
		args = append(args, "--warehouse", path)
	}
	return args
}

// runLine is that run as a person types it.
func runLine(c *cli.Context) string {
	line := "pipeline"
	for _, arg := range askedRun(c) {
		line += " " + term.ShellQuote(arg)
	}
	return line
}

// writeCloser closes nothing: the program's end does.
type writeCloser struct{ io.Writer }

func (writeCloser) Close() error { return nil }

// clientServers is where each client has its servers in its configuration.
var clientServers = map[string]string{"cursor": "mcpServers", "claude": "mcpServers", "vscode": "servers"}

// clientServer is how a client starts this program.
type clientServer struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// printClientConfig prints what a client's configuration needs to start this program with these flags.
func printClientConfig(c *cli.Context, client string) error {
	key, ok := clientServers[client]
	if !ok {
		return usage("--print-config %q: there are cursor, claude and vscode", client)
	}
	program, err := programPath()
	if err != nil {
		return err
	}
	s := clientServer{Command: program, Args: []string{"mcp"}}
	if client != "cursor" {
		s.Type = "stdio"
	}
	if name := c.Args().First(); name != "" {
		s.Args = append(s.Args, name)
	}
	if c.Path("warehouse") != "" {
		path, err := fitWarehouse(c.Path("warehouse"))
		if err != nil {
			return err
		}
		s.Args = append(s.Args, "--warehouse", path)
	}
	for _, name := range []string{"project", "source", "refresh", "timezone"} {
		if value := c.String(name); value != "" {
			s.Args = append(s.Args, "--"+name, value)
		}
	}
	if c.Bool("full") {
		s.Args = append(s.Args, "--full")
	}
	return term.PrintBareJSON(c.App.Writer, map[string]any{key: map[string]clientServer{"pipeline": s}})
}

// refresherOf makes what --refresh asks for; nil without it.
func refresherOf(c *cli.Context) (*refresher, error) {
	if c.String("refresh") == "" {
		return nil, nil
	}
	interval, err := shortLength(c, "refresh")
	if err == nil && interval <= 0 {
		err = usage("--refresh needs a time such as 10m")
	}
	if err != nil {
		return nil, err
	}
	program, err := programPath()
	if err != nil {
		return nil, err
	}
	return &refresher{program: program, args: append(askedRun(c), "--quiet"), every: interval}, nil
}

// A refresher starts a run when an answer would be older than wished. It never waits for the run, and starts no second
// one while the first is under way.
type refresher struct {
	program string
	args    []string // of the run
	every   time.Duration

	mu      sync.Mutex
	running bool
	tried   time.Time // when the last run was started
	failed  string    // why the last run failed; "" if it did not
}

// before is called before an answer of a warehouse whose last good load began at that time. It returns what is to be
// said.
func (r *refresher) before(lastGood time.Time) (said string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	asOf := ""
	if lastGood.Unix() > 0 {
		asOf = " of " + lastGood.UTC().Format(time.RFC3339)
	}
	switch {
	case r.running:
		return "a run is under way; this is the state" + asOf
	case time.Since(lastGood) < r.every:
		return ""
	case time.Since(r.tried) < r.every: // it failed: not at every question
		return "this is the state" + asOf + r.failed
	}
	if err := r.start(); err != nil {
		return "this is the state" + asOf + ": a run could not be started: " + err.Error()
	}
	return "a run was started; this is the state" + asOf
}

// start starts a run in the background.
func (r *refresher) start() error {
	r.tried, r.failed = time.Now(), ""
	var said lastBytes
	run := exec.Command(r.program, r.args...)
	run.Env = append(os.Environ(), serve.TriggerVariable+"="+runlog.ByQuestion)
	run.Stderr = &said
	if err := run.Start(); err != nil {
		return err
	}
	r.running = true
	go func() {
		err := run.Wait()
		r.mu.Lock()
		defer r.mu.Unlock()
		r.running = false
		var ended *exec.ExitError
		switch {
		case err == nil, errors.As(err, &ended) && ended.ExitCode() == runlog.Busy: // another one runs
		default:
			r.failed = fmt.Sprintf("; the last run failed (%v): %s", err,
				engine.FirstLine(strings.TrimSpace(said.String())))
		}
	}()
	return nil
}

// lastBytes keeps the end of what is written to it.
type lastBytes struct{ buffer bytes.Buffer }

// lastBytesKept is how many bytes are kept.
const lastBytesKept = 4096

func (l *lastBytes) Write(p []byte) (int, error) {
	l.buffer.Write(p)
	if extra := l.buffer.Len() - lastBytesKept; extra > 0 {
		l.buffer.Next(extra)
	}
	return len(p), nil
}

func (l *lastBytes) String() string { return l.buffer.String() }
