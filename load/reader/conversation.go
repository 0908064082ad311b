package reader

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"strings"

	"pipeline/load"
	"pipeline/load/tool/sqlrows"
	"pipeline/sql/schema"
)

// This file reads conversations from the tables that hold their rows.

// ConversationRows is a conversation with all its rows, also deleted ones. Its messages are read from the warehouse
// while a caller ranges over them.
type ConversationRows struct {
	Conversation schema.Conversation
	Attachments  []schema.Attachment // attachments that belong to no message
	// its messages in order: the listed, the unlisted, then those that the store no longer has
	Places []Place

	page func(ctx context.Context, from int) ([]MessageRows, error) // some messages from a place on, at least one
}

// A Place has the few columns of a message that are held for all messages at a time.
type Place struct {
	MessageID, Branch, Role string
	Simulated               bool // the program wrote it, and no person
	Position                *int64
	Calls, FailedCalls      int32 // see MessageRows.ToolCalls
}

// Messages yields the messages in the order of Places. It holds only some of them at a time.
func (c *ConversationRows) Messages(ctx context.Context) iter.Seq2[*MessageRows, error] {
	return func(yield func(*MessageRows, error) bool) {
		for at := 0; at < len(c.Places); {
			messages, err := c.page(ctx, at)
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range messages {
				if !yield(&messages[i], nil) {
					return
				}
			}
			at += len(messages)
		}
	}
}

// MessageRows is a message with its tool calls and attachments.
type MessageRows struct {
	schema.Message
	Branch      string            // see view message_branches
	ToolCalls   []schema.ToolCall // a live message has only its live calls; a deleted one has all
	Attachments []schema.Attachment
}

// These are the branches of view message_branches.
const (
	BranchActive    = "active"
	BranchAbandoned = "abandoned"
	BranchDeleted   = "deleted"
)

// Projects lists the projects of all conversations, by the names that they have now and by those that they had.
func (r *Reader) Projects(ctx context.Context) ([]load.Project, error) {
	return sqlrows.All[load.Project](ctx, r.conn,
		`WITH recorded AS (SELECT DISTINCT project_uri, project_path, project FROM conversations WHERE project_uri IS NOT NULL)
		SELECT coalesce(a.new_project_uri, c.project_uri), coalesce(c.project_path, ''), coalesce(c.project, ''), CASE WHEN a.project_uri IS NULL THEN '' ELSE c.project_uri END, NULL
		FROM recorded c LEFT JOIN project_aliases a ON a.project_uri = c.project_uri
		UNION
		SELECT a.new_project_uri, coalesce(a.new_project_path, ''), coalesce(a.new_project, ''), '', NULL FROM project_aliases a SEMI JOIN recorded c ON c.project_uri = a.project_uri
		ORDER BY 1, 4, 2, 3`)
}

// Small conversations are read together, up to these numbers of messages and conversations, because a query costs much
// more than to read the rows of a small one. A conversation with more than messagesHeld messages is read page by page.
const (
	messagesAtOnce      = 256
	conversationsAtOnce = 64
	messagesHeld        = 1024
)

// Conversations reads the given conversations, one after the other. Each is valid until the next one is yielded.
func (r *Reader) Conversations(ctx context.Context, heads []Head) iter.Seq2[*ConversationRows, error] {
	return func(yield func(*ConversationRows, error) bool) {
		for len(heads) > 0 {
			n, messages := 1, heads[0].Messages
			for n < min(len(heads), conversationsAtOnce) && messages+heads[n].Messages <= messagesAtOnce {
				messages += heads[n].Messages
				n++
			}
			read, err := r.some(ctx, heads[:n], messages)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, c := range read {
				if !yield(c, nil) {
					return
				}
			}
			heads = heads[n:]
		}
	}
}

// Conversation reads one conversation. It is valid until another one is read.
func (r *Reader) Conversation(ctx context.Context, key load.RowKey) (*ConversationRows, error) {
	heads, messages := []Head{{RowKey: key}}, 0
	where, args := keysIn(heads)
	if err := r.conn.QueryRowContext(ctx, "SELECT count(*) FROM messages WHERE "+where, args...).
		Scan(&messages); err != nil {
		return nil, err
	}
	read, err := r.some(ctx, heads, messages)
	if err != nil {
		return nil, err
	}
	return read[0], nil
}

// some reads conversations. messages is the number of their messages.
func (r *Reader) some(ctx context.Context, heads []Head, messages int) ([]*ConversationRows, error) {
	if err := r.dropPages(ctx); err != nil {
		return nil, err
	}
	out, byKey := make([]*ConversationRows, len(heads)), map[load.RowKey]*ConversationRows{}
	where, args := keysIn(heads)
	conversations, err := rowsOf[schema.Conversation](ctx, r.conn, "conversations",
		from("all_conversations", where, "source_id", args...))
	if err != nil {
		return nil, err
	}
	for _, c := range conversations {
		byKey[load.RowKey{SourceID: c.SourceID, ConversationID: c.ConversationID}] = &ConversationRows{Conversation: c}
	}
	for i, h := range heads {
		if out[i] = byKey[h.RowKey]; out[i] == nil {
			return nil, fmt.Errorf("the warehouse has no conversation %s of source %s", h.ConversationID, h.SourceID)
		}
	}
	given, err := rowsOf[schema.Attachment](ctx, r.conn, "attachments",
		from("attachments", where+" AND message_id IS NULL", attachmentOrder.of("attachments"), args...))
	if err != nil {
		return nil, err
	}
	for _, a := range given {
		c := byKey[load.RowKey{SourceID: a.SourceID, ConversationID: a.ConversationID}]
		c.Attachments = append(c.Attachments, a)
	}
	if len(heads) == 1 && messages > r.held {
		return out, r.paged(ctx, out[0], messages)
	}
	return out, r.whole(ctx, heads, byKey)
}

// An ordering is the list of columns by which rows are sorted.
type ordering []string

// These are the orders of a conversation's rows. A message that is gone from the store has lost its position. Its turn
// and time say about where it was; after that, its place in the table decides.
var (
	messageOrder    = ordering{"position NULLS LAST", "turn NULLS FIRST", "created_at NULLS FIRST", "rowid"}
	callOrder       = ordering{"call_index", "rowid"}
	attachmentOrder = ordering{"ordinal", "rowid"}
)

// of returns the ordering with the alias of a table.
func (o ordering) of(alias string) string { return alias + "." + strings.Join(o, ", "+alias+".") }

// whole reads the messages of conversations with one query for each table.
func (r *Reader) whole(ctx context.Context, heads []Head, byKey map[load.RowKey]*ConversationRows) error {
	where, args := keysIn(heads)
	messages, err := r.messages(ctx, from("messages", where, messageOrder.of("messages"), args...),
		part{"SELECT source_id, conversation_id, message_id, branch FROM message_branches WHERE " + where, args},
		from("tool_calls", where, callOrder.of("tool_calls"), args...),
		from("attachments", where+" AND message_id IS NOT NULL", attachmentOrder.of("attachments"), args...))
	for key, c := range byKey {
		c.hold(messages[key])
	}
	return err
}

// messages reads messages with their tool calls and attachments, by conversation. branches is a query for the branch of
// each.
func (r *Reader) messages(ctx context.Context, of, branches, calls, attachments part) (map[load.RowKey][]MessageRows,
	error) {
	type messageKey struct {
		load.RowKey
		id string
	}
	rows, err := rowsOf[schema.Message](ctx, r.conn, "messages", of)
	if err != nil {
		return nil, err
	}
	branch, err := sqlrows.Map[messageKey, string](ctx, r.conn, branches.text, branches.args...)
	if err != nil {
		return nil, olderVersion(err)
	}
	made, err := rowsOf[schema.ToolCall](ctx, r.conn, "tool_calls", calls)
	if err != nil {
		return nil, err
	}
	given, err := rowsOf[schema.Attachment](ctx, r.conn, "attachments", attachments)
	if err != nil {
		return nil, err
	}
	out, index := map[load.RowKey][]MessageRows{}, map[messageKey]int{}
	for _, m := range rows {
		key := load.RowKey{SourceID: m.SourceID, ConversationID: m.ConversationID}
		index[messageKey{key, m.MessageID}] = len(out[key])
		out[key] = append(out[key], MessageRows{Message: m, Branch: branch[messageKey{key, m.MessageID}]})
	}
	for _, t := range made {
		key := load.RowKey{SourceID: t.SourceID, ConversationID: t.ConversationID}
		if i, ok := index[messageKey{key, t.MessageID}]; ok {
			out[key][i].addCall(t)
		}
	}
	for _, a := range given {
		key := load.RowKey{SourceID: a.SourceID, ConversationID: a.ConversationID}
		if i, ok := index[messageKey{key, *a.MessageID}]; ok {
			out[key][i].Attachments = append(out[key][i].Attachments, a)
		}
	}
	return out, nil
}

// addCall adds a tool call. If the message still exists, a deleted call is left out.
func (m *MessageRows) addCall(t schema.ToolCall) {
	if m.DeletedAt != nil || t.DeletedAt == nil {
		m.ToolCalls = append(m.ToolCalls, t)
	}
}

// hold sets the messages of a conversation.
func (c *ConversationRows) hold(messages []MessageRows) {
	for i := range messages {
		m := &messages[i]
		p := Place{MessageID: m.MessageID, Branch: m.Branch, Role: m.Role,
			Simulated: m.IsSimulated, Position: m.Position, Calls: int32(len(m.ToolCalls))}
		for _, t := range m.ToolCalls {
			if t.IsError != nil && *t.IsError {
				p.FailedCalls++
			}
		}
		c.Places = append(c.Places, p)
	}
	c.page = func(_ context.Context, from int) ([]MessageRows, error) { return messages[from:], nil }
}

// keysIn returns the SQL condition that selects the rows of conversations.
func keysIn(heads []Head) (where string, args []any) {
	for _, h := range heads {
		args = append(args, h.SourceID, h.ConversationID)
	}
	return "(source_id, conversation_id) IN (VALUES " +
		strings.TrimSuffix(strings.Repeat("(?, ?), ", len(heads)), ", ") + ")", args
}

// olderVersion adds a remedy to the error of a query that reads a view which the warehouse does not have.
func olderVersion(err error) error {
	if strings.Contains(err.Error(), "does not exist") {
		return fmt.Errorf("this warehouse was made by another version: 'pipeline run' adds what is missing: %w", err)
	}
	return err
}

// A part is the text after FROM in a query for rows of a table, with its arguments.
type part struct {
	text string
	args []any
}

func from(table, where, order string, args ...any) part {
	return part{table + " WHERE " + where + " ORDER BY " + order, args}
}

// rowsOf reads rows as the structs of table name. of may select them from another table with the same columns.
func rowsOf[R any](ctx context.Context, conn *sql.Conn, name string, of part) ([]R, error) {
	rows, err := sqlrows.Of[R](ctx, conn, of.text, of.args...)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return rows, nil
}
