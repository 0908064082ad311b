package main

import (
	"strings"
	"testing"

	"pipeline/testdata/gen/storetest"
)

const (
	cursorTable = "CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)"
	putRows     = `INSERT INTO cursorDiskKV (key, value) VALUES ('composerData:c', '{"name":"C","fullConversationHeadersOnly":[{"bubbleId":"b"}]}'), ('bubbleId:c:b', '{"type":1,"text":"hi"}')`
)

// drifts are other forms that a store's tables may take; warns is what a run says of it.
var drifts = []struct {
	name, warns string
	ddl         []string // makes the tables
}{
	{"as today", "", []string{cursorTable}},
	{"extra columns", "",
		[]string{"CREATE TABLE cursorDiskKV (id INTEGER, key TEXT UNIQUE ON CONFLICT REPLACE, updated INTEGER " +
			"DEFAULT 5, value BLOB, size INTEGER AS (octet_length(value)))",
			"ALTER TABLE ItemTable ADD COLUMN updated INTEGER"}},
	{"PRIMARY KEY", "", []string{"CREATE TABLE cursorDiskKV ([key] TEXT PRIMARY KEY, value BLOB)"}},
	{"INTEGER PRIMARY KEY", "",
		[]string{"CREATE TABLE cursorDiskKV (id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT UNIQUE ON CONFLICT " +
			"REPLACE, value BLOB)"}},
	{"no index", "", []string{"CREATE TABLE cursorDiskKV (key TEXT, value BLOB)"}},
	{"WITHOUT ROWID", "", []string{"CREATE TABLE cursorDiskKV (key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID"}},
	{"without rowid, in small letters", "",
		[]string{"CREATE TABLE cursorDiskKV (key TEXT PRIMARY KEY, value BLOB)\n\twithout  rowid"}},
	{"STRICT", "", []string{"CREATE TABLE cursorDiskKV (key TEXT PRIMARY KEY, value ANY) STRICT"}},
	{"no ItemTable", "", []string{cursorTable, "DROP TABLE ItemTable"}},
	{"composerHeaders with other columns", "",
		[]string{cursorTable, "CREATE TABLE composerHeaders (later BLOB, value TEXT, composerId TEXT PRIMARY KEY)",
			`INSERT INTO composerHeaders VALUES (x'00ff', '{"name":"of the table"}', 'c'), (NULL, 'no JSON', 'd')`}},
	{"unknown tables", "tables that this version does not know and does not read: composerMessages, a␛[31mb",
		[]string{cursorTable, "CREATE TABLE composerMessages (id INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT)",
			"INSERT INTO composerMessages (body) VALUES ('a later home of messages')",
			"CREATE TABLE [a\x1b[31mb] (x)"}},
	{"view and trigger", "", []string{cursorTable, "CREATE VIEW v AS SELECT * FROM cursorDiskKV",
		"CREATE TRIGGER t AFTER DELETE ON cursorDiskKV BEGIN SELECT 1; END"}},
}

// TestSchemaDrift: what is known of a store is loaded, whatever else its tables have; replaced rows are noticed, and
// what is unknown is said.
func TestSchemaDrift(t *testing.T) {
	long(t)
	for _, d := range drifts {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			w := newCLITest(t)
			w.store(nil, storetest.StoreOptions{NoDiskKV: true, Exec: append(d.ddl, putRows)})
			_, said := w.run(0)
			if said = amiss(said); (d.warns == "") != (said == "") || !strings.Contains(said, d.warns) {
				t.Errorf("it says %q, want %q", said, d.warns)
			}
			messages := func() [][]string {
				return w.ask("SELECT title, text FROM live_messages JOIN conversations USING (source_id, " +
					"conversation_id)")
			}
			w.same("the messages", [][]string{{"C", "hi"}}, messages())
			for _, text := range []string{"ho", "HO"} { // the second is a row's own update: the rowid is the same
				statement :=
					`DELETE FROM cursorDiskKV WHERE key = 'bubbleId:c:b'; INSERT INTO cursorDiskKV (key, value) VALUES ('filler', ''), ('bubbleId:c:b', '{"type":1,"text":"ho"}')`
				args := []string{}
				if text == "HO" {
					statement, args =
						`UPDATE cursorDiskKV SET value = '{"type":1,"text":"HO"}' WHERE key = 'bubbleId:c:b'`,
						[]string{"--full"}
				}
				w.exec(statement)
				w.run(0, args...)
				w.same("the messages", [][]string{{"C", text}}, messages())
			}
			w.run(0)
			w.same("the last load", [][]string{{"0", "0"}},
				w.ask("SELECT conversations_new + conversations_changed, conversations_deleted FROM loads ORDER BY "+
					"load_id DESC LIMIT 1"))
		})
	}
}

// TestTableGone: a store that no longer has the table of conversations has lost none of them.
func TestTableGone(t *testing.T) {
	long(t)
	w := newCLITest(t)
	w.store(append(talk("one", "hello"), talk("two", "hello")...), storetest.StoreOptions{})
	w.run(0)
	for _, statement := range []string{"ALTER TABLE cursorDiskKV RENAME TO cursorDiskKV2",
		"CREATE VIEW cursorDiskKV AS SELECT * FROM cursorDiskKV2", "DROP VIEW cursorDiskKV",
		"CREATE TABLE cursorDiskKV (name TEXT, body BLOB)"} {
		w.exec(statement)
		code := 4 // more than half are gone
		if strings.Contains(statement, "body") || strings.Contains(statement, "CREATE VIEW") {
			code = 3 // it cannot be read
		}
		if _, said := w.run(code, "--quiet"); said == "" {
			t.Errorf("after %s: nothing is said", statement)
		}
		w.same("the live conversations", [][]string{{"one"}, {"two"}},
			w.ask("SELECT conversation_id FROM live_conversations"))
	}
	w.exec("DROP TABLE cursorDiskKV", "ALTER TABLE cursorDiskKV2 RENAME TO cursorDiskKV")
	w.run(0)
	w.same("what is deleted", [][]string{{"0"}}, w.ask("SELECT count(*) FROM messages WHERE deleted_at IS NOT NULL"))
}
