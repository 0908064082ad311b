package load

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"

	"pipeline/sql/schema"
)

func (l *rawLayer) Values(ctx context.Context, owner ConversationKey, known RawRows, wanted map[RawKey]bool) (out []schema.RawRow, err error) {
	l.t.mu.Lock()
	defer l.t.mu.Unlock()
	var files []string
	if err := each(ctx, l.t.w.conn, `SELECT DISTINCT raw_file FROM _known_rows WHERE source_id = ? AND store = ? AND conversation_id = ? AND NOT is_mark ORDER BY ALL`,
		func(rows *sql.Rows) error {
			var file string
			err := rows.Scan(&file)
			files = append(files, literal(filepath.Join(l.dir, filepath.FromSlash(file))))
			return err
		}, owner.SourceID, owner.Store, owner.ConversationID); err != nil || len(files) == 0 {
		return nil, err
	}
	conn, err := l.t.w.db.Conn(ctx) // a file that cannot be read must not end the transaction
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	found := map[RawKey]bool{}
	query := `SELECT "table", "key", key_type, key_bytes, "rowid", value, value_type, value_bytes, hash
		FROM read_parquet([` + strings.Join(files, ", ") + `], hive_partitioning = false)
		WHERE source_id = ? AND store = ? AND conversation_id = ? AND value_type NOT IN ('gone', 'removed')`
	err = each(ctx, conn, query, func(rows *sql.Rows) error {
		row := schema.RawRow{SourceID: owner.SourceID, Store: owner.Store, ConversationID: owner.ConversationID}
		var keyBytes, value []byte
		if err := rows.Scan(&row.Table, &row.Key, &row.KeyType, &keyBytes, &row.RowID, &value, &row.ValueType, &row.ValueBytes, &row.Hash); err != nil {
			return err
		}
		row.KeyBytes, row.Value = keyBytes, value
		key := KeyOf(&row)
		if v := known[key]; wanted[key] && !found[key] && v != nil && row.Hash != nil && v.Latest == *row.Hash {
			found[key] = true
			out = append(out, row)
		}
		return nil
	}, owner.SourceID, owner.Store, owner.ConversationID)
	return out, err
}
