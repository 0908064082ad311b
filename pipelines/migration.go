package pipelines

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"pipeline/load"
	"pipeline/load/warehouse"
)

// This file fills the tables and columns that opening a warehouse has added. What is new in them comes from the
// stores, as everything is read again, and from the raw layer for all rows that are not read again: those that Cursor has deleted, and those of sources that
// are not there.

// opened is a warehouse that is open for a load, and the state that earlier loads left.
type opened struct {
	*warehouse.Warehouse
	state *load.State
}

// open opens the warehouse for a load. The caller closes it, also when open has failed.
func (o Options) open(ctx context.Context) (w opened, err error) {
	o.Phase(PhaseOpen)
	if w.Warehouse, err = warehouse.Open(ctx, o.Warehouse); err != nil {
		return opened{}, err
	}
	if w.state, err = w.State(ctx); err != nil {
		return w, fmt.Errorf("read %s: %w", o.Warehouse, err)
	}
	o.tellMigration(w.state.Migration)
	return w, nil
}

// Close closes the warehouse, if it is open.
func (w opened) Close() error {
	if w.Warehouse == nil {
		return nil
	}
	return w.Warehouse.Close()
}

// tellMigration says which tables and columns were added, before anything is loaded.
func (o Options) tellMigration(m *load.Migration) {
	if m != nil {
		o.Note("added the tables and columns that this version has and the warehouse lacked; a copy of the old warehouse is in %s", m.Copy)
	}
}

// openFilled opens the warehouse for a load. If it was migrated and no load has filled it since, and this run will not read every row again, openFilled first fills it from its raw layer. If the raw layer does not hold all of the warehouse, the load fills what it reads.
func (o Options) openFilled(ctx context.Context) (opened, error) {
	w, err := o.open(ctx)
	if err != nil || !w.state.Due() {
		return w, err
	}
	left, err := o.countLeft(ctx, w)
	if err != nil {
		return w, err
	}
	if left == 0 && w.state.LastLoadID == 1 {
		o.Note("everything is read again now, to fill what is new in the warehouse")
		return w, nil
	}
	why, err := o.fill(ctx, w, left)
	if err != nil {
		return w, cmp.Or(ctx.Err(), err)
	}
	if why != nil {
		o.Note("what is new in the warehouse is filled for what this run reads. It stays empty in %d other rows, as these cannot be filled from the raw layer: %v", left, why)
		return w, nil
	}
	w.state, err = w.State(ctx)
	return w, err
}

// countLeft counts the rows that this run does not read again.
func (o Options) countLeft(ctx context.Context, w opened) (int64, error) {
	sources, err := identify(o, w.state)
	if err != nil {
		return 0, err
	}
	read := []string{}
	for _, s := range sources {
		read = append(read, s.id)
	}
	if o.limits().Narrowed() {
		read = nil
	}
	return w.CountLeft(ctx, read)
}

// fill repeats the loads of the raw layer in a warehouse beside this one, and takes over its rows. why says why it does not: the raw layer cannot be read, or it has gaps.
func (o Options) fill(ctx context.Context, w opened, left int64) (why, err error) {
	if w.state.Meta[metaRawGap] != "" {
		return errors.New(sayGap), nil
	}
	if missing, err := w.RawMissing(ctx); err != nil {
		return nil, err
	} else if len(missing) > 0 {
		return errors.New(sayMissing(missing)), nil
	}
	o.Note("what is new in the warehouse is filled from its raw layer first, also in %d rows that this run does not read again; this takes as long as 'pipeline rebuild'", left)
	beside, err := w.Beside(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, beside.Close()) }()
	if _, err := replay(ctx, o, Split(o.Memory), beside, keptOf(w.state)); err != nil {
		return err, ctx.Err()
	}
	err = w.Fill(ctx, beside)
	if lack := new(warehouse.LackError); errors.As(err, &lack) {
		return lack, nil
	}
	return nil, err
}
