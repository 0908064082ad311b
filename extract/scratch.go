package extract

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// scratchPrefix begins the names of the private folders, so that those of killed runs can be found.
const scratchPrefix = "pipeline-snapshot-"

// scratchLock is the file in a private folder that its run holds locked: the system lets go of the lock when the run ends, however it ends.
const scratchLock = "lock"

// abandoned is for how long nothing happens in a folder without a lock, as earlier versions made them, before it belongs to a run that was killed.
const abandoned = time.Hour

// removesOpen: an open file may be removed, and goes when it is closed.
const removesOpen = runtime.GOOS != "windows"

// nameless: a copy may lose its name before it is filled. A clone of macOS is a file that is made whole, under a name.
const nameless = removesOpen && runtime.GOOS != "darwin"

// scratchTries is how often a folder is made anew that another run took for an abandoned one before it was locked.
const scratchTries = 10

// scratch is a private folder (0700) of this run.
type scratch struct {
	dir  string
	lock *flock.Flock
}

// newScratch makes one, and removes those that killed runs left beside it.
func newScratch(parent string) (*scratch, error) {
	if parent == "" {
		parent = os.TempDir()
	}
	sweepScratch(parent)
	for try := 1; ; try++ {
		dir, err := os.MkdirTemp(parent, scratchPrefix)
		if err != nil {
			return nil, err
		}
		s := &scratch{dir: dir, lock: flock.New(filepath.Join(dir, scratchLock), flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))}
		locked, err := s.lock.TryLock()
		if _, there := os.Lstat(s.lock.Path()); there == nil && (locked || err != nil) {
			return s, nil // a file system without locks has the age of what is in the folder
		}
		if err := s.remove(); err != nil {
			return nil, err
		}
		if try == scratchTries {
			return nil, errors.New("no private folder could be made in " + parent + ": each was removed at once")
		}
	}
}

// remove removes the folder. The lock goes last where files may be removed while they are open, else first.
func (s *scratch) remove() error {
	if s == nil || s.dir == "" {
		return nil
	}
	dir := s.dir
	s.dir = ""
	if !removesOpen {
		return errors.Join(s.lock.Close(), os.RemoveAll(dir))
	}
	return errors.Join(os.RemoveAll(dir), s.lock.Close())
}

// SweepScratch removes the private folders that killed runs left. Whatever may make one calls it when it begins.
func SweepScratch() {
	for _, parent := range (storeOptions{}).scratch() {
		sweepScratch(parent)
	}
}

func sweepScratch(parent string) {
	entries, _ := os.ReadDir(parent) // what cannot be listed cannot be swept
	for _, e := range entries {
		if e.IsDir() && strings.HasPrefix(e.Name(), scratchPrefix) {
			sweepOne(filepath.Join(parent, e.Name()))
		}
	}
}

// sweepOne removes a private folder that no run holds. What cannot be removed is another user's, or open.
func sweepOne(dir string) {
	if os.Remove(dir) == nil { // it was empty: who may be making it makes another
		return
	}
	name := filepath.Join(dir, scratchLock)
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
		_ = (&scratch{dir: dir, lock: lock}).remove()
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
