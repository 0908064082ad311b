package extract

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// cloneOpen makes a file that shares the blocks of an open one (man 2 clonefile, APFS). It takes milliseconds for any
// size. The error is errors.ErrUnsupported if the file system cannot do it, or if the two files are on different file
// systems.
func cloneOpen(from *os.File, to string) error {
	switch err := unix.Fclonefileat(int(from.Fd()), unix.AT_FDCWD, to, 0); {
	case errors.Is(err, unix.ENOTSUP), errors.Is(err, unix.EXDEV):
		return errors.ErrUnsupported
	case err != nil:
		return &os.PathError{Op: "clone", Path: from.Name(), Err: err}
	}
	return os.Chmod(to, 0o600)
}

// cloneInto is not supported here: clonefile always makes a new file.
func cloneInto(_, _ *os.File) error { return errors.ErrUnsupported }
