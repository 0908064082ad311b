package rawindex

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"pipeline/load/engine"
	"pipeline/load/tool/sqlrows"
	"pipeline/load/versions"
	"pipeline/sql/schema"
)

// Versions returns the versions of the wanted rows of an owner, with their values, but for those with the hash that the
// caller has already. The newest comes first. Versions before the row's last deletion are left out. Values are read
// only of rows that have such versions: most rows that cannot be used never had another.
func (l *Layer) Versions(ctx context.Context, owner schema.OwnerKey,
	wanted map[versions.Key]string) (map[versions.Key][]schema.RawRow, error) {
	list, err := keyList(slices.Collect(maps.Keys(wanted)))
	if err != nil {
		return nil, err
	}
	known := versions.Rows{}
	if err := l.known(ctx, known.Add,
		ofOwner+withKeys+inOrder, owner.SourceID, owner.Store, owner.Name(), list); err != nil {
		return nil, err
	}
	type version struct {
		key  versions.Key
		hash string
	}
	var others []version // in order
	var keys []versions.Key
	for key, have := range wanted {
		if known[key] == nil {
			continue
		}
		before := len(others)
		for _, hash := range slices.Backward(known[key].Order) {
			if hash == "" {
				break
			}
			if hash != have {
				others = append(others, version{key, hash})
			}
		}
		if len(others) > before {
			keys = append(keys, key)
		}
	}
	if len(others) == 0 {
		return nil, nil
	}
	values, out := map[version]schema.RawRow{}, map[versions.Key][]schema.RawRow{}
	err = l.stored(ctx, owner, keys, func(key versions.Key, row schema.RawRow) {
		values[version{key, *row.Hash}] = row
	})
	for _, v := range others {
		if row, ok := values[v]; ok {
			out[v.key] = append(out[v.key], row)
		}
	}
	return out, err
}

// stored calls f for each version that the layer's files hold of the rows of an owner with some keys.
func (l *Layer) stored(ctx context.Context, owner schema.OwnerKey, keys []versions.Key,
	f func(key versions.Key, row schema.RawRow)) (err error) {
	list, err := keyList(keys)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	files, err := sqlrows.All[string](ctx, l.s.Conn,
		`SELECT DISTINCT raw_file FROM _known_rows WHERE `+ofOwner+` AND NOT is_mark ORDER BY ALL`, owner.SourceID,
		owner.Store, owner.Name())
	if err != nil || len(files) == 0 {
		return err
	}
	for i, file := range files {
		files[i] = engine.Literal(engine.Pattern(filepath.Join(l.Dir, filepath.FromSlash(file))))
	}
	conn, err := l.s.DB.Conn(ctx) // a file that cannot be read must not end the transaction
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	query := `SELECT "table", family, "key", key_type, key_bytes, "rowid", value, value_type, value_bytes, hash
		FROM read_parquet([` + strings.Join(files, ", ") + `], hive_partitioning = false)
		WHERE value_type <> 'gone' AND hash IS NOT NULL AND ` + ofOwner + withKeys
	return sqlrows.Each(ctx, conn, query, func(rows *sql.Rows) error {
		row := schema.RawRow{SourceID: owner.SourceID, Store: owner.Store, ConversationID: owner.Name()}
		var keyBytes, value []byte
		if err := rows.Scan(&row.Table, &row.Family, &row.Key, &row.KeyType, &keyBytes, &row.RowID, &value,
			&row.ValueType, &row.ValueBytes, &row.Hash); err != nil {
			return err
		}
		row.KeyBytes, row.Value = keyBytes, value
		f(versions.KeyOf(&row), row)
		return nil
	}, owner.SourceID, owner.Store, owner.Name(), list)
}

// withKeys is a condition for the rows with the keys of a keyList.
const withKeys = ` AND "key" IN ` + sqlrows.Listed

// keyList is a parameter for withKeys: the keys as the column has them.
func keyList(keys []versions.Key) (string, error) {
	texts := make([]string, len(keys))
	for i, key := range keys {
		if key.KeyType == "null" { // it is told apart by its hash
			key.Key = ""
		}
		texts[i] = schema.CleanText(schema.KeyText(key.Key))
	}
	return sqlrows.List(texts)
}
