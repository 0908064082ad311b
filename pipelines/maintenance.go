package pipelines

import (
	"context"
	"fmt"
	"time"

	"pipeline/load"
	"pipeline/load/maintain"
	"pipeline/pipelines/plan"
)

// Retain removes what loads superseded longer than opt.Retention ago: values of versions of rows, and rows of loads.
// Without apply it changes nothing.
func Retain(ctx context.Context, opt Options, apply bool) (r *maintain.Retention, err error) {
	opt = opt.withDefaults()
	memory := opt.memory()
	defer memory.limitHeap()()
	opt.Phase(PhaseRetain)
	err = opt.maintained(ctx, memory, !apply, func(w *maintain.Maintenance) error {
		r, err = opt.retain(ctx, w, apply)
		return err
	})
	return r, err
}

// retain finds what may be removed, and removes it. Shared rows stay: titles, projects and times of all conversations
// are read from them.
func (o Options) retain(ctx context.Context, w *maintain.Maintenance, apply bool) (*maintain.Retention, error) {
	r, err := w.PlanRetention(ctx, o.Now().Add(-o.Retention), []string{plan.Shared})
	if err != nil || !apply {
		return r, err
	}
	return r, w.Retain(ctx, r, o.Now(), o.Progress)
}

// maintained opens the warehouse for maintenance, and once more with more memory where that does not suffice.
func (o Options) maintained(ctx context.Context, m *memory, dry bool, do func(*maintain.Maintenance) error) error {
	return m.grow(ctx, func() error { return o.maintain(ctx, m.Engine, dry, do) })
}

func (o Options) maintain(ctx context.Context, share load.Memory, dry bool, do func(*maintain.Maintenance) error) (err error) {
	w, err := maintain.Open(ctx, o.Warehouse, dry, share, o.Warn)
	if err != nil {
		return err
	}
	defer func() {
		if closed := w.Close(); err == nil {
			err = closed
		}
	}()
	return do(w)
}

// retentionEvery is the shortest time between two runs that apply retention.
const retentionEvery = 20 * time.Hour

// retentionDue reports whether a run is to apply retention.
func (o Options) retentionDue(r *Result) bool {
	since := o.Now().Sub(r.retained)
	return o.Retention > 0 && (since < 0 || since >= retentionEvery) // below 0: the clock was set back
}

// retainLoaded applies retention after a run. A failure does not undo the load.
func (o Options) retainLoaded(ctx context.Context, m *memory, r *Result) {
	o.Phase(PhaseRetain)
	err := o.maintained(ctx, m, false, func(w *maintain.Maintenance) (err error) {
		r.Retention, err = o.retain(ctx, w, true)
		return err
	})
	if err != nil && ctx.Err() == nil {
		r.Retention = nil
		o.Warn("the warehouse is loaded; --retention was not applied, a later run tries again: %v", err)
	}
}

// Compacted says what a compaction did, or would do.
type Compacted struct {
	Applied   bool                `json:"applied"`
	Raw       *maintain.Merging   `json:"raw"`
	Warehouse *maintain.Shrinking `json:"warehouse"`
}

// Compact combines small files of the raw layer, and rewrites the warehouse if much of its file is free. Without apply
// it changes nothing.
func Compact(ctx context.Context, opt Options, apply bool) (out *Compacted, err error) {
	opt = opt.withDefaults()
	memory := opt.memory()
	defer memory.limitHeap()()
	opt.Phase(PhaseCompact)
	err = opt.maintained(ctx, memory, !apply, func(w *maintain.Maintenance) (err error) {
		out = &Compacted{Applied: apply, Raw: w.PlanMerging()}
		if apply {
			if err := w.Merge(ctx, out.Raw, opt.Progress); err != nil {
				return err
			}
		}
		opt.Phase(PhaseShrink)
		if out.Warehouse, err = w.Shrink(ctx); err != nil && apply {
			err = fmt.Errorf("the raw layer is compact, the warehouse stays as it was: %w", err)
		}
		return err
	})
	return out, err
}
