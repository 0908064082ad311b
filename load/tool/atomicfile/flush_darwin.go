package atomicfile

import (
	"errors"
	"os"
	"syscall"
)

// Flush has the system write a file to the disk. The disk may still have it in its cache: Sync of os.File would empty
// that, and every other program's syncs wait meanwhile. What must survive a crash needs that Sync.
func Flush(f *os.File) error {
	for {
		err := syscall.Fsync(int(f.Fd()))
		if err == nil {
			return nil
		}
		if !errors.Is(err, syscall.EINTR) {
			return &os.PathError{Op: "sync", Path: f.Name(), Err: err}
		}
	}
}
