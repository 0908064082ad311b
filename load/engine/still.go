package engine

import (
	"fmt"
	"os"

	"pipeline/load/tool/atomicfile"
)

// copyTries is how many times a copy is tried if the file changes meanwhile.
const copyTries = 3

// CopyStill copies a file that another program may have open: a reader, a run, or an idle CLI, which opens a file for
// writing by default. The file on the disk is complete as long as nobody writes to it. If there is a log, CopyStill
// returns ErrBusy, because the log belongs to the file. There is one if the other program has written, or if a run was
// killed before its commit was folded into the file. It calls before and after, which may be nil, around each copy.
func CopyStill(from, to string, before, after func() error) error {
	for range copyTries {
		then, err := withoutLog(from)
		if err != nil {
			return err
		}
		if err := called(before); err != nil {
			return err
		}
		if err := atomicfile.Copy(from, to); err != nil {
			if IsHeld(from) {
				err = fmt.Errorf("%w: another program has %s open, and lets nobody read it: %w", ErrBusy, from, err)
			}
			return err
		}
		if err := called(after); err != nil {
			return err
		}
		if now, err := withoutLog(from); err == nil && os.SameFile(then, now) && then.Size() == now.Size() &&
			then.ModTime().Equal(now.ModTime()) {
			return nil
		}
		if err := os.Remove(to); err != nil {
			return err
		}
	}
	return fmt.Errorf("%w: another program writes to it", ErrBusy)
}

func called(f func() error) error {
	if f == nil {
		return nil
	}
	return f()
}

// withoutLog returns the file info of a file. It returns ErrBusy if the file has a log that is not empty.
func withoutLog(path string) (os.FileInfo, error) {
	if HasLog(path) {
		return nil, fmt.Errorf("%w: another program has written to it, or a run was killed while it was open there",
			ErrBusy)
	}
	return os.Stat(path)
}
