package atomicfile

import (
	"errors"
	"os"
	"runtime"
	"syscall"
	"time"
)

// Move renames a file, a folder or a link, and replaces what has the new name. See Retry; Rename is for names that must
// survive a crash.
func Move(from, to string) error {
	return Retry(func() error { return os.Rename(from, to) })
}

// Retry calls a function that renames or removes something. Windows does neither to what another program has open, and
// virus scanners and indexers open new files for moments: there Retry calls it again for two seconds, as long as that
// is the error.
func Retry(rename func() error) error { return retry(rename, isHeld) }

// retryFor is how long a rename is tried again.
const retryFor = 2 * time.Second

func retry(rename func() error, again func(error) bool) error {
	for begin, pause := time.Now(), time.Millisecond; ; pause = min(2*pause, retryFor/20) {
		err := rename()
		if err == nil || !again(err) || time.Since(begin)+pause > retryFor {
			return err
		}
		time.Sleep(pause)
	}
}

// isHeld reports whether an error may be another program's, which has a file open.
func isHeld(err error) bool { return runtime.GOOS == "windows" && isHeldOnWindows(err) }

func isHeldOnWindows(err error) bool {
	const accessDenied, sharingViolation = syscall.Errno(5), syscall.Errno(32)
	return errors.Is(err, accessDenied) || errors.Is(err, sharingViolation)
}
