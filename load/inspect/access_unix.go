//go:build unix

package inspect

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// mayWrite returns why a file or folder may not be written to, or nil if it may. It writes nothing.
func mayWrite(path string, dir bool) error {
	mode := uint32(unix.W_OK)
	if dir {
		mode |= unix.X_OK
	}
	if err := unix.Faccessat(unix.AT_FDCWD, path, mode, unix.AT_EACCESS); err != nil {
		return &fs.PathError{Op: "write to", Path: path, Err: err}
	}
	return nil
}

// tooWide reports whether a mode gives others than the owner any permission.
func tooWide(mode fs.FileMode) bool { return mode.Perm()&0o077 != 0 }
