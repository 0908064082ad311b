package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pipeline/load/rawlog"
	"pipeline/load/reader"
	"pipeline/load/tool/failpoint"
	"pipeline/load/warehouse"
	"pipeline/sql"
	"pipeline/sql/schema"
	"pipeline/testdata/gen/night"
	"pipeline/testdata/gen/storetest"
)

// An addition is a warehouse of two loads, between which a conversation was deleted in the store.
type addition struct {
	*cliTest
	chat, message string // a conversation and a message of it
}

// newAddition makes the store and loads it.
func newAddition(t *testing.T) *addition {
	t.Helper()
	a := &addition{cliTest: newCLITest(t)}
	a.must(storetest.New(storetest.Options{Seed: 4, Messages: 60}).Write(a.user))
	a.run(0, "--quiet")
	found := a.ask(
		`SELECT conversation_id, max(message_id), any_value(project_path) FROM messages JOIN conversations USING (source_id, conversation_id)
		WHERE store_kind = 'composer' GROUP BY ALL HAVING count(*) > 2 ORDER BY 1`)
	gone := found[0][0]
	a.exec(`DELETE FROM cursorDiskKV WHERE key = 'composerData:`+gone+`' OR key LIKE 'bubbleId:`+gone+`:%'`,
		`DELETE FROM composerHeaders WHERE composerId = '`+gone+`'`)
	a.run(0, "--quiet")
	if deleted := a.ask(`SELECT count(*) FROM messages WHERE deleted_at IS NOT NULL`)[0][0]; deleted == "0" {
		t.Fatal("no message is deleted")
	}
	a.chat, a.message = found[1][0], found[1][1]
	return a
}

// copied is a warehouse with the same bytes and the same raw layer, in a folder of its own.
func (a *addition) copied(t *testing.T) *addition {
	t.Helper()
	c := &addition{newCLITest(t), a.chat, a.message}
	c.user = a.user
	bytes, err := os.ReadFile(a.warehouse)
	c.must(err)
	c.must(errors.Join(os.WriteFile(c.warehouse, bytes, 0o600),
		os.CopyFS(rawlog.Dir(c.warehouse), os.DirFS(rawlog.Dir(a.warehouse)))))
	return c
}

// held is what a warehouse holds, but for what says when and by which load, and how its tables, views and macros are
// made.
type held struct{ rows, columns, objects [][]string }

func (a *addition) holds() held {
	a.t.Helper()
	var parts []string
	for _, t := range schema.Tables() {
		if slices.Contains(ofRuns, t.Name) || t.Name == "_raw_parts" {
			continue
		}
		var columns []string
		for _, c := range t.Columns {
			if !slices.Contains([]string{"last_seen_at", "changed_at"}, c.Name) {
				columns = append(columns, fmt.Sprintf("%q", c.Name))
			}
		}
		parts = append(parts, fmt.Sprintf("SELECT '%s', CAST(to_json(t) AS VARCHAR) FROM (SELECT %s FROM %s) t", t.Name,
			strings.Join(columns, ", "), t.Name))
	}
	return held{
		rows: a.ask(strings.Join(parts, " UNION ALL ") + " ORDER BY ALL"),
		columns: a.ask(
			`SELECT table_name, column_name, column_index, data_type, is_nullable, comment FROM duckdb_columns() WHERE NOT internal ORDER BY ALL`),
		// The engine changes the places of the names that EXCLUDE lists: the words of a text are compared.
		objects: a.ask(
			`SELECT table_name, '', comment FROM duckdb_tables() UNION ALL SELECT view_name, array_to_string(list_sort(string_split_regex(sql, '[\s,()]+')), ' '), comment FROM duckdb_views() WHERE NOT internal
			UNION ALL SELECT function_name, array_to_string(list_sort(string_split_regex(macro_definition, '[\s,()]+')), ' '), comment FROM duckdb_functions() WHERE NOT internal ORDER BY ALL`),
	}
}

// tables are the number of rows and a hash of each table that a file has.
func (a *addition) tables(file string) string {
	a.t.Helper()
	names, err := reader.Query(a.t.Context(), file,
		"SELECT if(schema_name = 'main', '', schema_name || '.') || table_name FROM duckdb_tables() WHERE NOT "+
			"temporary ORDER BY ALL")
	a.must(err)
	var parts []string
	for _, row := range names.Rows {
		parts = append(parts, digest(reader.Text(row[0]), reader.Text(row[0])))
	}
	answer, err := reader.Query(a.t.Context(), file, strings.Join(parts, " UNION ALL ")+" ORDER BY 1")
	a.must(err)
	return fmt.Sprintln(answer.Rows)
}

// readsEverything reads every row and column of every table, view, answer and macro.
func (a *addition) readsEverything() {
	a.t.Helper()
	var queries []string
	for _, t := range schema.Tables() {
		queries = append(queries, "FROM "+t.Object())
	}
	for _, view := range slices.Concat(sql.Views(), sql.Answers(), sql.Reports()) {
		queries = append(queries, "FROM "+view.Object())
	}
	macroCalls := map[string]string{
		"conversation_until": fmt.Sprintf("FROM conversation_until('%s', '%s')", a.chat, a.message),
		"get_conversation":   fmt.Sprintf("FROM get_conversation('%s')", a.chat),
		"get_message":        fmt.Sprintf("FROM get_message('%s', '%s')", a.chat, a.message),
		"list_conversations": "FROM list_conversations()",
		"list_messages":      fmt.Sprintf("FROM list_messages('%s')", a.chat),
		"search_messages":    "FROM search_messages('a')",
	}
	for _, macro := range sql.Macros() {
		call := macroCalls[macro.Name]
		if call == "" {
			a.t.Errorf("macro %s is read by nobody here", macro.Name)
			continue
		}
		queries = append(queries, call)
	}
	r, err := reader.OpenAny(a.t.Context(), a.warehouse)
	a.must(err)
	for _, query := range queries {
		if _, err := r.Query(a.t.Context(), query); err != nil {
			a.t.Errorf("%s: %v", query, err)
		}
	}
	a.must(r.Close())
	a.does(0, "check", "--warehouse", a.warehouse)
	a.does(0, "show", a.chat, "--no-pager", "--warehouse", a.warehouse)
	a.does(0, "report", "--output", filepath.Join(a.dir, "report.html"), "--warehouse", a.warehouse)
}

// TestDeclaredSince: what is declared after a warehouse was made is added to it by the next run and filled, in rows
// that Cursor has deleted by a rebuild, and a view, a macro or a comment that is not as this version makes it is made
// anew. The warehouse then holds what it held before.
func TestDeclaredSince(t *testing.T) {
	long(t)
	t.Parallel()
	whole := newAddition(t)
	want := whole.holds()
	whole.readsEverything()
	for name, test := range map[string]struct {
		without string // of which the warehouse is
		lacks   string // what whoever only reads is told; "": it can be read
	}{
		"column": {"ALTER TABLE messages DROP thinking", "messages.thinking"},
		"columns of two tables": {"ALTER TABLE conversations DROP title; ALTER TABLE loads DROP finished_at",
			"conversations.title, loads.finished_at"},
		"table":               {"DROP TABLE checkpoints", "checkpoints"},
		"view":                {"DROP VIEW live_messages", ""},
		"answer":              {"CREATE OR REPLACE VIEW answers.tool_usage AS SELECT 1 AS one", ""},
		"macro":               {"DROP MACRO TABLE list_messages", ""},
		"comment of a column": {"COMMENT ON COLUMN messages.text IS NULL", ""},
		"other comments":      {"COMMENT ON TABLE messages IS 'mine'; COMMENT ON VIEW timeline IS NULL", ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := whole.copied(t)
			a.must(execDuckDB(a.warehouse, test.without))
			before := a.tables(a.warehouse)
			if test.lacks != "" {
				if _, said := a.does(exitFailed, "check", "--warehouse", a.warehouse); !strings.Contains(said,
					test.lacks) || !strings.Contains(said, "'pipeline run'") {
					t.Errorf("a reader says %q, want %q and what to do", said, test.lacks)
				}
			}
			_, said := a.run(0, "--quiet")
			if test.lacks != "" {
				a.does(0, "rebuild", "--quiet", "--warehouse", a.warehouse)
			}
			a.same("what the warehouse holds", want, a.holds())
			a.readsEverything()
			copies, err := filepath.Glob(a.warehouse + ".before*")
			a.must(err)
			if test.lacks == "" {
				if len(copies) > 0 || said != "" {
					t.Errorf("there is %v, and the run says %q: no table was changed", copies, said)
				}
			} else {
				a.same("the copies", []string{a.warehouse + ".before"}, copies)
				a.same("the copy", before, a.tables(copies[0]))
			}
			if out, _ := a.run(0); !strings.Contains(out, "0 new, 0 changed, 0 deleted") {
				t.Errorf("the next run prints %s", out)
			}
		})
	}
}

// TestOtherTables: a warehouse whose tables differ in more than what can be added is made anew by the next run. It
// holds what it held before, with what a person made in it, and the old one is there.
func TestOtherTables(t *testing.T) {
	t.Parallel()
	whole := newAddition(t)
	want := whole.holds()
	for name, other := range map[string]string{
		"an earlier version": "UPDATE internal._meta SET value = '0' WHERE key = 'warehouse_version'; " +
			"ALTER TABLE internal._owners RENAME TO _known_conversations; " +
			"ALTER TABLE internal._known_stores DROP COLUMN max_rowid",
		"another type":                  "DROP VIEW live_messages; ALTER TABLE messages ALTER COLUMN role TYPE BLOB",
		"a column that may not be NULL": "ALTER TABLE loads DROP COLUMN tool_version",
	} {
		if testing.Short() && name != "another type" {
			continue // make test-all runs them
		}
		t.Run(name, func(t *testing.T) {
			a := whole.copied(t)
			a.must(execDuckDB(a.warehouse, "CREATE TABLE mine AS SELECT 42 AS n; CREATE SCHEMA own; CREATE TABLE "+
				"own.too AS SELECT 'x' AS t; "+
				"CREATE VIEW c_view AS FROM mine; CREATE VIEW b_view AS FROM c_view; CREATE VIEW a_view AS SELECT n + "+
				"1 AS more FROM b_view; "+other))
			before := a.tables(a.warehouse)
			if name == "an earlier version" {
				if _, said := a.does(exitFailed, "check", "--warehouse", a.warehouse); !strings.Contains(said,
					"'pipeline run' makes it anew") {
					t.Errorf("a reader says %q", said)
				}
			}
			_, said := a.run(0)
			if !strings.Contains(said, "it is made anew from its raw layer first") {
				t.Errorf("the run says %q", said)
			}
			a.same("what a person made", [][]string{{"43", "x"}}, a.ask("SELECT more::VARCHAR, t FROM a_view, own.too"))
			a.must(execDuckDB(a.warehouse, "DROP VIEW a_view; DROP VIEW b_view; DROP VIEW c_view; DROP TABLE mine; "+
				"DROP SCHEMA own CASCADE"))
			a.same("what the warehouse holds", want, a.holds())
			a.same("the old one", before, a.tables(a.warehouse+".before"))
			if out, _ := a.run(0); !strings.Contains(out, "0 new, 0 changed, 0 deleted") {
				t.Errorf("the next run prints %s", out)
			}
		})
	}
}

// TestOtherTablesUnread: where what only the warehouse has cannot be read, it stays as it is. A rebuild that is asked
// for makes it anew, with what a person made in it.
func TestOtherTablesUnread(t *testing.T) {
	long(t)
	t.Parallel()
	a := newAddition(t)
	a.must(execDuckDB(a.warehouse, "CREATE TABLE mine AS SELECT 42 AS n; ALTER TABLE loads DROP COLUMN status"))
	before := a.tables(a.warehouse)
	if _, said := a.run(exitFailed); !strings.Contains(said, "cannot be made anew") {
		t.Errorf("the run says %q", said)
	}
	a.same("the warehouse", before, a.tables(a.warehouse))
	a.does(0, "rebuild", "--quiet", "--warehouse", a.warehouse)
	a.same("what a person made", [][]string{{"42"}}, a.ask("SELECT n::VARCHAR FROM mine"))
}

// TestOtherTablesLost: where the raw layer lacks rows, such a warehouse stays as it is.
func TestOtherTablesLost(t *testing.T) {
	t.Parallel()
	a := newAddition(t)
	a.must(execDuckDB(a.warehouse, "UPDATE internal._meta SET value = '0' WHERE key = 'warehouse_version'"))
	files, err := filepath.Glob(filepath.Join(rawlog.Dir(a.warehouse), "test", "00000001-*"))
	a.must(errors.Join(err, os.Remove(files[0])))
	before := a.tables(a.warehouse)
	if _, said := a.run(exitFailed); !strings.Contains(said, "cannot be made anew") ||
		!strings.Contains(said, "pipeline rebuild --force") {
		t.Errorf("the run says %q", said)
	}
	a.same("the warehouse", before, a.tables(a.warehouse))
}

// additionsFail kills a run that adds a column at each failpoint that it comes to before it loads, or has it meet an
// error there. The warehouse then is as it was, or has the column and the same rows; the next run makes of it what an
// undisturbed one does.
func additionsFail(t *testing.T) {
	whole := newAddition(t)
	want := whole.holds()
	all := warehouse.Failpoints()
	points := ofAdditions
	if night.On() {
		points = slices.Concat([]failpoint.Point{"before-copy", "after-copy"}, ofAdditions,
			[]failpoint.Point{"before-commit"})
	}
	for i, point := range points {
		for k, action := range []string{"kill", "error"} {
			if !night.On() && k != i%2 {
				continue
			}
			t.Run(string(point)+"/"+action, func(t *testing.T) {
				a := whole.copied(t)
				a.must(execDuckDB(a.warehouse, "ALTER TABLE messages DROP thinking"))
				before := a.tables(a.warehouse)
				cmd := exec.Command("pipeline", "run", "--source", "test="+a.user, "--warehouse", a.warehouse)
				cmd.Env = append(os.Environ(), "PIPELINE_FAILPOINT="+string(point)+"="+action)
				switch code, said := output(t, cmd); {
				case action == "kill" && code >= 0:
					t.Fatalf("exit code %d, want it killed: %s", code, said)
				case action == "error" && (code != exitFailed || !strings.Contains(said, "failpoint "+string(point))):
					t.Errorf("exit code %d, want %d and a message that names the cause: %s", code, exitFailed, said)
				}
				if slices.Index(all, point) < slices.Index(all, "after-migrated") {
					a.same("the warehouse", before, a.tables(a.warehouse))
				}
				if slices.Index(all, point) >= slices.Index(all, "after-kept") {
					a.same("the copy", before, a.tables(a.warehouse+".before"))
				}
				a.run(0, "--quiet")
				a.same("what the warehouse holds after the next run", want, a.holds())
				left := slices.DeleteFunc(leftovers(t, placeIn(filepath.Dir(a.warehouse))),
					func(name string) bool { return name == filepath.Base(a.warehouse)+".before" })
				if len(left) > 0 {
					t.Errorf("there is %v", left)
				}
			})
		}
	}
}
