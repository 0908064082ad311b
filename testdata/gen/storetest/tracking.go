package storetest

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Summary is a row of conversation_summaries in Cursor's tracking database, and what a warehouse makes of it.
type Summary struct {
	Case  string
	Cells []any    // as SQLite holds them, in the order of SummaryColumns
	Want  []string // the row of conversation_notes, in the order of NoteColumns, with NULL for NULL; nil: none
}

// SummaryColumns are the columns of conversation_summaries, and NoteColumns those of conversation_notes that are made
// of them.
var (
	SummaryColumns = []string{"conversationId", "title", "tldr", "overview", "summaryBullets", "model", "mode",
		"updatedAt"}
	NoteColumns = []string{"conversation_id", "title", "tldr", "overview", "bullets", "model", "mode", "updated_at"}
)

// null is what Want has for NULL.
const null = "NULL"

// Summaries are one of each kind. The first is about the conversation with that id.
func Summaries(id string) []Summary {
	plain := func(name, id string) Summary {
		return Summary{name, []any{id, "Title", "Short.", "Long.", `["a"]`, "gpt-5", "agent", int64(1760000000000)},
			[]string{id, "Title", "Short.", "Long.", `["a"]`, "gpt-5", "agent", "1760000000000"}}
	}
	with := func(name string, column int, cell any, want string) Summary {
		s := plain(name, "note-"+strings.ReplaceAll(name, " ", "-"))
		s.Cells[column], s.Want[column] = cell, want
		return s
	}
	bullets := func(name string, cell any, want string) Summary { return with(name, 4, cell, want) }
	return []Summary{
		{"all columns", []any{id, "Fix the login", "The login works.", "It failed\nfor é.", `["one", {"two": 2}]`,
			"claude-4.5-sonnet", "plan", int64(1760000123456)},
			[]string{id, "Fix the login", "The login works.", "It failed\nfor é.", `["one", {"two": 2}]`,
				"claude-4.5-sonnet", "plan", "1760000123456"}},
		plain("a task", "task-0c5e"),
		{"only what must be there", []any{"note-bare", nil, nil, nil, nil, nil, nil, int64(1760000000000)},
			[]string{"note-bare", null, null, null, null, null, null, "1760000000000"}},
		{"empty texts", []any{"note-empty", "", "", "", "", "", "", int64(1760000000000)},
			[]string{"note-empty", null, null, null, null, "auto", null, "1760000000000"}},
		{"no UTF-8", []any{"note-bytes", "caf\xe9 \xff!", "\xc3", "a\xf0\x9f", "[\"\xff\"]", "gpt\xff", "agent\xff",
			int64(1760000000000)},
			[]string{"note-bytes", "caf\ufffd \ufffd!", "\ufffd", "a\ufffd", "[\"\ufffd\"]", "gpt\ufffd", "agent\ufffd",
				"1760000000000"}},
		with("a NUL", 1, "a\x00b", "a\u2400b"),
		with("a blob", 1, []byte("Title"), null),
		with("the default model", 5, "default", "auto"),
		with("a mode in capitals", 6, "Agent", "agent"),
		with("an impossible time", 7, int64(7), null),
		with("a time as text", 7, "2025-10-09T08:53:20Z", "1760000000000"),
		bullets("plain text", "- one\n- \"two\"", `"- one\n- \"two\""`),
		bullets("broken JSON", `["one"`, `"[\"one\""`),
		bullets("no bullets", `[]`, `[]`),
		bullets("a JSON null", `null`, null),
		bullets("a JSON text", `"one"`, `"one"`),
		bullets("an object", `{"points":["one"]}`, `{"points":["one"]}`),
		bullets("bullets of one NULL", nil, null),
		{"no conversation", []any{nil, "Title", nil, nil, nil, nil, nil, int64(1760000000000)}, nil},
		{"an empty id", []any{"", "Title", nil, nil, nil, nil, nil, int64(1760000000000)}, nil},
	}
}

// Row is the row of conversation_notes as one text, or "" if there is none. The columns that the store lacks are NULL
// in it.
func (s Summary) Row(lacks ...string) string {
	if s.Want == nil {
		return ""
	}
	row := slices.Clone(s.Want)
	for i, name := range SummaryColumns {
		if slices.Contains(lacks, name) {
			row[i] = null
		}
	}
	return strings.Join(row, " | ")
}

// summaryTable is the table as Cursor makes it.
const summaryTable = `CREATE TABLE conversation_summaries (conversationId TEXT PRIMARY KEY, title TEXT, tldr TEXT, overview TEXT, summaryBullets TEXT,
	model TEXT, mode TEXT, updatedAt INTEGER NOT NULL)`

// WriteSummaries makes the table conversation_summaries in a tracking database, without the columns that it lacks, and
// fills it. The file is made if it is not there.
func WriteSummaries(path string, summaries []Summary, lacks ...string) (err error) {
	db, err := sql.Open("sqlite", fileURI(path))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err := db.Exec(summaryTable); err != nil {
		return err
	}
	for _, s := range summaries {
		marks := strings.Repeat(", ?", len(s.Cells))[2:]
		if _, err := db.Exec("INSERT INTO conversation_summaries VALUES ("+marks+")", s.Cells...); err != nil {
			return fmt.Errorf("%s: %w", s.Case, err)
		}
	}
	for _, name := range lacks {
		if _, err := db.Exec("ALTER TABLE conversation_summaries DROP COLUMN " + name); err != nil {
			return err
		}
	}
	return nil
}
