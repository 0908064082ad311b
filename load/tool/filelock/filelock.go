// Package filelock has locks in files. One program at a time holds a lock.
//
// It knows locks, and must never know what they are for.
package filelock

import (
	"os"

	"github.com/gofrs/flock"

	"pipeline/load/tool/outpath"
)

// New returns a lock in a file. The file is made when the lock is taken. If a pipe lies at the path, it is opened
// without waiting for its other end.
func New(path string) *flock.Flock {
	return flock.New(path, flock.SetPermissions(0o600), flock.SetFlag(os.O_CREATE|os.O_RDONLY|outpath.Unwaiting))
}
