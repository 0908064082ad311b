package engine

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockedElsewhere is always false on Windows: there the engine cannot open a warehouse that another process has locked,
// so checkLog returns before this call.
func lockedElsewhere(string) bool { return false }

// IsHeld reports whether another program has a file open and does not let others write to it, or read it. The engine's
// own word for that is the system's, in the language of the user.
func IsHeld(path string) bool {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err == nil {
		_ = f.Close() // nothing was written
	}
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_LOCK_VIOLATION)
}
