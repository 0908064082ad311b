package rawindex

import (
	"context"
	dbsql "database/sql"
	"maps"
	"slices"

	"pipeline/load/tool/sqlrows"
	"pipeline/load/versions"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// This file reads what the warehouse knows of the rows in the raw layer.

const knownColumns = `SELECT source_id, store, conversation_id, table_name, key, key_type, key_bytes, row_id, value_bytes, hash, is_mark FROM _known_rows WHERE `

const (
	ofOwner = `source_id = ? AND store = ? AND conversation_id = ?`
	inOrder = ` ORDER BY seq`
)

// Known returns, for each of some owners, the rows that the layer holds of it. The result has an entry for each owner.
func (l *Layer) Known(ctx context.Context, owners []schema.OwnerKey) (map[schema.OwnerKey]versions.Rows,
	error) {
	out := map[schema.OwnerKey]versions.Rows{}
	stores := map[[2]string]map[string]versions.Rows{} // by the names of the owners
	for _, o := range owners {
		store := [2]string{o.SourceID, o.Store}
		if stores[store] == nil {
			stores[store] = map[string]versions.Rows{}
		}
		out[o] = versions.Rows{}
		stores[store][o.Name()] = out[o]
	}
	if l.first && !l.tookIn {
		return out, nil
	}
	for store, named := range stores {
		list, err := sqlrows.List(slices.Collect(maps.Keys(named)))
		if err != nil {
			return nil, err
		}
		const of = `source_id = ? AND store = ? AND conversation_id IN ` + sqlrows.Listed
		if err := l.known(ctx, func(row *schema.RawRow) { named[row.ConversationID].Add(row) }, of+inOrder,
			store[0], store[1], list); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// KnownRange returns the rows that the layer holds of an owner and whose keys are greater than after and not greater
// than to. If to is "", there is no upper limit.
func (l *Layer) KnownRange(ctx context.Context, owner schema.OwnerKey, after, to string) (versions.Rows, error) {
	out := versions.Rows{}
	if l.first && !l.tookIn {
		return out, nil
	}
	of := ofOwner + ` AND key > ?`
	args := []any{owner.SourceID, owner.Store, owner.Name(), after}
	if to != "" {
		of += ` AND key <= ?`
		args = append(args, to)
	}
	err := l.known(ctx, out.Add, of+inOrder, args...)
	return out, err
}

// Bounds returns keys of an owner's rows, in order. Between two of them there are as many rows as the parameter rows
// says.
func (l *Layer) Bounds(ctx context.Context, owner schema.OwnerKey, rows int) (bounds []string, err error) {
	if l.first && !l.tookIn {
		return nil, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return sqlrows.All[string](ctx, l.s.Conn, sql.Statement("rawlog/bounds"), dbsql.Named("source_id", owner.SourceID),
		dbsql.Named("store", owner.Store), dbsql.Named("conversation_id", owner.Name()), dbsql.Named("rows", rows))
}

// known calls f for each row of _known_rows that a condition selects, in the order of the query. Rows come without
// their values.
func (l *Layer) known(ctx context.Context, f func(*schema.RawRow), of string, args ...any) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return sqlrows.Each(ctx, l.s.Conn, knownColumns+of, func(rows *dbsql.Rows) error {
		var row schema.RawRow
		var keyBytes []byte
		var mark bool
		if err := rows.Scan(&row.SourceID, &row.Store, &row.ConversationID, &row.Table, &row.Key, &row.KeyType,
			&keyBytes, &row.RowID, &row.ValueBytes, &row.Hash, &mark); err != nil {
			return err
		}
		if mark {
			row.ValueType = schema.RawGone
		}
		row.KeyBytes = keyBytes
		f(&row)
		return nil
	}, args...)
}
