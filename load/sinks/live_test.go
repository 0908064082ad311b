package sinks_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pipeline/load"
	"pipeline/load/digest"
	"pipeline/load/sinktest"
	"pipeline/load/warehouse"
	"pipeline/sql/schema"
)

// These are ids of conversations that two sources may have.
const (
	inTwo     = "9e11e2aa-b63c-4143-8b84-c8f8ffdea6c9"
	inTwoSoon = "9e11e2aa-b63c-4143-8b84-c8f8ffdea6ca"
)

// A told is a conversation that a load writes: two messages, the second of which calls a tool.
type told struct {
	source, id, month, text string
	status                  string
	messages                int // of the two; 0: the conversation is gone
}

// tells makes a load of conversations.
func (c *sinkCase) tells(all ...told) {
	c.t.Helper()
	const at = schema.Millis(1700000000000)
	sinktest.Load(c.t, c.warehouse, at, func(tx *warehouse.Load) {
		for _, w := range all {
			tx.Replace(schema.OwnerNamed(w.source, "global", w.id))
			if w.messages == 0 {
				continue
			}
			rows := rowsOf(w.month, w.text)
			conversation := &rows.Conversations[0]
			conversation.SourceID, conversation.ConversationID = w.source, w.id
			if w.status != "" {
				conversation.Status = &w.status
			}
			rows.ModelUsage, rows.Messages = nil, rows.Messages[:w.messages]
			if w.messages == 1 {
				rows.ToolCalls = nil
			}
			for i := range rows.Messages {
				rows.Messages[i].SourceID, rows.Messages[i].ConversationID = w.source, w.id
			}
			for i := range rows.ToolCalls {
				rows.ToolCalls[i].SourceID, rows.ToolCalls[i].ConversationID = w.source, w.id
			}
			if err := tx.Write(rows); err != nil {
				c.t.Fatal(err)
			}
		}
		for _, source := range []string{"s", "t"} {
			if err := tx.Source(load.SourceRows{
				Source: schema.Source{SourceID: source, FirstSeenAt: at, LastSeenAt: at},
			}); err != nil {
				c.t.Fatal(err)
			}
		}
	})
}

// wantLive compares the rows that files call live with the views of the warehouse, and with their number.
func (c *sinkCase) wantLive(counts map[string]int64) {
	c.t.Helper()
	rows, files := &digest.Reader{Warehouse: c.warehouse}, &digest.Reader{}
	defer func() {
		if err := errors.Join(rows.Close(), files.Close()); err != nil {
			c.t.Error(err)
		}
	}()
	for name, count := range counts {
		table, _ := schema.Lookup(name)
		want, err := rows.Read(c.t.Context(), table, "live_"+name)
		if err != nil {
			c.t.Fatal(err)
		}
		pattern := c.path("current", name, "*")
		if name == "conversations" {
			pattern = filepath.Join(c.Dir, "current", name+c.Sink.About().Extension)
		}
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			c.t.Fatalf("no %s: %v", name, err)
		}
		from, err := c.Sink.Scan(table.Published(), paths)
		if err != nil {
			c.t.Fatal(err)
		}
		if got, err := files.Read(c.t.Context(), table, "(FROM "+from+" WHERE is_live)"); err != nil || got != want ||
			got.Rows != count {
			c.t.Errorf("live %s: %+v, %v; the view has %+v, and %d rows are wanted", name, got, err, want, count)
		}
	}
	if !testing.Short() {
		c.sound()
	}
}

// is_live is true of what the views live_... have: it is false for what is deleted, orphaned or a copy. A load that
// changes it writes the months of these rows.
func testLive(t *testing.T, c *sinkCase) {
	c.tells(told{"s", "a", "2025-01", "x", "", 2}, told{"s", "b", "2025-01", "x", "", 2},
		told{"s", "o", "2025-01", "x", "orphaned", 2}, told{"s", inTwo, "2025-02", "x", "", 2},
		told{"s", inTwoSoon, "2025-02", "x", "", 2}, told{"s", "c", "2025-03", "x", "", 2},
		told{"s", "d", "2025-04", "x", "", 2}, told{"t", inTwo, "2025-05", "x", "", 2})
	c.tells(told{"s", "b", "2025-01", "x", "", 1}, told{"s", "d", "", "", "", 0})
	c.publish(2)
	// a, b without its second message, c, and two, one of them in t
	c.wantLive(map[string]int64{"conversations": 5, "messages": 9, "tool_calls": 4})

	// a row goes, and of two conversations in 2025-02 another one is live now: nothing else of that month has changed
	c.tells(told{"s", "c", "2025-03", "y", "", 1}, told{"t", inTwo, "", "", "", 0},
		told{"t", inTwoSoon, "2025-05", "x", "", 2})
	c.publish(3)
	c.wantLive(map[string]int64{"conversations": 5, "messages": 8, "tool_calls": 3})
	for _, table := range []string{"messages", "tool_calls"} {
		if got, want := c.written(table, 2), []string{"2025-02", "2025-03", "2025-05"}; !slices.Equal(got, want) {
			t.Errorf("%s: written are %v, want %v", table, got, want)
		}
	}

	// the other source has neither: all rows of 2025-02 are live
	c.tells(told{"t", inTwoSoon, "", "", "", 0})
	c.publish(4)
	c.wantLive(map[string]int64{"conversations": 5, "messages": 8, "tool_calls": 3})

	// a load that changes nothing writes what runs note of themselves
	c.tells()
	if p := c.publish(5); p.Written > 12 {
		t.Errorf("nothing has changed: %+v", p)
	}
	c.wantLive(map[string]int64{"conversations": 5, "messages": 8, "tool_calls": 3})

	c.sound()

	// the warehouse says otherwise than its publication
	engineDo(t, c.warehouse, `DELETE FROM _live_conversations WHERE conversation_id = 'a'`)
	if found := c.damages(); len(found) != 3 || !strings.Contains(found[0], "other rows than the warehouse") {
		t.Errorf("other live rows: %q", found)
	}
}
