package reader

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"pipeline/load/engine"
	"pipeline/sql/schema"
)

// This file reads the texts of all tables.

// A RowText is what a column of a row holds. Ids and the title are "" where the row has none.
type RowText struct {
	Column                                     string // with its table, such as messages.text
	SourceID, ConversationID, MessageID, Title string
	At                                         *schema.Millis // time of the row, else of its message, its conversation
	Text                                       string
}

// EachText calls visit for each text of the tables whose rows may be passed on (schema.Table.IsShared), also of rows
// that Cursor no longer has. Of a filter the projects and times count, and a text of which they are not known passes
// none; a source's id chooses the texts of that source.
func (r *Reader) EachText(ctx context.Context, f Filter, source string, visit func(RowText)) error {
	for _, t := range schema.Tables() {
		columns := slices.DeleteFunc(slices.Clone(t.Columns), func(c schema.Column) bool {
			return c.Discloses == schema.Figures || c.Type != "VARCHAR" && c.Type != "JSON"
		})
		if !t.IsShared() || len(columns) == 0 {
			continue
		}
		q, err := r.Ask(ctx, textsOf(t, columns, f, source))
		if err != nil {
			return err
		}
		if err := q.Each(ctx, 0, func(cells []any) error {
			texts := make([]string, len(cells))
			for i, cell := range cells {
				texts[i], _ = cell.(string)
			}
			row := RowText{SourceID: texts[0], ConversationID: texts[1], MessageID: texts[2], Title: texts[3]}
			if at, ok := cells[4].(int64); ok {
				row.At = (*schema.Millis)(&at)
			}
			for i, column := range columns {
				if row.Text = texts[5+i]; row.Text != "" {
					row.Column = t.Name + "." + column.Name
					visit(row)
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// textsOf is the query for the texts of a table: who has them, when, and the columns.
func textsOf(t schema.Table, columns []schema.Column, f Filter, source string) string {
	selected, joins, times := [4]string{"NULL", "NULL", "NULL", "NULL"}, "", []string(nil)
	for i, name := range []string{"source_id", "conversation_id", "message_id"} {
		if t.Has(name) {
			selected[i] = "t." + name
		}
	}
	for _, name := range []string{"last_activity_at", "created_at", "started_at", "committed_at", "updated_at"} {
		if t.Has(name) {
			times = append(times, "t."+name)
		}
	}
	const same = " ON %[1]s.source_id = t.source_id AND %[1]s.conversation_id = t.conversation_id"
	if t.Has("source_id") && t.Has("conversation_id") && t.Has("message_id") && t.Name != "messages" {
		joins += " LEFT JOIN messages m" + fmt.Sprintf(same, "m") + " AND m.message_id = t.message_id"
		times = append(times, "m.created_at")
	}
	var c condition
	if t.Has("source_id") && t.Has("conversation_id") {
		joins += " LEFT JOIN all_conversations c" + fmt.Sprintf(same, "c")
		times = append(times, "c.last_activity_at")
		selected[3] = "c.display_title"
		if f.ProjectURIs != nil {
			c.and("c.project_uri IN (" + engine.Literals(f.ProjectURIs) + ")")
		}
	} else if f.ProjectURIs != nil {
		c.and("false")
	}
	if source != "" {
		c.and(selected[0] + " = " + engine.Literal(source))
	}
	at := "epoch_ms(coalesce(" + strings.Join(append(times, "NULL::TIMESTAMPTZ"), ", ") + "))"
	if f.Since != nil {
		c.and(fmt.Sprintf("%s >= %d", at, *f.Since))
	}
	if f.Until != nil {
		c.and(fmt.Sprintf("%s < %d", at, *f.Until))
	}
	var texts strings.Builder
	for _, column := range columns {
		fmt.Fprintf(&texts, ", CAST(t.%s AS VARCHAR)", engine.Identifier(column.Name))
	}
	return "SELECT " + strings.Join(selected[:], ", ") + ", " + at + texts.String() + " FROM " + t.Name + " t" +
		joins + " WHERE " + c.sql()
}
