// Package versions reads the versions of rows that a raw layer holds: those of one row (History), and those of all rows
// after each load (Reader). It also decides what the layer has to write of a row that is seen again (Rows).
//
// It reads the layer's files alone: it must never know the warehouse's tables, nor what a row means.
package versions

import (
	"pipeline/sql/schema"
)

// Key names a row of a store within its owner.
type Key struct{ Table, KeyType, Key string }

// KeyOf returns the key of a row. Rows whose key is NULL are told apart by their hashes.
func KeyOf(row *schema.RawRow) Key {
	k := Key{row.Table, row.KeyType, row.Key}
	switch {
	case row.KeyBytes != nil:
		k.Key = string(row.KeyBytes)
	case row.KeyType == "null" && row.Hash != nil:
		k.Key = *row.Hash
	}
	return k
}

// Row has the versions of one row that the raw layer holds.
type Row struct {
	Latest string // hash of the present one; "" when the row is gone
	RowID  int64
	all    map[string]bool // by hash
	Order  []string        // of the versions, by hash; "" for an end
	last   schema.RawRow   // what a mark of its end has to say
}

// Bytes returns the size of the present version.
func (v *Row) Bytes() int64 { return v.last.ValueBytes }

// Rows are the rows of an owner (a conversation, or a group of rows without one) that the raw layer knows.
type Rows map[Key]*Row

// Add adds a version or mark as a file of the layer has it. Files come in their order.
func (r Rows) Add(row *schema.RawRow) {
	key := KeyOf(row)
	v := r[key]
	if v == nil {
		v = &Row{all: map[string]bool{}}
		r[key] = v
	}
	v.Latest, v.RowID, v.last = "", row.RowID, *row
	v.last.Value = nil // a mark has none, and these are held for as long as their owner is read
	switch {
	case row.Hash == nil:
	case row.ValueType != schema.RawGone:
		v.Latest, v.all[*row.Hash] = *row.Hash, true
	case v.all[*row.Hash] && row.KeyType != "null": // else the file that held its value is lost
		v.Latest = *row.Hash
	}
	v.Order = append(v.Order, v.Latest)
}

// Observe adds the present state of a row, and returns what the raw layer has to write: nothing if it holds this
// version as the latest, a mark without a value if an earlier version is back, otherwise the row.
func (r Rows) Observe(row schema.RawRow) (schema.RawRow, bool) {
	v := r[KeyOf(&row)]
	switch {
	case v != nil && v.Latest == *row.Hash:
		return row, false
	case v != nil && v.all[*row.Hash] && row.KeyType != "null":
		row.ValueType, row.Value = schema.RawGone, nil
	}
	r.Add(&row)
	return row, true
}

// End returns the mark of a row's end. ok is false if the row is gone already.
func (v *Row) End() (row schema.RawRow, ok bool) {
	row = v.last
	row.ValueType, row.Value, row.ValueBytes = schema.RawGone, nil, 0
	if row.KeyType != "null" { // such a mark has to say which of several rows it is about
		row.Hash = nil
	}
	return row, v.Latest != ""
}
