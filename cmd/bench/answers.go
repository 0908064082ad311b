package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"pipeline/sql"
)

// measureAnswers asks every answer of a warehouse of the given scale, as a person does: over the file, read-only, on
// two threads.
func (b *bench) measureAnswers(ctx context.Context) (err error) {
	s, err := b.makeStore(ctx, b.stores[0], b.scale)
	if err != nil {
		return err
	}
	dir, err := b.scratch("answers")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(filepath.Join(b.dir, "run"))) }()
	warehouse := filepath.Join(dir, "w.duckdb")
	b.progress("load the store")
	if _, _, err := b.run(ctx,
		command{args: []string{b.pipeline, "run", "--quiet", "--source", s.dir, "--warehouse",
			warehouse}}); err != nil {
		return err
	}
	all := staged{}
	for round := range b.runs {
		b.progress("answers %d of %d", round+1, b.runs)
		r, err := b.task(ctx, false, "answers", "-warehouse", warehouse)
		if err != nil {
			return err
		}
		all.add("answers", r)
	}
	t := sheet{title: "Answers", header: []string{"view", "rows", "wall ms", "slowest", "CPU ms"}}
	t.note = fmt.Sprintf("Every row of each view, on two threads, over a warehouse of a store of %.1f MB; medians of "+
		"%d runs.", float64(s.bytes)/1e6, b.runs)
	for _, answer := range sql.Answers() {
		m, rows := all["answers"].phases[answer.Name], all["answers"].last.Counts[answer.Name]
		t.add(answer.Name, strconv.FormatInt(rows, 10), number(m.wall.median()*1000, 0),
			number(slices.Max(m.wall)*1000, 0), number(m.cpu.median()*1000, 0))
	}
	b.report.add(t)
	return nil
}

// answersTask asks each answer once. It keeps the rows in memory as the engine does for a client, all columns of them.
func answersTask(ctx context.Context, o taskOptions) (r result, err error) {
	db, conn, err := openDuck(ctx, o.warehouse+"?access_mode=read_only&threads=2")
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	r.Phases, r.Counts = map[string]usage{}, map[string]int64{}
	for _, answer := range sql.Answers() {
		r.Phases[answer.Name], err = timed(func() error {
			_, err := conn.ExecContext(ctx, "CREATE OR REPLACE TEMP TABLE answer AS FROM "+answer.Name)
			return err
		})
		if err != nil {
			return r, fmt.Errorf("ask %s: %w", answer.Name, err)
		}
		var n int64
		if err := conn.QueryRowContext(ctx, "SELECT count(*) FROM temp.answer").Scan(&n); err != nil {
			return r, err
		}
		r.Counts[answer.Name] = n
	}
	return r, nil
}
