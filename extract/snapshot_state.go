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
	"slices"
	"time"

	"github.com/zeebo/xxh3"

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

// explain names an error that came up while the store was read, unless it has a name. A store looks damaged if a writer
// changes its pages during an in-place read: that is ErrTorn, not damage.
func (s *storeSnapshot) explain(err error) error {
	var known *StoreError
	var slow *OverBudgetError
	if err == nil || errors.As(err, &known) || errors.As(err, &slow) || errors.Is(err, ErrTorn) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
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

// loss lists the rows that could not be read from a damaged store.
type loss struct {
	rows map[string]map[int64]bool // rowids by table: their keys are known, their values are not
	keys []string
	read int64
	err  *StoreError // the message for people
}

// lost reports whether the value of a row could not be read.
func (l *loss) lost(table string, rowID int64) bool { return l != nil && l.rows[table][rowID] }

func (l *loss) add(table, key string, rowID int64) {
	if l.rows[table] == nil {
		l.rows[table] = map[int64]bool{}
	}
	l.rows[table][rowID] = true
	l.keys = append(l.keys, key)
}

// namedLost is how many lost rows an error lists by name.
const namedLost = 5

func (l *loss) explain(path string, why error) {
	slices.Sort(l.keys)
	text := fmt.Sprintf("%v; %d of %d rows are lost", why, len(l.keys), l.read+int64(len(l.keys)))
	before := ": "
	for _, key := range l.keys[:min(len(l.keys), namedLost)] {
		text += before + fmt.Sprintf("%.120q", key)
		before = ", "
	}
	if len(l.keys) > namedLost {
		text += fmt.Sprintf(" and %d more", len(l.keys)-namedLost)
	}
	l.err = &StoreError{Path: path, Kind: KindSalvaged, Err: errors.New(text)}
}

func (s *storeSnapshot) warn(text string) { s.info.Warnings = append(s.info.Warnings, text) }

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

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
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

func (l look) storeInfo(path, method string) StoreInfo {
	return StoreInfo{Path: path, JournalMode: l.journalMode(), Method: method, Bytes: l.bytes()}
}

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

// snapshotTries is how often a store is read in place if it changes during each try. After that it is read from a
// private copy (docs/reliability.md, Private copies).
const snapshotTries = 3

// minAge is how old a file's time of change must be to be trusted: the file could be written to again within the same
// tick of the clock.
const minAge = 2 * time.Second

// state returns a hash of the state of a store's files when it was opened in place: as long as it is the same, nobody
// has written. It is "" if unknown.
func (s *storeSnapshot) state() string {
	if s.info.Method != MethodInPlace && s.info.Method != MethodWAL {
		return ""
	}
	h := xxh3.New()
	for _, f := range []fileLook{s.before.db, s.before.wal, s.before.journal} {
		if f.info == nil {
			hashNumber(h, -1)
			continue
		}
		if s.opened.Sub(f.info.ModTime()) < minAge {
			return ""
		}
		hashFile(h, f.info.Size(), f.info.ModTime())
		hashText(h, string(f.head))
	}
	return sumOf(h)
}
