package extract

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// cloneOpen makes a file that shares the blocks of an open one.
func cloneOpen(from *os.File, to string) (err error) {
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, f.Close()); err != nil {
			err = errors.Join(err, os.Remove(to))
		}
	}()
	return cloneInto(from, f)
}

// cloneInto has a file share the blocks of another one (man 2 ioctl_ficlone). It takes milliseconds for any size. The
// error is errors.ErrUnsupported if the file system cannot do it, or if the two files are on different file systems.
func cloneInto(from, to *os.File) error {
	switch err := unix.IoctlFileClone(int(to.Fd()), int(from.Fd())); {
	case errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.ENOTTY), errors.Is(err, unix.EXDEV),
		errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS):
		return errors.ErrUnsupported
	case err != nil:
		return &os.PathError{Op: "clone", Path: from.Name(), Err: err}
	}
	return nil
}
