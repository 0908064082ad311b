package load

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"pipeline/load/atomicfile"
	"pipeline/load/engine"
)

// Place puts a warehouse that was made anew in its place.
func (w *warehouse) Place() error {
	w.anew = false
	return w.publish()
}

// publish puts a new file in its place: everything on the disk, then one rename.
func (w *warehouse) publish() error {
	if w.anew {
		w.first = false
		return nil
	}
	if err := errors.Join(w.fold(), w.closeEngine(), afterClose.Reach()); err != nil {
		return err
	}
	if w.file == w.path {
		return nil
	}
	if engine.HasLog(w.file) { // closing folds it into the file
		return fmt.Errorf("the log of %s could not be folded into it; nothing was changed", w.file)
	}
	if err := errors.Join(atomicfile.Sync(w.file), beforePlace.Reach()); err != nil {
		return err
	}
	if err := os.Rename(w.file, w.path); err != nil {
		return fmt.Errorf("put the warehouse in place: %w", err)
	}
	w.file, w.first = w.path, false
	if w.logLost {
		if err := atomicfile.Remove(engine.LogOf(w.path)); err != nil {
			return err
		}
	}
	return errors.Join(atomicfile.Sync(filepath.Dir(w.path)), afterPlace.Reach())
}

// fold takes the log of a new file into it, which the engine would do without a word when it is closed. The file itself may keep its log: the load
// is in there.
func (w *warehouse) fold() error {
	if w.conn == nil || w.file == w.path {
		return nil
	}
	if _, err := w.conn.ExecContext(context.Background(), `CHECKPOINT`); err != nil {
		return engine.WithRemedy(fmt.Errorf("fold the log of %s into it: %w", w.file, err))
	}
	return nil
}
