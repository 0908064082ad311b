package rawindex

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"pipeline/load"
	"pipeline/load/engine"
	"pipeline/load/tool/sqlrows"
	"pipeline/load/versions"
	"pipeline/sql/schema"
)

// Versions returns the versions of the wanted rows of an owner, with their values. The newest comes first. Versions
// before the row's last deletion are left out.
func (l *Layer) Versions(ctx context.Context, owner load.ConversationKey,
	wanted map[versions.Key]bool) (map[versions.Key][]schema.RawRow, error) {
	known := versions.Rows{}
	err := l.known(ctx, func(_ load.ConversationKey, row *schema.RawRow) {
		if wanted[versions.KeyOf(row)] {
			known.Add(row)
		}
	}, ofOwner+inOrder, owner.SourceID, owner.Store, owner.ConversationID)
	if err != nil {
		return nil, err
	}
	values := map[versions.Key]map[string]schema.RawRow{} // by hash
	err = l.stored(ctx, owner, func(key versions.Key, row schema.RawRow) {
		if !wanted[key] {
			return
		}
		if values[key] == nil {
			values[key] = map[string]schema.RawRow{}
		}
		values[key][*row.Hash] = row
	})
	out := map[versions.Key][]schema.RawRow{}
	for key, v := range known {
		for _, hash := range slices.Backward(v.Order) {
			if hash == "" {
				break
			}
			if row, ok := values[key][hash]; ok {
				out[key] = append(out[key], row)
			}
		}
	}
	return out, err
}

// stored calls f for each version of an owner's rows that the layer's files hold.
func (l *Layer) stored(ctx context.Context, owner load.ConversationKey,
	f func(key versions.Key, row schema.RawRow)) (err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var files []string
	if err := sqlrows.Each(ctx, l.s.Conn,
		`SELECT DISTINCT raw_file FROM _known_rows WHERE source_id = ? AND store = ? AND conversation_id = ? AND NOT is_mark ORDER BY ALL`,
		func(rows *sql.Rows) error {
			var file string
			err := rows.Scan(&file)
			files = append(files, engine.Literal(filepath.Join(l.Dir, filepath.FromSlash(file))))
			return err
		}, owner.SourceID, owner.Store, owner.ConversationID); err != nil || len(files) == 0 {
		return err
	}
	conn, err := l.s.DB.Conn(ctx) // a file that cannot be read must not end the transaction
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	query := `SELECT "table", family, "key", key_type, key_bytes, "rowid", value, value_type, value_bytes, hash
		FROM read_parquet([` + strings.Join(files, ", ") + `], hive_partitioning = false)
		WHERE source_id = ? AND store = ? AND conversation_id = ? AND value_type <> 'gone' AND hash IS NOT NULL`
	return sqlrows.Each(ctx, conn, query, func(rows *sql.Rows) error {
		row := schema.RawRow{SourceID: owner.SourceID, Store: owner.Store, ConversationID: owner.ConversationID}
		var keyBytes, value []byte
		if err := rows.Scan(&row.Table, &row.Family, &row.Key, &row.KeyType, &keyBytes, &row.RowID, &value,
			&row.ValueType, &row.ValueBytes, &row.Hash); err != nil {
			return err
		}
		row.KeyBytes, row.Value = keyBytes, value
		f(versions.KeyOf(&row), row)
		return nil
	}, owner.SourceID, owner.Store, owner.ConversationID)
}
