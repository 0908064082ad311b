package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"time"

	"pipeline/extract"
	"pipeline/load/sinks"
	"pipeline/pipelines"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// The tasks of this file do a part of a run's work with the packages that a run uses.

// sourceName is what the benchmark calls its source in warehouses.
const sourceName = "bench"

// runMemory is how a run shares out its memory: stages are measured under the same terms.
var runMemory = pipelines.Split(0)

// asRun has a task collect garbage as a run does.
func asRun(task func(context.Context, taskOptions) (result, error)) func(context.Context, taskOptions) (result, error) {
	return func(ctx context.Context, o taskOptions) (result, error) {
		debug.SetMemoryLimit(runMemory.Heap)
		return task(ctx, o)
	}
}

// source is the one source of a user directory.
func source(dir string) (extract.Source, error) {
	found, err := extract.Resolve(sourceName+"="+dir, extract.HostEnv(""))
	if err != nil {
		return extract.Source{}, err
	}
	if len(found) != 1 {
		return extract.Source{}, fmt.Errorf("%s holds %d sources, want one", dir, len(found))
	}
	return found[0], nil
}

// eachConversation reads a source as a run does: it opens and indexes every store, loads each conversation and hands it
// over.
func eachConversation(ctx context.Context, dir string, begin func(extract.Snapshot) error,
	use func(*extract.Conversation) error) (err error) {
	src, err := source(dir)
	if err != nil {
		return err
	}
	snapshot, err := src.Open(ctx, extract.OpenOptions{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, snapshot.Close()) }()
	if err := begin(snapshot); err != nil {
		return err
	}
	for conv, err := range snapshot.Conversations(ctx) {
		if err != nil {
			return err
		}
		if _, _, err := conv.Load(runMemory.Buffer); err != nil {
			return err
		}
		if err := use(conv); err != nil {
			return err
		}
	}
	return snapshot.Verify()
}

// eachDocument hands over every row of a conversation.
func eachDocument(conv *extract.Conversation, use func(*extract.Document) error) error {
	if conv.Head != nil {
		if err := use(conv.Head); err != nil {
			return err
		}
	}
	for d, err := range conv.Parts {
		if err != nil {
			return err
		}
		if err := use(d); err != nil {
			return err
		}
	}
	return nil
}

// readDocuments reads every row of every conversation, and counts them on the way.
func readDocuments(ctx context.Context, o taskOptions, use func(*extract.Document) error) (r result, err error) {
	counted := func(d *extract.Document) error {
		r.Rows++
		r.Bytes += int64(len(d.Value))
		return use(d)
	}
	r.Part, err = timed(func() error {
		return eachConversation(ctx, o.dir, func(extract.Snapshot) error { return nil },
			func(conv *extract.Conversation) error { return eachDocument(conv, counted) })
	})
	return r, err
}

// readStage takes the snapshot and reads the rows. It does nothing with them.
func readStage(ctx context.Context, o taskOptions) (result, error) {
	return readDocuments(ctx, o, func(*extract.Document) error { return nil })
}

// normalizeStage is snapshot, read, parse and build rows: the rows are thrown away.
func normalizeStage(ctx context.Context, o taskOptions) (r result, err error) {
	r.Part, err = timed(func() error {
		return eachBatch(ctx, o.dir, func(rows *schema.Rows) error {
			r.Rows += int64(len(rows.Messages))
			return nil
		})
	})
	return r, err
}

// eachBatch reads a source and hands over the rows of its conversations, as a run does.
func eachBatch(ctx context.Context, dir string, use func(*schema.Rows) error) error {
	var n *transform.Normalizer
	normalize := func(conv *extract.Conversation) error {
		if _, err := conv.Sums(); err != nil { // by which a run tells whether it has changed
			return err
		}
		for rows, err := range n.Normalize(conv) {
			if err != nil {
				return err
			}
			if err := use(rows); err != nil {
				return err
			}
		}
		return nil
	}
	err := eachConversation(ctx, dir, func(s extract.Snapshot) error {
		n = &transform.Normalizer{SourceID: sourceName, Shared: transform.ReadShared(sourceName, s.Shared(), nil),
			Budget: runMemory.Rows, Aside: func() (transform.Aside, error) {
				return pipelines.NewAside("", "bench-rows-*")
			}}
		return nil
	}, normalize)
	if err != nil {
		return err
	}
	for _, id := range n.Shared.Copied() { // those that only workspace stores hold
		if err := normalize(n.Conversation(id)); err != nil {
			return err
		}
	}
	return nil
}

// runStage is a whole first load with Parquet, told apart by its phases.
func runStage(ctx context.Context, o taskOptions) (r result, err error) {
	src, err := source(o.dir)
	if err != nil {
		return r, err
	}
	r.Phases = map[string]usage{}
	var watch stopwatch
	var failed error
	phase := ""
	next := func(name string) {
		if phase != "" {
			failed = errors.Join(failed, watch.stop())
			r.Phases[phase] = watch.total
		}
		phase, watch = name, stopwatch{}
		failed = errors.Join(failed, watch.start())
	}
	r.Part, err = timed(func() error {
		run, err := pipelines.Run(ctx, pipelines.Options{Sources: []extract.Source{src},
			Warehouse: filepath.Join(o.scratch, "w.duckdb"),
			Publish:   []sinks.Target{{Sink: sinks.Named("parquet"), Dir: filepath.Join(o.scratch, "parquet")}},
			Host:      sourceName, MachineID: sourceName, Now: time.Now, Phase: next})
		next("")
		if err != nil {
			return err
		}
		r.Rows = run.Messages
		return errors.Join(run.Errors()...)
	})
	return r, errors.Join(err, failed)
}
