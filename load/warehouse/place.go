package warehouse

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"pipeline/load/atomicfile"
	"pipeline/load/engine"
)

// Place puts a warehouse that was made anew in its place.
func (w *Warehouse) Place() error {
	w.anew = false
	return w.PutInPlace()
}

// PutInPlace puts a new file in its place: everything on the disk, then one rename.
func (w *Warehouse) PutInPlace() error {
	if w.anew {
		w.first = false
		return nil
	}
	if err := errors.Join(w.fold(), w.s.Close(), afterClose.Reach()); err != nil {
		return err
	}
	if w.s.File == w.path {
		return nil
	}
	if engine.HasLog(w.s.File) { // closing folds it into the file
		return fmt.Errorf("the log of %s could not be folded into it; nothing was changed", w.s.File)
	}
	if err := errors.Join(atomicfile.Sync(w.s.File), beforePlace.Reach()); err != nil {
		return err
	}
	if err := os.Rename(w.s.File, w.path); err != nil {
		return fmt.Errorf("put the warehouse in place: %w", err)
	}
	w.s.File, w.first = w.path, false
	if w.logLost {
		if err := atomicfile.Remove(engine.LogOf(w.path)); err != nil {
			return err
		}
	}
	return errors.Join(atomicfile.Sync(filepath.Dir(w.path)), afterPlace.Reach())
}

// fold takes the log of a new file into it, which the engine would do without a word when it is closed. The file itself may keep its log: the load
// is in there.
func (w *Warehouse) fold() error {
	if w.s.Conn == nil || w.s.File == w.path {
		return nil
	}
	if _, err := w.s.Conn.ExecContext(context.Background(), `CHECKPOINT`); err != nil {
		return engine.WithRemedy(fmt.Errorf("fold the log of %s into it: %w", w.s.File, err))
	}
	return nil
}

// This file names the files that are made beside a warehouse, to be renamed when they are whole.

const newSuffix = ".new-"

// newEnds are the ends of their names: the process, what the file is for, and what the engine puts beside it.
var newEnds = regexp.MustCompile(`^[0-9]+(-raw|-schema|-small)?(\.wal|\.tmp)?$`)

// NewFile is the path of a file that this process makes beside a warehouse.
func NewFile(warehouse, use string) string {
	return warehouse + newSuffix + strconv.Itoa(os.Getpid()) + use
}

// NewFiles lists the files that are being made beside a warehouse, and those that killed processes left. Somebody's file whose name only begins so is
// none of them.
func NewFiles(warehouse string) (names []string) {
	entries, _ := os.ReadDir(filepath.Dir(warehouse)) // what cannot be listed cannot be swept
	for _, e := range entries {
		if end, ok := strings.CutPrefix(e.Name(), filepath.Base(warehouse)+newSuffix); ok && newEnds.MatchString(end) {
			names = append(names, warehouse+newSuffix+end)
		}
	}
	return names
}

// copyTries is how often a copy is begun again because the file changed meanwhile.
const copyTries = 3

// copyHeld copies a warehouse that another program holds. See copyStill.
func copyHeld(from, to string) error {
	err := copyStill(from, to)
	if err != nil && !errors.Is(err, engine.ErrBusy) {
		err = engine.WithRemedy(fmt.Errorf("copy the warehouse, which another program holds: %w", err))
	}
	return err
}

// copyStill copies a warehouse's file that another program may hold: a reader, or an idle CLI, which opens it for writing unless it is told not to. What is
// on the disk is then whole as long as nothing is written. Where there is a log (that program has written, or a run was killed before its
// commit was folded in) it gives ErrBusy: the log belongs to the file that would be replaced.
func copyStill(from, to string) error {
	for range copyTries {
		before, err := standing(from)
		if err != nil {
			return err
		}
		if err := beforeCopy.Reach(); err != nil {
			return err
		}
		if err := errors.Join(atomicfile.Copy(from, to), afterCopy.Reach()); err != nil {
			return err
		}
		if after, err := standing(from); err == nil && os.SameFile(before, after) && before.Size() == after.Size() && before.ModTime().Equal(after.ModTime()) {
			return nil
		}
		if err := os.Remove(to); err != nil {
			return err
		}
	}
	return fmt.Errorf("%w: another program writes to it", engine.ErrBusy)
}

// standing looks at a warehouse's file, which must have no log.
func standing(path string) (os.FileInfo, error) {
	if engine.HasLog(path) {
		return nil, fmt.Errorf("%w: another program has written to it, or a run was killed while it was open there", engine.ErrBusy)
	}
	return os.Stat(path)
}
