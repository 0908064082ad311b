package warehouse

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"pipeline/load/engine"
	"pipeline/load/tool/atomicfile"
)

// Place puts a warehouse that was made by OpenAnew in its place.
func (w *Warehouse) Place() error {
	w.anew = false
	return w.PutInPlace()
}

// PutInPlace closes the file. If it is a new file, PutInPlace syncs it to the disk and renames it to the warehouse's
// path.
func (w *Warehouse) PutInPlace() error {
	return errors.Join(w.place(), w.release())
}

// Committed returns a connection to the file that the latest Load has committed. It is for readers; Close closes it. It
// is nil if the file is closed.
func (w *Warehouse) Committed() *sql.Conn { return w.committed.Conn }

// Conn returns a connection to the file that is open, for what is to be known before a load begins.
func (w *Warehouse) Conn() *sql.Conn { return w.s.Conn }

// keepsOpen says that the system can rename a file that is open. On Windows, moreover, nobody else can open a file that
// the engine writes.
const keepsOpen = runtime.GOOS != "windows"

// place syncs a new file to the disk and renames it to the warehouse's path. The file stays open for Committed, but no
// session has it any more.
func (w *Warehouse) place() error {
	if w.anew {
		w.first = false
		return nil
	}
	err := w.fold()
	w.committed.DB, w.committed.Conn, w.s.DB, w.s.Conn = w.s.DB, w.s.Conn, nil, nil
	if err != nil || !keepsOpen {
		err = errors.Join(err, w.release())
	}
	if err := cmp.Or(err, afterFold.Reach()); err != nil {
		return err
	}
	if w.s.File == w.path {
		return nil
	}
	if engine.HasLog(w.s.File) {
		return fmt.Errorf("the log of %s could not be folded into it; nothing was changed", w.s.File)
	}
	if err := errors.Join(w.sync(), beforePlace.Reach()); err != nil {
		return err
	}
	if err := atomicfile.Move(w.s.File, w.path); err != nil && engine.IsHeld(w.path) {
		return fmt.Errorf("%w: another program has %s open, so it cannot be replaced; close it there and run again: %w",
			engine.ErrBusy, w.path, err)
	} else if err != nil {
		return fmt.Errorf("put the warehouse in place: %w", err)
	}
	w.s.File, w.first = w.path, false
	if w.logLost {
		if err := atomicfile.Remove(engine.LogOf(w.path)); err != nil {
			return err
		}
	}
	return errors.Join(atomicfile.Sync(filepath.Dir(w.path)), afterPlace.Reach())
}

// sync syncs a new file to the disk, and closes it if the engine has.
func (w *Warehouse) sync() error {
	err := w.syncOpen((*os.File).Sync)
	if err == nil && w.committed.Conn == nil {
		err = w.release()
	}
	return err
}

// syncOpen syncs a new file to the disk. It stays open: closing it would end the engine's lock on it.
func (w *Warehouse) syncOpen(sync func(*os.File) error) (err error) {
	if w.synced != nil {
		return sync(w.synced)
	}
	w.synced, err = atomicfile.Synced(w.s.File, sync)
	return err
}

// syncPause lies between the end of one sync and the beginning of the next.
const syncPause = 10 * time.Millisecond

// syncBeside syncs a new file again and again until the result is called: the system writes what is there while the
// models run and the engine compresses, and the commit waits for the rest only. The result returns the first error: the
// system reports it once.
func (w *Warehouse) syncBeside() (end func() error) {
	var beside errgroup.Group
	ended := make(chan struct{})
	beside.Go(func() error {
		for {
			select {
			case <-ended:
				return nil
			case <-time.After(syncPause):
				if err := w.syncOpen(atomicfile.Flush); err != nil {
					return fmt.Errorf("write the warehouse to the disk: %w", err)
				}
			}
		}
	})
	return sync.OnceValue(func() error { close(ended); return beside.Wait() })
}

// release closes the file that Committed has open.
func (w *Warehouse) release() error {
	if w.committed.Conn == nil && w.synced == nil {
		return nil
	}
	err := w.committed.Close()
	if w.synced != nil {
		err = errors.Join(err, w.synced.Close())
		w.synced = nil
	}
	if err == nil && w.s.File == w.path {
		w.note()
	}
	return err
}

// Leave is Close for a process that ends. The engine writes its log into the file, and its memory is left to the
// system: to free a catalogue of a hundred views piece by piece takes a tenth of a run that finds nothing new. The file
// stays locked until the process has ended.
func (w *Warehouse) Leave(ctx context.Context) error {
	if w.committed.Conn == nil || w.s.File != w.path || engine.IsInvalidated(w.committed.Conn) {
		return w.Close()
	}
	engine.KeepFreedMemory(engine.AWhile)           // nothing else needs it any more
	if w.committed.Exec(ctx, `CHECKPOINT`) != nil { // the file keeps its log, which has the load
		return w.Close()
	}
	w.committed.DB, w.committed.Conn, w.synced = nil, nil, nil
	w.note()
	return os.RemoveAll(NewFile(w.path, spillEnd))
}

// fold folds the log into a new file. The engine would do this at closing, too, but it would not report an error. A
// file that is in its place already may keep its log, which has the load.
func (w *Warehouse) fold() error {
	if w.s.Conn == nil || w.s.File == w.path {
		return nil
	}
	if _, err := w.s.Conn.ExecContext(context.Background(), `CHECKPOINT`); err != nil {
		return engine.WithRemedy(fmt.Errorf("fold the log of %s into it: %w", w.s.File, err))
	}
	return nil
}

// newSuffix is in the names of the files that are made beside a warehouse, and that are renamed when they are complete.
const newSuffix = ".new-"

// spillEnd ends the name of the folder for rows that the engine cannot hold in memory.
const spillEnd = ".tmp"

// AsideEnd ends the name of a file for rows that wait, and a number follows.
const AsideEnd = "-rows"

// newEnds matches what follows newSuffix: the process, the use of the file, and the suffix of a file that the engine
// makes beside it.
var newEnds = regexp.MustCompile(`^[0-9]+(-raw|-rows[0-9]*|-schema|-small|-filled)?(\.wal|\.tmp)?$`)

// NewFile returns the path of a file that this process makes beside a warehouse.
func NewFile(warehouse, use string) string {
	return warehouse + newSuffix + strconv.Itoa(os.Getpid()) + use
}

// NewFiles lists the files that are being made beside a warehouse, and those that killed processes left. A user's file
// whose name only begins like theirs is not listed.
func NewFiles(warehouse string) (names []string) {
	entries, _ := os.ReadDir(filepath.Dir(warehouse)) // what cannot be listed cannot be swept
	for _, e := range entries {
		if end, ok := strings.CutPrefix(e.Name(), filepath.Base(warehouse)+newSuffix); ok && newEnds.MatchString(end) {
			names = append(names, warehouse+newSuffix+end)
		}
	}
	return names
}

// copyHeld copies a warehouse that another program holds. See copyStill.
func copyHeld(from, to string) error {
	err := copyStill(from, to)
	if err != nil && !errors.Is(err, engine.ErrBusy) {
		err = engine.WithRemedy(fmt.Errorf("copy the warehouse, which another program holds: %w", err))
	}
	return err
}

// copyStill is engine.CopyStill, with failpoints around the copy.
func copyStill(from, to string) error {
	return engine.CopyStill(from, to, beforeCopy.Reach, afterCopy.Reach)
}
