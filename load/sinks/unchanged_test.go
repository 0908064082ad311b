package sinks_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pipeline/load/engine"
	"pipeline/load/sinks"
	"pipeline/load/sinktest"
	"pipeline/load/warehouse"
	"pipeline/sql/schema"
)

// began loads conversations with a text, and with the months in which they began.
func (c *sinkCase) began(text string, months map[string]string) {
	c.t.Helper()
	const at = schema.Millis(1700000000000)
	sinktest.Load(c.t, c.warehouse, at, func(tx *warehouse.Load) {
		for id, month := range months {
			rows := rowsOf(month, text)
			rows.Conversations[0].ConversationID = id
			for i := range rows.Messages {
				rows.Messages[i].ConversationID, rows.Messages[i].MessageID = id, fmt.Sprint(id, i)
			}
			rows.ToolCalls, rows.ModelUsage = nil, nil
			tx.Replace("s", id)
			if err := tx.Write(rows); err != nil {
				c.t.Fatal(err)
			}
		}
	})
}

// publishChange publishes what the latest load is said to have changed since the current publication; it may have changed every table if change names none.
func (c *sinkCase) publishChange(change sinks.Change) *sinks.Published {
	c.t.Helper()
	text, err := os.ReadFile(filepath.Join(c.Dir, "current", "_manifest.json"))
	var manifest struct{ State string }
	if err = errors.Join(err, json.Unmarshal(text, &manifest)); err != nil || manifest.State == "" {
		c.t.Fatalf("%v: %s", err, text)
	}
	change.Before = manifest.State
	all := change.Tables == nil
	for _, table := range schema.Tables() {
		if all && table.Name != "checkpoints" { // these loads write none
			change.Tables = append(change.Tables, table.Name)
		}
	}
	o := options()
	o.Change = &change
	p, err := c.Target.Publish(c.t.Context(), c.warehouse, o)
	if err != nil {
		c.t.Fatal(err)
	}
	return p
}

// TestChange: of what a load did not change the files are linked, and whatever a load changed is published.
func TestChange(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		then   map[string]string // the months of the conversations that the second load replaces
		change sinks.Change
		linked map[string]bool // months whose messages stay the same file
	}{
		"one of them":                          {map[string]string{"b": "2025-02"}, sinks.Change{Conversations: []string{"b"}}, map[string]bool{"2025-01": true, "2025-02": false, "unknown": true}},
		"a new one":                            {map[string]string{"e": "2025-01"}, sinks.Change{Conversations: []string{"e"}}, map[string]bool{"2025-01": false, "2025-02": true, "unknown": true}},
		"to another month":                     {map[string]string{"a": "2025-02"}, sinks.Change{Conversations: []string{"a"}}, map[string]bool{"2025-02": false, "unknown": true}},
		"two change places, and are not named": {map[string]string{"a": "2025-02", "b": "2025-01"}, sinks.Change{}, map[string]bool{"2025-01": false, "2025-02": false, "unknown": true}},
		"one without a month":                  {map[string]string{"c": "never"}, sinks.Change{Conversations: []string{"c"}}, map[string]bool{"2025-01": true, "2025-02": true, "unknown": false}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			c := &sinkCase{t, filepath.Join(dir, "w.duckdb"), sinks.Target{Sink: sinks.Named("parquet"), Dir: filepath.Join(dir, "out")}}
			c.began("x", map[string]string{"a": "2025-01", "b": "2025-02", "c": "never"})
			c.publish(1)
			c.began("y", test.then)
			c.publishChange(test.change)
			for month, want := range test.linked {
				one, err := os.Stat(c.path("v-00000001", "messages", month))
				other, err2 := os.Stat(c.path("current", "messages", month))
				if err = errors.Join(err, err2); err != nil || os.SameFile(one, other) != want {
					t.Errorf("%s: %v; linked is wanted %t", month, err, want)
				}
			}
			for table, want := range map[string]bool{"checkpoints": true, "conversations": false} {
				one, err := os.Stat(filepath.Join(c.Dir, "v-00000001", table+".parquet"))
				other, err2 := os.Stat(filepath.Join(c.Dir, "current", table+".parquet"))
				if err = errors.Join(err, err2); err != nil || os.SameFile(one, other) != want {
					t.Errorf("%s: %v; linked is wanted %t", table, err, want)
				}
			}
			c.sound()
			c.loads(map[string]string{"2025-09": "z"}) // nobody says what this one changes
			if p := c.publish(3); p.Written == p.Files {
				t.Errorf("nothing is linked: %+v", p)
			}
			c.sound()
		})
	}
}

// Where a load changes no row of a conversation, the files of months and of live rows stay the same; a damaged one is written again. Where a conversation becomes
// another's copy, only live rows change.
func testStands(t *testing.T, c *sinkCase) {
	c.tells(told{"s", "a", "2025-01", "x", "", 2}, told{"s", "o", "2025-01", "x", "orphaned", 2}, told{"s", inTwo, "2025-02", "x", "", 2}, told{"t", inTwo, "2025-03", "x", "", 2})
	c.publish(1)
	c.tells()
	if p := c.publishChange(sinks.Change{Tables: []string{"loads"}}); p.LoadID != 2 || p.Written > 2 { // the loads, and tables that no load before had said to keep
		t.Errorf("after a load that changed nothing: %+v", p)
	}
	counts := map[string]int64{"conversations": 2, "messages": 4, "tool_calls": 2}
	c.wantLive(counts)
	c.sound()

	damaged := []string{c.path("current", "messages", "2025-01"), c.path("current/live", "tool_calls", "2025-01")}
	for _, path := range damaged {
		if err := os.Truncate(path, 20); err != nil {
			t.Fatal(err)
		}
	}
	c.tells()
	c.publishChange(sinks.Change{Tables: []string{"loads"}})
	for _, path := range damaged {
		now := strings.Replace(path, "current", "v-00000003", 1)
		if c.isOne(now, strings.Replace(path, "current", "v-00000002", 1)) {
			t.Errorf("%s is the damaged file", now)
		}
	}
	c.wantLive(counts)
	c.sound()

	own := func(month string) bool { // the month has live rows of its own: it is no link to all rows
		return !c.isOne(c.path("current", "messages", month), c.path("current/live", "messages", month))
	}
	before := own("2025-02")
	c.tells()
	engineDo(t, c.warehouse, `UPDATE conversation_copies SET is_primary = NOT is_primary`)
	c.publishChange(sinks.Change{Tables: []string{"loads", "conversation_copies"}})
	c.wantLive(counts)
	if own("2025-02") == before || own("2025-03") != before || !c.isOne(c.path("current", "messages", "2025-02"), c.path("v-00000003", "messages", "2025-02")) {
		t.Errorf("the other copy is live now, and rows stay as they are: own files of live rows in 2025-02 before %t, now %t, in 2025-03 %t", before, own("2025-02"), own("2025-03"))
	}
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
