package pipelines

import (
	"context"
	"fmt"
	"runtime/debug"

	"pipeline/load/sinks"
)

// Publish publishes a warehouse without a load, to the targets in opt.
func Publish(ctx context.Context, opt Options) ([]*sinks.Published, error) {
	opt = opt.withDefaults()
	memory := opt.memory()
	defer memory.limitHeap()()
	var out []*sinks.Published
	for _, target := range opt.Publish {
		p, err := opt.publish(ctx, memory, target, nil)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// publishLoaded publishes the committed warehouse after a run.
func (o Options) publishLoaded(ctx context.Context, m *memory, r *Result) error {
	for _, target := range o.Publish {
		p, err := o.publish(ctx, m, target, r.change)
		if err != nil {
			return fmt.Errorf("the warehouse is loaded, its %s is not published: %w", target.Sink.About().Title, err)
		}
		r.published(target, p)
	}
	return nil
}

// publish writes the files of one target. change is what the run has changed, if it has made a load.
func (o Options) publish(ctx context.Context, m *memory, target sinks.Target, change *sinks.Change) (out *sinks.Published, err error) {
	o.Phase(PhasePublish)
	debug.FreeOSMemory() // the memory of the load is no longer needed
	err = m.grow(ctx, func() error {
		out, err = target.Publish(ctx, o.Warehouse, sinks.Options{ToolVersion: o.ToolVersion, Now: o.Now(), Memory: m.Engine.Alone, Progress: o.Progress, Change: change})
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, left := range out.Left {
		o.Warn("an older publication could not be removed; the next one tries again: %s", left)
	}
	return out, nil
}
