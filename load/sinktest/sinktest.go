// Package sinktest tests the promises of a warehouse to the packages that load into it: all or nothing, replaced rows,
// deleted rows that are kept, and what is remembered.
package sinktest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pipeline/load"
	"pipeline/load/warehouse"
	"pipeline/sql/schema"
)

// A Store is a place for one warehouse. It is empty at first.
type Store struct {
	// Open opens the warehouse, as each run does. It is called again only when the warehouse was closed.
	Open func(ctx context.Context) (*warehouse.Warehouse, error)
	// Query runs one query on what would be left if every process died now, and returns its cells as reader.Text writes
	// them. It returns nil if no load was ever committed. It may be called during a load.
	Query func(t *testing.T, query string) [][]string
}

// Run runs the tests, each with a warehouse in a place that fresh makes.
func Run(t *testing.T, fresh func(t *testing.T) Store) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, Store)
	}{
		{"first load", testFirstLoad},
		{"rollback of a first load", testFirstRollback},
		{"rollback", testRollback},
		{"close without an end", testClose},
		{"cancelled commit", testCancelled},
		{"one load at a time", testOneAtATime},
		{"replace", testReplace},
		{"gone and back", testGoneAndBack},
		{"other parts", testOtherParts},
		{"deleted conversation", testDeletedConversation},
		{"lost head", testLostHead},
		{"nothing known, nothing written", testUnknown},
		{"memory", testMemory},
		{"quarantine of a conversation", testQuarantine},
		{"quarantine of a source", testSourceQuarantine},
		{"quarantine twice in a load", testQuarantineTwice},
		{"source rows", testSource},
		{"shared rows are remembered", testDocuments},
		{"outcome", testOutcome},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.run(t, fresh(t))
		})
	}
}

const (
	source = "0123456789ab"
	gap    = 30 * 60 * 1000
	start  = schema.Millis(1700000000000) // 2023-11-14 22:13:20
	hour   = 60 * 60 * 1000
)

// startOf returns the start of a load.
func startOf(loadID int64) schema.Millis { return start + schema.Millis(loadID)*24*hour }

// These are the starts of the first loads, as text.
const (
	first  = "2023-11-15 22:13:20Z"
	second = "2023-11-16 22:13:20Z"
	third  = "2023-11-17 22:13:20Z"
)

// begin opens the warehouse and begins the next load. Both are closed at the end of the test, if not before.
func begin(t *testing.T, s Store) (*warehouse.Warehouse, *warehouse.Load, int64) {
	t.Helper()
	w, err := s.Open(t.Context())
	if err != nil {
		t.Fatal("open:", err)
	}
	t.Cleanup(func() { _ = w.Close() })
	state, err := w.State(t.Context())
	if err != nil {
		t.Fatal("state:", err)
	}
	tx, id := beginNext(t, w, state)
	return w, tx, id
}

func beginNext(t *testing.T, w *warehouse.Warehouse, state *load.State) (*warehouse.Load, int64) {
	t.Helper()
	id := state.LastLoadID + 1
	tx, err := w.Begin(t.Context(), load.Settings{LoadID: id, StartedAt: startOf(id), SessionGapMs: gap})
	if err != nil {
		t.Fatal("begin:", err)
	}
	t.Cleanup(func() { _ = tx.Rollback() })
	return tx, id
}

// commit finishes and commits a load and closes the warehouse.
func commit(t *testing.T, w *warehouse.Warehouse, tx *warehouse.Load, id int64) load.Outcome {
	t.Helper()
	out := finish(t, tx)
	if err := tx.Commit(t.Context(), runOf(id)); err != nil {
		t.Fatal("commit:", err)
	}
	closeWarehouse(t, w)
	return out
}

func finish(t *testing.T, tx *warehouse.Load) load.Outcome {
	t.Helper()
	out, err := tx.Finish(t.Context())
	if err != nil {
		t.Fatal("finish:", err)
	}
	for _, f := range out.Failures {
		t.Errorf("check %s: %s", f.Check, f.First)
	}
	return out
}

func closeWarehouse(t *testing.T, w *warehouse.Warehouse) {
	t.Helper()
	if err := w.Close(); err != nil {
		t.Fatal("close:", err)
	}
}

// runOf returns the row in which a load describes itself.
func runOf(id int64) load.Run {
	mode := "incremental"
	if id == 1 {
		mode = "first"
	}
	finished := startOf(id) + 1000
	return load.Run{Load: schema.Load{LoadID: id, StartedAt: startOf(id), FinishedAt: &finished, Status: "ok",
		Mode: mode, ToolVersion: "test", SchemaVersion: schema.Version}}
}

// run runs a complete load: the source's row, the rows that fill writes, the commit.
func run(t *testing.T, s Store, fill func(tx *warehouse.Load)) load.Outcome {
	t.Helper()
	w, tx, id := begin(t, s)
	writeSource(t, tx, id, load.SourceRows{})
	fill(tx)
	return commit(t, w, tx, id)
}

// Load runs one complete load into the warehouse at a path, and closes the warehouse. It commits even if checks fail.
func Load(t *testing.T, path string, startedAt schema.Millis, fill func(tx *warehouse.Load)) {
	t.Helper()
	w, err := warehouse.Open(t.Context(), path)
	if err != nil {
		t.Fatal("open:", err)
	}
	defer func() {
		if err := w.Close(); err != nil {
			t.Error("close:", err)
		}
	}()
	state, err := w.State(t.Context())
	if err != nil {
		t.Fatal("state:", err)
	}
	id := state.LastLoadID + 1
	tx, err := w.Begin(t.Context(), load.Settings{LoadID: id, StartedAt: startedAt, SessionGapMs: 1000})
	if err != nil {
		t.Fatal("begin:", err)
	}
	defer func() { _ = tx.Rollback() }()
	if fill != nil {
		fill(tx)
	}
	if _, err := tx.Finish(t.Context()); err != nil {
		t.Fatal("finish:", err)
	}
	if err := tx.Commit(t.Context(),
		load.Run{Load: schema.Load{LoadID: id, StartedAt: startedAt, Status: "ok", Mode: "first",
			SchemaVersion: schema.Version}}); err != nil {
		t.Fatal("commit:", err)
	}
}

// writeSource writes the rows of the source, with its own row and what the load saw of its store.
func writeSource(t *testing.T, tx *warehouse.Load, id int64, rows load.SourceRows) {
	t.Helper()
	rows.Source = schema.Source{SourceID: source, UserDir: "/user", Host: "host", OS: "linux", App: "Cursor",
		FirstSeenAt: startOf(id), LastSeenAt: startOf(id)}
	if err := tx.Source(rows); err != nil {
		t.Fatal("source:", err)
	}
	err := tx.Stores([]schema.LoadStore{{LoadID: id, SourceID: source, Store: "global", Path: "/store",
		IsComplete: true}},
		[]schema.KeyFamily{{LoadID: id, SourceID: source, Store: "global", Family: "bubbleId", Handling: "loaded"}})
	if err != nil {
		t.Fatal("stores:", err)
	}
}

// conversation makes a conversation with messages m0, m1, ... that have the given texts. If a text is empty, its
// message is missing. The rows pass the checks.
func conversation(id string, texts ...string) *schema.Rows {
	created := start
	rows := &schema.Rows{Conversations: []schema.Conversation{{
		SourceID: source, ConversationID: id, Title: ptr("title of " + id), Format: "rows", Status: ptr("completed"),
		HeaderCount: int64(len(texts)), CreatedAt: &created,
	}}}
	for i, text := range texts {
		if text == "" {
			rows.Conversations[0].MissingMessageCount++
			continue
		}
		at := start + schema.Millis(i)*60*1000
		rows.Messages = append(rows.Messages, schema.Message{
			SourceID: source, ConversationID: id, MessageID: fmt.Sprintf("m%d", i),
			Position: ptr(int64(len(rows.Messages))), IsListed: true, Turn: ptr(int64(len(rows.Messages) + 1)),
			Role: "user", Kind: "text", Text: ptr(text), CreatedAt: &at, CreatedAtSource: ptr("message"),
		})
	}
	return rows
}

// withCall makes the message with that id a tool call.
func withCall(rows *schema.Rows, message string) *schema.Rows {
	i := slices.IndexFunc(rows.Messages, func(m schema.Message) bool { return m.MessageID == message })
	m := &rows.Messages[i]
	m.Kind = "tool_call"
	rows.ToolCalls = append(rows.ToolCalls, schema.ToolCall{
		SourceID: source, ConversationID: m.ConversationID, MessageID: message, Position: m.Position,
		ToolNumber: ptr(int64(15)), Tool: ptr("run_terminal_command"), ToolKind: "shell", Name: ptr("run_terminal_cmd"),
		Params: schema.JSON(`{"command":"ls"}`), Status: ptr("completed"), Outcome: ptr("ok"), IsError: ptr(false),
	})
	return rows
}

func withAttachment(rows *schema.Rows, message *string, ordinal int64, path string) *schema.Rows {
	rows.Attachments = append(rows.Attachments, schema.Attachment{
		SourceID: source, ConversationID: rows.Conversations[0].ConversationID, MessageID: message, Ordinal: ordinal,
		Kind: "file", Path: &path, Detail: schema.JSON(`{}`),
	})
	return rows
}

// put announces a conversation, writes its rows and remembers it.
func put(t *testing.T, tx *warehouse.Load, id string, rows *schema.Rows) {
	t.Helper()
	tx.Replace(keyOf(id))
	tx.Remember(known(id, "hash of "+id))
	write(t, tx, rows)
}

// gone announces a conversation that is gone from the store.
func gone(tx *warehouse.Load, id string) {
	tx.Replace(keyOf(id))
	tx.Forget(keyOf(id))
}

func known(id, hash string) schema.Owner {
	return schema.Owner{SourceID: source, Store: "global", Kind: schema.KindConversation, ID: id, ContentHash: hash,
		TransformVersion: 1, LoadID: 1}
}

func write(t *testing.T, tx *warehouse.Load, rows *schema.Rows) {
	t.Helper()
	if n := int64(len(rows.Messages)); n > 0 {
		rows.Elements = []schema.LoadElement{{SourceID: source, Family: "bubbleId", Seen: n, Rows: n}}
	}
	if err := tx.Write(rows); err != nil {
		t.Fatal("write:", err)
	}
}

func ptr[T any](v T) *T { return &v }

// expect compares a query's rows, cells joined by " | ", with want.
func expect(t *testing.T, s Store, query string, want ...string) {
	t.Helper()
	var got []string
	for _, row := range s.Query(t, query) {
		got = append(got, strings.Join(row, " | "))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s\n got %q\nwant %q", query, got, want)
	}
}

// stateOf opens the warehouse and returns its state.
func stateOf(t *testing.T, s Store) *load.State {
	t.Helper()
	w, err := s.Open(t.Context())
	if err != nil {
		t.Fatal("open:", err)
	}
	defer closeWarehouse(t, w)
	state, err := w.State(t.Context())
	if err != nil {
		t.Fatal("state:", err)
	}
	return state
}

const (
	messages      = `SELECT conversation_id, message_id, text, "position", deleted_at FROM messages ORDER BY conversation_id, message_id`
	conversations = `SELECT conversation_id, title, status, first_seen_at, changed_at, deleted_at FROM conversations ORDER BY conversation_id`
	quarantine    = `SELECT "key", value_hash, load_id, resolved_load_id FROM quarantine ORDER BY "key", value_hash`
)
