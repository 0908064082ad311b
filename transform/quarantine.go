package transform

import (
	"bytes"
	"strings"

	"pipeline/extract"
	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// quarantineRow is the quarantine's row for a document that cannot be used.
func quarantineRow(sourceID string, d *extract.Document, reason string) schema.Quarantine {
	q := schema.Quarantine{
		SourceID: sourceID, Store: d.Store, Key: ptr(schema.KeyText(d.Key)), Family: d.Family, Reason: reason,
		ValueType: d.Type, ValueBytes: d.Bytes, ValueHash: hash128(d.Value), Head: headOf(d.Value),
	}
	switch {
	case d.KeyType == extract.KeyNull:
		q.Key = nil
	case d.Family == extract.FamilyCloudList: // the rest of the key names a person
		q.Key = ptr(d.Family)
	}
	if d.Bytes > extract.MaxValueBytes { // such a value was never read
		q.ValueHash = hash128([]byte(d.Key), []byte{0}, fmtInt(d.RowID), []byte{0}, fmtInt(d.Bytes))
	}
	return q
}

// elementRow is the quarantine's row for an element of a list in a document that is no object. Equal elements can be
// there twice: the hash holds the place.
func elementRow(sourceID string, d *extract.Document, element jsondoc.Value, place ...[]byte) schema.Quarantine {
	part := *d
	part.Value = element.Raw()
	part.Bytes = int64(len(part.Value))
	row := quarantineRow(sourceID, &part, jsondoc.ErrNotObject.Error())
	row.ValueType = schema.ElementType
	row.ValueHash = hash128(part.Value, []byte{0}, bytes.Join(place, []byte{0}))
	return row
}

// headOf returns the first 200 bytes of a value, as text that the warehouse can hold.
func headOf(v []byte) *string {
	if len(v) > 200 {
		v = v[:200]
	}
	if len(v) == 0 {
		return nil
	}
	return ptr(strings.ReplaceAll(strings.ToValidUTF8(string(v), "\ufffd"), "\x00", "\u2400"))
}
