//go:build unix

package engine

import (
	"os"

	"golang.org/x/sys/unix"
)

// lockedElsewhere reports whether another process holds a lock on a file.
func lockedElsewhere(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close() // it was only asked
	lock := unix.Flock_t{Type: unix.F_WRLCK}
	return unix.FcntlFlock(file.Fd(), unix.F_GETLK, &lock) == nil && lock.Type != unix.F_UNLCK
}

// IsHeld is for Windows. Elsewhere no program keeps others from opening a file, and the engine says when its lock is
// held.
func IsHeld(string) bool { return false }
