package clitest

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"maps"
	"net/url"
	"slices"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// store is a store.db that is open as Cursor has it.
type store struct {
	db   *sql.DB
	conn *sql.Conn
}

// schema is what Cursor makes of a new file. Nothing is moved from the -wal to the file before the store is closed.
var schema = []string{
	"PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 0", "PRAGMA busy_timeout = 5000",
	"PRAGMA synchronous = OFF", "CREATE TABLE IF NOT EXISTS blobs (id TEXT PRIMARY KEY, data BLOB)",
	"CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT)",
}

func openStore(path string) (*store, error) {
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", OmitHost: true, Path: path}).String())
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	s := &store{db, conn}
	for _, statement := range schema {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	var version int
	err = conn.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	if err == nil && version != 1 {
		_, err = conn.ExecContext(ctx, "PRAGMA user_version = 1")
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Close closes the store. SQLite then moves everything to the file and removes the -wal.
func (s *store) Close() error { return errors.Join(s.conn.Close(), s.db.Close()) }

// update adds the blobs that the store lacks, then names the root, each in a transaction. It reports whether anything
// was to be done.
func (s *store) update(ctx context.Context, c *Chat) (changed bool, err error) {
	blobs, err := s.missing(ctx, c.blobs())
	if err != nil {
		return false, err
	}
	if len(blobs) > 0 {
		changed = true
		err = s.transaction(ctx, func(tx *sql.Tx) error {
			for _, h := range slices.SortedFunc(maps.Keys(blobs),
				func(a, b [32]byte) int { return bytes.Compare(a[:], b[:]) }) {
				if _, err := tx.ExecContext(ctx, "INSERT INTO blobs (id, data) VALUES (?, ?)", hex.EncodeToString(h[:]),
					blobs[h]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return false, err
		}
	}
	for _, row := range append([][2]string{{"0", c.metaValue()}}, c.Meta.OtherRows...) {
		done, err := s.conn.ExecContext(ctx, "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE "+
			"SET value = excluded.value WHERE value IS NOT excluded.value", row[0], row[1])
		if err != nil {
			return false, err
		}
		n, err := done.RowsAffected()
		if err != nil {
			return false, err
		}
		changed = changed || n > 0
	}
	return changed, nil
}

// missing takes out of blobs those that the store has.
func (s *store) missing(ctx context.Context, blobs map[[32]byte][]byte) (map[[32]byte][]byte, error) {
	rows, err := s.conn.QueryContext(ctx, "SELECT id FROM blobs")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		name, err := hex.DecodeString(id)
		if err != nil {
			return nil, err
		}
		delete(blobs, [32]byte(name))
	}
	return blobs, rows.Err()
}

func (s *store) transaction(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := s.conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}
