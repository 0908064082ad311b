package pipelines

import (
	"context"
	"errors"
	"fmt"

	"pipeline/load/maintain"
)

// Compacted says what a compaction did, or would do.
type Compacted struct {
	Applied   bool                `json:"applied"`
	Raw       *maintain.Merging   `json:"raw"`
	Warehouse *maintain.Shrinking `json:"warehouse"`
}

// Compact merges small files of the raw layer, and rewrites the warehouse if much of its file is free. Without apply
// it changes nothing.
func Compact(ctx context.Context, opt Options, apply bool) (out *Compacted, err error) {
	opt = opt.withDefaults()
	memory := opt.memory()
	defer memory.limitHeap()()
	opt.Phase(PhaseCompact)
	err = memory.grow(ctx, func() error { // once more with more memory where that does not suffice
		out, err = opt.compact(ctx, memory, apply)
		return err
	})
	return out, err
}

func (o Options) compact(ctx context.Context, m *memory, apply bool) (out *Compacted, err error) {
	w, err := maintain.Open(ctx, o.Warehouse, !apply, m.Engine, o.Warn)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	out = &Compacted{Applied: apply}
	if out.Raw, err = w.PlanMerging(); err != nil {
		return nil, err
	}
	if apply {
		if err := w.Merge(ctx, out.Raw, o.Progress); err != nil {
			return nil, err
		}
	}
	o.Phase(PhaseShrink)
	if out.Warehouse, err = w.Shrink(ctx); err != nil && apply {
		err = fmt.Errorf("the raw layer is compact, the warehouse stays as it was: %w", err)
	}
	return out, err
}
