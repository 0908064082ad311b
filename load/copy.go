package load

import (
	"errors"
	"fmt"
	"os"

	"pipeline/load/atomicfile"
	"pipeline/load/engine"
)

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
