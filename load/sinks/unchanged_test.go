package sinks_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

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

// publishChange publishes what the latest load is said to have changed since the current publication.
func (c *sinkCase) publishChange(change sinks.Change) *sinks.Published {
	c.t.Helper()
	text, err := os.ReadFile(filepath.Join(c.Dir, "current", "_manifest.json"))
	var manifest struct{ State string }
	if err = errors.Join(err, json.Unmarshal(text, &manifest)); err != nil || manifest.State == "" {
		c.t.Fatalf("%v: %s", err, text)
	}
	change.Before = manifest.State
	for _, table := range schema.Tables() {
		if table.Name != "checkpoints" { // these loads write none
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
