package pipelines

import (
	"context"
	"errors"
	"fmt"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/load/warehouse"
)

// This file brings a warehouse of an earlier version up to date. Opening it has added the tables and columns that it lacked. What is new in them comes from the
// stores, as everything is read again, and of rows that Cursor has deleted from the raw layer.

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

// tellMigration reports the migration of a warehouse of an earlier version, before anything is loaded into it.
func (o Options) tellMigration(m *load.Migration) {
	switch {
	case m == nil:
	case m.From == m.To:
		o.Note("added the tables and columns that this version has and the warehouse lacked; a copy of the old warehouse is in %s", m.Copy)
	default:
		o.Note("brought the warehouse from schema version %d to %d; a copy of the old one is in %s", m.From, m.To, m.Copy)
	}
}

// openFilled opens the warehouse for a load. If it was migrated and no load has filled it since, openFilled first makes it again from its raw layer, where
// Cursor has deleted rows: no store holds them. If the raw layer does not hold all of the warehouse, the load fills what the stores hold.
func (o Options) openFilled(ctx context.Context) (opened, error) {
	w, err := o.open(ctx)
	if err != nil || !w.state.Due() {
		return w, err
	}
	deleted, err := w.CountDeleted(ctx)
	switch {
	case err != nil:
		return w, err
	case deleted == 0 || o.Raw == extract.RawNone:
		o.tellReadAgain(deleted, errors.New("this run does not use the raw layer"))
		return w, nil
	}
	if err := w.Close(); err != nil {
		return opened{}, err
	}
	o.Note("what is new in the warehouse is filled from its raw layer first, also in %d rows that Cursor has deleted; this takes as long as 'pipeline rebuild'", deleted)
	_, failed := Rebuild(ctx, o, false)
	if err := ctx.Err(); err != nil {
		return opened{}, err
	}
	if w, err = o.open(ctx); err == nil && failed != nil {
		o.tellReadAgain(deleted, failed)
	}
	return w, err
}

// tellReadAgain reports that the load fills what is new from the stores alone, what then stays empty, and why.
func (o Options) tellReadAgain(deleted int64, why error) {
	if deleted == 0 {
		o.Note("everything is read again now, to fill what is new in the warehouse")
		return
	}
	o.Note("everything is read again now, to fill what is new in the warehouse; it stays empty in %d rows that Cursor has deleted, until 'pipeline rebuild' can fill it: %v", deleted, why)
}
