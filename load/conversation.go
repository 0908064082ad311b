package load

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"strings"

	"pipeline/sql/schema"
)

// This file reads conversations back, row by row of the tables that hold them.

// ConversationRows is a conversation with everything that it holds, whatever became of it.
type ConversationRows struct {
	Conversation schema.Conversation
	Messages     []MessageRows // in order: the listed, the unlisted, then those that the store no longer has
	Attachments  []schema.Attachment
}

// MessageRows is a message with what belongs to it.
type MessageRows struct {
	schema.Message
	Branch      string // see view message_branches
	ToolCalls   []schema.ToolCall
	Attachments []schema.Attachment
}

// Branches of view message_branches.
const (
	BranchActive    = "active"
	BranchAbandoned = "abandoned"
	BranchDeleted   = "deleted"
)

// A Head is what tells a conversation from others.
type Head struct {
	RowKey
	Title, Project *string
	LastActivityAt *schema.Millis
	Gone           bool // deleted, or orphaned
	Messages       int  // rows, whatever became of them
}

const headColumns = `c.source_id, c.conversation_id, c.title, c.project, epoch_ms(c.last_activity_at),
	c.deleted_at IS NOT NULL OR c.status IS NOT DISTINCT FROM 'orphaned',
	(SELECT count(*) FROM messages m WHERE m.source_id = c.source_id AND m.conversation_id = c.conversation_id)`

// heads runs a query that selects headColumns.
func (r *Reader) heads(ctx context.Context, tail string, args ...any) (out []Head, err error) {
	err = each(ctx, r.conn, "SELECT "+headColumns+" FROM conversations c "+tail, func(rows *sql.Rows) error {
		var h Head
		err := rows.Scan(&h.SourceID, &h.ConversationID, &h.Title, &h.Project, &h.LastActivityAt, &h.Gone, &h.Messages)
		out = append(out, h)
		return err
	}, args...)
	return out, err
}

// Heads lists the conversations that pass a filter and hold a message that does, the oldest first. Such as are gone are among them where they
// are asked for.
func (r *Reader) Heads(ctx context.Context, f Filter, gone bool) ([]Head, error) {
	where, args := f.OfConversations("c")
	message, more := f.OfMessages("m", "t")
	join, live := "", ""
	if f.Tool != "" {
		join = "JOIN tool_calls t ON t.source_id = m.source_id AND t.conversation_id = m.conversation_id AND t.message_id = m.message_id"
	}
	if !gone {
		live = " AND m.deleted_at IS NULL"
		where += " AND c.deleted_at IS NULL AND c.status IS DISTINCT FROM 'orphaned'"
	}
	return r.heads(ctx, fmt.Sprintf(`SEMI JOIN (SELECT m.source_id, m.conversation_id FROM messages m %s WHERE %s%s) x
		ON x.source_id = c.source_id AND x.conversation_id = c.conversation_id WHERE %s
		ORDER BY coalesce(c.created_at, c.first_message_at, c.updated_at) NULLS LAST, c.source_id, c.conversation_id`, join, message, live, where),
		append(more, args...)...)
}

// HeadsOf lists the conversations of that id, in each source or in the one that is named; without any those whose ids begin so; the latest
// activity first.
func (r *Reader) HeadsOf(ctx context.Context, id, source string) ([]Head, error) {
	for _, condition := range []string{"c.conversation_id = ?", "starts_with(c.conversation_id, ?)"} {
		found, err := r.heads(ctx, "WHERE "+condition+" AND (? = '' OR c.source_id = ?) ORDER BY c.last_activity_at DESC NULLS LAST, c.source_id, c.conversation_id", id, source, source)
		if err != nil || len(found) > 0 {
			return found, err
		}
	}
	return nil, nil
}

// HeadsWith lists the conversations that hold a message of that id.
func (r *Reader) HeadsWith(ctx context.Context, message, source string) ([]Head, error) {
	return r.heads(ctx, `SEMI JOIN (SELECT source_id, conversation_id FROM messages WHERE message_id = ?) m
		ON m.source_id = c.source_id AND m.conversation_id = c.conversation_id WHERE ? = '' OR c.source_id = ?
		ORDER BY c.last_activity_at DESC NULLS LAST, c.source_id, c.conversation_id`, message, source, source)
}

// Latest lists the conversations that pass a filter, the latest activity first. Those without a known one, and those without a message, such as drafts,
// are left out.
func (r *Reader) Latest(ctx context.Context, f Filter, source string, limit int) ([]Head, error) {
	where, args := f.OfConversations("c")
	args = append(args, source, source, limit)
	return r.heads(ctx, "WHERE "+where+` AND c.last_activity_at IS NOT NULL AND c.deleted_at IS NULL AND c.message_count > 0 AND (? = '' OR c.source_id = ?)
		ORDER BY c.last_activity_at DESC, c.source_id, c.conversation_id LIMIT ?`, args...)
}

// Projects lists the projects of all conversations.
func (r *Reader) Projects(ctx context.Context) (out []Project, err error) {
	err = each(ctx, r.conn, `SELECT DISTINCT project_uri, coalesce(project_path, ''), coalesce(project, '') FROM conversations
		WHERE project_uri IS NOT NULL ORDER BY ALL`, func(rows *sql.Rows) error {
		var p Project
		err := rows.Scan(&p.URI, &p.Path, &p.Name)
		out = append(out, p)
		return err
	})
	return out, err
}

// At once, as many conversations are read as have so many messages together, at least one: a query costs much more than what it reads of a small one.
const (
	messagesAtOnce      = 256
	conversationsAtOnce = 64
)

// Conversations reads all rows of these conversations, one after the other. Only those that are read at once are held.
func (r *Reader) Conversations(ctx context.Context, heads []Head) iter.Seq2[*ConversationRows, error] {
	return func(yield func(*ConversationRows, error) bool) {
		for len(heads) > 0 {
			n, messages := 1, heads[0].Messages
			for n < min(len(heads), conversationsAtOnce) && messages+heads[n].Messages <= messagesAtOnce {
				messages += heads[n].Messages
				n++
			}
			read, err := r.several(ctx, heads[:n])
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

// Conversation reads all rows of one conversation.
func (r *Reader) Conversation(ctx context.Context, key RowKey) (*ConversationRows, error) {
	read, err := r.several(ctx, []Head{{RowKey: key}})
	if err != nil {
		return nil, err
	}
	return read[0], nil
}

// several reads conversations by one query for each table.
func (r *Reader) several(ctx context.Context, heads []Head) ([]*ConversationRows, error) {
	out, byKey := make([]*ConversationRows, len(heads)), map[RowKey]*ConversationRows{}
	conversations, err := rowsOf[schema.Conversation](ctx, r.conn, "conversations", heads, "source_id")
	if err != nil {
		return nil, err
	}
	for _, c := range conversations {
		byKey[RowKey{c.SourceID, c.ConversationID}] = &ConversationRows{Conversation: c}
	}
	for i, h := range heads {
		if out[i] = byKey[h.RowKey]; out[i] == nil {
			return nil, fmt.Errorf("the warehouse has no conversation %s of source %s", h.ConversationID, h.SourceID)
		}
	}
	// A row that the store no longer has lost its position; turn and time say about where it was, the place in the table the rest.
	messages, err := rowsOf[schema.Message](ctx, r.conn, "messages", heads, "position NULLS LAST, turn NULLS FIRST, created_at NULLS FIRST, rowid")
	if err != nil {
		return nil, err
	}
	type messageKey struct {
		RowKey
		id string
	}
	branches := map[messageKey]string{}
	where, args := keysIn(heads)
	err = each(ctx, r.conn, "SELECT source_id, conversation_id, message_id, branch FROM message_branches WHERE "+where, func(rows *sql.Rows) error {
		var k messageKey
		var branch string
		err := rows.Scan(&k.SourceID, &k.ConversationID, &k.id, &branch)
		branches[k] = branch
		return err
	}, args...)
	if err != nil {
		return nil, olderVersion(err)
	}
	for _, m := range messages {
		key := RowKey{m.SourceID, m.ConversationID}
		c := byKey[key]
		c.Messages = append(c.Messages, MessageRows{Message: m, Branch: branches[messageKey{key, m.MessageID}]})
	}
	return out, r.belongings(ctx, heads, byKey)
}

// belongings reads what belongs to the messages of conversations.
func (r *Reader) belongings(ctx context.Context, heads []Head, byKey map[RowKey]*ConversationRows) error {
	calls, err := rowsOf[schema.ToolCall](ctx, r.conn, "tool_calls", heads, "call_index, rowid")
	if err != nil {
		return err
	}
	attachments, err := rowsOf[schema.Attachment](ctx, r.conn, "attachments", heads, "ordinal, rowid")
	if err != nil {
		return err
	}
	place := map[RowKey]map[string]*MessageRows{}
	for key, c := range byKey {
		place[key] = map[string]*MessageRows{}
		for i := range c.Messages {
			place[key][c.Messages[i].MessageID] = &c.Messages[i]
		}
	}
	for _, c := range calls {
		if m := place[RowKey{c.SourceID, c.ConversationID}][c.MessageID]; m != nil {
			m.ToolCalls = append(m.ToolCalls, c)
		}
	}
	for _, a := range attachments {
		key := RowKey{a.SourceID, a.ConversationID}
		if a.MessageID == nil {
			byKey[key].Attachments = append(byKey[key].Attachments, a)
		} else if m := place[key][*a.MessageID]; m != nil {
			m.Attachments = append(m.Attachments, a)
		}
	}
	return nil
}

// keysIn is the condition on rows that belong to conversations.
func keysIn(heads []Head) (where string, args []any) {
	for _, h := range heads {
		args = append(args, h.SourceID, h.ConversationID)
	}
	return "(source_id, conversation_id) IN (VALUES " + strings.TrimSuffix(strings.Repeat("(?, ?), ", len(heads)), ", ") + ")", args
}

// olderVersion says what to do where a view is missing that this version asks.
func olderVersion(err error) error {
	if strings.Contains(err.Error(), "does not exist") {
		return fmt.Errorf("this warehouse was made by another version: 'pipeline run' adds what is missing: %w", err)
	}
	return err
}

// rowsOf reads the rows of a table that belong to conversations, into the structs that declare it.
func rowsOf[R any](ctx context.Context, conn *sql.Conn, name string, heads []Head, order string) (out []R, err error) {
	t, ok := schema.Lookup(name)
	if !ok || t.Row != reflect.TypeFor[R]() {
		return nil, errors.New("no such table: " + name)
	}
	columns := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		columns[i] = fmt.Sprintf(readAs[c.Type], c.Name)
	}
	where, args := keysIn(heads)
	query := fmt.Sprintf("SELECT %s FROM %s WHERE %s ORDER BY %s", strings.Join(columns, ", "), name, where, order)
	err = each(ctx, conn, query, func(rows *sql.Rows) error {
		var row R
		fields, targets := reflect.ValueOf(&row).Elem(), make([]any, len(columns))
		for i := range targets {
			targets[i] = fields.Field(i).Addr().Interface()
			if json, ok := targets[i].(*schema.JSON); ok { // the library knows bytes of its own type only
				targets[i] = (*[]byte)(json)
			}
		}
		err := rows.Scan(targets...)
		out = append(out, row)
		return err
	}, args...)
	if err != nil {
		return nil, fmt.Errorf("read %s of %s: %w", name, heads[0].ConversationID, err)
	}
	return out, nil
}

// readAs are the forms in which columns are read: the driver would parse JSON, and lose digits and the order of members.
var readAs = map[string]string{
	"VARCHAR": "%q", "BIGINT": "%q", "DOUBLE": "%q", "BOOLEAN": "%q", "BLOB": "%q",
	"TIMESTAMPTZ": "epoch_ms(%q)", "DATE": "CAST(%q AS VARCHAR)", "JSON": "CAST(%q AS VARCHAR)",
}
