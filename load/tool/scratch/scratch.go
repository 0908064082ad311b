// Package scratch makes private folders for files that a process needs only while it runs. A killed process leaves its
// folder behind: the next New with the same prefix removes it.
package scratch

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"pipeline/load/tool/atomicfile"
)

// lockName is the file in a folder that its process locks. The system unlocks it when the process ends, however it
// ends. A folder with files and without it is not ours; an empty one is of a process that was killed before it made the
// lock, or after it removed it.
const lockName = ".pipeline.lock"

// abandoned is the age from which a folder counts as left by a killed process where the file system has no locks.
const abandoned = time.Hour

// RemovesOpen says whether the system can remove a file that is open. The file is gone when it is closed.
const RemovesOpen = runtime.GOOS != "windows"

// tries is how many times New makes a folder. Another process may take a new folder for an abandoned one and remove it
// before it is locked.
const tries = 10

// A Folder is a private folder (0700) of this process. A nil Folder counts as removed.
type Folder struct {
	dir  string
	lock *flock.Flock
}

// New makes a folder whose name begins with prefix in parent, and sweeps the other folders there. If parent is "", it
// is the system's folder for temporary files.
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
		f := &Folder{dir: dir, lock: flock.New(filepath.Join(dir, lockName), flock.SetFlag(os.O_CREATE|os.O_RDWR),
			flock.SetPermissions(0o600))}
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

// Path returns the folder's path, or "" after it was removed.
func (f *Folder) Path() string { return f.dir }

// Remove removes the folder with everything in it, once. The lock goes last: of a process that is killed meanwhile, the
// next start knows at once that the folder is nobody's, and removes the rest.
func (f *Folder) Remove() error {
	if f == nil || f.dir == "" {
		return nil
	}
	dir := f.dir
	f.dir = ""
	err := atomicfile.Retry(func() error { return removeAllBut(dir, lockName) })
	if !RemovesOpen {
		err = errors.Join(err, f.lock.Close())
	}
	if err == nil {
		err = atomicfile.Retry(func() error { return os.RemoveAll(dir) }) // another process may look at the lock
	}
	return errors.Join(err, f.lock.Close()) // a second Close does nothing
}

// removeAllBut removes what is in a folder but for one file.
func removeAllBut(dir, kept string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if e.Name() != kept {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

// Sweep removes the folders that New made with a prefix and that no process holds. Their names end in digits: a folder
// with another name is not ours.
func Sweep(parent, prefix string) {
	entries, _ := os.ReadDir(parent) // what cannot be listed cannot be swept
	for _, e := range entries {
		number, ours := strings.CutPrefix(e.Name(), prefix)
		if ours && number != "" && strings.Trim(number, "0123456789") == "" && e.IsDir() {
			sweepOne(filepath.Join(parent, e.Name()))
		}
	}
}

// sweepOne removes a folder that is empty, or has our lock and no process that holds it. It ignores errors: the folder
// may be another user's, or have open files.
func sweepOne(dir string) {
	name := filepath.Join(dir, lockName)
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		_ = os.Remove(dir) // fails unless it is empty; whoever has just made it makes another, see New
		return
	}
	lock := flock.New(name, flock.SetFlag(os.O_RDWR))
	if locked, err := lock.TryLock(); locked || err != nil && untouched(dir) { // an error: the file system has no locks
		_ = (&Folder{dir, lock}).Remove()
		return
	}
	_ = lock.Close()
}

// untouched reports whether nothing was written in a folder for the time abandoned.
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
