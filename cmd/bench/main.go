// Command bench measures pipeline: whole runs, each stage beside its floor, and how both grow with the store.
//
// It prints what it measured and nothing else: no figure in it is written by hand. Whatever is measured runs in a
// process of its own, so that the operating system counts its CPU time and its memory; this process stays small.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

func main() { os.Exit(realMain(os.Args[1:], os.Stdout, os.Stderr)) }

func realMain(args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var err error
	if len(args) > 0 && args[0] == "task" {
		err = childMain(ctx, args[1:], stdout)
	} else {
		err = benchMain(ctx, args, stdout, stderr)
	}
	switch {
	case err == nil:
		return 0
	case errors.Is(err, flag.ErrHelp):
		return 2
	}
	fmt.Fprintln(stderr, "bench: "+err.Error())
	return 1
}

// options say what is measured, and with what.
type options struct {
	scale    float64
	scales   []float64 // of the growth
	runs     int
	seed     uint64
	skew     float64
	dir      string
	pipeline string
	python   string
	peer     string
	markdown string
	growth   bool
	answers  bool
	agents   bool
	push     bool
	fleet    int // machines; 0: no fleet
	stores   []string
	core     string // to pin to, "" where that cannot be done
}

// bench is one measuring: its options, and where it says how far it is.
type bench struct {
	options
	self   string // this program
	report report
	out    io.Writer
	log    io.Writer
}

func parseOptions(args []string, stderr io.Writer) (o options, err error) {
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Float64Var(&o.scale, "scale", 1, "times the store of a heavy user: 37,000 messages, 300 MB")
	f.Uint64Var(&o.seed, "seed", 7, "another seed makes another store")
	f.Float64Var(&o.skew, "skew", 0, "how much conversations differ in size: with 2.5, one has most of the messages; "+
		"0 is that of a heavy user")
	scales := f.String("scales", "1,3,10", "the scales of -growth and -push")
	f.IntVar(&o.runs, "runs", 3, "how often everything is run; medians are shown")
	f.StringVar(&o.dir, "dir", filepath.Join("bin", "bench"), "folder for stores and what runs write")
	f.StringVar(&o.pipeline, "pipeline", filepath.Join("bin", "pipeline"), "the program to measure")
	f.StringVar(&o.python, "python", "python3",
		"a Python with duckdb, pyarrow and orjson, for the script to compare with")
	f.StringVar(&o.peer, "peer", filepath.Join("testdata", "peers", "peer_python.py"), "that script")
	f.StringVar(&o.markdown, "markdown", "", "also write the report as Markdown to this file")
	f.BoolVar(&o.growth, "growth", false, "measure how runs grow with the store, and what a nightly run costs")
	f.BoolVar(&o.answers, "answers", false, "measure how long each answer takes, over a warehouse of that scale")
	f.BoolVar(&o.agents, "agents", false, "measure first and nightly runs over a store of Cursor 3.x: 2 GB of blobs "+
		"at scale 1, of which a fifth are stale")
	f.BoolVar(&o.push, "push", false, "measure pushes at the scales of -scales: first ones, and of what has changed")
	f.IntVar(&o.fleet, "fleet", 0, "measure how engines read the pushes of so many machines")
	stores := f.String("stores", storeReal+","+storeSmooth, "which stores: "+storeReal+" is like those that people "+
		"have, with BLOBs, texts that repeat little, trimmed lists, graphs beside bubbles and rows that cannot be "+
		"used; "+storeSmooth+" has none of these. Whole runs are measured on all of them, the rest on the first")
	f.StringVar(&o.core, "core", "", "the core to pin to: one that nothing else uses; the first if empty")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	for kind := range strings.SplitSeq(*stores, ",") {
		if kind = strings.TrimSpace(kind); kind != storeReal && kind != storeSmooth {
			return o, fmt.Errorf("-stores %q: write %s or %s, or both with a comma between them", *stores, storeReal,
				storeSmooth)
		}
		o.stores = append(o.stores, kind)
	}
	for text := range strings.SplitSeq(*scales, ",") {
		scale, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || scale <= 0 {
			return o, fmt.Errorf("-scales %q: write numbers above 0, with commas between them", *scales)
		}
		o.scales = append(o.scales, scale)
	}
	if f.NArg() > 0 || o.scale <= 0 || o.runs < 1 {
		return o, fmt.Errorf("bench takes flags only, a -scale above 0 and at least one of -runs; see bench -help")
	}
	return o, nil
}

func benchMain(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	o, err := parseOptions(args, stderr)
	if err != nil {
		return err
	}
	b := &bench{options: o, out: stdout, log: stderr}
	if b.core = pinTo(b.core); b.core == "" {
		b.report.note("Nothing is pinned to a core: this machine has no taskset. Ratios of CPU time still hold, " +
			"those of wall time do not.")
	}
	if b.self, err = os.Executable(); err != nil {
		return fmt.Errorf("find this program, to run its parts as processes of their own: %w", err)
	}
	for _, path := range []*string{&b.dir, &b.pipeline, &b.peer} {
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	if _, err := os.Stat(b.pipeline); err != nil {
		return fmt.Errorf("there is no program to measure; run 'make build' first: %w", err)
	}
	if err := os.MkdirAll(b.dir, 0o755); err != nil {
		return fmt.Errorf("make the folder of the benchmark: %w", err)
	}
	b.report.machine = machine(ctx)
	b.report.note("Load average before: " + loadAverage() + ".")
	switch {
	case b.growth:
		err = b.measureGrowth(ctx)
	case b.agents:
		err = b.measureAgentGraphs(ctx)
	case b.answers:
		err = b.measureAnswers(ctx)
	case b.fleet > 0:
		err = b.measureFleet(ctx)
	case b.push:
		err = b.measurePush(ctx)
	default:
		err = b.measure(ctx)
	}
	b.report.note("Load average after: " + loadAverage() + ".")
	if err != nil { // what was measured until then is shown all the same, and kept nowhere
		b.report.note("NOT COMPLETE: what follows was measured before the benchmark failed.")
		_, failed := io.WriteString(b.out, b.report.text())
		return errors.Join(err, failed)
	}
	return b.finish()
}

// measure measures whole runs of each kind of store at one scale, and the stages of the first.
func (b *bench) measure(ctx context.Context) error {
	for i, kind := range b.stores {
		s, err := b.makeStore(ctx, kind, b.scale)
		if err != nil {
			return err
		}
		if err := b.checkStore(ctx, s); err != nil {
			return err
		}
		if err := b.wholeRuns(ctx, s); err != nil {
			return err
		}
		if i == 0 {
			if err := b.stages(ctx, s); err != nil {
				return err
			}
		}
	}
	return nil
}

// finish prints the report.
func (b *bench) finish() error {
	if b.markdown != "" {
		if err := os.WriteFile(b.markdown, []byte(b.report.markdown()), 0o644); err != nil {
			return fmt.Errorf("write the report: %w", err)
		}
	}
	_, err := io.WriteString(b.out, b.report.text())
	return err
}

// progress says what is being measured.
func (b *bench) progress(format string, args ...any) { fmt.Fprintf(b.log, format+"\n", args...) }

// scratch makes an empty folder for what a run writes.
func (b *bench) scratch(name string) (string, error) {
	dir := filepath.Join(b.dir, "run", name)
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o700)); err != nil {
		return "", fmt.Errorf("make a folder for a run: %w", err)
	}
	return dir, nil
}
