package main

import (
	"errors"
	"fmt"
	"log"
	"os"
	"os/signal"
	"time"

	"github.com/urfave/cli/v2"
	"github.com/xhit/go-str2duration/v2"

	"pipeline/cmd/pipeline/internal/serve"
	"pipeline/extract"
)

func serveCommand() *cli.Command {
	return &cli.Command{
		Name:      "serve",
		Usage:     "keep running, and start runs when they are due",
		ArgsUsage: "[NAME|FILE...]",
		Description: `Starts 'pipeline run' when a pipeline's schedule says so, or when Cursor has written (--watch), one run at a time. A run that was missed while the
machine was asleep or off is started once, afterwards. Without names it serves your own pipelines that have a schedule; if there are none, the shipped nightly.
Files that change are read again.

It needs a process that keeps running, as in a container. 'pipeline schedule install' needs none.

Pages, for this machine only unless --listen says otherwise: / for people, /report, /healthz, /readyz, /metrics for Prometheus, /api/runs?n=20, /api/pipelines.

The first Ctrl-C, SIGTERM or SIGHUP lets the present run finish; the second interrupts it, which leaves nothing half done; the third kills it.

Examples:
   pipeline serve                 # your pipelines, by their schedules
   pipeline serve recent --watch  # also when Cursor has written
   pipeline serve ./work.yaml --jitter 10m --listen none
   curl -s localhost:8787/api/pipelines | jq '.[].next'

Exit codes: 0 stopped, 1 failed (the address is taken), 2 usage, 130 stopped, and a run was interrupted for it.`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "watch", EnvVars: []string{"PIPELINE_WATCH"},
				Usage: "also run when stores have changed and are quiet again; a change starts no pipeline with " +
					"'full'"},
			&cli.StringFlag{Name: "min-pause", Value: "5m", EnvVars: []string{"PIPELINE_MIN_PAUSE"},
				Usage: "wait at least `DURATION` after a run before a change starts the next one"},
			&cli.StringFlag{Name: "jitter", EnvVars: []string{"PIPELINE_JITTER"},
				Usage:       "delay each start by a random time of up to `DURATION`, fixed for that start; 0: on time",
				DefaultText: "what the pipeline says, else 0"},
			&cli.StringFlag{Name: "listen", Value: listenDefault, EnvVars: []string{"PIPELINE_LISTEN"},
				Usage: "show pages at `HOST:PORT` (port 0: a free one); none: no pages"},
			&cli.BoolFlag{Name: "json", Usage: "print what happens to standard output, an object in each line"},
		},
		Action:       serveAction,
		BashComplete: pipelineNames,
	}
}

func serveAction(c *cli.Context) (err error) {
	set, policy, err := serveSettings(c)
	if err != nil {
		return err
	}
	// Signals are counted here: the first one ends the command's context, but must not end the present run.
	signals := make(chan os.Signal, 3)
	signal.Notify(signals, endSignals()...)
	defer signal.Stop(signals)
	tell := eventsTo(c)
	program, err := programPath()
	if err != nil {
		return err
	}
	runner := serve.Program{Path: program, Output: printableWriter{c.App.ErrWriter}}
	o := serve.Options{Pipelines: set.look, Runner: runner, Policy: policy, Signals: signals, Tell: tell,
		Watch: serve.NewWatch(nil)}
	if c.Bool("watch") {
		notifier, err := serve.NewNotifier(extract.IsRemote)
		if err == nil {
			o.Watch = serve.NewWatch(notifier)
		} else {
			tell(serve.Event{Time: time.Now(), Kind: serve.EventWarning,
				Message: err.Error() + "; stores are looked at once a minute instead"})
		}
	}
	defer func() { err = errors.Join(err, o.Watch.Close()) }()
	server := serve.New(o)
	at := "no pages (--listen none)"
	if address, err := listenAddress(c); err != nil {
		return err
	} else if address != "" {
		listener, err := listen(c.Context, address)
		if err != nil {
			return err
		}
		at = "http://" + listener.Addr().String()
		if !isLoopback(listener.Addr()) {
			fmt.Fprintf(c.App.ErrWriter, "warning: %s can be reached from other machines, and there is no password: "+
				"anyone who reaches it can read the report\n", at)
		}
		chats := chatsOf(c, listener.Addr(), set)
		web := server.HTTP(serve.Web{Version: version, Address: address, Reports: runner, Chats: chats,
			Log: log.New(printableWriter{c.App.ErrWriter}, "warning: ", 0)})
		answers := counted(web)
		go func() { _ = web.Serve(listener) }() // Close ends it
		defer func() { err = errors.Join(err, closeWeb(web, answers)) }()
	}
	tell(serve.Event{Time: time.Now(), Kind: serve.EventServing, Message: set.summary(at)})
	if server.Run() {
		return &exitError{code: exitInterrupted}
	}
	return nil
}

// serveSettings reads all flags except --listen.
func serveSettings(c *cli.Context) (*pipelineSet, serve.Policy, error) {
	policy := serve.Policy{}
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	policy.Seed = machineID(host, false)
	if policy.MinPause, err = shortLength(c, "min-pause"); err != nil {
		return nil, policy, err
	}
	s := &pipelineSet{c: c, names: c.Args().Slice(), watch: c.Bool("watch"), last: map[string]serve.Pipeline{}}
	if c.String("jitter") != "" {
		d, err := shortLength(c, "jitter")
		if err != nil {
			return nil, policy, err
		}
		s.jitter = &d
	}
	return s, policy, s.open()
}

// shortLength parses a duration that may be 0.
func shortLength(c *cli.Context, name string) (time.Duration, error) {
	d, err := str2duration.ParseDuration(c.String(name))
	if err != nil || d < 0 {
		return 0, usage("--%s %q is not a duration; write 10m, 90s or 0", name, c.String(name))
	}
	return d, nil
}
