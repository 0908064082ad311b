package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// The runs of the growth.
const (
	growthFirst  = "first load, DuckDB and Parquet"
	growthMemory = "the same with --memory 256MB"
)

// point is one scale of the growth.
type point struct {
	store    store
	messages int64
	runs     kinds
	changed  map[string]result // what was changed before a run
	change   string            // the task that changes the store
	nights   []night           // what is written between two loads
}

// measureGrowth runs first and further loads at several scales.
func (b *bench) measureGrowth(ctx context.Context) error {
	var points []point
	var failed error
	memory := b.hasMemory(ctx)
	for _, scale := range b.scales {
		p, err := b.growAt(ctx, scale, memory)
		if err != nil {
			failed = fmt.Errorf("at scale %g: %w", scale, err)
			break
		}
		points = append(points, p)
	}
	if len(points) > 0 {
		b.report.add(growthTable(points, b.runs))
		b.report.add(slopeTable(points))
	}
	return failed
}

// growAt measures one scale, and leaves no more on the disk than there was.
func (b *bench) growAt(ctx context.Context, scale float64, memory bool) (p point, err error) {
	_, missing := os.Stat(b.storeAt(b.stores[0], scale).dir)
	original, err := b.makeStore(ctx, b.stores[0], scale)
	if err != nil {
		return p, err
	}
	if errors.Is(missing, fs.ErrNotExist) && scale != 1 {
		defer func() { err = errors.Join(err, os.RemoveAll(filepath.Dir(original.dir))) }()
	}
	if err := b.checkStore(ctx, original); err != nil {
		return p, err
	}
	dir, err := b.scratch("growth")
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(filepath.Join(b.dir, "run"))) }()
	copied := original
	copied.dir = filepath.Join(dir, "User")
	copied.file = globalStore(copied.dir)
	if err := copyStore(original.dir, copied.dir); err != nil {
		return p, fmt.Errorf("copy the store: %w", err)
	}
	p = point{store: copied, runs: kinds{}, changed: map[string]result{}, change: "change", nights: nights}
	if err := b.growFirst(ctx, &p, memory); err != nil {
		return p, err
	}
	return p, b.growNext(ctx, &p)
}

// growFirst measures first loads of a scale, each into a folder of its own.
func (b *bench) growFirst(ctx context.Context, p *point, memory bool) error {
	for round := range b.runs {
		for _, name := range []string{growthMemory, growthFirst} { // the last one's warehouse stays
			if name == growthMemory && !memory {
				continue
			}
			dir, err := b.scratch("first")
			if err != nil {
				return err
			}
			args := b.growArgs(p, dir)
			if name == growthMemory {
				args = append(args, budget...)
			}
			said, err := b.growRun(ctx, p, name, round, args)
			if err != nil {
				return err
			}
			p.messages = said.Totals.Messages
		}
	}
	return nil
}

// growNext measures further loads into the last of the first ones' warehouses, each after a change.
func (b *bench) growNext(ctx context.Context, p *point) error {
	dir := filepath.Join(b.dir, "run", "first")
	mark := 0
	for _, n := range p.nights {
		for round := range b.runs {
			mark++
			r, err := b.task(ctx, false, cmp.Or(n.task, p.change), "-dir", p.store.dir,
				"-seed", strconv.FormatUint(b.seed, 10), "-share", strconv.FormatFloat(n.share, 'g', -1, 64),
				"-mark", strconv.Itoa(mark))
			if err != nil {
				return err
			}
			p.changed[n.name] = r
			p.messages += r.Counts["messages"] // that are new
			said, err := b.growRun(ctx, p, n.name, round, b.growArgs(p, dir))
			if err != nil {
				return err
			}
			if said.Conversations.Changed != r.Counts["changed"] || said.Totals.Messages != p.messages {
				return fmt.Errorf("%d conversations were changed, the run found %d; it says that there are %d "+
					"messages, the first load %d",
					r.Counts["changed"], said.Conversations.Changed, said.Totals.Messages, p.messages)
			}
		}
	}
	return nil
}

func (b *bench) growArgs(p *point, dir string) []string {
	return []string{b.pipeline, "run", "--source", sourceName + "=" + p.store.dir, "--warehouse",
		filepath.Join(dir, "w.duckdb"), "--parquet", filepath.Join(dir, "parquet"), "--json"}
}

// growRun runs and measures one load.
func (b *bench) growRun(ctx context.Context, p *point, name string, round int, args []string) (said summary,
	err error) {
	b.progress("scale %g, run %d of %d: %s", p.store.scale, round+1, b.runs, name)
	u, out, err := b.run(ctx, command{args: args, pinned: true,
		env: []string{"XDG_DATA_HOME=" + filepath.Join(b.dir, "run")}})
	if err != nil {
		return said, fmt.Errorf("%s: %w", name, err)
	}
	p.runs.add(name, u)
	if err := json.Unmarshal(out, &said); err != nil {
		return said, fmt.Errorf("%s: read what the run printed: %w", name, err)
	}
	return said, nil
}

// growthRuns are the kinds of runs that were made of a scale, in the order in which they are shown.
func growthRuns(p point) []string {
	names := []string{growthFirst, growthMemory}
	for _, n := range p.nights {
		names = append(names, n.name)
	}
	return slices.DeleteFunc(names, func(name string) bool { return p.runs[name] == nil })
}

// growthTable shows every run at every scale.
func growthTable(points []point, runs int) sheet {
	t := sheet{title: "Growth", header: []string{"run", "scale", "store MB", "messages", "changed", "rows replaced",
		"CPU s", "wall s", "peak RSS MB", "CPU ms per 1,000 messages"}}
	t.note = fmt.Sprintf("On one core; medians of %s. The last column is over all messages of the store.",
		plural(runs, "run"))
	for _, name := range growthRuns(points[0]) {
		for _, p := range points {
			m, changed, rows := p.runs[name], "-", "-"
			if r, ok := p.changed[name]; ok {
				changed, rows = fmt.Sprintf("%d of %d", r.Counts["changed"], r.Counts["conversations"]), count(r.Rows)
			}
			t.add(name, fmt.Sprintf("%gx", p.store.scale), megabytes(p.store.bytes), count(p.messages), changed, rows,
				seconds(m.cpu.median()), seconds(m.wall.median()), wholeMegabytes(m.rss.median()),
				number(m.cpu.median()/float64(p.messages)*1e6, 1))
		}
	}
	return t
}

// slopeTable shows what each 1,000 further messages cost between scales, and how memory grows from the first scale to
// the last.
func slopeTable(points []point) sheet {
	t := sheet{title: "Slopes", header: []string{"run"}}
	for i := 1; i < len(points); i++ {
		t.header = append(t.header, fmt.Sprintf("CPU ms per 1,000 messages, %gx to %gx", points[i-1].store.scale,
			points[i].store.scale))
	}
	first, last := points[0], points[len(points)-1]
	span := fmt.Sprintf("%gx to %gx", first.store.scale, last.store.scale)
	t.header = append(t.header, "CPU per message, "+span, "peak RSS, "+span)
	t.note = "Wanted from 1x to 10x: CPU per message of a first load within 15 % (0.85 to 1.15), peak RSS with a " +
		"memory budget below 1.33 times."
	for _, name := range growthRuns(points[0]) {
		cells := []string{name}
		for i := 1; i < len(points); i++ {
			a, b := points[i-1], points[i]
			cells = append(cells,
				number(slope(float64(a.messages), a.runs[name].cpu.median()*1000, float64(b.messages),
					b.runs[name].cpu.median()*1000), 1))
		}
		perMessage := func(p point) float64 { return p.runs[name].cpu.median() / float64(p.messages) }
		cells = append(cells, times(ratio(perMessage(last), perMessage(first))),
			times(ratio(last.runs[name].rss.median(), first.runs[name].rss.median())))
		t.add(cells...)
	}
	return t
}
