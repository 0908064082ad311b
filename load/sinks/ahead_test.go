package sinks_test

import (
	"cmp"
	"errors"
	"math"
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
	"pipeline/sql"
	"pipeline/sql/schema"
)

// much and little are room for files that are written ahead: for the rows of a test, and for one at a time.
var (
	much   = sinks.Room{Rows: 1 << 20, Metadata: math.MaxInt64}
	little = sinks.Room{Rows: 1, Metadata: math.MaxInt64}
)

// aheadLoad makes a first load whose rows are also written ahead.
func (c *sinkCase) aheadLoad(room sinks.Room, batches ...*schema.Rows) *sinks.Ahead {
	c.t.Helper()
	ahead := c.Target.Ahead("test", room)
	sinktest.Load(c.t, c.warehouse, 1700000000000, func(tx *warehouse.Load) {
		for _, rows := range batches {
			for _, conversation := range rows.Conversations {
				tx.Replace("s", conversation.ConversationID)
			}
			if err := tx.Write(rows); err != nil {
				c.t.Fatal(err)
			}
			ahead.Write(rows)
		}
	})
	ahead.End()
	return ahead
}

// writers tells for each published file of a table who wrote it, by month: "engine", or "ahead".
func (c *sinkCase) writers(table string) map[string]string {
	c.t.Helper()
	files, err := filepath.Glob(filepath.Join(c.Dir, "current", table+"*", "*", "*.parquet"))
	one, err2 := filepath.Glob(filepath.Join(c.Dir, "current", table+".parquet"))
	if err = errors.Join(err, err2); err != nil || len(files)+len(one) == 0 {
		c.t.Fatalf("%s: no files, %v", table, err)
	}
	out := map[string]string{}
	for _, file := range append(files, one...) {
		_, month, _ := strings.Cut(filepath.Base(filepath.Dir(file)), "month=")
		out[month] = c.writerOf(file)
	}
	return out
}

// writerOf tells who wrote a file: "engine", or "ahead".
func (c *sinkCase) writerOf(file string) string {
	c.t.Helper()
	db, conn, err := engine.Open(c.t.Context(), "", false)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = errors.Join(conn.Close(), db.Close()) }()
	var by string
	if err := conn.QueryRowContext(c.t.Context(), `SELECT created_by FROM parquet_file_metadata(?)`, file).Scan(&by); err != nil {
		c.t.Fatal(err)
	}
	if strings.HasPrefix(by, "DuckDB") {
		return "engine"
	}
	return "ahead"
}

// TestAhead: what was written beside a load is published if it has every row, and only then; each publication is that of the warehouse.
func TestAhead(t *testing.T) {
	t.Parallel()
	of := func(id, month string) *schema.Rows {
		rows := rowsOf(month, strings.Repeat(id, 100))
		rows.Conversations[0].ConversationID = id
		for i := range rows.Messages {
			rows.Messages[i].ConversationID = id
		}
		rows.ToolCalls[0].ConversationID, rows.ModelUsage = id, nil
		rows.Checkpoints = []schema.Checkpoint{{SourceID: "s", ConversationID: id, CheckpointID: id + "-c", Files: schema.JSON(`[]`)}}
		return rows
	}
	begins := func(id, month string) *schema.Rows { // not before its messages do
		rows := of(id, "never")
		at, err := time.Parse("2006-01", month)
		if err != nil {
			t.Fatal(err)
		}
		for i, source := range []string{"previous", "message"} {
			rows.Messages[i].CreatedAt, rows.Messages[i].CreatedAtSource = new(schema.Millis(at.AddDate(0, i-1, 0).UnixMilli())), &source
		}
		rows.Conversations[0].UpdatedAt = new(schema.Millis(at.AddDate(0, 1, 0).UnixMilli()))
		return rows
	}
	later := begins("e", "2025-01") // its own row alone does not tell its month
	early := &schema.Rows{Messages: later.Messages, ToolCalls: later.ToolCalls}
	later.Messages, later.ToolCalls = nil, nil
	first := begins("f", "2025-03") // a later batch has an earlier message
	before := begins("f", "2025-01")
	for i := range before.Messages {
		before.Messages[i].MessageID += "-before"
	}
	before.ToolCalls[0].CallIndex++
	before.Conversations, before.Checkpoints = nil, nil
	none := &schema.Rows{Conversations: of("d", "2025-02").Conversations}
	late := of("d", "2025-02")
	late.Conversations, late.Checkpoints = nil, nil
	for name, test := range map[string]struct {
		room    sinks.Room
		batches []*schema.Rows
		want    map[string]string
	}{
		"all of it":          {much, []*schema.Rows{of("a", "2025-01"), of("b", "2025-02"), of("c", "2025-01")}, map[string]string{"2025-01": "ahead", "2025-02": "ahead"}},
		"little memory":      {little, []*schema.Rows{of("a", "2025-01"), of("b", "2025-02"), of("c", "2025-01")}, map[string]string{"2025-01": "ahead", "2025-02": "ahead"}},
		"given up":           {sinks.Room{Rows: 1, Metadata: 1}, []*schema.Rows{of("a", "2025-01"), of("b", "2025-02"), of("c", "2025-01")}, map[string]string{"2025-01": "engine", "2025-02": "engine", "": "engine"}},
		"no start":           {much, []*schema.Rows{of("a", "2025-01"), of("b", "never")}, map[string]string{"2025-01": "ahead", "unknown": "ahead"}},
		"by a message":       {much, []*schema.Rows{of("a", "2025-01"), begins("b", "2025-03")}, map[string]string{"2025-01": "ahead", "2025-03": "ahead"}},
		"another month":      {much, []*schema.Rows{of("a", "2025-01"), of("b", "2025-02"), early, later}, map[string]string{"2025-01": "engine", "2025-02": "engine"}},
		"in several batches": {much, []*schema.Rows{of("a", "2025-01"), of("b", "2025-02"), none, late}, map[string]string{"2025-01": "ahead", "2025-02": "ahead"}},
		"begins later":       {much, []*schema.Rows{of("a", "2025-01"), of("b", "2025-03"), first, before}, map[string]string{"2025-01": "engine", "2025-03": "engine"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			c := &sinkCase{t, filepath.Join(dir, "w.duckdb"), sinks.Target{Sink: sinks.Named("parquet"), Dir: filepath.Join(dir, "out")}}
			ahead := c.aheadLoad(test.room, test.batches...)
			o := options()
			o.Ahead = ahead
			if _, err := c.Target.Publish(t.Context(), c.warehouse, o); err != nil {
				t.Fatal(err)
			}
			ahead.Remove()
			for _, table := range []string{"messages", "tool_calls"} {
				got := c.writers(table)
				for month, want := range test.want {
					if month != "" && got[month] != want {
						t.Errorf("%s of %s are from %q, want %q", table, month, got[month], want)
					}
				}
			}
			if by := c.writers("checkpoints")[""]; by != cmp.Or(test.want[""], "ahead") {
				t.Errorf("checkpoints are from %q", by)
			}
			c.wantFolders("current", "v-00000001")
			c.sound()
		})
	}
}

// TestAheadRemoved: a load that fails leaves nothing; only Parquet is written ahead.
func TestAheadRemoved(t *testing.T) {
	t.Parallel()
	parent := filepath.Join(t.TempDir(), "parent")
	dir := filepath.Join(parent, "out")
	ahead := sinks.Target{Sink: sinks.Named("parquet"), Dir: dir}.Ahead("test", little)
	ahead.Write(rowsOf("2025-01", "x"))
	ahead.End()
	ahead.Remove()
	if _, err := os.Stat(parent); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is there: %v", err)
	}
	if ahead := (sinks.Target{Sink: sinks.Named("csv"), Dir: dir}).Ahead("test", little); ahead != nil {
		t.Error("CSV is written ahead")
	}
}

// TestAheadEnds: of many rows, every file is complete before the load goes on.
func TestAheadEnds(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	ahead := sinks.Target{Sink: sinks.Named("parquet"), Dir: dir}.Ahead("test", little)
	const months = 60
	for month := range months {
		ahead.Write(rowsOf(time.Date(2020, time.Month(1+month), 1, 0, 0, 0, 0, time.UTC).Format("2006-01"), "x"))
	}
	ahead.End()
	files, err := filepath.Glob(filepath.Join(dir, "*", "messages*"))
	if err != nil || len(files) != months {
		t.Fatalf("%d files, want %d (%v)", len(files), months, err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil || !strings.HasSuffix(string(content), "PAR1") { // so a Parquet file ends
			t.Errorf("%s is not complete (%v)", filepath.Base(file), err)
		}
	}
	ahead.Remove()
}

// TestAheadTables: no model changes a table that is written ahead, unless it says which conversations it concerns.
func TestAheadTables(t *testing.T) {
	t.Parallel()
	changed := map[string]bool{}
	for _, m := range sql.Models() {
		if slices.Contains(m.Changes(), "_recalled") {
			continue
		}
		for _, table := range m.Changes() {
			changed[table] = true
		}
	}
	if !changed["conversations"] || !changed["sessions"] {
		t.Fatalf("the models change %v", changed)
	}
	ahead := sinks.Target{Sink: sinks.Named("parquet"), Dir: filepath.Join(t.TempDir(), "out")}.Ahead("test", little)
	rows := rowsOf("2025-01", "x")
	rows.Checkpoints = make([]schema.Checkpoint, 1)
	ahead.Write(rows)
	ahead.End()
	defer ahead.Remove()
	tables := ahead.Tables()
	if len(tables) != 3 {
		t.Errorf("%v are written ahead", tables)
	}
	for _, table := range tables {
		if changed[table] {
			t.Errorf("a model changes %s", table)
		}
	}
}
