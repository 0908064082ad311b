// Package maintain merges small files of the raw layer, and gives free space in the warehouse's file back.
//
// It must never know what a row means, nor when maintenance is due.
package maintain

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"pipeline/load"
	"pipeline/load/catalog"
	"pipeline/load/engine"
	"pipeline/load/rawindex"
	"pipeline/load/rawlog"
	"pipeline/load/session"
	"pipeline/load/warehouse"
)

// A Maintenance is an open warehouse under its lock. Its plans change nothing. The methods that carry out a plan change
// the warehouse in one transaction.
type Maintenance struct {
	w      *warehouse.Warehouse // nil in a dry run
	s      *session.Session
	path   string
	layer  *rawindex.Layer
	files  []rawlog.Path // all of the layer
	memory load.Memory
	named  map[string]rawFile
	held   map[int64]bool // numbers of the files that loads wrote, as far as the warehouse has their rows
}

// rawFile is what the warehouse says of a file of the layer.
type rawFile struct {
	bytes int64
	sum   string
}

// Open opens the warehouse at a path. It returns engine.ErrBusy if a run has it open. A dry run takes no lock; then
// ErrBusy means that another program writes.
func Open(ctx context.Context, path string, dry bool, memory load.Memory, warn func(string, ...any)) (_ *Maintenance,
	err error) {
	m := &Maintenance{path: path, memory: memory.OrDefault()}
	if dry {
		m.s = &session.Session{File: path}
		if err = m.s.Open(ctx, true); err == nil {
			err = catalog.Check(ctx, m.s.Conn, path)
		}
	} else {
		err = m.lock(ctx)
	}
	if err == nil {
		err = m.begin(ctx, warn)
	}
	if err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return m, nil
}

// dry reports whether the warehouse is open for reading alone.
func (m *Maintenance) dry() bool { return m.w == nil }

// lock opens the warehouse under its lock. If it is of another version, lock returns an error that says so: a run adds
// what it lacks.
func (m *Maintenance) lock(ctx context.Context) (err error) {
	if _, err := os.Stat(m.path); err != nil {
		return fmt.Errorf("look at the warehouse: %w", err)
	}
	var other *catalog.OtherVersion
	if err := catalog.CheckFile(ctx, m.path); errors.As(err, &other) {
		return err
	}
	if m.w, err = warehouse.Open(ctx, m.path); err == nil {
		m.s = m.w.Session()
	}
	return err
}

// begin begins the transaction, and looks at the files of the layer and at what the warehouse says of them.
func (m *Maintenance) begin(ctx context.Context, warn func(string, ...any)) (err error) {
	if err := m.s.Exec(ctx, engine.SetMemory(m.memory.Engine)); err != nil {
		return err
	}
	begin := m.s.Begin
	if m.dry() { // nothing is committed
		begin = func(ctx context.Context) error { return m.s.Exec(ctx, `BEGIN TRANSACTION`) }
	}
	if err := begin(ctx); err != nil {
		return err
	}
	m.layer = rawindex.New(m.s, &sync.Mutex{}, m.path, load.Settings{Memory: m.memory, Warn: warn}.WithDefaults(),
		false)
	if !m.dry() { // what another maintenance, or a load, has begun
		if err := m.layer.TakeIn(ctx); err != nil {
			return err
		}
	}
	if m.files, err = rawlog.List(m.layer.Dir); err != nil {
		return err
	}
	return m.readNamed(ctx)
}

// Close closes the warehouse. Changes that were not committed are rolled back.
func (m *Maintenance) Close() error {
	switch {
	case m.w != nil:
		return m.w.Close()
	case m.s != nil:
		return m.s.Close()
	}
	return nil
}
