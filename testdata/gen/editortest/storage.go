package editortest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"time"

	"modernc.org/sqlite" // the driver "sqlite"
)

const (
	lockTimeout  = time.Second     // how long each statement waits for a lock
	retryTimeout = 2 * time.Second // how long an opening that met a lock waits before it is tried once more
	backupEnd    = ".backup"
)

// sqliteBusy is SQLite's result code for a lock that was not had in time (sqlite.org/rescode.html).
const sqliteBusy = 5

// storage is a store as VS Code's storage service has it open. Its rules are kept step by step, since they are what
// turns a reader's lock into lost rows:
//   - opening writes (user_version); where that meets a lock for lockTimeout, it is tried once more after retryTimeout;
//     then the file is
//     unlinked and its backup, if there is one, renamed over it
//   - a transaction is a queue of statements, each run whatever became of the one before: after a failed END the
//     transaction stays open,
//     and the next BEGIN fails
//   - closing without an error before copies the file to its backup.
//
// The journal is as SQLite makes it, or a -wal, which Cursor turns on. VS Code sets nothing else.
type storage struct {
	path      string
	wal       bool
	db        *sql.DB
	conn      *sql.Conn
	erroneous bool // a statement failed
}

// A row is one key with its value.
type row struct{ key, value string }

// openStorage opens the store at path, and calls failed at once with the number of times that it could not. An error is
// one that VS Code would meet by going on in memory.
func openStorage(ctx context.Context, path string, wal bool, failed func(times int)) (*storage, report, error) {
	s, r := &storage{path: path, wal: wal}, report{Opened: true}
	err := s.connect(ctx)
	if err == nil {
		return s, r, nil
	}
	r.FailedOpens++
	failed(r.FailedOpens)
	var code *sqlite.Error
	if errors.As(err, &code) && code.Code()&0xff == sqliteBusy {
		time.Sleep(retryTimeout)
		if err = s.connect(ctx); err == nil {
			return s, r, nil
		}
		r.FailedOpens++
		failed(r.FailedOpens)
	}
	r.Replaced = true
	had, _ := countRows(ctx, path) // a store that cannot be read has lost nothing that could be counted
	if err := os.Remove(path); err != nil {
		return nil, r, err
	}
	if err := os.Rename(path+backupEnd, path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, r, err
	}
	if err := s.connect(ctx); err != nil {
		return nil, r, err
	}
	has, err := countRows(ctx, path)
	r.RowsLost = had - has
	return s, r, err
}

// countRows is for the report alone: VS Code does not look.
func countRows(ctx context.Context, path string) (n int, err error) {
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: "mode=ro"}).String())
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	err = db.QueryRowContext(ctx, "SELECT count(*) FROM cursorDiskKV").Scan(&n)
	return n, err
}

// connect opens the file and writes to it, which makes the store if it is not there and shows whether it can be used.
// Nothing stays open after an error.
func (s *storage) connect(ctx context.Context) (err error) {
	uri := url.URL{Scheme: "file", OmitHost: true, Path: s.path,
		RawQuery: fmt.Sprintf("_pragma=busy_timeout(%d)", lockTimeout.Milliseconds())}
	if s.db, err = sql.Open("sqlite", uri.String()); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.disconnect())
		}
	}()
	if s.conn, err = s.db.Conn(ctx); err != nil {
		return err
	}
	statements := []string{
		"PRAGMA user_version = 1",
		"CREATE TABLE IF NOT EXISTS ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)",
		"CREATE TABLE IF NOT EXISTS cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)",
	}
	if s.wal {
		statements = append(statements, "PRAGMA journal_mode = WAL")
	}
	for _, statement := range statements {
		if _, err := s.conn.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

func (s *storage) disconnect() error {
	var closed error
	if s.conn != nil {
		closed = s.conn.Close()
		s.conn = nil
	}
	return errors.Join(closed, s.db.Close())
}

// update writes rows in one transaction. It is committed if END did not fail.
func (s *storage) update(ctx context.Context, rows []row) (committed bool, failures []failure) {
	run := func(name, statement string, args ...any) bool {
		_, err := s.conn.ExecContext(ctx, statement, args...)
		if err != nil {
			s.erroneous = true
			failures = append(failures, failure{Statement: name, Text: err.Error()})
		}
		return err == nil
	}
	run("BEGIN", "BEGIN TRANSACTION")
	for _, r := range rows {
		run("INSERT", "INSERT INTO cursorDiskKV (key, value) VALUES (?, ?)", r.key, r.value)
	}
	committed = run("END", "END TRANSACTION")
	return committed, failures
}

// close closes the store and, if nothing failed, copies it to its backup.
func (s *storage) close() (err error) {
	if err := s.disconnect(); err != nil || s.erroneous {
		return err
	}
	from, err := os.Open(s.path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	to, err := os.Create(s.path + backupEnd)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	_, err = io.Copy(to, from)
	return err
}
