package load

import (
	"context"
	"database/sql"
	"encoding/json"

	"pipeline/sql/schema"
)

// This file asks what the raw layer holds of rows.

const knownColumns = `SELECT source_id, store, conversation_id, table_name, key, key_type, key_bytes, row_id, value_bytes, hash, is_mark FROM _known_rows WHERE `

func (l *rawLayer) Known(ctx context.Context, owners []ConversationKey) (map[ConversationKey]RawRows, error) {
	out := map[ConversationKey]RawRows{}
	ids := map[[2]string][]string{}
	for _, o := range owners {
		out[o] = RawRows{}
		store := [2]string{o.SourceID, o.Store}
		ids[store] = append(ids[store], o.ConversationID)
	}
	if l.t.first && !l.t.adopted {
		return out, nil
	}
	for store, list := range ids {
		text, err := json.Marshal(list)
		if err != nil {
			return nil, err
		}
		query := knownColumns + `source_id = ? AND store = ? AND conversation_id IN (SELECT unnest(from_json(?::JSON, '["VARCHAR"]'))) ORDER BY seq`
		if err := l.known(ctx, out, query, store[0], store[1], string(text)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (l *rawLayer) KnownRange(ctx context.Context, owner ConversationKey, after, to string) (RawRows, error) {
	out := map[ConversationKey]RawRows{owner: {}}
	if l.t.first && !l.t.adopted {
		return out[owner], nil
	}
	query := knownColumns + `source_id = ? AND store = ? AND conversation_id = ? AND key > ?`
	args := []any{owner.SourceID, owner.Store, owner.ConversationID, after}
	if to != "" {
		query += ` AND key <= ?`
		args = append(args, to)
	}
	err := l.known(ctx, out, query+` ORDER BY seq`, args...)
	return out[owner], err
}

func (l *rawLayer) Bounds(ctx context.Context, owner ConversationKey, rows int) (bounds []string, err error) {
	if l.t.first && !l.t.adopted {
		return nil, nil
	}
	l.t.mu.Lock()
	defer l.t.mu.Unlock()
	err = each(ctx, l.t.w.conn, `SELECT DISTINCT key FROM (
			SELECT key, row_number() OVER (ORDER BY key) AS n FROM _known_rows WHERE source_id = ? AND store = ? AND conversation_id = ?)
		WHERE n % ? = 0 ORDER BY key`, func(r *sql.Rows) error {
		var key string
		err := r.Scan(&key)
		bounds = append(bounds, key)
		return err
	}, owner.SourceID, owner.Store, owner.ConversationID, rows)
	return bounds, err
}

func (l *rawLayer) known(ctx context.Context, out map[ConversationKey]RawRows, query string, args ...any) error {
	l.t.mu.Lock()
	defer l.t.mu.Unlock()
	return each(ctx, l.t.w.conn, query, func(rows *sql.Rows) error {
		var owner ConversationKey
		var row schema.RawRow
		var keyBytes []byte
		var mark bool
		if err := rows.Scan(&row.SourceID, &row.Store, &row.ConversationID, &row.Table, &row.Key, &row.KeyType, &keyBytes, &row.RowID, &row.ValueBytes, &row.Hash, &mark); err != nil {
			return err
		}
		if mark {
			row.ValueType = schema.RawGone
		}
		row.KeyBytes = keyBytes
		owner = ConversationKey{row.SourceID, row.Store, row.ConversationID}
		out[owner].add(&row)
		return nil
	}, args...)
}
