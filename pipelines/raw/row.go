package raw

import (
	"errors"
	"strings"

	"pipeline/extract"
	"pipeline/sql/schema"
)

// Row is a document as the raw layer keeps it.
func Row(owner schema.OwnerKey, d *extract.Document) schema.RawRow {
	hash := d.Hash()
	row := schema.RawRow{SourceID: owner.SourceID, Store: d.Store, Table: d.Table, Family: d.Family,
		ConversationID: owner.Name(), Key: schema.CleanText(schema.KeyText(d.Key)), KeyType: d.KeyType, RowID: d.RowID,
		Value: d.Raw, ValueType: d.Type, ValueBytes: d.Bytes, Hash: &hash}
	if row.Key != d.Key || d.KeyType == extract.KeyBlob {
		row.KeyBytes = []byte(d.Key)
	}
	return row
}

// Document is a row of the raw layer as it was read from its store.
func Document(row schema.RawRow) *extract.Document {
	d := extract.Document{Store: row.Store, Table: row.Table, Family: row.Family, Key: row.Key, KeyType: row.KeyType,
		RowID: row.RowID, Type: row.ValueType, Bytes: row.ValueBytes, Raw: row.Value}
	if row.KeyBytes != nil {
		d.Key = string(row.KeyBytes)
	}
	out := extract.Restore(d)
	if row.Hash != nil {
		out.SetHash(*row.Hash)
	}
	return out
}

// Workspace is the workspace that a document stands for.
func Workspace(d *extract.Document) extract.Workspace {
	w := extract.Workspace{ID: strings.TrimPrefix(d.Store, extract.WorkspaceStore("")), JSON: d.Value}
	if d.Type == extract.TypeUnreadable {
		w.JSONErr = errors.New("it could not be read")
	}
	return w
}
