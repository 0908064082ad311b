package extract

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"pipeline/load/tool/scratch"
)

// openClone reads a store in rollback mode that the editor writes to all the time. It clones the file under a SHARED
// lock, which it holds for milliseconds: under that lock a writer may prepare a change, but cannot write to the file.
// The clone is a committed state, since pages reach the file only under an EXCLUSIVE lock. The error is
// errors.ErrUnsupported where no folder for private files can share the store's blocks.
func openClone(ctx context.Context, path string, o storeOptions) (*storeSnapshot, error) {
	if remote, err := o.remote(path); remote || err != nil {
		return nil, errors.ErrUnsupported
	}
	l, err := lookAt(path)
	if err != nil {
		return nil, err
	}
	if l.journalMode() == "wal" {
		return nil, errors.ErrUnsupported
	}
	for _, parent := range o.scratchFolders() {
		if o.TempDir == "" && parent != os.TempDir() { // the folder in the user's cache may have to be made
			if err := os.MkdirAll(parent, 0o700); err != nil {
				continue
			}
		}
		o := o
		o.TempDir = parent
		s, err := newCopy(ctx, path, l, o, func(c *copier) error { return c.cloneLocked(ctx, path, o) })
		if errors.Is(err, errors.ErrUnsupported) {
			continue
		}
		if err != nil {
			return nil, err
		}
		s.info.Method = MethodClone
		return s, nil
	}
	return nil, errors.ErrUnsupported
}

// cloneLocked clones the file under a SHARED lock. It takes no lock if the file cannot be cloned.
func (c *copier) cloneLocked(ctx context.Context, path string, o storeOptions) (err error) {
	f, err := OpenShared(path)
	if err != nil {
		return err
	}
	owner := &storeSnapshot{info: StoreInfo{Path: path}, now: o.now}
	// in this order: closing any descriptor drops the lock
	defer func() { err = errors.Join(err, owner.closeDB(), f.Close()) }()
	if err := c.tryClone(f); err != nil {
		return err
	}
	if err := owner.connect(ctx, path, "mode=ro&readonly_shm=1"); err != nil {
		return err
	}
	var mode string
	if err := owner.conn.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode); err != nil {
		return err
	}
	if mode == "wal" {
		return fmt.Errorf("%w: it went over to WAL mode", ErrTorn)
	}
	return c.clone(f)
}

// SweepScratch removes the private folders that killed runs left. A program that may make such folders calls it when it
// begins.
func SweepScratch() {
	for _, parent := range (storeOptions{}).scratchFolders() {
		scratch.Sweep(parent, scratchPrefix)
	}
}

// scratchFolders lists where private folders are made: the temporary directory, and one that is likely on the store's
// own file system, since blocks are shared only within one.
func (o storeOptions) scratchFolders() []string {
	if o.TempDir != "" {
		return []string{o.TempDir}
	}
	out := []string{os.TempDir()}
	if cache, err := os.UserCacheDir(); err == nil {
		out = append(out, filepath.Join(cache, "pipeline"))
	}
	return out
}

// canClone reports whether a store can be cloned into a folder. The clone shares the store's blocks until one of the
// two is written to, so it costs no time and no space. The function tries it with a private file that it removes again;
// it writes nothing beside the store. It opens the store and closes it, which drops this process's locks on it (see
// lookAt). If the error is not nil, the answer is unknown.
func canClone(store, folder string) (_ bool, err error) {
	private, err := scratch.New(folder, scratchPrefix)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, private.Remove()) }()
	f, err := OpenShared(store)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	err = (&copier{to: filepath.Join(private.Path(), storeFile)}).tryClone(f)
	if errors.Is(err, errors.ErrUnsupported) {
		return false, nil
	}
	return err == nil, err
}
