package warehouse

import (
	"context"
	"slices"
	"strings"

	"pipeline/load/tool/sqlrows"
	"pipeline/sql/schema"
)

// This file keeps the table unknown_fields. The counts of a load replace those of earlier loads.

// fieldKey names a row of unknown_fields.
type fieldKey struct{ source, family, path string }

// fieldNotes are the unknown fields of the rows that a load wrote, in the order in which they came.
type fieldNotes struct {
	rows  map[fieldKey]*schema.UnknownField
	order []fieldKey
}

// add adds the counts of some documents.
func (n *fieldNotes) add(rows []schema.UnknownField) {
	for _, row := range rows {
		key := fieldKey{row.SourceID, row.Family, row.Path}
		if have := n.rows[key]; have != nil {
			have.Rows += row.Rows
			have.Type = bothTypes(have.Type, row.Type)
			continue
		}
		if n.rows == nil {
			n.rows = map[fieldKey]*schema.UnknownField{}
		}
		n.rows[key] = &row
		n.order = append(n.order, key)
	}
}

// bothTypes joins two lists of types. null is in the result only if no other type is.
func bothTypes(a, b string) string {
	all := append(strings.Split(a, ", "), strings.Split(b, ", ")...)
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) > 1 {
		all = slices.DeleteFunc(all, func(name string) bool { return name == "null" })
	}
	return strings.Join(all, ", ")
}

// mergeFields writes the counts, and returns the fields that no earlier load has met. A family has at most
// schema.MaxUnknownFields rows of its own; further fields share a row whose path ends in "*".
func (t *Load) mergeFields(ctx context.Context) (added []schema.UnknownField, err error) {
	if len(t.fields.order) == 0 {
		return nil, nil
	}
	first, err := t.knownFields(ctx)
	if err != nil {
		return nil, err
	}
	told := map[fieldKey]int{} // fields that are told apart, by source and family
	for key := range first {
		if !strings.HasSuffix(key.path, "*") {
			told[fieldKey{key.source, key.family, ""}]++
		}
	}
	var out fieldNotes
	for _, key := range t.fields.order {
		row := *t.fields.rows[key]
		family := fieldKey{key.source, key.family, ""}
		if _, known := first[key]; !known && !strings.HasSuffix(key.path, "*") {
			if told[family] >= schema.MaxUnknownFields {
				row.Path = key.path[:strings.LastIndexByte(key.path, '.')] + ".*"
			} else {
				told[family]++
			}
		}
		out.add([]schema.UnknownField{row})
	}
	var rows []schema.UnknownField
	for _, key := range out.order {
		row := *out.rows[key]
		row.FirstLoadID, row.LastLoadID = t.settings.LoadID, t.settings.LoadID
		if id, known := first[key]; known {
			row.FirstLoadID = id
		} else {
			added = append(added, row)
		}
		rows = append(rows, row)
	}
	if err := appendRows(t, rows); err != nil {
		return nil, err
	}
	if err := t.closeAppenders(); err != nil || t.first {
		return added, err
	}
	return added, t.replace(ctx, "unknown_fields")
}

// knownFields returns the fields that earlier loads have met, each with the number of the first such load.
func (t *Load) knownFields(ctx context.Context) (map[fieldKey]int64, error) {
	return sqlrows.Map[fieldKey, int64](ctx, t.w.s.Conn,
		`SELECT source_id, family, path, first_load_id FROM unknown_fields`)
}
