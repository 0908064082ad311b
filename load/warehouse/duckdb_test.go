package warehouse_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pipeline/load"
	"pipeline/load/warehouse"
	"pipeline/sql/schema"
)

// message is a row whose text and extra matter.
func message(id string, text *string, extra schema.JSON) schema.Message {
	return schema.Message{SourceID: "s", ConversationID: "c", MessageID: id, Role: "user", Kind: "text", Text: text,
		Extra: extra}
}

// TestDriverTraps writes every value that the driver or the engine is known to spoil, in one load, and reads them back.
func TestDriverTraps(t *testing.T) {
	t.Parallel()
	nested := strings.Repeat("[", 10000) + strings.Repeat("]", 10000)
	big := strings.Repeat("0123456789abcdef", 1<<16)
	texts := []struct{ name, in, want string }{
		{"plain", "привет 世界 🙂", "привет 世界 🙂"},
		{"nul inside", "before\x00after", "before\u2400after"},
		{"nul first", "\x00after", "\u2400after"},
		{"only nul", "\x00", "\u2400"},
		{"invalid", "a\xffb", "a\ufffdb"},
		{"cut rune", "a\xe4\xb8", "a\ufffd"},
		{"surrogate bytes", "a\xed\xa0\x80b", "a\ufffdb"},
		{"both", "\xff\x00", "\ufffd\u2400"},
		{"white space", " \t\r\n ", " \t\r\n "},
		{"quotes", `'"\;--`, `'"\;--`},
		{"1 MB", big, big},
		{"empty", "", ""},
	}
	jsons := []struct{ name, in, want string }{
		// want "": as it was written. A schema.JSON is valid JSON: no other text comes here (TestJSONColumns)
		{"object", `{"a":1,"b":"x"}`, ""},
		{"spaces", "{ \"a\" :\t1,\n  \"b\":[ ] }", ""},
		{"order and duplicates", `{"b":1,"a":2,"b":3}`, ""},
		{"markup", `{"a":"<b>&amp;</b>"}`, ""},
		{"escapes", `{"a":"\u003c\u00e9\/\ud83d\ude42"}`, ""},
		{"string", `"a string"`, ""},
		{"string of JSON", `"{\"a\":1}"`, ""},
		{"number", `12345678901234567890`, ""},
		{"fraction", `1.10`, ""},
		{"null", `null`, ""},
		{"unicode", `{"a":"世界🙂"}`, ""},
		{"huge number", `{"a":1e999}`, ""},
		{"tiny number", `{"a":-1e-999}`, ""},
		{"long number", `{"a":` + strings.Repeat("9", 400) + `}`, ""},
		{"10,000 nesting", nested, ""},
		{"1 MB", `{"a":"` + big + `"}`, ""},
		{"raw nul", "\"a\x00b\"", "\"a\u2400b\""},
		{"invalid UTF-8", "{\"a\":\"\xff\"}", "{\"a\":\"\ufffd\"}"},
	}
	path := filepath.Join(t.TempDir(), "warehouse.duckdb")
	mustLoad(t, path, func(tx *warehouse.Load) {
		rows := &schema.Rows{}
		for i, test := range texts {
			rows.Messages = append(rows.Messages, message(fmt.Sprintf("t%02d", i), ptr(test.in), nil))
		}
		for i, test := range jsons {
			rows.Messages = append(rows.Messages, message(fmt.Sprintf("j%02d", i), nil, schema.JSON(test.in)))
		}
		if err := tx.Write(rows); err != nil {
			t.Fatal(err)
		}
	})
	got := cells(t, path, `SELECT text FROM messages WHERE message_id LIKE 't%' ORDER BY message_id`)
	if len(got) != len(texts) {
		t.Fatalf("%d texts of %d", len(got), len(texts))
	}
	for i, test := range texts {
		if got[i][0] != test.want {
			t.Errorf("text %s: %s, want %s", test.name, short(got[i][0]), short(test.want))
		}
	}
	got = cells(t, path, `SELECT CAST(extra AS VARCHAR) FROM messages WHERE message_id LIKE 'j%' ORDER BY message_id`)
	if len(got) != len(jsons) {
		t.Fatalf("%d documents of %d", len(got), len(jsons))
	}
	for i, test := range jsons {
		if test.want == "" {
			test.want = test.in
		}
		if got[i][0] != test.want {
			t.Errorf("JSON %s: %s, want %s", test.name, short(got[i][0]), short(test.want))
		}
		if !json.Valid([]byte(got[i][0])) && test.name != "10,000 nesting" { // encoding/json stops at 10,000 itself
			t.Errorf("JSON %s: not valid: %s", test.name, short(got[i][0]))
		}
	}
	if n := cells(t, path,
		`SELECT count(*) FROM messages WHERE extra IS NULL AND message_id LIKE 't%'`); n[0][0] != fmt.Sprint(
		len(texts)) {
		t.Errorf("nil JSON is NULL in %s rows of %d", n[0][0], len(texts))
	}
	if v := cells(t, path,
		`SELECT json_type(extra), extra->>'a' FROM messages WHERE message_id = 'j00'`); !slices.Equal(v[0],
		[]string{"OBJECT", "1"}) {
		t.Errorf("an object is read as %v", v)
	}
}

func short(s string) string {
	if len(s) > 100 {
		return fmt.Sprintf("%q... (%d bytes)", s[:100], len(s))
	}
	return fmt.Sprintf("%q", s)
}

// A nil pointer is NULL, whatever it points to; a pointer to a zero value is that value.
func TestNulls(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "warehouse.duckdb")
	zero := schema.Millis(0)
	mustLoad(t, path, func(tx *warehouse.Load) {
		err := tx.Write(&schema.Rows{Conversations: []schema.Conversation{
			{SourceID: "s", ConversationID: "c0", Format: "rows"},
			{SourceID: "s", ConversationID: "c1", Format: "rows", Title: ptr(""), CreatedAt: &zero, IsDraft: ptr(false),
				CostCents: ptr(0.0), LinesAdded: ptr(int64(0))},
		}})
		if err != nil {
			t.Fatal(err)
		}
	})
	got := cells(t, path,
		`SELECT title, created_at, is_draft, cost_cents, lines_added FROM conversations ORDER BY conversation_id`)
	want := [][]string{{"NULL", "NULL", "NULL", "NULL", "NULL"}, {"", "1970-01-01 00:00:00Z", "false", "0", "0"}}
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Times come back as UTC to the millisecond, in any time zone; days as days; numbers as they are.
func TestTimesAndNumbers(t *testing.T) {
	t.Parallel()
	times := []struct {
		ms   schema.Millis
		text string // in UTC
	}{
		{1700000000123, "2023-11-14 22:13:20.123"}, {1, "1970-01-01 00:00:00.001"}, {-1, "1969-12-31 23:59:59.999"},
		{1711846800000, "2024-03-31 01:00:00"}, // the hour that Berlin skipped
		{4102444799999, "2099-12-31 23:59:59.999"},
	}
	path := filepath.Join(t.TempDir(), "warehouse.duckdb")
	mustLoad(t, path, func(tx *warehouse.Load) {
		rows := &schema.Rows{}
		for i, test := range times {
			m := message(fmt.Sprint("m", i), nil, nil)
			m.CreatedAt = &test.ms
			rows.Messages = append(rows.Messages, m)
		}
		usage := schema.ModelUsage{SourceID: "s", ConversationID: "c", Model: "m", CostCents: ptr(0.1),
			Requests: ptr(int64(1<<63 - 1))}
		rows.ModelUsage = append(rows.ModelUsage, usage)
		if err := tx.Write(rows); err != nil {
			t.Fatal(err)
		}
		if err := tx.Source(load.SourceRows{DailyStats: []schema.DailyEditStats{{SourceID: "s", Date: "2024-02-29"},
			{SourceID: "s", Date: "0001-01-01"}}}); err != nil {
			t.Fatal(err)
		}
	})
	got := cells(t, path,
		`SELECT epoch_ms(created_at), CAST(created_at AT TIME ZONE 'UTC' AS VARCHAR), typeof(created_at), created_at FROM messages ORDER BY message_id`)
	for i, test := range times {
		want := []string{fmt.Sprint(int64(test.ms)), test.text, "TIMESTAMP WITH TIME ZONE",
			time.UnixMilli(int64(test.ms)).UTC().Format("2006-01-02 15:04:05.999Z")}
		if !slices.Equal(got[i], want) {
			t.Errorf("time %d: %q, want %q", test.ms, got[i], want)
		}
	}
	if v := cells(t, path, `SELECT CAST(date AS VARCHAR), typeof(date) FROM daily_edit_stats ORDER BY 1`); fmt.Sprint(
		v) != "[[0001-01-01 DATE] [2024-02-29 DATE]]" {
		t.Errorf("dates: %v", v)
	}
	if v := cells(t, path,
		`SELECT CAST(cost_cents AS VARCHAR), CAST(requests AS VARCHAR) FROM model_usage`); fmt.Sprint(v) != "[[0.1 "+
		"9223372036854775807]]" {
		t.Errorf("numbers: %v", v)
	}
}

// Batches that were flushed before the rollback go with it.
func TestFlushedBatchesRollBack(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "warehouse.duckdb")
	mustLoad(t, path, nil)
	w, err := warehouse.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	tx, err := w.Begin(t.Context(), load.Settings{LoadID: 2, StartedAt: loadStart, SessionGapMs: 1000})
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("x", 4<<20)
	for i := range 10 { // 40 MB: more than one batch
		if err := tx.Write(&schema.Rows{Messages: []schema.Message{message(fmt.Sprint("m", i), &text, nil)}}); err !=
			nil {
			t.Fatal(err)
		}
	}
	if _, err := tx.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if n := cells(t, path, `SELECT (SELECT count(*) FROM messages), (SELECT max(load_id) FROM loads)`); fmt.Sprint(
		n) != "[[0 1]]" {
		t.Errorf("messages and last load after a rollback: %v", n)
	}
}

// A batch in which one row holds invalid UTF-8 is whole.
func TestInvalidRowKeepsItsBatch(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "warehouse.duckdb")
	mustLoad(t, path, func(tx *warehouse.Load) {
		rows := &schema.Rows{}
		for i := range 3000 {
			text := "text"
			if i == 2500 {
				text = "\xff\xfe"
			}
			rows.Messages = append(rows.Messages, message(fmt.Sprint("m", i), &text, nil))
		}
		if err := tx.Write(rows); err != nil {
			t.Fatal(err)
		}
	})
	if n := cells(t, path, `SELECT count(*), count(*) FILTER (text = 'text') FROM messages`); fmt.Sprint(
		n) != "[[3000 2999]]" {
		t.Errorf("rows: %v", n)
	}
}

// Every table and column is described in the file itself, as the declaration has it.
func TestComments(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "warehouse.duckdb")
	mustLoad(t, path, nil)
	got := map[string]string{}
	for _, row := range cells(t, path,
		`SELECT table_name || '.' || column_name, data_type, "comment" FROM duckdb_columns() WHERE NOT internal AND schema_name IN ('main', 'internal')
		UNION ALL SELECT table_name, '', "comment" FROM duckdb_tables()`) {
		got[row[0]] = row[1] + ": " + row[2]
	}
	types := map[string]string{"TIMESTAMPTZ": "TIMESTAMP WITH TIME ZONE"}
	for _, table := range schema.Tables() {
		if want := ": " + table.Comment(); got[table.Name] != want {
			t.Errorf("table %s: %q, want %q", table.Name, got[table.Name], want)
		}
		for _, c := range table.Columns {
			kind := c.Type
			if types[kind] != "" {
				kind = types[kind]
			}
			name := table.Name + "." + c.Name
			if want := kind + ": " + table.ColumnComment(c); c.Doc == "" || got[name] != want {
				t.Errorf("column %s: %q, want %q", name, got[name], want)
			}
		}
	}
}

// TestEverythingIsExplained: a new warehouse explains each schema's tables, views, their columns and the macros. One
// that statements make has the same comments (TestTemplate).
func TestEverythingIsExplained(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "warehouse.duckdb")
	mustLoad(t, path, nil)
	explained := cells(t, path, `WITH things AS (
			SELECT 'column' AS kind, schema_name || '.' || table_name || '.' || column_name AS name, comment FROM duckdb_columns() WHERE NOT internal AND database_name = current_database()
			UNION ALL SELECT 'table', schema_name || '.' || table_name, comment FROM duckdb_tables() WHERE NOT internal AND database_name = current_database()
			UNION ALL SELECT 'view', schema_name || '.' || view_name, comment FROM duckdb_views() WHERE NOT internal AND database_name = current_database()
			UNION ALL SELECT 'macro', function_name, comment FROM duckdb_functions() WHERE NOT internal AND database_name = current_database()
		) SELECT kind, count(*), coalesce(string_agg(name, ', ' ORDER BY name) FILTER (WHERE coalesce(comment, '') = ''), '') FROM things GROUP BY kind ORDER BY kind`)
	if len(explained) != 4 {
		t.Fatal(explained)
	}
	for _, row := range explained {
		if row[2] != "" {
			t.Errorf("no comment explains each %s (%s): %s. The columns of views are explained in "+
				"sql/glossary.txt", row[0], row[1], row[2])
		}
	}
	for column, want := range map[string]string{
		"answers.tool_usage.calls": "Tool calls, failed ones among them.",
		"answers.context_pressure.title": "Title of the conversation for people: the one that Cursor " +
			"shows, else the first words of the user (conversations.display_title).",
		"main.live_conversations.title": "Title that Cursor shows.", // as in the table
		"main.live_conversations.conversation_id": "The composer's id (from the row's key), or the chat tab's. " +
			"With source_id the key of conversations.",
		"main.timeline.exit_code": "Exit code of a shell command, from its result; NULL where " +
			"it is not recorded.",
		"report.billed.cost_cents": "What Cursor counted, in US cents: what it is worth, " +
			"whether paid or included. NULL where no cost is recorded; estimates are not in it.",
		"answers.discarded_branches.fork_of": "Conversation that this one is a fork of: the one that " +
			"started first of those that have its first repeated message (messages.is_repeat); NULL for one that " +
			"is no fork. With source_id the key of conversations.",
		"report.tables.live": "Rows that are neither deleted nor orphaned.",
		"answers.storage_by_conversation.kept_bytes": "Bytes of all versions that the raw layer keeps, as Cursor " +
			"stored them, before compression.",
	} {
		if got := cells(t, path,
			`SELECT comment FROM duckdb_columns() WHERE schema_name || '.' || table_name || '.' || column_name = '`+
				column+`'`); fmt.Sprint(got) != "[["+want+"]]" {
			t.Errorf("%s: %v, want %q", column, got, want)
		}
	}
}
