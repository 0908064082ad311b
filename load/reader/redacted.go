package reader

import (
	"context"
	"fmt"
	"reflect"

	"pipeline/sql/schema"
)

// Redact has change replace the texts of a conversation's rows, also of the messages that are yet to be read. It is
// told where a text is from, such as messages.text; JSON must stay JSON. Numbers, times and ids stay.
func (c *ConversationRows) Redact(change func(text, column string) string) {
	redactRow("conversations", &c.Conversation, change)
	redactRows("attachments", c.Attachments, change)
	read := c.page
	c.page = func(ctx context.Context, from int) ([]MessageRows, error) {
		page, err := read(ctx, from)
		for i := range page {
			m := &page[i]
			redactRow("messages", &m.Message, change)
			redactRows("tool_calls", m.ToolCalls, change)
			redactRows("attachments", m.Attachments, change)
		}
		return page, err
	}
}

func redactRows[R any](table string, rows []R, change func(text, column string) string) {
	for i := range rows {
		redactRow(table, &rows[i], change)
	}
}

// redactRow changes the texts of a row in place. What a pointer leads to is not changed: rows may share it.
func redactRow[R any](table string, row *R, change func(text, column string) string) {
	t, _ := schema.Lookup(table)
	fields := reflect.ValueOf(row).Elem()
	for i, c := range t.Columns {
		if c.Discloses == schema.Figures {
			continue
		}
		column := table + "." + c.Name
		switch value := fields.Field(i).Addr().Interface().(type) {
		case *string:
			*value = change(*value, column)
		case **string:
			if *value != nil {
				text := change(**value, column)
				*value = &text
			}
		case *schema.JSON:
			if *value != nil {
				*value = schema.JSON(change(string(*value), column))
			}
		default:
			// the columns of these tables are few, and a test has them all
			panic(fmt.Sprintf("reader: %s has texts in a %T", column, value))
		}
	}
}
