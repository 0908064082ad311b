package extract

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pipeline/load/tool/atomicfile"
	"pipeline/load/tool/scratch"
)

// openCopy copies the database, -wal and journal (never the -shm) of a store that does not change, and reads the copy.
// A store that changes meanwhile gives ErrTorn. This process must hold no locks on the store (see lookAt).
func openCopy(ctx context.Context, path string, l look, o storeOptions) (*storeSnapshot, error) {
	if err := sleep(ctx, o.still); err != nil {
		return nil, err
	}
	if err := verifyLook(path, l); err != nil {
		return nil, err
	}
	return newCopy(ctx, path, l, o, func(c *copier) error {
		for _, end := range []string{"", walEnd, journalEnd} {
			if c.open != nil && end != "" { // the -wal and the journal hold nothing
				break
			}
			if err := c.copyOne(path+end, end); err != nil && (end == "" || !errors.Is(err, os.ErrNotExist)) {
				return err
			}
		}
		return verifyLook(path, l)
	})
}

// intoCopy copies the database, then the -wal, inside the read transaction. It then ends the transaction and reads the
// copy. The transaction keeps its pages in place during the copying. A later commit is in the copy either whole or not
// at all. So the copy may have a later state than the transaction: the caller must not have read any rows yet.
func (s *storeSnapshot) intoCopy(ctx context.Context, l look, o storeOptions) (_ *storeSnapshot, err error) {
	// Closing any descriptor of the database drops this process's locks: both files stay open until the transaction has
	// ended.
	var open []*os.File
	defer func() {
		err = errors.Join(err, s.closeDB())
		for _, f := range open {
			err = errors.Join(err, f.Close())
		}
	}()
	return newCopy(ctx, s.info.Path, l, o, func(c *copier) error {
		for _, end := range []string{"", walEnd} {
			f, err := OpenShared(s.info.Path + end)
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

// newCopy makes a private folder, lets copyFiles fill it, brings the copy to its committed state and opens it.
func newCopy(ctx context.Context, path string, l look, o storeOptions,
	copyFiles func(c *copier) error) (_ *storeSnapshot, err error) {
	s := &storeSnapshot{info: l.storeInfo(path, MethodCopy), opened: o.now(), now: o.now}
	alone := !l.walInUse() && !l.hotJournal() // neither a -wal nor a journal belongs to the database
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
	if alone && unlinksFirst && !o.Salvage {
		if err := s.copyUnlinked(ctx, c, copyFiles); err != nil {
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
	// No other process knows the copy, so immutable is true. Where the system allows it, the copy is removed while it
	// is open: then nothing is left even if this process is killed.
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

// copyUnlinked fills a file whose name was removed before: the copy disappears with this process, however that ends.
func (s *storeSnapshot) copyUnlinked(ctx context.Context, c *copier, copyFiles func(c *copier) error) (err error) {
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

// recover brings the copy to its committed state: it rolls a journal back, takes a -wal in, and checks every page. It
// leaves out a -wal that belongs to another database, if the database is sound without it.
func (s *storeSnapshot) recover(ctx context.Context, copied string, l look) error {
	if !l.hasDoubtfulWAL() {
		return s.checkAndRun(ctx, copied, "mode=rw", wholeCopy)
	}
	if err := s.checkWAL(ctx, copied, l); err != nil {
		return err
	}
	return connected(ctx, copied, "mode=rw", func(conn *sql.Conn) error { // it is known to be sound
		var answer string
		return newStoreError(s.info.Path, conn.QueryRowContext(ctx, wholeCopy).Scan(&answer))
	})
}

// hasDoubtfulWAL reports whether a -wal is there that may belong to another database.
func (l look) hasDoubtfulWAL() bool { return l.wal.size() > 0 && !l.hotJournal() }

// checkWAL leaves out a -wal that belongs to another database, if the database is sound without it. It returns nil if
// the copy is sound then.
func (s *storeSnapshot) checkWAL(ctx context.Context, copied string, l look) error {
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
	// Read-only: no page of the -wal may go into the database before it is known to fit.
	err := s.checkAndRun(ctx, copied, "mode=ro", "PRAGMA user_version")
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

// ageOfWAL returns a warning if the -wal is stale, else "".
func (l look) ageOfWAL() string {
	if !l.staleWAL() {
		return ""
	}
	return fmt.Sprintf("its -wal is %s older than the database; perhaps the database was put back from a backup",
		l.db.info.ModTime().Sub(l.wal.info.ModTime()).Round(time.Second))
}

// wholeCopy brings all content of a database into one file.
const wholeCopy = "PRAGMA journal_mode = DELETE"

// withoutWAL brings the copy to its state without the -wal. If the database is not sound then, it puts the -wal back.
func (s *storeSnapshot) withoutWAL(ctx context.Context, copied string) error {
	aside := copied + ".aside"
	if err := errors.Join(atomicfile.Move(copied+walEnd, aside), removeIfThere(copied+shmEnd)); err != nil {
		return err
	}
	if err := s.checkAndRun(ctx, copied, "mode=rw", wholeCopy); err != nil {
		if back := errors.Join(removeIfThere(copied+shmEnd), atomicfile.Move(aside, copied+walEnd)); back != nil {
			return back
		}
		return err
	}
	return os.Remove(aside)
}

// checkAndRun opens the copy, lets SQLite check every page, and runs one pragma. The first access rolls a hot journal
// back.
func (s *storeSnapshot) checkAndRun(ctx context.Context, copied, mode, pragma string) error {
	return connected(ctx, copied, mode, func(conn *sql.Conn) error {
		if err := s.quickCheck(ctx, conn); err != nil {
			return err
		}
		var answer string
		return conn.QueryRowContext(ctx, pragma).Scan(&answer)
	})
}

// connected opens a private file for the time of a call.
func connected(ctx context.Context, path, params string, do func(*sql.Conn) error) (err error) {
	conn, end, err := connectTo(ctx, path, params)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	return do(conn)
}

// quickCheck has SQLite check every page.
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

// salvage builds a sound database from the damaged copy and puts it in the copy's place. It leaves a copy that turns
// out to be sound, as after a temporary read error. holes is how many bytes of the store could not be copied.
func (s *storeSnapshot) salvage(ctx context.Context, copied string, l look, holes int64) (err error) {
	if l.hasDoubtfulWAL() {
		err := s.checkWAL(ctx, copied, l)
		if err != nil && kindOf(err) != KindDamaged {
			return err
		}
		if err != nil && l.staleWAL() {
			s.warn(l.ageOfWAL() + leftOut)
			if err := errors.Join(os.Remove(copied+walEnd), removeIfThere(copied+shmEnd)); err != nil {
				return err
			}
		}
	}
	why, err := s.check(ctx, copied)
	if err != nil {
		return err
	}
	if err := checkLength(copied); err != nil {
		return err
	}
	if why == nil && holes == 0 {
		return s.checkAndRun(ctx, copied, "mode=rw", "PRAGMA journal_mode = DELETE")
	}
	if why == nil {
		why = fmt.Errorf("%d bytes of it cannot be read", holes)
	}
	found, err := salvageInto(ctx, copied, copied+".salvaged")
	if err != nil {
		return err
	}
	if found.read == 0 {
		return &StoreError{Path: s.info.Path, Kind: KindDamaged, Err: why}
	}
	for _, end := range []string{walEnd, shmEnd, journalEnd} {
		err = errors.Join(err, removeIfThere(copied+end))
	}
	found.explain(s.info.Path, why)
	s.loss = found
	return errors.Join(err, atomicfile.Move(copied+".salvaged", copied))
}

// check has SQLite check every page of the copy and compare the index with the table. It returns the fault that it
// finds in why.
func (s *storeSnapshot) check(ctx context.Context, copied string) (why, err error) {
	err = connected(ctx, copied, "mode=rw", func(conn *sql.Conn) error {
		var verdict string
		// Take in a -wal first. If that fails, SQLite still reads the rows through it.
		_, _ = conn.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
		why = conn.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict)
		if why == nil && verdict != "ok" {
			why = errors.New(strings.TrimPrefix(strings.ReplaceAll(verdict, "\n", " "), "*** in database main *** "))
			return nil
		}
		return ignoreDamage(why)
	})
	return why, err
}

// checkLength reports a file that ends before its last page: some of its rows cannot even be named by an index. The
// header gives the number of pages if the last change wrote it (sqlite.org/fileformat2.html, 1.3.8).
func checkLength(path string) error {
	f, err := lookAtFile(path)
	if err != nil {
		return err
	}
	if len(f.head) < headBytes {
		return errCut
	}
	whole := int64(binary.BigEndian.Uint32(f.head[28:32])) * pageSize(f.head)
	if string(f.head[24:28]) == string(f.head[92:96]) && f.size() < whole {
		return fmt.Errorf("%w: it has %d bytes of %d", errCut, f.size(), whole)
	}
	return nil
}
