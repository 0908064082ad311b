// Package session has the open file of a warehouse for packages that change it. It runs statements and transactions,
// keeps settings, and makes temporary tables of rows.
//
// It must never know which rows a load writes, nor how the file got its place.
package session

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"pipeline/load/engine"
	"pipeline/sql/schema"
)

// ErrClosed is the error of a use after a commit. A commit puts the file in place and closes it, so each load must open
// it again.
var ErrClosed = errors.New("the warehouse is closed: open it again for another load")

// A Session is a warehouse's file and the engine that has it open.
type Session struct {
	File string
	DB   *sql.DB
	Conn *sql.Conn // nil: the file is closed
}

// Open opens the file.
func (s *Session) Open(ctx context.Context, readOnly bool) (err error) {
	s.DB, s.Conn, err = engine.Open(ctx, s.File, readOnly)
	return err
}

// Close closes the file if it is open. If a fatal error has invalidated the engine, Close only forgets the connection.
func (s *Session) Close() error {
	if s.DB == nil {
		return nil
	}
	db, conn := s.DB, s.Conn
	s.DB, s.Conn = nil, nil
	if engine.IsInvalidated(conn) {
		return nil
	}
	return errors.Join(conn.Close(), db.Close())
}

// Exec runs statements.
func (s *Session) Exec(ctx context.Context, query string, args ...any) error {
	if s.Conn == nil {
		return ErrClosed
	}
	if _, err := s.Conn.ExecContext(ctx, query, args...); err != nil {
		return engine.WithRemedy(fmt.Errorf("warehouse %s: %w (in: %s)", s.File, err, engine.FirstLine(query)))
	}
	return nil
}

// Begin begins a transaction that will be committed: it notes the state of the warehouse before it ("" before the first
// load) and a new one in the setting engine.MetaLineage.
func (s *Session) Begin(ctx context.Context) (err error) {
	if err := s.Exec(ctx, `BEGIN TRANSACTION`); err != nil {
		return err
	}
	defer func() { err = s.Undo(ctx, err) }()
	line, err := engine.Setting(ctx, s.Conn, engine.MetaLineage)
	if err != nil {
		return err
	}
	_, before, _ := strings.Cut(line, ">")
	return s.Keep(ctx, engine.MetaLineage, before+">"+rand.Text())
}

// Undo rolls back if err is not nil. It returns err, with the error of the rollback.
func (s *Session) Undo(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	return errors.Join(err, s.Exec(context.WithoutCancel(ctx), `ROLLBACK`))
}

// Keep stores a setting of the warehouse.
func (s *Session) Keep(ctx context.Context, key, value string) error {
	return errors.Join(s.Exec(ctx, `DELETE FROM _meta WHERE key = ?`, key),
		s.Exec(ctx, `INSERT INTO _meta VALUES (?, ?)`, key, value))
}

// Setting returns a setting of the warehouse, or "" if there is none.
func (s *Session) Setting(ctx context.Context, key string) (string, error) {
	return engine.Setting(ctx, s.Conn, key)
}

// List makes a temporary table of rows for statements that read it. batch is how many bytes of rows may be on their way
// into the engine.
func List[R any](ctx context.Context, s *Session, batch int64, name string, rows []R) error {
	table := schema.NewTable[R](name, "", schema.Internal)
	columns := make([]string, len(table.Columns))
	for i, c := range table.Columns {
		columns[i] = c.Name + " " + c.Type
	}
	if err := s.Exec(ctx, fmt.Sprintf(`CREATE OR REPLACE TEMP TABLE %s (%s)`, name,
		strings.Join(columns, ", "))); err != nil {
		return err
	}
	a, err := engine.NewAppender(s.Conn, "temp."+name, table, batch)
	if err != nil {
		return err
	}
	return errors.Join(a.Append(reflect.ValueOf(rows)), a.Close())
}
