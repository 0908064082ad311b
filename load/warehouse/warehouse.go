// Package warehouse keeps the rows: one transaction per run, everything or nothing. It opens a warehouse under its lock, makes a new one, brings an older one up
// to date, merges a load's rows, and puts the file in its place.
//
// It must never know what a chat is, nor who reads what it has committed.
package warehouse

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/gofrs/flock"

	"pipeline/load"
	"pipeline/load/engine"
	"pipeline/load/filelock"
	"pipeline/load/outpath"
	"pipeline/load/rawlog"
	"pipeline/load/session"
)

// A Warehouse is a DuckDB file under a lock. A first load is built in a new file beside the path and renamed; so is one while a reader
// holds the file, in a copy of it: the reader keeps the old data.
type Warehouse struct {
	path string           // where it is in the end
	s    *session.Session // the file that is written now: that at path, or a new one
	lock *flock.Flock
	load *Load // the latest load

	migration *load.Migration // what was done when it was opened; nil: nothing

	first     bool
	templated bool // the file was made out of the template: its views, macros and comments are those of this version
	logLost   bool // the log of the file whose place this one takes goes with that file
	anew      bool // the file is put in place by Place, not by a commit
}

// Open opens the warehouse of that path for a load, or begins a new one. It gives ErrBusy when another run or writer holds it.
func Open(ctx context.Context, path string) (*Warehouse, error) {
	return open(ctx, path, false)
}

// OpenAnew begins a new warehouse, which takes the place of the one at that path when Place is called, and not before.
func OpenAnew(ctx context.Context, path string) (*Warehouse, error) {
	return open(ctx, path, true)
}

func open(ctx context.Context, path string, anew bool) (_ *Warehouse, err error) {
	if err := outpath.Warehouse(path); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("make the warehouse's folder: %w", err)
	}
	w := &Warehouse{path: path, s: &session.Session{File: path}, anew: anew, lock: filelock.New(path + ".lock")}
	held, err := w.lock.TryLock()
	if err != nil {
		return nil, engine.WithRemedy(fmt.Errorf("lock the warehouse %s: %w", path, err))
	}
	if !held {
		return nil, fmt.Errorf("%w: another run holds %s.lock; wait for it to end and run again", engine.ErrBusy, path)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.Close())
		}
	}()
	if err := w.sweep(); err != nil {
		return nil, err
	}
	_, err = os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist), err == nil && anew:
		if w.logLost, err = engine.FoldReplaced(ctx, path); err != nil {
			return nil, err
		}
		w.first = true
		w.s.File = NewFile(path, "")
	case err != nil:
		return nil, fmt.Errorf("look at the warehouse: %w", err)
	}
	if w.first {
		return w, w.create(ctx)
	}
	if err := w.Reopen(ctx); err != nil {
		return nil, err
	}
	return w, w.bringUpToDate(ctx)
}

// Reopen opens the file, which a commit closes. One that another program holds is copied, and the copy is opened.
func (w *Warehouse) Reopen(ctx context.Context) (err error) {
	err = w.s.Open(ctx, false)
	if errors.Is(err, engine.ErrBusy) && w.s.File == w.path {
		w.s.File = NewFile(w.path, "")
		if copied := copyHeld(w.path, w.s.File); copied != nil {
			if !errors.Is(copied, engine.ErrBusy) { // nobody has to wait for the other program then
				return copied
			}
			return errors.Join(err, copied)
		}
		err = w.s.Open(ctx, false)
	}
	if err != nil {
		return err
	}
	_, err = w.s.Conn.ExecContext(ctx, engine.OneThread) // a large load gets more before it is merged
	return err
}

// sweep removes what a killed first load left: only the holder of the lock gets here.
func (w *Warehouse) sweep() error {
	for _, path := range slices.Compact([]string{w.path, Followed(w.path)}) {
		for _, name := range NewFiles(path) {
			if err := os.RemoveAll(name); err != nil {
				return fmt.Errorf("remove what an interrupted run left: %w", err)
			}
		}
	}
	return rawlog.Sweep(rawlog.Dir(w.path))
}

// Followed is the file that a path leads to, where links are on the way.
func Followed(path string) string {
	if file, err := filepath.EvalSymlinks(path); err == nil {
		return file
	}
	return path
}

// Scratch is the path of a file that goes with the warehouse's new one.
func (w *Warehouse) Scratch() string { return NewFile(w.path, "-raw") }

// Session is the file that is open.
func (w *Warehouse) Session() *session.Session { return w.s }

// Close lets go of the warehouse. A new file that did not get its place is removed.
func (w *Warehouse) Close() error {
	err := w.s.Close()
	if w.s.File != w.path {
		err = errors.Join(err, w.sweep())
	}
	return errors.Join(err, w.lock.Unlock())
}
