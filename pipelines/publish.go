package pipelines

import (
	"context"
	"errors"
	"fmt"

	"pipeline/load/sinks"
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

// publishLoaded publishes the committed warehouse after a run, by the connection that the load has used if it is still
// open.
func (o Options) publishLoaded(ctx context.Context, m *memory, w opened, r *Result) error {
	if r.Read > 0 && len(o.Publish) > 0 {
		m.returnHeap()
	}
	for _, target := range o.Publish {
		p, err := o.publish(ctx, m, target, sinks.Options{Loaded: true, Anew: o.Full, Conn: w.Committed()})
		if err != nil {
			return fmt.Errorf("the warehouse is loaded, its %s is not published: %w", target.Sink.About().Title, err)
		}
		r.published(target, p)
	}
	return nil
}

// publish writes the files of one target. The options say what is known of the load before it.
func (o Options) publish(ctx context.Context, m *memory, target sinks.Target,
	options sinks.Options) (out *sinks.Published, err error) {
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
