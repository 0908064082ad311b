package warehouse_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pipeline/load"
	"pipeline/sql/schema"
)

// parts loads one conversation again: a message with these checkpoints and attachments. It returns the tables of which
// the load says that it may have changed rows.
func parts(t *testing.T, path string, files map[string]string, attachments ...string) (tables []string) {
	t.Helper()
	ctx := context.Background()
	w := mustOpen(t, path)
	state, err := w.State(ctx)
	if err != nil {
		t.Fatal(err)
	}
	tx, err := w.Begin(ctx, load.Settings{LoadID: state.LastLoadID + 1, StartedAt: loadStart, SessionGapMs: 1000,
		GapBefore: state.SessionGapMs, WindowBefore: state.CommitWindowMs, CommitWindowMs: state.CommitWindowMs})
	if err != nil {
		t.Fatal(err)
	}
	m := message("m", ptr("text"), nil)
	m.ConversationID, m.Position = "c", ptr(int64(0))
	rows := &schema.Rows{Conversations: []schema.Conversation{{SourceID: "s", ConversationID: "c", Format: "rows"}},
		Messages: []schema.Message{m}}
	for id, text := range files {
		rows.Checkpoints = append(rows.Checkpoints,
			schema.Checkpoint{SourceID: "s", ConversationID: "c", CheckpointID: id, Files: schema.JSON(text)})
	}
	for i, path := range attachments {
		rows.Attachments = append(rows.Attachments,
			schema.Attachment{SourceID: "s", ConversationID: "c", MessageID: ptr("m"), Ordinal: int64(i), Kind: "file",
				Path: &path})
	}
	tx.Replace(schema.OwnerNamed("s", "global", "c"))
	if err := tx.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := tx.Source(load.SourceRows{Source: schema.Source{SourceID: "s", FirstSeenAt: loadStart,
		LastSeenAt: loadStart}}); err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Finish(ctx); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(ctx,
		load.Run{Load: schema.Load{LoadID: tx.ID(), StartedAt: loadStart, Status: "ok",
			Mode: "incremental"}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, row := range cells(t, path,
		`SELECT DISTINCT table_name FROM _changes WHERE load_id = (SELECT max(load_id) FROM loads) ORDER BY 1`) {
		tables = append(tables, row[0])
	}
	return tables
}

// Rows that a load writes as they are stay in their place, and it says of their table that it has not changed. Others
// are replaced, and those that are gone are marked.
func TestEqualRowsStay(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "warehouse.duckdb")
	stored := func() string {
		t.Helper()
		var lines []string
		for _, row := range slices.Concat(cells(t, path,
			`SELECT checkpoint_id, files, deleted_at IS NULL FROM checkpoints ORDER BY ALL`),
			cells(t, path, `SELECT path FROM attachments ORDER BY ordinal`)) {
			lines = append(lines, strings.Join(row, " "))
		}
		return strings.Join(lines, ", ")
	}
	parts(t, path, map[string]string{"1": `{"a":1}`, "2": `{"a":2}`}, "x", "y")
	rowid := cells(t, path, `SELECT rowid FROM checkpoints WHERE checkpoint_id = '1'`)[0][0]
	for _, step := range []struct {
		files       map[string]string
		attachments []string
		changed     []string // of the two tables
		want        string
	}{
		{map[string]string{"1": `{"a":1}`, "2": `{"a":2}`}, []string{"x", "y"}, nil,
			`1 {"a":1} true, 2 {"a":2} true, x, y`},
		{map[string]string{"1": `{"a":1}`, "2": `{"b":2}`}, []string{"x", "y"}, []string{"checkpoints"},
			`1 {"a":1} true, 2 {"b":2} true, x, y`},
		{map[string]string{"1": `{"a":1}`}, []string{"x"}, []string{"attachments", "checkpoints"},
			`1 {"a":1} true, 2 {"b":2} false, x`},
		{map[string]string{"1": `{"a":1}`}, []string{"x"}, nil, `1 {"a":1} true, 2 {"b":2} false, x`},
		{map[string]string{"1": `{"a":1}`, "2": `{"b":2}`}, []string{"z", "x"}, []string{"attachments", "checkpoints"},
			`1 {"a":1} true, 2 {"b":2} true, z, x`},
	} {
		var changed []string
		for _, table := range parts(t, path, step.files, step.attachments...) {
			if table == "attachments" || table == "checkpoints" {
				changed = append(changed, table)
			}
		}
		if got := stored(); got != step.want || !slices.Equal(changed, step.changed) {
			t.Errorf("the warehouse has %s; want %s. Changed are %v; want %v", got, step.want, changed, step.changed)
		}
	}
	if now := cells(t, path, `SELECT rowid FROM checkpoints WHERE checkpoint_id = '1'`)[0][0]; now != rowid {
		t.Errorf("a row that was never other than it is was written again: its rowid was %s and is %s", rowid, now)
	}
}
