package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"pipeline/sql/schema"
)

// writeConversationJSON writes a conversation as one object: the columns of its tables by their names, in their order. Texts, and JSON that was
// stored, are as they are.
func writeConversationJSON(out *bytes.Buffer, c *chosen, indented bool) error {
	var object bytes.Buffer
	object.WriteString(`{"conversation":`)
	if err := writeRow(&object, "conversations", c.Conversation); err != nil {
		return err
	}
	object.WriteString(`,"attachments":`)
	if err := writeRows(&object, "attachments", c.Attachments); err != nil {
		return err
	}
	object.WriteString(`,"messages":[`)
	for i, m := range c.messages {
		if i > 0 {
			object.WriteByte(',')
		}
		if err := writeRow(&object, "messages", m.Message); err != nil {
			return err
		}
		object.Truncate(object.Len() - 1) // the object goes on
		fmt.Fprintf(&object, `,"branch":%q,"tool_calls":`, m.Branch)
		if err := writeRows(&object, "tool_calls", m.ToolCalls); err != nil {
			return err
		}
		object.WriteString(`,"attachments":`)
		if err := writeRows(&object, "attachments", m.Attachments); err != nil {
			return err
		}
		object.WriteByte('}')
	}
	fmt.Fprintf(&object, `],"left_out":{"abandoned":%d,"deleted":%d,"later":%d}}`, c.abandoned, c.deleted, c.later)
	if indented {
		if err := json.Indent(out, object.Bytes(), "", "  "); err != nil {
			return err
		}
	} else {
		out.Write(object.Bytes())
	}
	out.WriteByte('\n')
	return nil
}

func writeRows[R any](out *bytes.Buffer, table string, rows []R) error {
	out.WriteByte('[')
	for i, row := range rows {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := writeRow(out, table, row); err != nil {
			return err
		}
	}
	out.WriteByte(']')
	return nil
}

// writeRow writes a row of a table as an object.
func writeRow(out *bytes.Buffer, table string, row any) error {
	t, _ := schema.Lookup(table)
	fields := reflect.ValueOf(row)
	for i, c := range t.Columns {
		out.WriteByte("{,"[min(i, 1)])
		if err := writeJSON(out, c.Name); err != nil {
			return err
		}
		out.WriteByte(':')
		if err := writeJSON(out, jsonValue(fields.Field(i))); err != nil {
			return fmt.Errorf("column %s of %s: %w", c.Name, table, err)
		}
	}
	out.WriteByte('}')
	return nil
}

// jsonValue is a column's value as 'pipeline sql --json' prints it.
func jsonValue(v reflect.Value) any {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	switch value := v.Interface().(type) {
	case schema.Millis:
		return time.UnixMilli(int64(value))
	case schema.JSON:
		switch {
		case value == nil:
			return nil
		case json.Valid(value):
			return json.RawMessage(value)
		}
		return string(value)
	}
	return v.Interface()
}
