package load

import (
	"context"
	dbsql "database/sql"
	"encoding/json"

	"pipeline/load/sqlrows"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// This file asks what the raw layer holds of rows.

const knownColumns = `SELECT source_id, store, conversation_id, table_name, key, key_type, key_bytes, row_id, value_bytes, hash, is_mark FROM _known_rows WHERE `

const (
	ofOwner = `source_id = ? AND store = ? AND conversation_id = ?`
	inOrder = ` ORDER BY seq`
)

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
		of := `source_id = ? AND store = ? AND conversation_id IN (SELECT unnest(from_json(?::JSON, '["VARCHAR"]')))`
		if err := l.known(ctx, func(o ConversationKey, row *schema.RawRow) { out[o].add(row) }, of+inOrder, store[0], store[1], string(text)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (l *rawLayer) KnownRange(ctx context.Context, owner ConversationKey, after, to string) (RawRows, error) {
	out := RawRows{}
	if l.t.first && !l.t.adopted {
		return out, nil
	}
	of := ofOwner + ` AND key > ?`
	args := []any{owner.SourceID, owner.Store, owner.ConversationID, after}
	if to != "" {
		of += ` AND key <= ?`
		args = append(args, to)
	}
	err := l.known(ctx, func(_ ConversationKey, row *schema.RawRow) { out.add(row) }, of+inOrder, args...)
	return out, err
}

func (l *rawLayer) Bounds(ctx context.Context, owner ConversationKey, rows int) (bounds []string, err error) {
	if l.t.first && !l.t.adopted {
		return nil, nil
	}
	l.t.mu.Lock()
	defer l.t.mu.Unlock()
	err = sqlrows.Each(ctx, l.t.w.conn, sql.Statement("rawlog/bounds"), func(r *dbsql.Rows) error {
		var key string
		err := r.Scan(&key)
		bounds = append(bounds, key)
		return err
	}, dbsql.Named("source_id", owner.SourceID), dbsql.Named("store", owner.Store), dbsql.Named("conversation_id", owner.ConversationID), dbsql.Named("rows", rows))
	return bounds, err
}

// known calls f for what the layer knows of some rows, without their values.
func (l *rawLayer) known(ctx context.Context, f func(owner ConversationKey, row *schema.RawRow), of string, args ...any) error {
	l.t.mu.Lock()
	defer l.t.mu.Unlock()
	return sqlrows.Each(ctx, l.t.w.conn, knownColumns+of, func(rows *dbsql.Rows) error {
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
		f(ConversationKey{row.SourceID, row.Store, row.ConversationID}, &row)
		return nil
	}, args...)
}
