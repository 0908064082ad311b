//go:build !darwin

package atomicfile

import "os"

// Flush has the system write a file to the disk. What must survive a crash needs the Sync of os.File: on macOS that
// does more, for which every other program's syncs wait.
func Flush(f *os.File) error { return f.Sync() }
