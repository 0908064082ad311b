package main

import (
	"context"
	"os"
	"path/filepath"
)

// staged are the runs of each task, round by round.
type staged map[string]*stagedTask

type stagedTask struct {
	measured
	phases map[string]*measured
	last   result
}

// stageTasks are run in this order in each round: copy takes the warehouse that run has left.
var stageTasks = []string{"cat", "scan-sql", "scan-driver", "read", "parse", "normalize", "append", "append-all", "run",
	"copy"}

// stages runs every stage and its floor, in turns, and puts them into the report.
func (b *bench) stages(ctx context.Context, s store) error {
	all := staged{}
	finished, err := b.scratch("finished")
	if err != nil {
		return err
	}
	for round := range b.runs {
		for _, name := range stageTasks {
			b.progress("stage %d of %d: %s", round+1, b.runs, name)
			dir := finished
			if name != "run" {
				if dir, err = b.scratch("stage"); err != nil {
					return err
				}
			} else if dir, err = b.scratch("finished"); err != nil {
				return err
			}
			r, err := b.task(ctx, true, name, "-dir", s.dir, "-scratch", dir, "-warehouse",
				filepath.Join(finished, "w.duckdb"))
			if err != nil {
				return err
			}
			all.add(name, r)
		}
	}
	b.report.add(stageTable(all))
	b.report.add(phaseTable(all))
	return os.RemoveAll(filepath.Join(b.dir, "run"))
}

func (s staged) add(name string, r result) {
	t := s[name]
	if t == nil {
		t = &stagedTask{phases: map[string]*measured{}}
		s[name] = t
	}
	t.measured.add(r.Part)
	t.last = r
	for phase, u := range r.Phases {
		if t.phases[phase] == nil {
			t.phases[phase] = &measured{}
		}
		t.phases[phase].add(u)
	}
}

// cpu is the CPU time of a task, or of a phase of it; all zeros where a run has no such phase.
func (s staged) cpu(name string, phases ...string) series {
	t := s[name]
	if len(phases) == 0 {
		return t.cpu
	}
	sum := make(series, len(t.cpu))
	for _, phase := range phases {
		if m := t.phases[phase]; m != nil {
			sum = sum.plus(m.cpu)
		}
	}
	return sum
}

// stageTable puts each stage beside its floors.
func stageTable(s staged) sheet {
	t := sheet{title: "Stages beside their floors",
		header: []string{"stage", "CPU s", "floor", "CPU s", "stage / floor", "peak RSS MB"}}
	t.note = "On one core. A stage that runs together with others is what a run with it takes more than a run " +
		"without it, round by round; so is its floor. The memory is that of the process that did the stage."
	read := s.cpu("read")
	add := func(stage string, of measured, cpu series, floor string, least series) {
		t.add(stage, seconds(cpu.median()), floor, seconds(least.median()), times(ratio(cpu.median(), least.median())),
			wholeMegabytes(of.rss.median()))
	}
	reader, run := s["read"].measured, s["run"].measured
	add("snapshot and read", reader, read, "read the file", s.cpu("cat"))
	add("snapshot and read", reader, read, "scan by database/sql", s.cpu("scan-sql"))
	add("snapshot and read", reader, read, "scan by the driver", s.cpu("scan-driver"))
	add("parse and build rows", s["normalize"].measured, s.cpu("normalize").minus(read), "pass over the JSON",
		s.cpu("parse").minus(read))
	appended := s.cpu("run", "read").minus(s.cpu("normalize"))
	add("append", run, appended, "append messages, tool calls", s.cpu("append", "append"))
	add("append", run, appended, "append every table", s.cpu("append-all", "append"))
	loaded := s.cpu("run", "open", "read", "merge", "check", "commit", "done").minus(s.cpu("normalize"))
	add("append to commit", run, loaded, "append and commit those two", s.cpu("append", "append", "commit"))
	add("append to commit", run, loaded, "append and commit every table", s.cpu("append-all", "append", "commit"))
	add("Parquet", run, s.cpu("run", "publish"), "COPY of the tables", s.cpu("copy"))
	return t
}

// phaseTable shows where a run's time goes.
func phaseTable(s staged) sheet {
	t := sheet{title: "Where a run's time goes", header: []string{"phase", "CPU s", "wall s", "share of CPU"}}
	t.note = "A first load with Parquet, on one core, without the log: a row is a phase of the run, those with dots " +
		"are parts of the one above them."
	whole := s.cpu("run").median()
	row := func(name string, cpu, wall series) {
		t.add(name, seconds(cpu.median()), seconds(wall.median()), number(100*ratio(cpu.median(), whole), 0)+" %")
	}
	phase := func(title, name string) {
		if m := s["run"].phases[name]; m != nil {
			row(title, m.cpu, m.wall)
		}
	}
	phase("open the warehouse", "open")
	phase("read, parse, append", "read")
	row("... snapshot and read", s.cpu("read"), s["read"].wall)
	row("... parse and build rows", s.cpu("normalize").minus(s.cpu("read")), s["normalize"].wall.minus(s["read"].wall))
	if m := s["run"].phases["read"]; m != nil {
		row("... append", m.cpu.minus(s.cpu("normalize")), m.wall.minus(s["normalize"].wall))
	}
	phase("merge and models", "merge")
	phase("checks", "check")
	phase("commit", "commit")
	phase("Parquet", "publish")
	row("all", s.cpu("run"), s["run"].wall)
	return t
}
