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
	if indented {
		w = &indenter{w: w}
	}
	var piece bytes.Buffer // text that is not written yet
	piece.WriteByte('{')
	if indented {
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
	piece.WriteString(`,"messages":[`)
	err := c.messages(ctx, func(before, m *reader.MessageRows) error {
		if before != nil {
			piece.WriteByte(',')
		}
		if err := writeMessage(&piece, m); err != nil {
			return err
		}
		_, err := piece.WriteTo(w)
		return err
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(&piece, `],"left_out":{"abandoned":%d,"deleted":%d,"later":%d}}`+"\n", c.abandoned, c.deleted, c.later)
	_, err = piece.WriteTo(w)
	return err
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

// An indenter indents JSON without spaces by two spaces, like json.Indent, while it is written.
type indenter struct {
	w             io.Writer
	depth         int
	text, escaped bool // inside a string; after a backslash in it
	opened        bool // an object or list was opened, and nothing has followed yet
	out           bytes.Buffer
}

func (i *indenter) Write(piece []byte) (int, error) {
	for _, c := range piece {
		i.put(c)
	}
	if _, err := i.out.WriteTo(i.w); err != nil {
		return 0, err
	}
	return len(piece), nil
}

func (i *indenter) put(c byte) {
	if i.text {
		i.out.WriteByte(c)
		i.text = i.escaped || c != '"'
		i.escaped = !i.escaped && c == '\\'
		return
	}
	closes := c == '}' || c == ']'
	switch {
	case i.opened && !closes:
		i.depth++
		i.line()
	case !i.opened && closes:
		i.depth--
		i.line()
	}
	i.opened = c == '{' || c == '['
	i.text = c == '"'
	i.out.WriteByte(c)
	switch c {
	case ',':
		i.line()
	case ':':
		i.out.WriteByte(' ')
	}
}

func (i *indenter) line() {
	i.out.WriteByte('\n')
	for range i.depth {
		i.out.WriteString("  ")
	}
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
