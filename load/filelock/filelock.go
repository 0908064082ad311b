// Package filelock has locks in files: one program at a time holds one.
//
// It knows locks, and must never know what they are for.
package filelock

import (
	"os"

	"github.com/gofrs/flock"

	"pipeline/load/outpath"
)

// New is a lock in a file, which is made when the lock is asked for. What lies there is opened without waiting for anybody.
func New(path string) *flock.Flock {
	return flock.New(path, flock.SetPermissions(0o600), flock.SetFlag(os.O_CREATE|os.O_RDONLY|outpath.Unwaiting))
}
