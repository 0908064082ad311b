package extract

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"iter"
)

// query bypasses database/sql, which would copy each value once more and double the cost of an index scan. A row is
// valid until the next one; its values may be kept.
func query(ctx context.Context, conn *sql.Conn, text string, columns int,
	args ...any) iter.Seq2[[]driver.Value, error] {
	return func(yield func([]driver.Value, error) bool) {
		yieldRows(ctx, conn, columns, yield, func(c any) (driver.Rows, error) {
			return c.(driver.QueryerContext).QueryContext(ctx, text, named(args))
		}, func(bool) error { return nil })
	}
}

// statements are queries of one connection that have been parsed and are not at work: a row by its key costs half as
// much by such a one.
type statements struct{ free map[string]driver.Stmt }

// maxStatements is how many are kept. The texts of a store's queries are fewer.
const maxStatements = 64

// query is query by a statement that is kept. All queries of the connection by it come one after the other, or within
// each other.
func (s *statements) query(ctx context.Context, conn *sql.Conn, text string, columns int,
	args ...any) iter.Seq2[[]driver.Value, error] {
	return func(yield func([]driver.Value, error) bool) {
		var stmt driver.Stmt
		yieldRows(ctx, conn, columns, yield, func(c any) (rows driver.Rows, err error) {
			if stmt = s.free[text]; stmt != nil {
				delete(s.free, text)
			} else if stmt, err = c.(driver.ConnPrepareContext).PrepareContext(ctx, text); err != nil {
				return nil, err
			}
			rows, err = stmt.(driver.StmtQueryContext).QueryContext(ctx, named(args))
			if err != nil {
				return nil, errors.Join(err, stmt.Close())
			}
			return rows, nil
		}, func(well bool) error {
			if !well || s.free[text] != nil || len(s.free) >= maxStatements {
				return stmt.Close()
			}
			if s.free == nil {
				s.free = map[string]driver.Stmt{}
			}
			s.free[text] = stmt
			return nil
		})
	}
}

// close gives the statements back. It comes before the connection is closed, which would stay open else.
func (s *statements) close(conn *sql.Conn) error {
	return conn.Raw(func(any) (err error) {
		for _, stmt := range s.free {
			err = errors.Join(err, stmt.Close())
		}
		s.free = nil
		return err
	})
}

// yieldRows yields the rows that open asks for. done is called when they are closed, and told whether all went well.
func yieldRows(ctx context.Context, conn *sql.Conn, columns int, yield func([]driver.Value, error) bool,
	open func(c any) (driver.Rows, error), done func(well bool) error) {
	var rows driver.Rows
	err := conn.Raw(func(c any) (err error) {
		rows, err = open(c)
		return err
	})
	if err != nil {
		yield(nil, err)
		return
	}
	closed := func(well bool) error {
		return conn.Raw(func(any) error {
			err := rows.Close()
			return errors.Join(err, done(well && err == nil))
		})
	}
	row := make([]driver.Value, columns)
	next := func(any) error { return rows.Next(row) }
	for {
		if err = conn.Raw(next); err == nil { // another query may use the connection between two rows
			err = ctx.Err()
		}
		if err != nil {
			break
		}
		if !yield(row, nil) {
			_ = closed(true)
			return
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if err = errors.Join(err, closed(err == nil)); err != nil {
		yield(nil, err)
	}
}

// eachRow calls f for each row of a query.
func eachRow(ctx context.Context, conn *sql.Conn, text string, columns int, f func([]driver.Value), args ...any) error {
	for row, err := range query(ctx, conn, text, columns, args...) {
		if err != nil {
			return err
		}
		f(row)
	}
	return nil
}

func named(args []any) []driver.NamedValue {
	out := make([]driver.NamedValue, len(args))
	for i, a := range args {
		out[i] = driver.NamedValue{Ordinal: i + 1, Value: a}
	}
	return out
}

// SQLiteVersion is the version of SQLite in the program.
func SQLiteVersion(ctx context.Context) (version string, err error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	err = db.QueryRowContext(ctx, `SELECT sqlite_version()`).Scan(&version)
	return version, err
}

// keys say which rows of a table are read.
type keys struct {
	from, below string // texts from one, and below another
	only        any    // if set, the rows with that key, nil for NULL
	one         bool
}

func oneKey(key any) keys {
	text, _ := key.(string)
	return keys{from: text, below: text + "\x00", only: key, one: true}
}

// where is the condition for such rows of k.
func (k keys) where() (string, []any) {
	if k.one {
		return `k.key IS ?`, []any{k.only}
	}
	return `k.key >= ? AND k.key < ? ORDER BY k.key`, []any{k.from, k.below}
}
