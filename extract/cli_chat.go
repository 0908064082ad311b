package extract

import (
	"context"
	"database/sql/driver"
	"path/filepath"
	"slices"
)

// This file reads the rows of one chat of the command line.

// readMeta reads the row that describes the chat.
func (c *chat) readMeta(ctx context.Context, snap *storeSnapshot) (rows []*Document, err error) {
	err = eachRow(ctx, snap.Conn(),
		`SELECT rowid, typeof(value), octet_length(value), CASE WHEN octet_length(value) <= ? THEN CAST(value AS BLOB) END FROM meta WHERE key = ?`, 4, func(row []driver.Value) { rows = append(rows, c.document(metaTable, FamilyCLIMeta, metaKey, row)) },
		int64(maxWorkspaceJSON), metaKey)
	return rows, err
}

// readFile reads the meta.json of a chat; nil if there is none.
func (c *chat) readFile() (*Document, error) {
	text, err := readSmall(filepath.Join(c.dir, "meta.json"))
	if err != nil || text == nil {
		return nil, err
	}
	d := &Document{Store: c.store, Table: FileTable, Family: FamilyCLIFile, Key: "meta.json", KeyType: KeyText,
		ID: "meta.json", Type: "text", Bytes: int64(len(text))}
	d.Value, d.Raw = decodeValue(text)
	return d, nil
}

// readNode reads a blob; nil if the store has none with this name.
func (c *chat) readNode(ctx context.Context, snap *storeSnapshot, name string) (node *Document, err error) {
	const text = `SELECT rowid, typeof(data), octet_length(data), CASE WHEN octet_length(data) <= ? THEN CAST(data AS BLOB) END FROM blobs WHERE id = ?`
	for row, err := range snap.Rows(ctx, text, 4, int64(MaxValueBytes), name) {
		if err != nil {
			return nil, err
		}
		node = c.document(nodeTable, FamilyCLINode, name, row)
	}
	return node, nil
}

// document makes the document of a row: its rowid, the type and size of its value, and the value.
func (c *chat) document(table, family, key string, row []driver.Value) *Document {
	d := &Document{Store: c.store, Table: table, Family: family, Key: key, KeyType: KeyText, ID: key}
	d.RowID, _ = row[0].(int64)
	d.Type, _ = row[1].(string)
	d.Bytes, _ = row[2].(int64)
	value, ok := row[3].([]byte)
	switch {
	case d.IsNull():
	case !ok && d.Bytes > 0:
		d.Problem = ProblemTooLarge
	default:
		d.decode(slices.Clip(append([]byte{}, value...)), false)
	}
	return d
}
