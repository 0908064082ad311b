package pipelines

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"pipeline/load"
)

// DefaultParquetKeep is how long a publication stays after another took its place: who was led to it reads it to its end.
const DefaultParquetKeep = time.Hour

// Publish publishes the Parquet of a warehouse without a load: opt names both.
func Publish(ctx context.Context, opt Options) (*load.Published, error) {
	opt = opt.withDefaults()
	defer opt.budget().limitHeap()()
	return opt.publish(ctx)
}

// publishLoaded publishes what a run has committed.
func (o Options) publishLoaded(ctx context.Context, r *Result) (err error) {
	if o.Parquet == "" {
		return nil
	}
	if r.Publication, err = o.publish(ctx); err != nil {
		return fmt.Errorf("the warehouse is loaded, its Parquet is not published: %w", err)
	}
	r.Parquet = o.Parquet
	return nil
}

// publish writes Parquet from the committed warehouse.
func (o Options) publish(ctx context.Context) (*load.Published, error) {
	o.Phase(PhasePublish)
	debug.FreeOSMemory() // nothing of the load is needed any more
	for {
		out, err := load.Publish(ctx, o.Warehouse, o.Parquet,
			load.PublishOptions{ToolVersion: o.ToolVersion, Now: o.Now(), Keep: max(0, o.ParquetKeep), Memory: o.budget().Engine, Progress: o.Progress})
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
