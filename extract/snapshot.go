package extract

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"pipeline/load/tool/scratch"
)

// The ways to read a store (StoreInfo.Method).
const (
	MethodInPlace = "in_place" // quiet: read without any lock, verified afterwards
	MethodWAL     = "wal"      // in use: one read transaction beside the writer
	MethodClone   = "clone"    // a private file that shares the store's blocks, made under a lock of milliseconds
	MethodCopy    = "copy"     // a private copy
)

// StoreInfo says how a store was read.
type StoreInfo struct {
	Path        string   // absolute, symlinks resolved
	JournalMode string   // as the file's header has it: "wal", or "delete" for a rollback journal of any kind
	Method      string   // one of the Method constants; "" if the store could not be opened
	Bytes       int64    // the database and its -wal
	Warnings    []string // what is unusual about it, for people
}

// storeOptions change how a store is opened. The zero value is right outside tests.
type storeOptions struct {
	Copy    bool   // read a private copy, even where the store could be read in place
	Salvage bool   // read what can be read of a damaged store, from a private copy
	TempDir string // where private copies are made; "" is the system's temporary directory
	buffer  []byte // a buffer to read small stores whole; nil: nobody asks for that

	remote func(path string) (bool, error) // isRemoteFS
	still  time.Duration                   // how long files must stay unchanged before they are copied
	// the pause between two tries, and how long a try waits for the end of a commit; 250 ms
	pause time.Duration
	now   func() time.Time
}

const (
	// openTries is how often a store that is being written to is tried before it counts as busy.
	openTries = 3
	// A read transaction keeps the writer from resetting its -wal, so it must end at this age or growth.
	budgetAge    = 30 * time.Second
	budgetGrowth = 256 << 20
)

// storeSnapshot is one consistent state of one SQLite file, read-only. A process may have only one open for a file at
// any time: looking at the file again would drop the locks of the first (POSIX locks belong to the process, and any
// close of the file drops them).
type storeSnapshot struct {
	info    StoreInfo
	db      *sql.DB
	conn    *sql.Conn
	kept    statements
	before  look            // in place: the state that Verify compares with
	scratch *scratch.Folder // copy: the private folder, until it is removed
	loss    *loss           // rows that a damaged store has lost; nil for a sound one
	opened  time.Time
	now     func() time.Time
}

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

func (o storeOptions) withDefaults() storeOptions {
	if o.remote == nil {
		o.remote = isRemoteFS
	}
	if o.pause == 0 {
		o.pause = 250 * time.Millisecond
	}
	if o.now == nil {
		o.now = time.Now
	}
	return o
}

// isTransient reports an error that a later try may not meet.
func isTransient(err error) bool {
	return kindOf(err) == KindBusy || kindOf(err) == KindTorn || errors.Is(err, ErrBusy) || errors.Is(err, ErrTorn)
}

// canonical is the absolute path of a file without symlinks, since SQLite looks for the -wal beside the file, not
// beside the link.
func canonical(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path, err
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return abs, err
	}
	return real, nil
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
	case remote:
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
	if !l.hasShm || l.staleWAL() || l.foreignWAL() {
		o.still = max(o.still, o.pause)
		return openCopy(ctx, path, l, o)
	}
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
	var last look
	for end := time.Now().Add(o.pause); time.Now().Before(end); {
		if err := sleep(ctx, 5*time.Millisecond); err != nil {
			return nil, err
		}
		var err error
		if last, err = lookAt(path); err != nil {
			return nil, err
		}
		if !last.hotJournal() {
			return openQuiet(ctx, path, last, o)
		}
	}
	if !l.same(last) {
		return nil, fmt.Errorf("%w: a transaction is always under way", ErrBusy)
	}
	return openCopy(ctx, path, l, o)
}

func (l look) storeInfo(path, method string) StoreInfo {
	return StoreInfo{Path: path, JournalMode: l.journalMode(), Method: method, Bytes: l.bytes()}
}

// connect opens path, begins the one read transaction and fixes its state by a first SELECT. It leaves nothing open
// after an error.
func (s *storeSnapshot) connect(ctx context.Context, path, params string) error {
	if err := s.open(ctx, path, params); err != nil {
		return err
	}
	return s.begin(ctx)
}

// open opens path. It reads nothing yet.
func (s *storeSnapshot) open(ctx context.Context, path, params string) (err error) {
	uri := fileURI(path, runtime.GOOS == "windows") + "?" + params + "&_pragma=busy_timeout(250)&_pragma=query_only(1)"
	if s.db, err = sql.Open("sqlite", uri); err != nil {
		return err
	}
	s.db.SetMaxOpenConns(1)
	if s.conn, err = s.db.Conn(ctx); err != nil {
		err = errors.Join(err, s.closeDB())
	}
	return err
}

func (s *storeSnapshot) begin(ctx context.Context) error {
	var n int
	_, err := s.conn.ExecContext(ctx, "BEGIN")
	if err == nil {
		err = s.conn.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master").Scan(&n)
	}
	if err != nil {
		err = errors.Join(err, s.closeDB())
	}
	return err
}

// Conn is the connection inside the read transaction. All reads go through it, one after the other.
func (s *storeSnapshot) Conn() *sql.Conn { return s.conn }

// Rows asks a query that comes again and again, with other values. A row is valid until the next one; its values may be
// kept.
func (s *storeSnapshot) Rows(ctx context.Context, text string, columns int,
	args ...any) iter.Seq2[[]driver.Value, error] {
	return s.kept.query(ctx, s.conn, text, columns, args...)
}

// Info says how the store is read.
func (s *storeSnapshot) Info() StoreInfo { return s.info }

// Verify is called after the last read. For a store read in place it returns ErrTorn if anybody wrote in the meantime:
// the caller must drop the rows, and open the store again. With the other methods the rows are consistent, and it
// returns nil.
func (s *storeSnapshot) Verify() error {
	if s.info.Method != MethodInPlace {
		return nil
	}
	if err := verifyLook(s.info.Path, s.before); err != nil {
		return &StoreError{Path: s.info.Path, Kind: KindTorn, Err: err}
	}
	return nil
}

// tornOr returns ErrTorn if the store has changed since it was looked at, else err.
func tornOr(err error, path string, before look) error {
	if torn := verifyLook(path, before); torn != nil {
		return torn
	}
	return err
}

func verifyLook(path string, before look) error {
	now, err := lookAt(path)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrTorn, err)
	}
	if !before.same(now) {
		return ErrTorn
	}
	return nil
}

// explain names an error that came up while the store was read. A store looks damaged if a writer changes its pages
// during an in-place read: that is ErrTorn, not damage.
func (s *storeSnapshot) explain(err error) error {
	if torn := s.Verify(); torn != nil {
		return torn
	}
	return newStoreError(s.info.Path, err)
}

// overBudget says why the read transaction should end: it is older than 30 s, or the -wal grew by more than 256 MB
// since it began. The caller then drops what it has read, closes, and opens again with storeOptions.Copy. The result is
// "" if there is no reason, and with other methods.
func (s *storeSnapshot) overBudget() string {
	if s.info.Method != MethodWAL {
		return ""
	}
	if age := s.now().Sub(s.opened); age > budgetAge {
		return fmt.Sprintf("the read transaction is %s old", age.Round(time.Second))
	}
	// os.Stat and not lookAt, which would drop the transaction's locks.
	if wal, err := os.Stat(s.info.Path + walEnd); err == nil && wal.Size()-s.before.wal.size() > budgetGrowth {
		return fmt.Sprintf("the -wal grew by %d MB", (wal.Size()-s.before.wal.size())>>20)
	}
	return ""
}

// Close ends the transaction and removes the private copy. All rows must have been closed before.
func (s *storeSnapshot) Close() error {
	return errors.Join(s.closeDB(), s.scratch.Remove())
}

func (s *storeSnapshot) closeDB() error {
	var errs []error
	if s.conn != nil {
		errs = append(errs, s.kept.close(s.conn))
		// ROLLBACK fails only if there is no transaction any more, which is fine.
		_, _ = s.conn.ExecContext(context.Background(), "ROLLBACK")
		errs = append(errs, s.conn.Close())
		s.conn = nil
	}
	if s.db != nil {
		errs = append(errs, s.db.Close())
		s.db = nil
	}
	return errors.Join(errs...)
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
