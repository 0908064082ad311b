package reader

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"unique"

	"pipeline/load/engine"
	"pipeline/load/tool/sqlrows"
)

// This file reads the messages of a large conversation page by page. In the warehouse, its rows have no order, and the
// driver holds a whole result in memory. So the engine first sorts the rows into temporary tables, which it keeps
// within its memory limit, and beyond that in its temporary folder.

const (
	pagedMessages = "temp._messages" // rows of messages with _branch; their rowids count from 0
	pagedCalls    = "temp._tool_calls"
	pagedGiven    = "temp._attachments" // both with _at, the rowid of their message
)

// placesAtOnce is how many places one query reads, and the most messages of a page.
const placesAtOnce = 4096

// paged prepares a conversation whose messages are read page by page.
func (r *Reader) paged(ctx context.Context, c *ConversationRows, messages int) (err error) {
	r.pages = true
	of := func(alias string) string {
		return fmt.Sprintf("%[1]s.source_id = %[2]s AND %[1]s.conversation_id = %[3]s", alias,
			engine.Literal(c.Conversation.SourceID), engine.Literal(c.Conversation.ConversationID))
	}
	for _, create := range []string{
		"CREATE TEMP TABLE _messages AS SELECT m.*, b.branch AS _branch FROM messages m JOIN message_branches b ON " +
			"b.message_id = m.message_id WHERE " +
			of("m") + " AND " + of("b") + " ORDER BY " + messageOrder.of("m"),
		"CREATE TEMP TABLE _tool_calls AS SELECT m.rowid AS _at, t.* FROM tool_calls t JOIN temp._messages m ON " +
			"m.message_id = t.message_id WHERE " +
			of("t") + " AND (m.deleted_at IS NOT NULL OR t.deleted_at IS NULL) ORDER BY _at, " + callOrder.of("t"),
		"CREATE TEMP TABLE _attachments AS SELECT m.rowid AS _at, a.* FROM attachments a JOIN temp._messages m ON " +
			"m.message_id = a.message_id WHERE " +
			of("a") + " ORDER BY _at, " + attachmentOrder.of("a"),
	} {
		if _, err := r.conn.ExecContext(ctx, create); err != nil {
			return olderVersion(engine.WithRemedy(err))
		}
	}
	c.Places, err = r.places(ctx, messages)
	size := placesAtOnce / 8
	c.page = func(ctx context.Context, from int) ([]MessageRows, error) {
		page, err := r.messagePage(ctx, from, from+size)
		bytes := 0
		for i := range page {
			bytes += page[i].bytes()
		}
		size = nextSize(size, bytes, placesAtOnce)
		return page, err
	}
	return err
}

// dropPages drops the temporary tables.
func (r *Reader) dropPages(ctx context.Context) error {
	if !r.pages {
		return nil
	}
	for _, table := range []string{pagedCalls, pagedGiven, pagedMessages} {
		if _, err := r.conn.ExecContext(ctx, "DROP TABLE IF EXISTS "+table); err != nil {
			return err
		}
	}
	r.pages = false
	return nil
}

// places reads the places of the messages.
func (r *Reader) places(ctx context.Context, messages int) (out []Place, err error) {
	out = make([]Place, 0, messages)
	for more := true; more && err == nil; {
		before := len(out)
		in := fmt.Sprintf("BETWEEN %d AND %d", before, before+placesAtOnce-1)
		var some []Place
		some, err = sqlrows.All[Place](ctx, r.conn,
			`SELECT m.message_id, m._branch, m.role, coalesce(m.is_simulated, false), m.position, coalesce(t.calls, 0), coalesce(t.failed, 0) FROM `+pagedMessages+` m
			LEFT JOIN (SELECT _at, count(*) AS calls, count(*) FILTER (is_error) AS failed FROM `+pagedCalls+
				` WHERE _at `+in+` GROUP BY _at) t ON t._at = m.rowid
			WHERE m.rowid `+in+` ORDER BY m.rowid`)
		for _, p := range some {
			p.Branch, p.Role = unique.Make(p.Branch).Value(), unique.Make(p.Role).Value() // they are few
			out = append(out, p)
		}
		more = len(some) == placesAtOnce
	}
	return out, err
}

// messagePage reads the messages from one place up to another.
func (r *Reader) messagePage(ctx context.Context, from, to int) ([]MessageRows, error) {
	where := func(table, at string) part {
		return part{text: fmt.Sprintf("%s WHERE %s >= %d AND %[2]s < %[4]d ORDER BY rowid", table, at, from, to)}
	}
	of := where(pagedMessages, "rowid")
	read, err := r.messages(ctx, of,
		part{text: "SELECT source_id, conversation_id, message_id, _branch FROM " + of.text},
		where(pagedCalls, "_at"), where(pagedGiven, "_at"))
	return slices.Concat(slices.Collect(maps.Values(read))...), err // they are of one conversation
}

// bytes returns about how many bytes a message has.
func (m *MessageRows) bytes() int {
	n := 0
	for _, text := range []*string{m.Text, m.Thinking} {
		if text != nil {
			n += len(*text)
		}
	}
	for i := range m.ToolCalls {
		n += len(m.ToolCalls[i].Params) + len(m.ToolCalls[i].Result)
	}
	for i := range m.Attachments {
		n += len(m.Attachments[i].Detail)
	}
	return n + len(m.Extra)
}
