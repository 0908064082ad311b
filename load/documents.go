package load

import (
	"context"
	"database/sql"
	"errors"
	"os"

	"pipeline/sql/schema"
)

// This file reads the shared rows of stores that a warehouse remembers.

// Documents reads the shared rows of a store as they were last read.
func (w *warehouse) Documents(ctx context.Context, sourceID, store string) (docs []schema.KnownDocument, err error) {
	if w.first {
		return nil, nil
	}
	if w.conn == nil {
		return nil, errClosed
	}
	if w.load != nil {
		w.load.mu.Lock()
		defer w.load.mu.Unlock()
	}
	return readDocuments(ctx, w.conn, sourceID, store)
}

func readDocuments(ctx context.Context, conn *sql.Conn, sourceID, store string) (docs []schema.KnownDocument, err error) {
	err = each(ctx, conn, `SELECT source_id, store, table_name, ordinal, key, family, value_type, value FROM _known_documents
		WHERE source_id = ? AND store = ? ORDER BY table_name, ordinal`, func(rows *sql.Rows) error {
		var d schema.KnownDocument
		var value []byte
		err := rows.Scan(&d.SourceID, &d.Store, &d.Table, &d.Ordinal, &d.Key, &d.Family, &d.Type, &value)
		d.Value = value
		docs = append(docs, d)
		return err
	}, sourceID, store)
	return docs, err
}

// ReadDocuments are the shared rows of a store that a warehouse remembers which nobody has opened for a load.
func ReadDocuments(ctx context.Context, path, sourceID, store string) (_ []schema.KnownDocument, err error) {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	db, conn, err := openEngine(ctx, path, true)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	return readDocuments(ctx, conn, sourceID, store)
}
