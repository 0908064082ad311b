package extract

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"pipeline/load/scratch"
)

// nameless: a copy may lose its name before it is filled. A clone of macOS is a file that is made whole, under a name.
const nameless = scratch.RemovesOpen && runtime.GOOS != "darwin"

// openCopy copies the database, -wal and journal (never the -shm) of a store that stands still, and reads the copy. A store that moves
// meanwhile gives ErrTorn. No process with locks of its own on the store may be this one (see lookAt).
func openCopy(ctx context.Context, path string, l look, o storeOptions) (*storeSnapshot, error) {
	if err := sleep(ctx, o.still); err != nil {
		return nil, err
	}
	if err := verifyLook(path, l); err != nil {
		return nil, err
	}
	return newCopy(ctx, path, l, o, func(c *copier) error {
		for _, end := range []string{"", walEnd, journalEnd} {
			if c.open != nil && end != "" { // neither holds anything
				break
			}
			if err := c.copyOne(path+end, end); err != nil && (end == "" || !errors.Is(err, os.ErrNotExist)) {
				return err
			}
		}
		return verifyLook(path, l)
	})
}

// intoCopy copies the database, then the -wal, inside the read transaction, ends it and reads the copy. The transaction keeps the pages that
// its state needs in place; what is committed after it comes along or not, always whole. So the copy's state may be a later one than the
// transaction's: nothing may have been read yet.
func (s *storeSnapshot) intoCopy(ctx context.Context, l look, o storeOptions) (_ *storeSnapshot, err error) {
	// Closing any descriptor of the database drops the locks of this process: the two stay open until the transaction has ended.
	var open []*os.File
	defer func() {
		err = errors.Join(err, s.closeDB())
		for _, f := range open {
			err = errors.Join(err, f.Close())
		}
	}()
	return newCopy(ctx, s.info.Path, l, o, func(c *copier) error {
		for _, end := range []string{"", walEnd} {
			f, err := os.Open(s.info.Path + end)
			if err != nil {
				return err
			}
			open = append(open, f)
			if err := c.put(f, end); err != nil {
				return err
			}
		}
		return s.closeDB()
	})
}

// newCopy makes a private folder, lets copyFiles fill it, brings the copy to its committed state and opens that.
func newCopy(ctx context.Context, path string, l look, o storeOptions, copyFiles func(c *copier) error) (_ *storeSnapshot, err error) {
	s := &storeSnapshot{info: l.storeInfo(path, MethodCopy), opened: o.now(), now: o.now}
	alone := !l.walInUse() && !l.hotJournal() // the database is all there is
	if alone {
		if err := l.checkWhole(path); err != nil {
			return nil, tornOr(err, path, l)
		}
	}
	if s.scratch, err = scratch.New(o.TempDir, scratchPrefix); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	c := &copier{ctx: ctx, tolerant: o.Salvage, to: filepath.Join(s.scratch.Path(), storeFile)}
	if alone && nameless && !o.Salvage {
		if err := s.copyNameless(ctx, c, copyFiles); err != nil {
			return nil, err
		}
		return s, nil
	}
	if err := copyFiles(c); err != nil {
		return nil, err
	}
	if o.Salvage {
		err = s.salvage(ctx, c.to, l, c.holes)
	} else {
		err = s.recover(ctx, c.to, l)
	}
	if err != nil {
		return nil, err
	}
	// Nobody else knows of the copy, so immutable is true. Removing it while it is open, where the system allows that, leaves nothing behind
	// even if this process is killed.
	if err := s.connect(ctx, c.to, "mode=ro&immutable=1"); err != nil {
		return nil, err
	}
	if scratch.RemovesOpen {
		if err := s.scratch.Remove(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// copyNameless fills a file that has lost its name before: the copy is gone with this process, however that ends.
func (s *storeSnapshot) copyNameless(ctx context.Context, c *copier, copyFiles func(c *copier) error) (err error) {
	c.open = func() error { return errors.Join(s.open(ctx, c.to, "mode=ro&immutable=1"), s.scratch.Remove()) }
	defer func() {
		if c.file != nil {
			err = errors.Join(err, c.file.Close())
		}
	}()
	if err := copyFiles(c); err != nil {
		return err
	}
	if err := s.begin(ctx); err != nil {
		return err
	}
	return s.quickCheck(ctx, s.conn)
}

// recover brings the copy to its committed state: a journal is rolled back, a -wal taken in, every page checked. A -wal that is not the database's is left
// out, if the database is sound without it.
func (s *storeSnapshot) recover(ctx context.Context, copied string, l look) error {
	if !l.judged() {
		return s.settle(ctx, copied, "mode=rw", wholeCopy)
	}
	if err := s.judgeWAL(ctx, copied, l); err != nil {
		return err
	}
	return s.apply(ctx, copied, wholeCopy)
}

// judged reports a copy with a -wal, which may be another database's.
func (l look) judged() bool { return l.wal.size() > 0 && !l.hotJournal() }

// judgeWAL leaves out a -wal that is not the database's own, if the database is sound without it. It returns no error where the copy is sound then.
func (s *storeSnapshot) judgeWAL(ctx context.Context, copied string, l look) error {
	if l.foreignWAL() {
		err := s.withoutWAL(ctx, copied)
		if err == nil {
			s.warn("its -wal is not its own, since the database has a rollback journal; it was left out")
		}
		if kindOf(err) != KindDamaged {
			return err
		}
	}
	warning := l.ageOfWAL()
	// Read-only: nothing of the -wal goes into the database before it is known to fit.
	err := s.settle(ctx, copied, "mode=ro", "PRAGMA user_version")
	switch {
	case err == nil && warning != "":
		s.warn(warning)
		return nil
	case kindOf(err) != KindDamaged:
		return err
	}
	if s.withoutWAL(ctx, copied) != nil {
		return err
	}
	s.warn(cmp.Or(warning, "its -wal is another database's, or damaged") + leftOut)
	return nil
}

const leftOut = "; it does not fit and was left out"

// ageOfWAL says that a -wal is stale; "" where it is not.
func (l look) ageOfWAL() string {
	if !l.staleWAL() {
		return ""
	}
	return fmt.Sprintf("its -wal is %s older than the database; perhaps the database was put back from a backup",
		l.db.info.ModTime().Sub(l.wal.info.ModTime()).Round(time.Second))
}

// wholeCopy has all of a database in one file.
const wholeCopy = "PRAGMA journal_mode = DELETE"

// withoutWAL brings the copy to the state that it has without its -wal. That is put back where the database is not sound then.
func (s *storeSnapshot) withoutWAL(ctx context.Context, copied string) error {
	aside := copied + ".aside"
	if err := errors.Join(os.Rename(copied+walEnd, aside), removeIfThere(copied+shmEnd)); err != nil {
		return err
	}
	if err := s.settle(ctx, copied, "mode=rw", wholeCopy); err != nil {
		if back := errors.Join(removeIfThere(copied+shmEnd), os.Rename(aside, copied+walEnd)); back != nil {
			return back
		}
		return err
	}
	return os.Remove(aside)
}

func (s *storeSnapshot) warn(text string) { s.info.Warnings = append(s.info.Warnings, text) }

// settle opens the copy, lets SQLite check every page, and runs one more pragma. The first access rolls a hot journal back.
func (s *storeSnapshot) settle(ctx context.Context, copied, mode, pragma string) (err error) {
	conn, end, err := connectTo(ctx, copied, mode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	if err := s.quickCheck(ctx, conn); err != nil {
		return err
	}
	var answer string
	return conn.QueryRowContext(ctx, pragma).Scan(&answer)
}

// quickCheck has SQLite look at every page.
func (s *storeSnapshot) quickCheck(ctx context.Context, conn *sql.Conn) error {
	var verdict string
	if err := conn.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return newStoreError(s.info.Path, err)
	}
	if verdict != "ok" {
		return &StoreError{Path: s.info.Path, Kind: KindDamaged, Err: errors.New(verdict)}
	}
	return nil
}

// apply runs a pragma on a copy that is known to be sound.
func (s *storeSnapshot) apply(ctx context.Context, copied, pragma string) (err error) {
	conn, end, err := connectTo(ctx, copied, "mode=rw")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	var answer string
	if err := conn.QueryRowContext(ctx, pragma).Scan(&answer); err != nil {
		return newStoreError(s.info.Path, err)
	}
	return nil
}

func removeIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// copier copies files into a private folder.
type copier struct {
	ctx      context.Context
	tolerant bool         // what cannot be read is left out
	holes    int64        // bytes that were
	to       string       // where the database goes
	file     *os.File     // the database's file, where it has no name any more
	open     func() error // opens the copy and takes its name away; nil where it keeps it until it is whole
}

// unname makes the database's file, as long as it will be and without content, has it opened, and takes its name away. SQLite notes how long the
// file is, and reads nothing else before it is filled.
func (c *copier) unname(from *os.File) error {
	info, err := from.Stat()
	if err != nil {
		return err
	}
	if c.file, err = os.OpenFile(c.to, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
		return err
	}
	if err := c.file.Truncate(info.Size()); err != nil {
		return err
	}
	return c.open()
}

// copyOne copies a file of the store to the one of that ending.
func (c *copier) copyOne(from, end string) (err error) {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return c.put(f, end)
}

// clone has the copy share the blocks of the database, where the file system can.
func (c *copier) clone(from *os.File) error {
	if c.open == nil {
		return cloneOpen(from, c.to)
	}
	if err := c.unname(from); err != nil {
		return err
	}
	return cloneInto(from, c.file)
}

// tryClone reports whether clone would do.
func (c *copier) tryClone(from *os.File) (err error) {
	probe := c.to + ".probe"
	if !nameless {
		return errors.Join(cloneOpen(from, probe), removeIfThere(probe))
	}
	f, err := os.OpenFile(probe, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := os.Remove(probe); err != nil {
		return err
	}
	return cloneInto(from, f)
}

// copyPart is how much is copied before it is brought to the disk: where more waits to be written, the editor's own syncs wait behind it.
// readPart is how much is left out where a read fails.
const (
	copyPart = 8 << 20
	readPart = 4096
)

// put copies a file to the one of that ending; where the file system can, it shares the blocks instead.
func (c *copier) put(from *os.File, end string) (err error) {
	if c.open != nil {
		if err := c.unname(from); err != nil {
			return err
		}
		if cloneInto(from, c.file) == nil {
			return nil
		}
		return c.copyAll(from, c.file)
	}
	if !c.tolerant && cloneOpen(from, c.to+end) == nil {
		return nil
	}
	f, err := os.OpenFile(c.to+end, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if c.tolerant {
		return c.copyReadable(from, f)
	}
	return c.copyAll(from, f)
}

func (c *copier) copyAll(from, to *os.File) error {
	for {
		switch _, err := io.CopyN(to, from, copyPart); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case c.ctx.Err() != nil:
			return c.ctx.Err()
		}
		if err := to.Sync(); err != nil {
			return err
		}
	}
}

// copyReadable copies what can be read of a file, at the places that it has there.
func (c *copier) copyReadable(from, to *os.File) error {
	info, err := from.Stat()
	if err != nil {
		return err
	}
	buf := make([]byte, 1<<20)
	for at := int64(0); at < info.Size(); {
		n, failed := from.ReadAt(buf[:min(int64(len(buf)), info.Size()-at)], at)
		if _, err := to.WriteAt(buf[:n], at); err != nil {
			return err
		}
		at += int64(n)
		switch {
		case c.ctx.Err() != nil:
			return c.ctx.Err()
		case errors.Is(failed, io.EOF):
			return nil
		case failed != nil && at == 0:
			return failed
		case failed != nil:
			next := min(at/readPart*readPart+readPart, info.Size())
			c.holes += next - at
			at = next
		}
	}
	return to.Truncate(info.Size())
}
