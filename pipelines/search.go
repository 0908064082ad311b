package pipelines

import (
	"context"

	"pipeline/load/search"
)

// indexLoaded updates the search index after a run, if there is one: the first search makes it. A failure is harmless,
// since the next search updates the index too.
func (o Options) indexLoaded(ctx context.Context, r *Result) {
	if c := r.Conversations; c.New+c.Changed+c.Deleted == 0 || !search.Exists(o.Warehouse) {
		return
	}
	o.Phase(PhaseIndex)
	var err error
	if r.SearchIndex, err = search.Update(ctx, o.Warehouse, o.Progress); err != nil && ctx.Err() == nil {
		o.Warn("the warehouse is loaded, its search index is not up to date; the next search will update it: %v", err)
	}
}
