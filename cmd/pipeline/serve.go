package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"
	"github.com/xhit/go-str2duration/v2"

	"pipeline/cmd/pipeline/internal/pages"
	"pipeline/cmd/pipeline/internal/serve"
	"pipeline/cmd/pipeline/internal/term"
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
	printable := term.HarmlessText(c.App.ErrWriter, true) // what runs print must not control the terminal
	runner := serve.Program{Path: program, Output: printable}
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
			Log: log.New(printable, "warning: ", 0)})
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

// eventsTo prints events: to standard output for programs, to standard error for people.
func eventsTo(c *cli.Context) func(serve.Event) {
	if c.Bool("json") {
		lines := json.NewEncoder(c.App.Writer)
		lines.SetEscapeHTML(false)
		// an error here has nowhere to go
		return func(e serve.Event) { _ = lines.Encode(eventLine{term.JSONVersion, e}) }
	}
	return func(e serve.Event) {
		text := e.Message
		if e.Pipeline != "" {
			text = e.Pipeline + ": " + text
		}
		if e.Trigger != "" {
			text += " (" + e.Trigger + ")"
		}
		fmt.Fprintf(c.App.ErrWriter, "%s %-8s %s\n", e.Time.Local().Format("2006-01-02 15:04:05"), e.Kind,
			term.PrintableLines(text))
	}
}

// eventLine is an event as --json prints it.
type eventLine struct {
	SchemaVersion int `json:"schema_version"`
	serve.Event
}

const listenDefault = "127.0.0.1:8787"

// listenAddress parses --listen: HOST:PORT, or "" for none. A port alone means this machine.
func listenAddress(c *cli.Context) (string, error) {
	given := c.String("listen")
	if given == "none" {
		return "", nil
	}
	if _, err := strconv.Atoi(given); err == nil {
		given = "127.0.0.1:" + given
	}
	_, port, err := net.SplitHostPort(given)
	if n, bad := strconv.ParseUint(port, 10, 16); err != nil || bad != nil || n > 65535 {
		return "", usage("--listen %q is no address; write %s, [::1]:8787, or none", c.String("listen"), listenDefault)
	}
	return given, nil
}

// listen opens the address.
func listen(ctx context.Context, address string) (net.Listener, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	switch {
	case isTaken(err):
		return nil, fmt.Errorf("%s is taken by another program, perhaps by another 'pipeline serve': --listen "+
			"127.0.0.1:0 takes a free port, --listen none shows no pages", address)
	case err != nil:
		return nil, fmt.Errorf("listen on %s: %w; --listen names another address, --listen none shows no pages",
			address, err)
	}
	return l, nil
}

// isTaken reports whether another program has the address.
func isTaken(err error) bool {
	const onWindows = syscall.Errno(10048) // WSAEADDRINUSE
	return errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, onWindows)
}

func isLoopback(a net.Addr) bool {
	at, err := netip.ParseAddrPort(a.String())
	return err == nil && at.Addr().Unmap().IsLoopback()
}

// chatsOf returns the pages of a warehouse's chats: nil where other machines reach the address. A terminal is told
// where they are; the log of a service must not have the token.
func chatsOf(c *cli.Context, a net.Addr, set *pipelineSet) func(warehouse string) http.Handler {
	if !isLoopback(a) {
		return nil
	}
	if !c.Bool("json") && term.IsTerminal(c.App.ErrWriter) {
		for _, p := range set.served {
			fmt.Fprintf(c.App.ErrWriter, "chats: http://%s%s%s/\n", a, serve.ChatsPath(p.Name),
				pages.Token(p.Warehouse))
		}
	}
	handlers := sync.Map{} // one for each warehouse: see pages.Handler
	return func(warehouse string) http.Handler {
		h, known := handlers.Load(warehouse)
		if !known {
			h, _ = handlers.LoadOrStore(warehouse, pages.Guard(pages.Token(warehouse), pages.Handler(pages.Options{
				Warehouse: warehouse, Version: version, Show: showCommandLine(warehouse)})))
		}
		return h.(http.Handler)
	}
}

// counted counts the requests that are being answered.
func counted(web *http.Server) *sync.WaitGroup {
	var answers sync.WaitGroup
	answer := web.Handler
	web.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answers.Add(1)
		defer answers.Done()
		answer.ServeHTTP(w, r)
	})
	return &answers
}

// closeWeb lets open requests finish. It breaks off those that take long; their handlers clean up.
func closeWeb(web *http.Server, answers *sync.WaitGroup) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if web.Shutdown(ctx) == nil {
		return nil
	}
	err := web.Close()
	done := make(chan struct{})
	go func() { answers.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(3 * time.Second):
	}
	return err
}
