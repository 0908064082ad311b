package pipelines

import (
	"context"
	"fmt"
	"runtime/debug"

	"pipeline/load/sinks"
)

// Publish publishes a warehouse without a load: opt says where.
func Publish(ctx context.Context, opt Options) ([]*sinks.Published, error) {
	opt = opt.withDefaults()
	defer opt.budget().limitHeap()()
	var out []*sinks.Published
	for _, target := range opt.Publish {
		p, err := opt.publish(ctx, target)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// publishLoaded publishes what a run has committed.
func (o Options) publishLoaded(ctx context.Context, r *Result) error {
	for _, target := range o.Publish {
		p, err := o.publish(ctx, target)
		if err != nil {
			return fmt.Errorf("the warehouse is loaded, its %s is not published: %w", target.Sink.About().Title, err)
		}
		r.published(target, p)
	}
	return nil
}

// publish writes files from the committed warehouse.
func (o Options) publish(ctx context.Context, target sinks.Target) (*sinks.Published, error) {
	o.Phase(PhasePublish)
	debug.FreeOSMemory() // nothing of the load is needed any more
	for {
		out, err := target.Publish(ctx, o.Warehouse, sinks.Options{ToolVersion: o.ToolVersion, Now: o.Now(), Memory: o.budget().Engine.Alone, Progress: o.Progress})
		switch {
		case err == nil:
			for _, left := range out.Left {
				o.Warn("an older publication could not be removed; the next one tries again: %s", left)
			}
			return out, nil
		case ctx.Err() != nil || !o.grow(err):
			return nil, err
		}
	}
}
