package chat

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"time"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/reader"
	"pipeline/sql/schema"
)

// WriteJSON writes a conversation as one object, message by message. It has the columns of the tables by name, in their
// order. Texts and stored JSON are not changed. Indented it is the result of a command, and says its version.
func WriteJSON(ctx context.Context, w io.Writer, c *Conversation, indented bool) error {
	lay, before, after := func(text []byte, _ string) ([]byte, error) { return text, nil }, "", ""
	var piece bytes.Buffer
	piece.WriteByte('{')
	if indented {
		lay, before = laidAt, "\n    "
		if len(c.Shown) > 0 {
			after = "\n  "
		}
		fmt.Fprintf(&piece, `"%s":%d,`, term.JSONVersionName, term.JSONVersion)
	}
	piece.WriteString(`"conversation":`)
	if err := writeRow(&piece, "conversations", c.Conversation); err != nil {
		return err
	}
	piece.WriteString(`,"attachments":`)
	if err := writeRows(&piece, "attachments", c.Attachments); err != nil {
		return err
	}
	piece.WriteString(`,"messages":[]}`)
	text, err := lay(piece.Bytes(), "")
	if err != nil {
		return err
	}
	if _, err := w.Write(bytes.TrimRight(text, "]}\n")); err != nil {
		return err
	}
	comma := ""
	err = c.messages(ctx, func(_, m *reader.MessageRows) error {
		piece.Reset()
		if err := writeMessage(&piece, m); err != nil {
			return err
		}
		text, err := lay(piece.Bytes(), "    ")
		if err == nil {
			_, err = fmt.Fprintf(w, "%s%s%s", comma, before, text)
		}
		comma = ","
		return err
	})
	if err != nil {
		return err
	}
	text, err = lay(fmt.Appendf(nil, `{"left_out":{"abandoned":%d,"deleted":%d,"later":%d}}`, c.abandoned, c.deleted,
		c.later), "")
	if err == nil {
		_, err = fmt.Fprintf(w, "%s],%s\n", after, text[1:])
	}
	return err
}

// laidAt is JSON indented by two spaces, behind a margin.
func laidAt(text []byte, margin string) ([]byte, error) {
	var out bytes.Buffer
	err := json.Indent(&out, text, margin, "  ")
	return out.Bytes(), err
}

// writeMessage writes a message as an object, with its tool calls and attachments.
func writeMessage(out *bytes.Buffer, m *reader.MessageRows) error {
	if err := writeRow(out, "messages", m.Message); err != nil {
		return err
	}
	out.Truncate(out.Len() - 1) // drop the closing brace: more members follow
	fmt.Fprintf(out, `,"branch":%q,"tool_calls":`, m.Branch)
	if err := writeRows(out, "tool_calls", m.ToolCalls); err != nil {
		return err
	}
	out.WriteString(`,"attachments":`)
	if err := writeRows(out, "attachments", m.Attachments); err != nil {
		return err
	}
	return out.WriteByte('}')
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
		if err := term.AppendJSON(out, c.Name); err != nil {
			return err
		}
		out.WriteByte(':')
		if err := term.AppendJSON(out, jsonValue(fields.Field(i))); err != nil {
			return fmt.Errorf("column %s of %s: %w", c.Name, table, err)
		}
	}
	out.WriteByte('}')
	return nil
}

// jsonValue is a column's value in the form of 'pipeline sql --json'.
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
