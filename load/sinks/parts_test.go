package sinks_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pipeline/load/engine"
	"pipeline/load/sinks"
	"pipeline/sql/schema"
)

// longChat returns a conversation of 1,500 messages that begins in January 2025.
func longChat(id, text string) *schema.Rows {
	rows := rowsOf("2025-01", text)
	rows.Conversations[0].ConversationID, rows.ModelUsage = id, nil
	rows.ToolCalls[0].ConversationID, rows.ToolCalls[0].MessageID = id, "m0"
	rows.Messages = rows.Messages[:1]
	rows.Messages[0].ConversationID, rows.Messages[0].MessageID = id, "m0"
	for i := 1; i < 1500; i++ {
		m := rows.Messages[0]
		m.MessageID, m.Position = fmt.Sprint("m", i), ptr(int64(i))
		rows.Messages = append(rows.Messages, m)
	}
	return rows
}

// longChats loads conversations of 1,500 messages, and returns what was written ahead.
func (c *sinkCase) longChats(text string, ids ...string) *sinks.Ahead {
	c.t.Helper()
	var batches []*schema.Rows
	for _, id := range ids {
		batches = append(batches, longChat(id, text))
	}
	return c.aheadLoad(much, batches...)
}

// inParts tells which conversations of a table are in which file of January 2025, as the engine reads the files.
func (c *sinkCase) inParts(folder, table string) map[string]string {
	c.t.Helper()
	db, conn, err := engine.Open(c.t.Context(), "", false)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = errors.Join(conn.Close(), db.Close()) }()
	from := "read_parquet"
	if c.Sink.About().Extension == ".csv" {
		from = "read_csv"
	}
	rows, err := conn.QueryContext(c.t.Context(), `SELECT parse_filename(filename), string_agg(DISTINCT conversation_id, ' ' ORDER BY conversation_id)
		FROM `+from+`(?, filename = true) GROUP BY 1`, filepath.Join(c.Dir, folder, table, "month=2025-01", "*"))
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	out := map[string]string{}
	for rows.Next() {
		var file, conversations string
		if err := rows.Scan(&file, &conversations); err != nil {
			c.t.Fatal(err)
		}
		out[strings.TrimSuffix(file, c.Sink.About().Extension)] = conversations
	}
	if err := rows.Err(); err != nil {
		c.t.Fatal(err)
	}
	return out
}

// wantParts compares what is in the files of January 2025 of both tables with what is wanted, and says which files of the publication before are the same.
func (c *sinkCase) wantParts(want map[string]string, linked ...string) {
	c.t.Helper()
	for _, table := range []string{"messages", "tool_calls"} {
		if got := c.inParts("current", table); fmt.Sprint(got) != fmt.Sprint(want) {
			c.t.Errorf("%s: files have %v; want %v", table, got, want)
		}
		var same []string
		for part := range want {
			path := filepath.Join(table, "month=2025-01", part+c.Sink.About().Extension)
			folders, err := filepath.Glob(filepath.Join(c.Dir, "v-*"))
			now, err2 := os.Stat(filepath.Join(c.Dir, "current", path))
			if err = errors.Join(err, err2); err != nil {
				c.t.Fatal(err)
			}
			if len(folders) < 2 {
				continue
			}
			before, err := os.Stat(filepath.Join(folders[len(folders)-2], path))
			if err == nil && os.SameFile(before, now) {
				same = append(same, part)
			}
		}
		slices.Sort(same)
		if !slices.Equal(same, linked) {
			c.t.Errorf("%s: %v are those of the publication before; want %v", table, same, linked)
		}
	}
	c.sound()
}

// TestParts: a month with many messages is published in several files, with each conversation in one of them. A load of one conversation has one of them written again. A
// part that grows large is divided, and the others stay. Nobody reads other rows than the warehouse has.
func TestParts(t *testing.T) {
	t.Parallel()
	all := strings.Split("abcdefgh", "")
	for name, ahead := range map[string]bool{"written ahead": true, "written by the engine": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			c := &sinkCase{t, filepath.Join(dir, "w.duckdb"), sinks.Target{Sink: sinks.Named("parquet"), Dir: filepath.Join(dir, "out")}}
			written := c.longChats("x", all...)
			o := options()
			if ahead {
				o.Ahead = written
			}
			if _, err := c.Target.Publish(t.Context(), c.warehouse, o); err != nil {
				t.Fatal(err)
			}
			written.Remove()
			for part, by := range c.partWriters() {
				if want := map[bool]string{true: "ahead", false: "engine"}[ahead]; by != want {
					t.Errorf("%s is from %s; want %s", part, by, want)
				}
			}
			c.wantParts(map[string]string{"part-0": "a b", "part-1": "c d", "part-2": "e f", "part-3": "g h"})

			c.longChats("y", "c").Remove()
			c.publishChange(sinks.Change{Conversations: []string{"c"}})
			c.wantParts(map[string]string{"part-0": "a b", "part-1": "c d", "part-2": "e f", "part-3": "g h"}, "part-0", "part-2", "part-3")

			more := []string{"c1", "c2", "c3", "c4", "c5"}
			c.longChats("z", more...).Remove()
			c.publishChange(sinks.Change{Conversations: more})
			c.wantParts(map[string]string{"part-0": "a b", "part-1": "c c1", "part-2": "e f", "part-3": "g h", "part-4": "c2 c3", "part-5": "c4 c5", "part-6": "d"}, "part-0", "part-2", "part-3")
		})
	}
	t.Run("spreadsheets", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		c := &sinkCase{t, filepath.Join(dir, "w.duckdb"), sinks.Target{Sink: sinks.Named("csv"), Dir: filepath.Join(dir, "out")}}
		c.longChats("x", all...)
		c.publish(1)
		if got := c.inParts("current", "messages"); fmt.Sprint(got) != fmt.Sprint(map[string]string{"part-0": "a b c d e f g h"}) {
			t.Errorf("files have %v", got)
		}
	})
}

// TestPartsAheadOutOfOrder: conversations that come in another order are in the part that has the range of their keys, and in no other.
func TestPartsAheadOutOfOrder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := &sinkCase{t, filepath.Join(dir, "w.duckdb"), sinks.Target{Sink: sinks.Named("parquet"), Dir: filepath.Join(dir, "out")}}
	o := options()
	o.Ahead = c.longChats("x", "b", "d", "f", "h", "c", "a", "i")
	if _, err := c.Target.Publish(t.Context(), c.warehouse, o); err != nil {
		t.Fatal(err)
	}
	o.Ahead.Remove()
	c.wantParts(map[string]string{"part-0": "a b c d", "part-1": "f h", "part-2": "i"})
}

// TestPartsAheadInBatches: a conversation whose messages come in several batches has a part of its own if all of them are too many for the part before.
func TestPartsAheadInBatches(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := &sinkCase{t, filepath.Join(dir, "w.duckdb"), sinks.Target{Sink: sinks.Named("parquet"), Dir: filepath.Join(dir, "out")}}
	batches := []*schema.Rows{longChat("a", "x")}
	for i := range 6 {
		rows := longChat("b", "x")
		for j := range rows.Messages {
			rows.Messages[j].MessageID = fmt.Sprint("b", i, "-", j)
		}
		rows.ToolCalls[0].MessageID = rows.Messages[0].MessageID
		if i == 0 {
			rows.Sources = []schema.ConversationSource{{SourceID: "s", ConversationID: "b", StoreKind: "composer", IsPrimary: true, MessageCount: ptr(int64(6 * len(rows.Messages)))}}
			batches = append(batches, rows)
			continue
		}
		batches = append(batches, &schema.Rows{Messages: rows.Messages, ToolCalls: rows.ToolCalls})
	}
	o := options()
	o.Ahead = c.aheadLoad(much, append(batches, longChat("c", "x"))...)
	if _, err := c.Target.Publish(t.Context(), c.warehouse, o); err != nil {
		t.Fatal(err)
	}
	o.Ahead.Remove()
	for part, by := range c.partWriters() {
		if by != "ahead" {
			t.Errorf("%s is from %s", part, by)
		}
	}
	c.wantParts(map[string]string{"part-0": "a", "part-1": "b", "part-2": "c"})
}

// partWriters tells for each file of messages of January 2025 who wrote it.
func (c *sinkCase) partWriters() map[string]string {
	c.t.Helper()
	out := map[string]string{}
	files, err := filepath.Glob(filepath.Join(c.Dir, "current", "messages", "month=2025-01", "*.parquet"))
	if err != nil || len(files) == 0 {
		c.t.Fatalf("no files, %v", err)
	}
	for _, file := range files {
		out[filepath.Base(file)] = c.writerOf(file)
	}
	return out
}
