package extract

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
)

// readHeaders reads the composerHeaders table, each row as a JSON object of its columns: columns came and went, so they
// are taken by name (docs/formats.md, The table composerHeaders).
func (s *store) readHeaders(ctx context.Context) error {
	if !s.tables[headTable] {
		return nil
	}
	rows, err := s.snap.Conn().QueryContext(ctx, `SELECT * FROM composerHeaders`)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	cells, refs := receivers(len(columns))
	for rows.Next() {
		if err := rows.Scan(refs...); err != nil {
			return err
		}
		d, err := headerDocument(s.name, columns, cells)
		if err != nil {
			return err
		}
		s.seen++
		s.count(FamilyHeader, Loaded).Rows++
		s.tally(d)
		s.headers = append(s.headers, d)
	}
	slices.SortStableFunc(s.headers, func(a, b *Document) int { return strings.Compare(a.Key, b.Key) })
	return rows.Err()
}

// receivers returns n cells of any type, and pointers to them for Scan.
func receivers(n int) (cells, refs []any) {
	cells, refs = make([]any, n), make([]any, n)
	for i := range cells {
		refs[i] = &cells[i]
	}
	return cells, refs
}

func headerDocument(store string, columns []string, cells []any) (*Document, error) {
	object := make(map[string]any, len(columns))
	d := &Document{Store: store, Table: headTable, Family: FamilyHeader, KeyType: KeyText, Type: "text"}
	for i, name := range columns {
		var text []byte
		switch v := cells[i].(type) {
		case string:
			text = []byte(v)
		case []byte:
			text = slices.Clone(v)
		case float64:
			if !math.IsInf(v, 0) && !math.IsNaN(v) { // JSON has no number for the others
				object[name] = v
			}
			continue
		default:
			object[name] = v
			continue
		}
		if lower := strings.ToLower(name); strings.Contains(lower, "token") ||
			strings.Contains(lower, "encryptionkey") {
			continue // a column that a newer version may have added, and that nothing here needs
		}
		if name == "composerId" {
			d.Key, d.ID = string(text), string(text)
		}
		decoded, masked := decodeValue(text)
		if name != "value" { // an id is hex digits, too
			decoded = masked
		}
		object[name] = string(decoded)
	}
	value, err := json.Marshal(object)
	if err != nil { // JSON has no such number
		return nil, fmt.Errorf("composerHeaders row %q: %w", d.Key, err)
	}
	d.Value, d.Raw, d.Bytes = value, value, int64(len(value))
	return d, nil
}
