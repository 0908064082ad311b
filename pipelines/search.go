package pipelines

import (
	"context"
	"runtime/debug"

	"pipeline/load/search"
)

// indexDue reports whether a run has the search index to update: the first search makes it.
func (o Options) indexDue(r *Result) bool {
	c := r.Conversations
	return c.New+c.Changed+c.Deleted > 0 && search.Exists(o.Warehouse)
}

// indexLoaded updates the search index after a run. If it fails, the next search does it. It first gives the load's
// memory back, and sets the garbage collector to its normal pace: at the load's pace, the index of a conversation of
// 300,000 messages took 476 MB, more than --memory allows.
func (o Options) indexLoaded(ctx context.Context, m *memory, r *Result) {
	o.Phase(PhaseIndex)
	m.returnHeap()
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	var err error
	if r.SearchIndex, err = search.Update(ctx, o.Warehouse, o.Progress); err != nil && ctx.Err() == nil {
		o.Warn("the warehouse is loaded, its search index is not up to date; the next search will update it: %v", err)
	}
}
