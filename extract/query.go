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
func query(ctx context.Context, conn *sql.Conn, text string, columns int, args ...any) iter.Seq2[[]driver.Value, error] {
	return func(yield func([]driver.Value, error) bool) {
		var rows driver.Rows
		err := conn.Raw(func(c any) (err error) {
			rows, err = c.(driver.QueryerContext).QueryContext(ctx, text, named(args))
			return err
		})
		if err != nil {
			yield(nil, err)
			return
		}
		closed := func() error { return conn.Raw(func(any) error { return rows.Close() }) }
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
				_ = closed()
				return
			}
		}
		if errors.Is(err, io.EOF) {
			err = nil
		}
		if err = errors.Join(err, closed()); err != nil {
			yield(nil, err)
		}
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
