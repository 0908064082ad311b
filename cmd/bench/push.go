package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"pipeline/load/push"
)

// The pushes that are measured after the first ones.
const (
	pushChanged = "next push, redacted, 1 % of the conversations changed"
	pushNothing = "next push, redacted, nothing changed"
)

func pushFirst(level string) string { return "first push, " + level }

// pushes are the pushes of one scale.
type pushes struct {
	store    store
	messages int64
	runs     kinds
	said     map[string]push.Result // of the last run
}

// measurePush measures pushes into a folder, at several scales. What a network takes is not in them, the requests are
// counted.
func (b *bench) measurePush(ctx context.Context) error {
	t := sheet{title: "Pushes", header: []string{"push", "scale", "store MB", "messages", "units sent", "objects",
		"MB sent", "requests", "CPU s", "wall s", "peak RSS MB"}}
	t.note = fmt.Sprintf("Into a folder, on one core; medians of %s.", plural(b.runs, "run"))
	var all []pushes
	for _, scale := range b.scales {
		p, err := b.pushAt(ctx, scale)
		if err != nil {
			return fmt.Errorf("at scale %g: %w", scale, err)
		}
		all = append(all, p)
	}
	var names []string
	for _, level := range push.Levels {
		names = append(names, pushFirst(level))
	}
	for _, name := range append(names, pushChanged, pushNothing) {
		for _, p := range all {
			m, said := p.runs[name], p.said[name]
			t.add(name, fmt.Sprintf("%gx", p.store.scale), megabytes(p.store.bytes), count(p.messages),
				fmt.Sprintf("%d of %d", said.Units, said.Known), count(int64(said.Files)), megabytes(said.Bytes),
				count(said.Stats.Requests()), seconds(m.cpu.median()), seconds(m.wall.median()),
				wholeMegabytes(m.rss.median()))
		}
	}
	b.report.add(t)
	return nil
}

// pushAt measures the pushes of one scale.
func (b *bench) pushAt(ctx context.Context, scale float64) (p pushes, err error) {
	original, err := b.makeStore(ctx, b.stores[0], scale)
	if err != nil {
		return p, err
	}
	dir, err := b.scratch("push")
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(filepath.Join(b.dir, "run"))) }()
	p = pushes{store: original, runs: kinds{}, said: map[string]push.Result{}}
	p.store.dir = filepath.Join(dir, "User")
	if err := copyStore(original.dir, p.store.dir); err != nil {
		return p, fmt.Errorf("copy the store: %w", err)
	}
	if p.messages, err = b.pushLoad(ctx, p.store, dir); err != nil {
		return p, err
	}
	for round := range b.runs {
		for _, level := range []string{push.Metadata, push.Full, push.Redacted} {
			// what the last one keeps is for the pushes that follow
			lake := filepath.Join(dir, level)
			if err := errors.Join(os.RemoveAll(lake), os.RemoveAll(filepath.Join(dir, "w.duckdb.push"))); err != nil {
				return p, err
			}
			if err := b.pushOnce(ctx, &p, pushFirst(level), dir, level, round); err != nil {
				return p, err
			}
		}
	}
	for round := range b.runs {
		changed, err := b.task(ctx, false, "change", "-dir", p.store.dir, "-share", "0.01", "-mark",
			strconv.Itoa(round+1))
		if err != nil {
			return p, err
		}
		if _, err := b.pushLoad(ctx, p.store, dir); err != nil {
			return p, err
		}
		for _, name := range []string{pushChanged, pushNothing} {
			if err := b.pushOnce(ctx, &p, name, dir, push.Redacted, round); err != nil {
				return p, err
			}
		}
		if sent := int64(p.said[pushChanged].Units); sent < changed.Counts["changed"] {
			return p, fmt.Errorf("%d conversations were changed, and %d units sent", changed.Counts["changed"], sent)
		}
		if again := p.said[pushNothing]; again.Seq != 0 || again.Units != 0 {
			return p, fmt.Errorf("nothing was changed, and %d units were sent", again.Units)
		}
	}
	return p, nil
}

// pushLoad loads a store into the warehouse of a folder.
func (b *bench) pushLoad(ctx context.Context, s store, dir string) (messages int64, err error) {
	_, out, err := b.run(ctx,
		command{args: []string{b.pipeline, "run", "--json", "--source", sourceName + "=" + s.dir, "--warehouse",
			filepath.Join(dir, "w.duckdb")}})
	if err != nil {
		return 0, err
	}
	var said summary
	if err := json.Unmarshal(out, &said); err != nil {
		return 0, fmt.Errorf("read what the run printed: %w", err)
	}
	return said.Totals.Messages, nil
}

// pushOnce measures one push into the folder of a level.
func (b *bench) pushOnce(ctx context.Context, p *pushes, name, dir, level string, round int) error {
	lake := filepath.Join(dir, level)
	if err := os.MkdirAll(lake, 0o755); err != nil {
		return err
	}
	b.progress("scale %g, run %d of %d: %s", p.store.scale, round+1, b.runs, name)
	u, out, err := b.run(ctx,
		command{args: []string{b.pipeline, "push", "--json", "--to", lake, "--level", level, "--warehouse",
			filepath.Join(dir, "w.duckdb")}, pinned: true})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	var said push.Result
	if err := json.Unmarshal(out, &said); err != nil {
		return fmt.Errorf("%s: read what the push printed: %w", name, err)
	}
	p.runs.add(name, u)
	p.said[name] = said
	return nil
}
