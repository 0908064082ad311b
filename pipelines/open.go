package pipelines

import (
	"context"
	"errors"
	"fmt"

	"pipeline/load"
	"pipeline/load/catalog"
	"pipeline/load/warehouse"
)

// opened is a warehouse that is open for a load, and the state that earlier loads left.
type opened struct {
	*warehouse.Warehouse
	state *load.State
}

// open opens the warehouse for a load. One of an earlier version is made anew first. The caller closes it, also when
// open has failed.
func (o Options) open(ctx context.Context) (w opened, err error) {
	o.Phase(PhaseOpen)
	w.Warehouse, err = warehouse.Open(ctx, o.Warehouse)
	if other := new(catalog.OtherVersion); errors.As(err, &other) && other.IsOlder() {
		if err := o.upgrade(ctx, other); err != nil {
			return opened{}, err
		}
		w.Warehouse, err = warehouse.Open(ctx, o.Warehouse)
	}
	if err != nil {
		return opened{}, err
	}
	if w.state, err = w.State(ctx); err != nil {
		return w, fmt.Errorf("read %s: %w", o.Warehouse, err)
	}
	if m := w.state.Migration; m != nil {
		o.Note("added the tables and columns that this version has and the warehouse lacked; a copy of the old "+
			"warehouse is in %s. Everything in the stores is read again, to fill them; "+
			"in rows that Cursor has deleted they stay empty until 'pipeline rebuild'", m.CopyPath)
	}
	return w, nil
}

// upgrade makes a warehouse of an earlier version anew from its raw layer, and keeps the old one.
func (o Options) upgrade(ctx context.Context, other *catalog.OtherVersion) error {
	o.Note("%s: it is made anew from its raw layer first, which takes as long as 'pipeline rebuild'. The old one "+
		"stays in %s", other.Difference(), catalog.CopyOf(o.Warehouse))
	_, err := rebuild(ctx, o, rebuildUpgrade)
	if refused := new(UsageError); errors.As(err, &refused) { // nobody has used the command in a wrong way
		err = errors.New(refused.Message)
	}
	if err != nil {
		return fmt.Errorf("%s, and it cannot be made anew: %w. It is as it was", other.Difference(), err)
	}
	return nil
}

// Close closes the warehouse, if it is open.
func (w opened) Close() error {
	if w.Warehouse == nil {
		return nil
	}
	return w.Warehouse.Close()
}
