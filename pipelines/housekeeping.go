package pipelines

import (
	"context"
	"fmt"
	"time"

	"pipeline/load"
	"pipeline/pipelines/plan"
)

// Retain removes what loads superseded before opt.Retention ago: values of versions of rows, and rows of loads. Without apply it only looks.
func Retain(ctx context.Context, opt Options, apply bool) (r *load.Retention, err error) {
	opt = opt.withDefaults()
	memory := opt.memory()
	defer memory.limitHeap()()
	opt.Phase(PhaseRetain)
	err = opt.inHouse(ctx, memory, !apply, func(h *load.House) error {
		r, err = opt.retain(ctx, h, apply)
		return err
	})
	return r, err
}

// retain looks for what may go, and removes it. What conversations share stays whole: titles, projects and times of all of them are read from it.
func (o Options) retain(ctx context.Context, h *load.House, apply bool) (*load.Retention, error) {
	r, err := h.PlanRetention(ctx, o.Now().Add(-o.Retention), []string{plan.Shared})
	if err != nil || !apply {
		return r, err
	}
	return r, h.Retain(ctx, r, o.Now(), o.Progress)
}

// inHouse opens the warehouse for housekeeping, and once more with more memory where that does not suffice.
func (o Options) inHouse(ctx context.Context, m *memory, looks bool, do func(*load.House) error) error {
	return m.grow(ctx, func() error { return o.openHouse(ctx, m.Engine, looks, do) })
}

func (o Options) openHouse(ctx context.Context, share load.Memory, looks bool, do func(*load.House) error) (err error) {
	h, err := load.OpenHouse(ctx, o.Warehouse, looks, share, o.Warn)
	if err != nil {
		return err
	}
	defer func() {
		if closed := h.Close(); err == nil {
			err = closed
		}
	}()
	return do(h)
}

// retentionEvery is after how long a run applies retention again.
const retentionEvery = 20 * time.Hour

// retainLoaded applies retention after a run, where it is set. The load is in, whatever becomes of it.
func (o Options) retainLoaded(ctx context.Context, m *memory, r *Result) {
	since := o.Now().Sub(r.retained)
	if o.Retention <= 0 || ctx.Err() != nil || since >= 0 && since < retentionEvery { // a clock set back does not stop it
		return
	}
	o.Phase(PhaseRetain)
	err := o.inHouse(ctx, m, false, func(h *load.House) (err error) {
		r.Retention, err = o.retain(ctx, h, true)
		return err
	})
	if err != nil && ctx.Err() == nil {
		r.Retention = nil
		o.Warn("the warehouse is loaded; --retention was not applied, a later run tries again: %v", err)
	}
}

// Compacted says what a compact did, or would do.
type Compacted struct {
	Applied   bool            `json:"applied"`
	Raw       *load.Merging   `json:"raw"`
	Warehouse *load.Shrinking `json:"warehouse"`
}

// Compact puts small files of the raw layer together and writes the warehouse anew where much of its file is free. Without apply it only looks.
func Compact(ctx context.Context, opt Options, apply bool) (out *Compacted, err error) {
	opt = opt.withDefaults()
	memory := opt.memory()
	defer memory.limitHeap()()
	opt.Phase(PhaseCompact)
	err = opt.inHouse(ctx, memory, !apply, func(h *load.House) (err error) {
		out = &Compacted{Applied: apply, Raw: h.PlanMerging()}
		if apply {
			if err := h.Merge(ctx, out.Raw, opt.Progress); err != nil {
				return err
			}
		}
		opt.Phase(PhaseShrink)
		if out.Warehouse, err = h.Shrink(ctx); err != nil && apply {
			err = fmt.Errorf("the raw layer is compact, the warehouse stays as it was: %w", err)
		}
		return err
	})
	return out, err
}
