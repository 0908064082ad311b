package extract

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	// openTries is how often a store that is being written to is tried before it counts as busy.
	openTries = 3
	// A read transaction keeps the writer from resetting its -wal, so it must end at this age or growth.
	budgetAge    = 30 * time.Second
	budgetGrowth = 256 << 20
)

// openStore opens one store without disturbing its owner. It never writes beside the store, never waits for a lock
// longer than 250 ms and never holds one that blocks a writer:
//
//   - no -wal and no journal (Cursor is closed or quiet): in place, immutable, without any lock; Verify must be called
//     after the last read
//
//   - a -wal in use: in place, in one read transaction
//
//   - anything else (a -wal without its -shm, as in a backup; a journal left by a crash; a read-only -shm; a network,
//     WSL or FUSE mount): a private copy
//
//   - a store in rollback mode that no quiet moment is found for: a clone of its file, where the file system can share
//     blocks
//
// The error is a *StoreError or ctx's. One that is ErrBusy comes after three tries.
func openStore(ctx context.Context, path string, o storeOptions) (*storeSnapshot, error) {
	path, err := canonical(path)
	if err != nil {
		return nil, newStoreError(path, err)
	}
	o = o.withDefaults()
	for try := 1; ; try++ {
		s, err := openOnce(ctx, path, o)
		switch {
		case err == nil:
			return s, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case !isTransient(err):
			return nil, newStoreError(path, err)
		case try == openTries:
			if s, err := openClone(ctx, path, o); err == nil || IsDamage(err) {
				return s, err
			}
			// the text alone: the error is now ErrBusy and must not be ErrTorn, too
			return nil, &StoreError{Path: path, Kind: KindBusy, Err: errors.New(err.Error())}
		}
		if err := sleep(ctx, o.pause); err != nil {
			return nil, err
		}
	}
}

// openOnce looks at the store and chooses the method.
func openOnce(ctx context.Context, path string, o storeOptions) (*storeSnapshot, error) {
	l, err := lookAt(path)
	if err != nil {
		return nil, err
	}
	if err := l.checkHeader(path); err != nil {
		return nil, err
	}
	remote, err := o.remote(path)
	if remote = remote || err != nil; remote { // an unknown file system counts as remote
		o.still = max(o.still, 5*o.pause) // clients of network file systems cache sizes and times for a while
	}
	switch {
	case l.distrust(remote) != "":
		o.still = max(o.still, o.pause)
		return openCopy(ctx, path, l, o)
	case l.walInUse():
		return openWAL(ctx, path, l, o)
	case l.hotJournal():
		return openJournal(ctx, path, l, o)
	}
	return openQuiet(ctx, path, l, o)
}

// openQuiet reads a store that has neither a -wal in use nor a hot journal.
func openQuiet(ctx context.Context, path string, l look, o storeOptions) (*storeSnapshot, error) {
	if o.Copy || o.Salvage {
		if s, err := openClone(ctx, path, o); err == nil || IsDamage(err) {
			return s, err
		}
		return openCopy(ctx, path, l, o)
	}
	return openInPlace(ctx, path, l, o)
}

// openInPlace reads a store that nobody is writing to. For a store in WAL mode, mode=ro alone would create a -wal and a
// -shm in Cursor's folder and leave them there, so immutable is set.
func openInPlace(ctx context.Context, path string, l look, o storeOptions) (*storeSnapshot, error) {
	if err := l.checkWhole(path); err != nil {
		return nil, tornOr(err, path, l)
	}
	s := &storeSnapshot{info: l.storeInfo(path, MethodInPlace), before: l, opened: o.now(), now: o.now}
	if err := s.connect(ctx, path, "mode=ro&immutable=1"); err != nil {
		return nil, tornOr(err, path, l)
	}
	return s, nil
}

// openWAL reads a store that is in use in WAL mode. Its read transaction sees one state while the writer goes on. With
// readonly_shm SQLite opens the -shm for reading only: it creates and writes nothing beside the store, and does not
// trust a -shm that a crash left.
func openWAL(ctx context.Context, path string, l look, o storeOptions) (*storeSnapshot, error) {
	s := &storeSnapshot{info: l.storeInfo(path, MethodWAL), before: l, opened: o.now(), now: o.now}
	err := s.connect(ctx, path, "mode=ro&readonly_shm=1")
	switch code := sqliteCode(err); {
	case err == nil && (o.Copy || o.Salvage):
		return s.intoCopy(ctx, l, o)
	case err == nil:
		return s, nil
	case code == sqliteCantOpen || code == sqliteReadOnly || o.Salvage:
		// The -shm may not be read, or the program that owned it has just ended.
		return openCopy(ctx, path, l, o)
	}
	return nil, err
}

// openJournal waits a moment for the end of a commit. If the journal has not changed by then, a crash left it. The
// store itself must not be touched, but a private copy of it and its journal can be rolled back. Otherwise the store is
// busy.
func openJournal(ctx context.Context, path string, l look, o storeOptions) (*storeSnapshot, error) {
	last, err := awaitCommit(ctx, path, l, o.pause)
	switch {
	case err != nil:
		return nil, err
	case !last.hotJournal():
		return openQuiet(ctx, path, last, o)
	case !l.same(last):
		return nil, fmt.Errorf("%w: a transaction is always under way", ErrBusy)
	}
	return openCopy(ctx, path, l, o)
}

// awaitCommit looks at a store until it has no journal that a writer needs, but no longer than a pause.
func awaitCommit(ctx context.Context, path string, last look, pause time.Duration) (look, error) {
	for end := time.Now().Add(pause); last.hotJournal() && time.Now().Before(end); {
		err := sleep(ctx, 5*time.Millisecond)
		if err == nil {
			last, err = lookAt(path)
		}
		if err != nil {
			return last, err
		}
	}
	return last, nil
}
