package reader

import (
	"context"
	"fmt"

	"pipeline/load"
	"pipeline/load/tool/sqlrows"
	"pipeline/sql/schema"
)

// This file lists conversations.

// A Head has the columns by which people tell a conversation from others.
type Head struct {
	load.RowKey
	Title, Project *string // Title is display_title
	LastActivityAt *schema.Millis
	Gone           bool // deleted, or orphaned
	Copy           bool // another source has the primary, which is counted (table conversation_copies)
	Messages       int  // rows, whatever became of them
}

const headColumns = `c.source_id, c.conversation_id, c.display_title, c.project, epoch_ms(c.last_activity_at),
	c.deleted_at IS NOT NULL OR c.status IS NOT DISTINCT FROM 'orphaned',
	EXISTS (FROM conversation_copies k WHERE k.source_id = c.source_id AND k.conversation_id = c.conversation_id AND NOT k.is_primary),
	(SELECT count(*) FROM messages m WHERE m.source_id = c.source_id AND m.conversation_id = c.conversation_id)`

// heads runs a query that selects headColumns.
func (r *Reader) heads(ctx context.Context, tail string, args ...any) ([]Head, error) {
	return sqlrows.All[Head](ctx, r.conn, "SELECT "+headColumns+" FROM all_conversations c "+tail, args...)
}

// Heads lists the conversations that pass a filter and have a message that passes it. The oldest comes first. If gone
// is true, deleted and orphaned conversations are in the list, too.
func (r *Reader) Heads(ctx context.Context, f Filter, gone bool) ([]Head, error) {
	where, args := f.OfConversations("c")
	message, more := f.OfMessages("m", "t")
	join, live := "", ""
	if f.Tool != "" {
		join = "JOIN tool_calls t ON t.source_id = m.source_id AND t.conversation_id = m.conversation_id AND " +
			"t.message_id = m.message_id"
	}
	if !gone {
		live = " AND m.deleted_at IS NULL"
		where += " AND c.deleted_at IS NULL AND c.status IS DISTINCT FROM 'orphaned'"
	}
	return r.heads(ctx, fmt.Sprintf(`SEMI JOIN (SELECT m.source_id, m.conversation_id FROM messages m %s WHERE %s%s) x
		ON x.source_id = c.source_id AND x.conversation_id = c.conversation_id WHERE %s
		ORDER BY coalesce(c.created_at, c.first_message_at, c.updated_at) NULLS LAST, c.source_id, c.conversation_id`,
		join, message, live, where),
		append(more, args...)...)
}

// HeadsOf lists the conversations with that id, in all sources or in the given one. If there are none, it lists those
// whose ids begin with it. The one with the latest activity comes first.
func (r *Reader) HeadsOf(ctx context.Context, id, source string) ([]Head, error) {
	for _, condition := range []string{"c.conversation_id = ?", "starts_with(c.conversation_id, ?)"} {
		found, err := r.heads(ctx, "WHERE "+condition+
			" AND (? = '' OR c.source_id = ?) ORDER BY c.last_activity_at DESC NULLS LAST, c.source_id, "+
			"c.conversation_id", id, source, source)
		if err != nil || len(found) > 0 {
			return found, err
		}
	}
	return nil, nil
}

// HeadsWith lists the conversations that have a message with that id.
func (r *Reader) HeadsWith(ctx context.Context, message, source string) ([]Head, error) {
	return r.heads(ctx, `SEMI JOIN (SELECT source_id, conversation_id FROM messages WHERE message_id = ?) m
		ON m.source_id = c.source_id AND m.conversation_id = c.conversation_id WHERE ? = '' OR c.source_id = ?
		ORDER BY c.last_activity_at DESC NULLS LAST, c.source_id, c.conversation_id`, message, source, source)
}

// Latest lists the conversations that pass a filter. The one with the latest activity comes first. It leaves out
// conversations without a known activity and those without a message, such as drafts. Of a conversation that several
// sources have it lists the primary, unless a source is given.
func (r *Reader) Latest(ctx context.Context, f Filter, source string, limit int) ([]Head, error) {
	where, args := f.OfConversations("c")
	args = append(args, source, source, limit)
	return r.heads(ctx,
		"WHERE "+where+
			` AND c.last_activity_at IS NOT NULL AND c.deleted_at IS NULL AND c.message_count > 0 AND (c.source_id = ? OR ? = '' AND NOT EXISTS (
			FROM conversation_copies k WHERE k.source_id = c.source_id AND k.conversation_id = c.conversation_id AND NOT k.is_primary))
		ORDER BY c.last_activity_at DESC, c.source_id, c.conversation_id LIMIT ?`, args...)
}

// Chats lists limit conversations that pass a filter and have a message, from one on: the one with the latest activity
// comes first, those without a known activity last. If gone is true, deleted and orphaned conversations are in the
// list, too. Of a conversation that several sources have it lists the primary.
func (r *Reader) Chats(ctx context.Context, f Filter, gone bool, from, limit int) ([]Head, error) {
	where, args := f.OfConversations("c")
	const order = " ORDER BY c.last_activity_at DESC NULLS LAST, c.source_id, c.conversation_id"
	return r.heads(ctx, `SEMI JOIN (SELECT source_id, conversation_id FROM all_conversations c WHERE `+where+`
				AND (? OR c.deleted_at IS NULL AND c.status IS DISTINCT FROM 'orphaned')
				AND NOT EXISTS (FROM conversation_copies k WHERE k.source_id = c.source_id AND k.conversation_id = c.conversation_id AND NOT k.is_primary)
				AND EXISTS (FROM messages m WHERE m.source_id = c.source_id AND m.conversation_id = c.conversation_id)`+
		order+` LIMIT ? OFFSET ?) x ON x.source_id = c.source_id AND x.conversation_id = c.conversation_id`+order,
		append(args, gone, limit, from)...)
}
