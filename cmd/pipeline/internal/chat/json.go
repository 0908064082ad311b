package chat

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"
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

// OpenAI's chat API and its fine-tuning take a conversation as {"messages": [...]} with role user, assistant or tool.
// An assistant's message has a tool call as {id, type: function, function: {name, arguments}}; arguments is a JSON
// object in a string. A prompt that the program wrote has a name. A message of role tool follows with the answer to
// each call. A name has at most 64 characters of a-z, A-Z, 0-9, _ and -.

// WriteOpenAI writes a conversation as one line, and returns its number of messages. It writes nothing if there are
// none.
func WriteOpenAI(ctx context.Context, w io.Writer, c *Conversation, omitted *Omitted) (int, error) {
	o := &openAIWriter{w: w, omitted: omitted, ids: callIDs{}}
	err := c.messages(ctx, func(_, m *reader.MessageRows) error { return o.add(m) })
	if err == nil {
		err = o.next(nil)
	}
	if err == nil && o.written > 0 {
		_, err = io.WriteString(w, "]}\n")
	}
	return o.written, err
}

// Omitted counts the messages that the format cannot hold.
type Omitted struct {
	UnknownRole int `json:"unknown_role"`
	Thinking    int `json:"thinking"`
	Empty       int `json:"empty"` // includes errors without a text
}

type openAIMessage struct {
	Role       string       `json:"role"`
	Name       string       `json:"name,omitempty"` // tells a prompt of the program from those of the user
	Content    *string      `json:"content"`        // null only if there are calls
	ToolCalls  []openAICall `json:"tool_calls,omitempty"`
	ToolCallID string       `json:"tool_call_id,omitempty"`
}

type openAICall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// An openAIWriter writes the messages of a conversation in the format. The format joins a text of the assistant and a
// call right after it. So the writer holds back each message until it has the next one.
type openAIWriter struct {
	w       io.Writer
	omitted *Omitted
	ids     callIDs
	waiting *openAIMessage
	written int
	piece   bytes.Buffer
}

// next writes the message that was held back, and holds back m.
func (o *openAIWriter) next(m *openAIMessage) error {
	if o.waiting != nil {
		open := `{"messages":[`
		if o.written > 0 {
			open = ","
		}
		o.piece.WriteString(open)
		if err := term.AppendJSON(&o.piece, o.waiting); err != nil {
			return err
		}
		if _, err := o.piece.WriteTo(o.w); err != nil {
			return err
		}
		o.written++
	}
	o.waiting = m
	return nil
}

// add adds a message, if the format can hold it.
func (o *openAIWriter) add(m *reader.MessageRows) error {
	var content *string
	switch {
	case m.Kind == "shell":
		content = shellText(&m.Message)
	case hasText(m):
		content = m.Text
	}
	switch {
	case m.Role != "user" && m.Role != "assistant":
		o.omitted.UnknownRole++
	case content == nil && len(m.ToolCalls) == 0 && m.Kind == "thinking":
		o.omitted.Thinking++
	case content == nil && (len(m.ToolCalls) == 0 || m.Role == "user"): // a user's message has no calls
		o.omitted.Empty++
	case m.Role == "user" || len(m.ToolCalls) == 0:
		message := &openAIMessage{Role: m.Role, Content: content}
		if isProgram(&m.Message) {
			message.Name = program
		}
		return o.next(message)
	default:
		return o.addCalls(m, content)
	}
	return nil
}

// addCalls adds the calls of a message and their answers.
func (o *openAIWriter) addCalls(m *reader.MessageRows, content *string) error {
	if o.waiting == nil || content != nil || o.waiting.Role != "assistant" || o.waiting.ToolCalls != nil {
		if err := o.next(&openAIMessage{Role: "assistant", Content: content}); err != nil {
			return err
		}
	}
	ids := make([]string, len(m.ToolCalls))
	for i := range m.ToolCalls {
		call := &m.ToolCalls[i]
		ids[i] = o.ids.of(call)
		asked := openAICall{ID: ids[i], Type: "function"}
		asked.Function.Name, asked.Function.Arguments = functionName(call), argumentsJSON(call)
		o.waiting.ToolCalls = append(o.waiting.ToolCalls, asked)
	}
	for i := range m.ToolCalls {
		answer := answerOfCall(&m.ToolCalls[i])
		if err := o.next(&openAIMessage{Role: "tool", Content: &answer, ToolCallID: ids[i]}); err != nil {
			return err
		}
	}
	return nil
}

// callIDs are the call ids that a conversation has used.
type callIDs map[string]bool

// plainID matches the ids that the API accepts, of up to 40 characters.
var plainID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)

// of returns an id for a call that no other call has: the first line of the model's id (a few have two lines), or a new
// one if that is invalid or used.
func (ids callIDs) of(call *schema.ToolCall) string {
	id, _, _ := strings.Cut(term.OrEmpty(call.ToolCallID), "\n")
	if !plainID.MatchString(id) || ids[id] {
		for n := len(ids); ; n++ {
			if id = fmt.Sprintf("call_%d", n); !ids[id] {
				break
			}
		}
	}
	ids[id] = true
	return id
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// functionName is the name by which the model called a tool.
func functionName(call *schema.ToolCall) string {
	name := term.OrEmpty(call.Name)
	if name == "" {
		name = term.OrEmpty(call.Tool)
	}
	if name = notInName.ReplaceAllString(name, "_"); name == "" {
		name = "unknown"
		if call.ToolNumber != nil {
			name = fmt.Sprintf("tool_%d", *call.ToolNumber)
		}
	}
	return name[:min(64, len(name))]
}

// argumentsJSON returns the arguments of a call as the text of a JSON object: what the model wrote, else the stored
// parameters.
func argumentsJSON(call *schema.ToolCall) string {
	for _, text := range []string{term.OrEmpty(call.RawArgs), string(call.Params)} {
		var object map[string]json.RawMessage
		if json.Unmarshal([]byte(text), &object) == nil && object != nil {
			return text
		}
	}
	for _, text := range []string{term.OrEmpty(call.RawArgs), laidOut(call.Params)} {
		if text == "" {
			continue
		}
		var out bytes.Buffer
		if term.AppendJSON(&out, map[string]string{"input": text}) == nil {
			return out.String()
		}
	}
	return "{}"
}

// answerOfCall returns a call's result and error. It is "" if neither is recorded, as each call needs an answer.
func answerOfCall(call *schema.ToolCall) string {
	var s string
	result := string(call.Result)
	if json.Unmarshal(call.Result, &s) == nil {
		result = s
	}
	if call.Error == nil || strings.Contains(result, *call.Error) {
		return result
	}
	return strings.TrimSpace(*call.Error + "\n\n" + result)
}
