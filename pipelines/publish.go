package pipelines

import (
	"context"
	"errors"
	"fmt"

	"pipeline/load"
	"pipeline/load/sinks"
	"pipeline/sql/schema"
)

// Publish publishes a warehouse without a load, to the targets in opt.
func Publish(ctx context.Context, opt Options) ([]*sinks.Published, error) {
	opt = opt.withDefaults()
	memory := opt.memory()
	defer memory.limitHeap()()
	var out []*sinks.Published
	for _, target := range opt.Publish {
		p, err := opt.publish(ctx, memory, target, sinks.Options{})
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// publishLoaded publishes the committed warehouse after a run, by the connection that the load has used if it is still open.
func (o Options) publishLoaded(ctx context.Context, m *memory, w opened, r *Result) error {
	if r.Read > 0 && len(o.Publish) > 0 {
		m.returnHeap()
	}
	for i, target := range o.Publish {
		options := sinks.Options{Loaded: true, Change: r.change, Conn: w.Committed()}
		if r.ahead != nil {
			options.Ahead = r.ahead[i]
		}
		p, err := o.publish(ctx, m, target, options)
		if err != nil {
			return fmt.Errorf("the warehouse is loaded, its %s is not published: %w", target.Sink.About().Title, err)
		}
		r.published(target, p)
	}
	return nil
}

// ahead is what is written of each target's files while a first load goes on. A target that cannot do it has nil.
type ahead []*sinks.Ahead

func (r *run) beginAhead() (all ahead) {
	if !r.state.First || r.anew.rebuild != load.NoRebuild || r.dry {
		return nil
	}
	for _, target := range r.opt.Publish {
		all = append(all, target.Ahead(r.opt.ToolVersion, r.budget.Ahead))
	}
	return all
}

func (all ahead) write(rows *schema.Rows) {
	for _, a := range all {
		a.Write(rows)
	}
}

func (all ahead) end() {
	for _, a := range all {
		a.End()
	}
}

func (all ahead) recalled(changed map[string][]string) {
	for _, a := range all {
		a.Recalled(changed)
	}
}

func (all ahead) remove() {
	for _, a := range all {
		a.Remove()
	}
}

// publish writes the files of one target. The options say what is known of the load before it.
func (o Options) publish(ctx context.Context, m *memory, target sinks.Target, options sinks.Options) (out *sinks.Published, err error) {
	o.Phase(PhasePublish)
	options.ToolVersion, options.Now, options.Progress = o.ToolVersion, o.Now(), o.Progress
	err = m.grow(ctx, func() error {
		options.Memory = m.Engine.Alone
		out, err = target.Publish(ctx, o.Warehouse, options)
		return err
	})
	other := (*sinks.OwnerError)(nil)
	switch {
	case errors.As(err, &other):
		return nil, &UsageError{Message: err.Error()}
	case err != nil:
		return nil, err
	}
	for _, left := range out.Left {
		o.Warn("an older publication could not be removed; the next one tries again: %s", left)
	}
	return out, nil
}
