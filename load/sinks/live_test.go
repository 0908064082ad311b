package sinks_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pipeline/load"
	"pipeline/load/digest"
	"pipeline/load/engine"
	"pipeline/load/inspect"
	"pipeline/load/sinks"
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
			tx.Replace(w.source, w.id)
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
			if err := tx.Source(load.SourceRows{Source: schema.Source{SourceID: source, FirstSeenAt: at, LastSeenAt: at}}); err != nil {
				c.t.Fatal(err)
			}
		}
	})
}

// livePath is the path of a file of live rows, or of the file of all rows beside it; month is "" for a table with one file.
func (c *sinkCase) livePath(folder, table, month string) string {
	if month == "" {
		return filepath.Join(c.Dir, folder, table+c.Sink.About().Extension)
	}
	return c.path(folder, table, month)
}

// wantLive compares the files of live rows with the views of the warehouse, and with the number of their rows.
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
		pattern := c.livePath("current/live", name, "*")
		if name == "conversations" {
			pattern = c.livePath("current/live", name, "")
		}
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			c.t.Fatalf("no live %s: %v", name, err)
		}
		from, err := c.Sink.Scan(table, paths)
		if err != nil {
			c.t.Fatal(err)
		}
		if got, err := files.Read(c.t.Context(), table, from); err != nil || got != want || got.Rows != count {
			c.t.Errorf("live %s: %+v, %v; the view has %+v, and %d rows are wanted", name, got, err, want, count)
		}
	}
	c.sound()
}

// isOne reports whether two paths are links to one file.
func (c *sinkCase) isOne(one, other string) bool {
	c.t.Helper()
	a, err := os.Stat(one)
	b, err2 := os.Stat(other)
	if err = errors.Join(err, err2); err != nil {
		c.t.Fatal(err)
	}
	return os.SameFile(a, b)
}

// wantLinks says which files of live rows are links to the files of all rows: the others are listed.
func (c *sinkCase) wantLinks(own ...string) (links int) {
	c.t.Helper()
	for table, months := range map[string][]string{"conversations": {""}, "messages": {"2025-01", "2025-02", "2025-03", "2025-04", "2025-05"},
		"tool_calls": {"2025-01", "2025-02", "2025-03", "2025-04", "2025-05"}} {
		for _, month := range months {
			name := strings.TrimSpace(table + " " + month)
			linked := c.isOne(c.livePath("current", table, month), c.livePath("current/live", table, month))
			if linked == slices.Contains(own, name) {
				c.t.Errorf("the live rows of %s: a link to all rows: %t", name, linked)
			}
			if linked {
				links++
			}
		}
	}
	return links
}

// Live rows have a folder of their own: without what is deleted, orphaned or a copy. Only files with other rows are written twice.
func testLive(t *testing.T, c *sinkCase) {
	c.tells(told{"s", "a", "2025-01", "x", "", 2}, told{"s", "b", "2025-01", "x", "", 2}, told{"s", "o", "2025-01", "x", "orphaned", 2},
		told{"s", inTwo, "2025-02", "x", "", 2}, told{"s", inTwoSoon, "2025-02", "x", "", 2}, told{"s", "c", "2025-03", "x", "", 2}, told{"s", "d", "2025-04", "x", "", 2}, told{"t", inTwo, "2025-05", "x", "", 2})
	c.tells(told{"s", "b", "2025-01", "x", "", 1}, told{"s", "d", "", "", "", 0})
	first := c.publish(2)
	c.wantLive(map[string]int64{"conversations": 5, "messages": 9, "tool_calls": 4}) // a, b without its second message, c, and two, one of them in t
	own := []string{"conversations", "messages 2025-01", "messages 2025-02", "messages 2025-04", "tool_calls 2025-01", "tool_calls 2025-02", "tool_calls 2025-04"}
	if links := c.wantLinks(own...); links != 4 || first.Written != first.Files-links {
		t.Errorf("%d links: %+v", links, first)
	}
	if p := c.publish(2); !p.Unchanged || p.Written != 0 || p.Bytes != first.Bytes {
		t.Errorf("publishing again: %+v, before %+v", p, first)
	}

	// one month changes: its live rows are still all rows, and what is written for other months stays the same file
	c.tells(told{"s", "c", "2025-03", "y", "", 2})
	c.publish(3)
	c.wantLive(map[string]int64{"conversations": 5, "messages": 9, "tool_calls": 4})
	c.wantLinks(own...)
	for _, name := range own[1:] {
		table, month, _ := strings.Cut(name, " ")
		if !c.isOne(c.livePath("v-00000002/live", table, month), c.livePath("current/live", table, month)) {
			t.Errorf("%s is written again", name)
		}
	}

	// a row of it goes: the month is written a second time. In 2025-02 another one of two conversations is live now, and the file of all rows stays
	c.tells(told{"s", "c", "2025-03", "y", "", 1}, told{"t", inTwo, "", "", "", 0}, told{"t", inTwoSoon, "2025-05", "x", "", 2})
	c.publish(4)
	c.wantLive(map[string]int64{"conversations": 5, "messages": 8, "tool_calls": 3})
	c.wantLinks(append(own, "messages 2025-03", "messages 2025-05", "tool_calls 2025-03", "tool_calls 2025-05")...)
	if !c.isOne(c.path("v-00000003", "messages", "2025-02"), c.path("current", "messages", "2025-02")) {
		t.Error("the month of two conversations is written again, and none of its rows has changed")
	}

	// the other source has neither: all rows of 2025-02 are live
	c.tells(told{"t", inTwoSoon, "", "", "", 0})
	c.publish(5)
	c.wantLive(map[string]int64{"conversations": 5, "messages": 8, "tool_calls": 3})
	c.wantLinks("conversations", "messages 2025-01", "messages 2025-03", "messages 2025-04", "messages 2025-05",
		"tool_calls 2025-01", "tool_calls 2025-03", "tool_calls 2025-04", "tool_calls 2025-05")
	if !c.isOne(c.path("v-00000003", "messages", "2025-02"), c.path("current/live", "messages", "2025-02")) {
		t.Error("the month of two conversations is written again, and none of its rows has changed")
	}
}

// A file of live rows that is written a second time has no secrets either.
func testLiveRedacted(t *testing.T, c *sinkCase) {
	c.tells(told{"s", "a", "2025-01", "x7", "", 2}, told{"s", "o", "2025-01", "x7", "orphaned", 2})
	c.Redaction = &sinks.Redaction{Version: 1, Text: func(text, _ string) string { return strings.ReplaceAll(text, "x7", "-") }}
	c.publish(1)
	live := c.path("current/live", "messages", "2025-01")
	if c.isOne(live, c.path("current", "messages", "2025-01")) {
		t.Fatal("it is a link: nothing is tested")
	}
	table, _ := schema.Lookup("messages")
	from, err := c.Sink.Scan(table, []string{live})
	if err != nil {
		t.Fatal(err)
	}
	db, conn, err := engine.Open(t.Context(), "", false)
	if err != nil {
		t.Fatal(err)
	}
	var texts string
	if err := errors.Join(conn.QueryRowContext(t.Context(), "SELECT string_agg(text, '|') FROM "+from).Scan(&texts), conn.Close(), db.Close()); err != nil || texts != "-" {
		t.Errorf("the texts are %q: %v", texts, err)
	}
	if again := c.publish(1); !again.Unchanged {
		t.Errorf("publishing again: %+v", again)
	}
}

// Live files that are altered, foreign, or of other rows than the warehouse are found.
func testLiveDamage(t *testing.T, c *sinkCase) {
	c.tells(told{"s", "a", "2025-01", "x", "", 2}, told{"s", "o", "2025-01", "x", "orphaned", 2})
	c.publish(1)
	live := c.path("current/live", "messages", "2025-01")
	b, err := os.ReadFile(live)
	if err = errors.Join(err, os.WriteFile(live, append(b, ' '), 0o600)); err != nil {
		t.Fatal(err)
	}
	if found := c.damages(); len(found) != 1 || !strings.Contains(found[0], "live") || !strings.Contains(found[0], "not as it was written") {
		t.Errorf("an altered file: %q", found)
	}
	if p := c.publish(1); p.Written != 1 {
		t.Errorf("the altered file alone is made anew: %+v", p)
	}
	c.sound()
	mine := filepath.Join(filepath.Dir(live), "mine"+c.Sink.About().Extension)
	if err := os.WriteFile(mine, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if found := c.damages(); len(found) != 1 || !strings.Contains(found[0], "it is not ours") {
		t.Errorf("a foreign file: %q", found)
	}
	if err := os.Remove(mine); err != nil {
		t.Fatal(err)
	}
	db, conn, err := engine.Open(t.Context(), c.warehouse, false)
	if err != nil {
		t.Fatal(err)
	}
	_, err = conn.ExecContext(t.Context(), `UPDATE conversations SET status = 'orphaned' WHERE conversation_id = 'a'`)
	if err = errors.Join(err, conn.Close(), db.Close()); err != nil {
		t.Fatal(err)
	}
	v, err := inspect.Verify(t.Context(), c.warehouse, c.Target)
	if err != nil || !slices.ContainsFunc(v.Damages, func(d inspect.Damage) bool {
		return strings.HasPrefix(d.Where, "table messages in ") && strings.HasSuffix(d.Where, "live") && strings.Contains(d.Problem, "other rows than the warehouse: 2, not 0")
	}) {
		t.Errorf("other live rows: %+v, %v", v, err)
	}
}
