// Package scratch makes private folders for what a process needs only while it runs. One that was killed leaves its folder behind: whoever makes the next
// one of that prefix removes it.
package scratch

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// lockName is the file in a folder that its process holds locked: the system lets go of the lock when the process ends, however it ends.
const lockName = "lock"

// abandoned is for how long nothing happens in a folder without a lock, as earlier versions made them, before it belongs to a process that was killed.
const abandoned = time.Hour

// RemovesOpen: an open file may be removed, and goes when it is closed.
const RemovesOpen = runtime.GOOS != "windows"

// tries is how often a folder is made anew that another process took for an abandoned one before it was locked.
const tries = 10

// A Folder is a private one (0700) of this process. A nil one has been removed.
type Folder struct {
	dir  string
	lock *flock.Flock
}

// New makes a folder whose name begins with prefix, in parent ("" is the system's for temporary files), and sweeps those beside it.
func New(parent, prefix string) (*Folder, error) {
	if parent == "" {
		parent = os.TempDir()
	}
	Sweep(parent, prefix)
	for try := 1; ; try++ {
		dir, err := os.MkdirTemp(parent, prefix)
		if err != nil {
			return nil, err
		}
		f := &Folder{dir: dir, lock: flock.New(filepath.Join(dir, lockName), flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))}
		locked, err := f.lock.TryLock()
		if _, there := os.Lstat(f.lock.Path()); there == nil && (locked || err != nil) {
			return f, nil // a file system without locks has the age of what is in the folder
		}
		if err := f.Remove(); err != nil {
			return nil, err
		}
		if try == tries {
			return nil, errors.New("no private folder could be made in " + parent + ": each was removed at once")
		}
	}
}

// Path is where the folder is; "" after it was removed.
func (f *Folder) Path() string { return f.dir }

// Remove removes the folder with everything in it, once. The lock goes last where files may be removed while they are open, else first.
func (f *Folder) Remove() error {
	if f == nil || f.dir == "" {
		return nil
	}
	dir := f.dir
	f.dir = ""
	if !RemovesOpen {
		return errors.Join(f.lock.Close(), os.RemoveAll(dir))
	}
	return errors.Join(os.RemoveAll(dir), f.lock.Close())
}

// Sweep removes the folders that New made with a prefix and that no process holds. Their names end in digits: a folder of another name is not ours.
func Sweep(parent, prefix string) {
	entries, _ := os.ReadDir(parent) // what cannot be listed cannot be swept
	for _, e := range entries {
		number, ours := strings.CutPrefix(e.Name(), prefix)
		if ours && number != "" && strings.Trim(number, "0123456789") == "" && e.IsDir() {
			sweepOne(filepath.Join(parent, e.Name()))
		}
	}
}

// sweepOne removes a folder that no process holds. What cannot be removed is another user's, or open.
func sweepOne(dir string) {
	if os.Remove(dir) == nil { // it was empty: who may be making it makes another
		return
	}
	name := filepath.Join(dir, lockName)
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		if untouched(dir) {
			_ = os.RemoveAll(dir)
		}
		return
	case err != nil || !info.Mode().IsRegular():
		return
	}
	lock := flock.New(name, flock.SetFlag(os.O_RDWR))
	if locked, err := lock.TryLock(); locked || err != nil && untouched(dir) { // an error: the file system has no locks
		_ = (&Folder{dir, lock}).Remove()
		return
	}
	_ = lock.Close()
}

// untouched reports that nothing was written in a folder for a while.
func untouched(dir string) bool {
	paths, err := filepath.Glob(filepath.Join(dir, "*")) // a pattern that is not well-formed lists nothing
	for _, path := range append(paths, dir) {
		info, statErr := os.Lstat(path)
		if err = errors.Join(err, statErr); err == nil && time.Since(info.ModTime()) < abandoned {
			return false
		}
	}
	return err == nil
}
