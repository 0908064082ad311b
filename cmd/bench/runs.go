package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// kind is one way to load the store.
type kind struct {
	name   string
	args   func(dir string) []string // of the program, given an empty folder
	env    []string
	pinned bool
	peer   bool // it is the script to compare with
}

// The names of kinds that figures are made of.
const (
	kindPlain  = "pipeline"
	kindFree   = "pipeline, all cores"
	kindMemory = "pipeline, --memory 256MB"
	kindPeer   = "lean script"
	kindAll    = "full script"
	kindFast   = "lean script, all cores"
)

// wholes are the whole runs of one store, by kind.
type wholes struct {
	runs     map[string]*measured
	messages map[string]int64
	kinds    []kind
}

// pipelineArgs are those of a first load of a store.
func (b *bench) pipelineArgs(s store, dir string, more ...string) []string {
	args := []string{b.pipeline, "run", "--source", sourceName + "=" + s.dir, "--warehouse",
		filepath.Join(dir, "w.duckdb"), "--parquet", filepath.Join(dir, "parquet"), "--json"}
	return append(args, more...)
}

// kinds lists what can be run here; what cannot is said in the report.
func (b *bench) kinds(ctx context.Context, s store) []kind {
	pipeline := func(name string, pinned bool, more ...string) kind {
		return kind{name: name, pinned: pinned,
			args: func(dir string) []string { return b.pipelineArgs(s, dir, more...) }}
	}
	kinds := []kind{pipeline(kindPlain, true), pipeline(kindFree, false)}
	if b.hasMemory(ctx) {
		kinds = append(kinds, pipeline(kindMemory, true, budget...))
	}
	if why := b.pythonMissing(ctx); why != "" {
		b.report.note("No run of the Python script: " + why)
		return kinds
	}
	script := func(name string, threads, keeps string) kind {
		return kind{name: name, pinned: threads == "1", peer: true, env: []string{"PEER_THREADS=" + threads},
			args: func(dir string) []string { return []string{b.python, b.peer, s.dir, dir, "orjson", keeps} }}
	}
	return append(kinds, script(kindPeer, "1", "lean"), script(kindAll, "1", "full"), script(kindFast, "2", "lean"))
}

// budget is the memory that runs are to make do with, of those that are given any.
var budget = []string{"--memory", "256MB"}

// hasMemory reports that the program takes a memory budget; if not, the report says so.
func (b *bench) hasMemory(ctx context.Context) bool {
	_, help, err := b.run(ctx, command{args: []string{b.pipeline, "run", "--help"}})
	if err == nil && strings.Contains(string(help), budget[0]) {
		return true
	}
	b.report.note("No run with a memory budget: this pipeline has no --memory.")
	return false
}

// pythonMissing says why the script cannot run; "" if it can.
func (b *bench) pythonMissing(ctx context.Context) string {
	if _, _, err := b.run(ctx, command{args: []string{b.python, "-c", "import duckdb, orjson, pyarrow"}}); err != nil {
		return fmt.Sprintf("%s has not what it needs (duckdb, orjson, pyarrow): %s. Name another with PYTHON=.",
			filepath.Base(b.python), lastLines(err.Error(), 1))
	}
	return ""
}

// wholeRuns runs every kind, in turns, and puts them into the report.
func (b *bench) wholeRuns(ctx context.Context, s store) error {
	w := &wholes{runs: map[string]*measured{}, messages: map[string]int64{}, kinds: b.kinds(ctx, s)}
	if _, err := b.task(ctx, false, "cat", "-dir", s.dir); err != nil { // the first run would pay for the disk
		return err
	}
	for round := range b.runs {
		for _, k := range w.kinds {
			b.progress("run %d of %d: %s", round+1, b.runs, k.name)
			dir, err := b.scratch("whole")
			if err != nil {
				return err
			}
			u, out, err := b.run(ctx, command{args: k.args(dir),
				env: append([]string{"XDG_DATA_HOME=" + dir}, k.env...), pinned: k.pinned})
			if err != nil {
				return fmt.Errorf("%s: %w", k.name, err)
			}
			if w.runs[k.name] == nil {
				w.runs[k.name] = &measured{}
			}
			w.runs[k.name].add(u)
			if err := b.countRun(ctx, w, k, dir, out); err != nil {
				return fmt.Errorf("%s: %w", k.name, err)
			}
			if err := os.RemoveAll(dir); err != nil {
				return err
			}
		}
	}
	b.reportRuns(s, w)
	return nil
}

// summary is what of a run's own report is looked at.
type summary struct {
	Conversations struct {
		New     int64 `json:"new"`
		Changed int64 `json:"changed"`
	} `json:"conversations"`
	Read   int64 `json:"conversations_read"`
	Loaded int64 `json:"messages_loaded"`
	Totals struct {
		Messages int64 `json:"messages"`
	} `json:"totals"`
}

// countRun holds a run to the others of its kind, and notes what the script leaves out.
func (b *bench) countRun(ctx context.Context, w *wholes, k kind, dir string, out []byte) error {
	var n int64
	if k.peer {
		r, err := b.task(ctx, false, "count", "-file", filepath.Join(dir, "parquet", "messages.parquet"))
		if err != nil {
			return err
		}
		n = r.Rows
	} else {
		var said summary
		if err := json.Unmarshal(out, &said); err != nil {
			return fmt.Errorf("read what the run printed: %w", err)
		}
		n = said.Totals.Messages
		if _, counted := w.messages[leftOut]; !counted {
			r, err := b.task(ctx, false, "count", "-warehouse", filepath.Join(dir, "w.duckdb"))
			if err != nil {
				return err
			}
			if r.Rows-r.Counts["orphaned"] != n {
				return fmt.Errorf("it says that the warehouse has %d messages, and there are %d", n,
					r.Rows-r.Counts["orphaned"])
			}
			w.messages[leftOut] = r.Counts["beside"]
		}
	}
	if before, ran := w.messages[k.name]; n == 0 || ran && before != n {
		return fmt.Errorf("it loaded %d messages, an earlier run of the same store %d", n, before)
	}
	w.messages[k.name] = n
	if first := w.messages[kindPlain]; !k.peer && n != first {
		return fmt.Errorf("it loaded %d messages, the plain run %d", n, first)
	}
	return nil
}

// leftOut stands for the messages that the script does not read: of chats that only workspace stores hold, and those
// that only the agent's graph has.
const leftOut = "left out"

// agreement compares what the two have loaded.
func agreement(ours, beside, peers int64) string {
	switch {
	case ours == peers:
		return fmt.Sprintf("Both loaded %s messages.", count(ours))
	case ours-beside == peers:
		return fmt.Sprintf("Both loaded the same %s messages of the global store; pipeline also loaded %s that "+
			"only workspace stores or graphs of agents hold, which the scripts do not read as messages.",
			count(peers), count(beside))
	}
	return fmt.Sprintf("THE COUNTS DIFFER by %s: pipeline loaded %s messages of the global store, the script %s. Its "+
		"figures are not comparable.",
		count(max(ours-beside-peers, peers-ours+beside)), count(ours-beside), count(peers))
}

// reportRuns makes the tables of the whole runs.
func (b *bench) reportRuns(s store, w *wholes) {
	t := sheet{title: "Whole runs, " + s.kind + " store", header: []string{"run", "cores", "CPU s",
		"lowest to highest", "wall s",
		"peak RSS MB", "messages", "CPU ms per 1,000 messages"}}
	t.note = fmt.Sprintf("A first load of %s MB into a DuckDB file and Parquet; medians of %s, in turns.",
		megabytes(s.bytes), plural(b.runs, "run"))
	for _, k := range w.kinds {
		m := w.runs[k.name]
		cores := "all"
		if k.pinned && b.core != "" {
			cores = "one"
		}
		n := w.messages[k.name]
		t.add(k.name, cores, seconds(m.cpu.median()), m.cpu.spread(), seconds(m.wall.median()),
			wholeMegabytes(m.rss.median()), count(n), number(m.cpu.median()/float64(n)*1e6, 1))
	}
	if n, ran := w.messages[kindPeer]; ran {
		t.note += " " + agreement(w.messages[kindPlain], w.messages[leftOut], n)
	}
	b.report.add(t)
	b.report.add(b.ratios(s, w))
	plain := w.runs[kindPlain]
	if held := ratio(plain.wall.median(), plain.cpu.median()); b.core != "" && held > heldUp {
		b.report.note(fmt.Sprintf("The plain run took %.1f times its CPU time: other programs or the disk held it up, "+
			"and wall times say little.", held))
	}
}

// heldUp is how many times its CPU time a run on one core takes that has the core for itself, at most: it waits for the
// disk now and then.
const heldUp = 1.25

// ratios are the figures that are asked for, each beside what is wanted of it. They are told, not judged.
func (b *bench) ratios(s store, w *wholes) sheet {
	t := sheet{title: "What is asked for, " + s.kind + " store", header: []string{"figure", "measured", "wanted"}}
	plain := w.runs[kindPlain]
	if peer := w.runs[kindPeer]; peer != nil {
		t.add("CPU, pipeline / lean script", times(ratio(plain.cpu.median(), peer.cpu.median())),
			"at most 0.95, goal 0.8")
		t.add("CPU, pipeline / full script", times(ratio(plain.cpu.median(), w.runs[kindAll].cpu.median())),
			"at most 0.8, goal 0.65")
		t.add("wall, pipeline / lean script, all cores", times(ratio(w.runs[kindFree].wall.median(),
			w.runs[kindFast].wall.median())), "at most 0.75, goal 0.6")
		t.add("peak RSS, pipeline / lean script", times(ratio(plain.rss.median(), peer.rss.median())), "-")
	}
	if b.core != "" {
		t.add("wall, all cores / one core", times(ratio(w.runs[kindFree].wall.median(), plain.wall.median())),
			"at most 0.7 on two cores")
	}
	if held := w.runs[kindMemory]; held != nil {
		limit := "-"
		switch s.scale {
		case 1:
			limit = "at most 300"
		case 10:
			limit = "at most 500"
		}
		t.add("peak RSS MB with --memory 256MB", wholeMegabytes(held.rss.median()), limit)
	}
	return t
}
