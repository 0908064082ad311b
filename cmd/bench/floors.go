package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"os"

	"github.com/go-faster/jx"

	"pipeline/extract"
)

// A floor is the least that a stage could cost with the libraries that it uses: they do their part of the work, and
// nothing else is done.

// catFloor reads every byte of the global store's file.
func catFloor(_ context.Context, o taskOptions) (r result, err error) {
	r.Part, err = timed(func() (err error) {
		f, err := os.Open(globalStore(o.dir))
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		buffer := make([]byte, 128<<10)
		for {
			n, err := f.Read(buffer)
			r.Bytes += int64(n)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
		}
	})
	return r, err
}

// everyValue reads the whole key-value table, row by row as it lies in the file.
const everyValue = "SELECT key, value FROM cursorDiskKV"

// scanSQLFloor reads every value by database/sql, into RawBytes.
func scanSQLFloor(ctx context.Context, o taskOptions) (r result, err error) {
	r.Part, err = timed(func() (err error) {
		db, err := openSQLite(globalStore(o.dir), true)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, db.Close()) }()
		rows, err := db.QueryContext(ctx, everyValue)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		var key, value sql.RawBytes
		for rows.Next() {
			if err := rows.Scan(&key, &value); err != nil {
				return err
			}
			r.Rows++
			r.Bytes += int64(len(value))
		}
		return rows.Err()
	})
	return r, err
}

// scanDriverFloor reads every value from the driver itself.
func scanDriverFloor(ctx context.Context, o taskOptions) (r result, err error) {
	r.Part, err = timed(func() (err error) {
		db, err := openSQLite(globalStore(o.dir), true)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, db.Close()) }()
		conn, err := db.Conn(ctx)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, conn.Close()) }()
		return conn.Raw(func(c any) error { return scanRaw(ctx, c.(driver.QueryerContext), &r) })
	})
	return r, err
}

func scanRaw(ctx context.Context, c driver.QueryerContext, r *result) (err error) {
	rows, err := c.QueryContext(ctx, everyValue, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for row := make([]driver.Value, 2); ; {
		switch err := rows.Next(row); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		r.Rows++
		switch value := row[1].(type) {
		case string:
			r.Bytes += int64(len(value))
		case []byte:
			r.Bytes += int64(len(value))
		}
	}
}

// parseFloor reads as a run does and has the JSON library pass over every value: what is no JSON is passed over too.
func parseFloor(ctx context.Context, o taskOptions) (r result, err error) {
	var d jx.Decoder
	valid := int64(0)
	r, err = readDocuments(ctx, o, func(doc *extract.Document) error {
		d.ResetBytes(doc.Value)
		if len(doc.Value) > 0 && d.Skip() == nil {
			valid++
		}
		return nil
	})
	if err == nil && valid == 0 {
		err = errors.New("not one value is JSON: this is no floor of anything")
	}
	return r, err
}
