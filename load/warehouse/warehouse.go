// Package warehouse writes loads into a warehouse, each in one transaction. It opens a warehouse under its lock, makes
// a new one, brings an older one up to date, merges a load's rows, and puts the file in its place.
//
// It must never know what a chat is, nor who reads the rows.
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
	"pipeline/load/rawlog"
	"pipeline/load/session"
	"pipeline/load/tool/filelock"
	"pipeline/load/tool/outpath"
)

// A Warehouse is a DuckDB file under a lock. A first load is written to a new file beside the path, which is renamed at
// the end. While a reader has the file open, a load is written to a copy, which is renamed too: the reader keeps the
// old data.
type Warehouse struct {
	Past
	path string           // the final path of the file
	s    *session.Session // has the file that is open: the one at path, or a new one
	lock *flock.Flock
	load *Load // the latest load

	migration *load.Migration // the migration that Open made; nil if none

	first bool
	// the file was made out of the template: its views, macros and comments are those of this version
	templated bool
	committed session.Session // has the file open after a commit, see Committed
	synced    *os.File        // the same file, open until that session is closed

	logLost bool // the log of the file whose place this one takes goes with that file
	anew    bool // the file is put in place by Place, not by a commit

	untouched  bool // nobody has written to the file since this program has closed it, see look
	asDeclared bool // the tables, views and macros of the file are those of this version
}

// Open opens the warehouse at a path for a load, or begins a new one. It returns ErrBusy if another run or writer has
// it open.
func Open(ctx context.Context, path string) (*Warehouse, error) {
	return open(ctx, path, false)
}

// OpenAnew begins a new warehouse. It replaces the one at that path only when Place is called.
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
	w.Past = Past{w.beside}
	held, err := w.lock.TryLock()
	if err != nil {
		return nil, engine.WithRemedyOf(path, fmt.Errorf("lock the warehouse %s: %w", path, err))
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

// Reopen opens the file for another load after a commit. If another program has the file open, Reopen copies it and
// opens the copy, where a copy can take the place of a file that is open.
func (w *Warehouse) Reopen(ctx context.Context) (err error) {
	if err := w.release(); err != nil {
		return err
	}
	err = w.s.Open(ctx, false)
	if errors.Is(err, engine.ErrBusy) && w.s.File == w.path && keepsOpen {
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
	// A large load gets more threads before it is merged. Where the engine spills by default, beside the file, it
	// leaves its files if it is killed, and a reader may have its own there: sweep removes the folder of this name.
	for _, s := range []string{engine.OneThread, "SET temp_directory = " + engine.Literal(NewFile(w.path, spillEnd))} {
		if _, err := w.s.Conn.ExecContext(ctx, s); err != nil {
			return engine.WithRemedy(fmt.Errorf("open the warehouse: %w", err))
		}
	}
	w.look()
	return nil
}

// sweep removes the files that a killed run left. Only the holder of the lock may call it.
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

// Followed returns the file that a path leads to after all symbolic links.
func Followed(path string) string {
	if file, err := filepath.EvalSymlinks(path); err == nil {
		return file
	}
	return path
}

// Scratch returns the path of a scratch file for a rebuild, beside the warehouse.
func (w *Warehouse) Scratch() string { return NewFile(w.path, "-raw") }

// Session returns the session of the open file.
func (w *Warehouse) Session() *session.Session { return w.s }

// Close closes the warehouse and unlocks it. It removes a new file that was not put in place.
func (w *Warehouse) Close() error {
	err := errors.Join(w.s.Close(), w.release())
	if w.s.File != w.path {
		err = errors.Join(err, w.sweep())
	}
	engine.KeepFreedMemory(0)
	return errors.Join(err, w.lock.Unlock())
}
