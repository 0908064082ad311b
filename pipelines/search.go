package pipelines

import (
	"context"

	"pipeline/load/search"
)

// indexDue reports whether a run has the search index to update: the first search makes it.
func (o Options) indexDue(r *Result) bool {
	c := r.Conversations
	return c.New+c.Changed+c.Deleted > 0 && search.Exists(o.Warehouse)
}

// indexLoaded updates the search index after a run. A failure is harmless, since the next search updates the index too.
func (o Options) indexLoaded(ctx context.Context, r *Result) {
	o.Phase(PhaseIndex)
	var err error
	if r.SearchIndex, err = search.Update(ctx, o.Warehouse, o.Progress); err != nil && ctx.Err() == nil {
		o.Warn("the warehouse is loaded, its search index is not up to date; the next search will update it: %v", err)
	}
}
