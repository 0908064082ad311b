package sinks_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pipeline/load/engine"
	"pipeline/load/sinks"
	"pipeline/load/sinktest"
	"pipeline/load/warehouse"
	"pipeline/sql/schema"
)

// chat is a conversation whose messages are of these months, one of each; "" is a message without a time. The second
// and every further one calls a tool.
func chat(id, text string, months ...string) *schema.Rows {
	rows := rowsOf("2024-01", text)
	rows.Conversations[0].ConversationID, rows.ModelUsage = id, nil
	message, call := rows.Messages[0], rows.ToolCalls[0]
	rows.Messages, rows.ToolCalls = nil, nil
	for i, month := range months {
		m := message
		m.ConversationID, m.MessageID, m.Position, m.CreatedAt, m.CreatedAtSource = id, fmt.Sprint(id, i),
			ptr(int64(i)), nil, nil
		if at, err := time.Parse("2006-01", month); err == nil {
			m.CreatedAt, m.CreatedAtSource = ptr(schema.Millis(at.UnixMilli()+int64(i))), ptr("message")
		}
		rows.Messages = append(rows.Messages, m)
		if i > 0 {
			c := call
			c.ConversationID, c.MessageID, c.Position = id, m.MessageID, m.Position
			rows.ToolCalls = append(rows.ToolCalls, c)
		}
	}
	return rows
}

// chats makes a load that writes these conversations anew.
func (c *sinkCase) chats(all ...*schema.Rows) {
	c.t.Helper()
	sinktest.Load(c.t, c.warehouse, 1700000000000, func(tx *warehouse.Load) {
		for _, rows := range all {
			tx.Replace(schema.OwnerNamed("s", "global", rows.Conversations[0].ConversationID))
			if err := tx.Write(rows); err != nil {
				c.t.Fatal(err)
			}
		}
	})
}

// written lists the files of a table that are not those of an earlier publication, by what stands behind month=.
func (c *sinkCase) written(table string, before int64) (out []string) {
	c.t.Helper()
	files, err := filepath.Glob(filepath.Join(c.Dir, "current", table, "month=*", "*"))
	if err != nil {
		c.t.Fatal(err)
	}
	for _, file := range files {
		name, _ := filepath.Rel(filepath.Join(c.Dir, "current"), file)
		if now, err := os.Stat(file); err != nil {
			c.t.Fatal(err)
		} else if was, err := os.Stat(filepath.Join(c.Dir, fmt.Sprintf("v-%08d", before), name)); err != nil ||
			!os.SameFile(now, was) {
			_, month, _ := strings.Cut(filepath.ToSlash(name), "month=")
			out = append(out, strings.TrimSuffix(month, "/part-0"+c.Sink.About().Extension))
		}
	}
	return out
}

// Of what loads did not change the files are linked, whatever they changed is written, and what is published is what
// the warehouse has.
func testChanges(t *testing.T, c *sinkCase) {
	c.chats(chat("a", "x", "2025-01", "2025-02", "2025-03"), chat("b", "x", "2025-02"), chat("c", "x", "", ""))
	c.publish(1)
	for i, step := range []struct {
		name            string
		loads           [][]*schema.Rows
		messages, calls []string // the months that are written
	}{
		{"nothing, and equal rows", [][]*schema.Rows{{}, {chat("a", "x", "2025-01", "2025-02", "2025-03")}}, nil, nil},
		{"a text, and a new message of a long chat", [][]*schema.Rows{{chat("b", "y", "2025-02"),
			chat("a", "x", "2025-01", "2025-02", "2025-03", "2025-03")}}, []string{"2025-02", "2025-03"},
			[]string{"2025-03"}},
		{"a message moves", [][]*schema.Rows{{chat("a", "x", "2025-01", "2025-04", "2025-03", "2025-03")}},
			[]string{"2025-02", "2025-04"}, []string{"2025-04"}},
		{"a time is lost, in one of two unseen loads", [][]*schema.Rows{{chat("d", "x", "2025-05")},
			{chat("e", "x", "2025-06", "2025-06"), chat("b", "x", "")}},
			[]string{"2025-02", "2025-05", "2025-06", "unknown"}, []string{"2025-05", "2025-06", "unknown"}},
	} {
		current, _ := os.Readlink(filepath.Join(c.Dir, "current"))
		var before, load int64
		if _, err := fmt.Sscanf(current, "v-%d", &before); err != nil {
			t.Fatal(err)
		}
		for load = before; len(step.loads) > 0; load++ {
			c.chats(step.loads[0]...)
			step.loads = step.loads[1:]
		}
		c.publish(load)
		for table, want := range map[string][]string{"messages": step.messages, "tool_calls": step.calls} {
			want = slices.DeleteFunc(want, func(month string) bool { // one without a row has no file
				_, err := os.Stat(c.path("current", table, month))
				return err != nil
			})
			if got := c.written(table, before); !slices.Equal(got, want) {
				t.Errorf("%d, %s: months of %s that are written: %v, want %v", i, step.name, table, got, want)
			}
		}
		if !testing.Short() {
			c.sound()
		}
	}
	c.sound()
}

// A month with many or large rows has files for buckets of conversations, and one conversation changes one of them.
func testBuckets(t *testing.T, c *sinkCase) {
	if testing.Short() {
		t.Skip("it is long: make test-all runs it")
	}
	long := func(id, text string) *schema.Rows { return chat(id, text, slices.Repeat([]string{"2025-01"}, 6000)...) }
	c.chats(long("0", "x"), long("9", "x"))
	c.publish(1)
	if got := c.written("messages", 0); len(got) != 1 {
		t.Errorf("12,000 rows are in %v", got)
	}
	if got := c.written("tool_calls", 0); len(got) != 2 {
		t.Errorf("nearly as many calls, which are larger, of two chats are in %v", got)
	}
	c.chats(long("5", "x"), chat("d", "x", "2025-01", "2025-02"))
	c.publish(2)
	all := c.written("messages", 1)
	if len(all) != 5 { // four, and February
		t.Errorf("18,001 rows are in %v", all)
	}
	c.sound()
	c.chats(chat("d", "y", "2025-01", "2025-02"))
	c.publish(3)
	if got := c.written("messages", 2); len(got) != 2 {
		t.Errorf("one conversation changed, and written are %v", got)
	}
	c.sound()
}

// engineDo runs a statement on a warehouse.
func engineDo(t *testing.T, warehouse, statement string) {
	t.Helper()
	db, conn, err := engine.Open(t.Context(), warehouse, false)
	if err != nil {
		t.Fatal(err)
	}
	_, err = conn.ExecContext(t.Context(), statement)
	if err = errors.Join(err, conn.Close(), db.Close()); err != nil {
		t.Fatal(err)
	}
}

// A publication of another warehouse, of a load that this one does not know, or of too long ago says nothing of what is
// stale: everything is written.
func testUnknownMark(t *testing.T, c *sinkCase) {
	for name, statement := range map[string]string{
		"another warehouse": `UPDATE _meta SET value = 'other' WHERE key = 'warehouse_id'`,
		"another load":      `UPDATE loads SET started_at = started_at + INTERVAL 1 SECOND WHERE load_id = 1`,
		"long ago":          `UPDATE loads SET started_at = started_at + INTERVAL 401 DAYS WHERE load_id = 2`,
	} {
		if testing.Short() && name != "another load" {
			continue // make test-all takes all
		}
		o := &sinkCase{t, c.warehouse + name, sinks.Target{Sink: c.Sink, Dir: c.Dir + name}}
		o.chats(chat("a", "x", "2025-01", "2025-02"))
		o.publish(1)
		o.chats()
		engineDo(t, o.warehouse, statement)
		if p := o.publish(2); p.Written != p.Files {
			t.Errorf("%s: %+v", name, p)
		}
		o.sound()
	}
}
