package sql

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pipeline/sql/schema"
)

// extremes are for each type of column values that no sound store holds, as SQL: what a warehouse of before may hold,
// or one that somebody wrote into.
var extremes = map[string][]string{
	"BIGINT": {"0", "1", "-1", "9223372036854775807", "9223372036854775806", "CAST('-9223372036854775808' AS BIGINT)",
		"-9223372036854775807", "999999999999", "1000000000000", "1000000000001", "4611686018427387904", "1800000",
		"NULL"},
	"DOUBLE": {"0.0", "-0.0", "1e308", "-1e308", "1.7976931348623157e308", "5e-324", "CAST('nan' AS DOUBLE)",
		"CAST('inf' AS DOUBLE)", "CAST('-inf' AS DOUBLE)", "12.5", "NULL"},
	"TIMESTAMPTZ": {"'infinity'", "'-infinity'", "'290309-12-22 (BC) 00:00:00+00'", "'294247-01-10 04:00:54.775806+00'",
		"'1970-01-01 00:00:00+00'", "'0044-03-15 (BC) 00:00:00+00'", "'2015-01-01 00:00:00+00'",
		"'2014-12-31 23:59:59.999+00'", "'2099-12-31 23:59:59.999999+00'", "'2100-01-01 00:00:00+00'",
		"'9999-12-31 23:59:59+00'", "'2025-03-10 09:00:00+00'", "NULL"},
	"DATE": {"'infinity'", "'-infinity'", "'5877642-06-25 (BC)'", "'5881580-07-10'", "'1970-01-01'", "'2015-01-01'",
		"'2100-01-01'", "'2025-03-10'"},
	"VARCHAR": {"''", "' '", "repeat('x', 20000)", "repeat('é𝔘\u202e', 1000)", "chr(9216)", "chr(65533)", "'%_\\'",
		"'9223372036854775808'", "'9223372036854775807'", "'1e400'", "'-1'", "'-9223372036854775808'", "'infinity'",
		"'NaN'", "'{\"a\":'", "repeat('(', 2000)", "'[a-'", "chr(0)", "'a' || chr(768) || chr(769)",
		"chr(55296 + 8192)", "'/'", "'..'", "NULL"},
	"JSON": {"'9223372036854775808'", "'1e400'", "'-1e-400'", "'\"\"'", "'[]'", "'{}'", "'null'",
		"'[null, [[]], {\"\": null}]'", "repeat('[', 900) || repeat(']', 900)",
		"'{\"todos\": 1, \"lints\": \"x\", \"command\": [], \"timeout\": 1e400, \"exitCode\": 99999999999999999999, " +
			"\"content\": {}}'", "to_json(repeat('x', 20000))", "NULL"},
	"BOOLEAN": {"true", "false", "NULL"},
}

// TestExtremes puts extreme values into the rows of all cases, straight into the tables, and then runs every model and
// reads every view, macro, check and query of the report page: none may fail, whatever it says.
func TestExtremes(t *testing.T) {
	if testing.Short() {
		t.Skip("it is long: make test-all runs it")
	}
	t.Parallel()
	w := newWarehouse(t)
	w.everyCase(t)
	numbers := []string{"BIGINT", "DOUBLE"}
	for seed, types := range [][]string{numbers, {"TIMESTAMPTZ", "DATE", "VARCHAR", "JSON"},
		slices.Collect(maps.Keys(extremes)), numbers} {
		t.Run(strings.Join(types, " and "), func(t *testing.T) {
			for _, table := range schema.Tables() {
				w.spoil(t, table, types, seed)
			}
			w.setZone(zones[seed])
			w.nothingChanged(t)
			w.everythingChanged(t)
			if seed > 1 {
				w.exec(t, "DELETE FROM _changed") // then the figures stay as they are
			}
			w.readsEverything(t)
		})
	}
}

// everyCase gathers the rows of all hand-made cases in a schema of their own; the sources of each have names of their
// own, so that rows of two cases do not meet.
func (w *warehouse) everyCase(t testing.TB) {
	t.Helper()
	given, err := filepath.Glob("../testdata/*/*/given.sql")
	if err != nil || len(given) < 30 {
		t.Fatalf("the cases of testdata: %d, %v", len(given), err)
	}
	w.exec(t, "CREATE SCHEMA kept")
	for i, path := range append(given, "../testdata/report/given.sql") {
		w.exec(t, readFile(t, path))
		var move strings.Builder
		for _, table := range schema.Tables() {
			first := "FROM " + table.Object()
			if table.Has("source_id") {
				first = fmt.Sprintf("SELECT * REPLACE ('%d ' || source_id AS source_id) FROM %s", i, table.Object())
			}
			make := "INSERT INTO kept." + table.Name + " "
			if i == 0 {
				make = "CREATE TABLE kept." + table.Name + " AS "
			}
			move.WriteString(make + first + "; DELETE FROM " + table.Object() + ";\n")
		}
		w.exec(t, move.String())
	}
}

// spoil fills a table with the gathered rows, and gives each cell of those types one of its extremes; which one is
// drawn by row, column and seed. Half of the cells and the names that rows
// find each other by stay as they are.
func (w *warehouse) spoil(t testing.TB, table schema.Table, types []string, seed int) {
	t.Helper()
	var replaced []string
	for _, c := range table.Columns {
		isID := c.Key || c.Name == table.ScopeColumn() || strings.HasSuffix(c.Name, "_id")
		if isID && c.Type == "VARCHAR" || c.Name == "deleted_at" && seed > 0 || !slices.Contains(types, c.Type) {
			continue
		}
		values := extremes[c.Type]
		if !c.Nullable {
			values = slices.DeleteFunc(slices.Clone(values), func(v string) bool { return v == "NULL" })
		}
		cases := fmt.Sprintf("CASE CAST(hash(rowid, '%s', %d) %% %d AS INTEGER)", c.Name, seed, 2*len(values))
		for i, v := range values {
			cases += fmt.Sprintf(" WHEN %d THEN CAST(%s AS %s)", i, v, c.Type)
		}
		replaced = append(replaced, fmt.Sprintf("%s ELSE %[2]q END AS %[2]q", cases, c.Name))
	}
	star := "*"
	if len(replaced) > 0 {
		star += " REPLACE (" + strings.Join(replaced, ", ") + ")"
	}
	w.exec(t, "DELETE FROM "+table.Object()+"; INSERT INTO "+table.Object()+" SELECT "+star+" FROM kept."+table.Name)
}

// readsEverything runs the models and reads whatever there is to read, and tells of each that fails.
func (w *warehouse) readsEverything(t *testing.T) {
	t.Helper()
	for _, f := range Models() {
		w.works(t, "model "+f.Name, f.SQL)
	}
	for _, f := range slices.Concat(Views(), Answers(), Shorts(), Reports()) {
		w.works(t, "view "+f.Object(), "FROM "+f.Object())
	}
	for _, f := range Checks() {
		w.works(t, "check "+f.Name, f.SQL)
	}
	for _, call := range []string{"list_conversations()", "get_conversation(c)", "list_messages(c)",
		"get_message(c, m)", "search_messages('x')", "conversation_until(c)"} {
		w.works(t, "macro "+call, "FROM "+strings.NewReplacer("(c", "('c1'", ", m)", ", 'm0')").Replace(call))
	}
	queries, err := filepath.Glob("../cmd/pipeline/internal/report/queries/*.sql")
	if err != nil || len(queries) == 0 {
		t.Fatalf("the queries of the page: %d, %v", len(queries), err)
	}
	for _, path := range queries {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		w.works(t, "query "+filepath.Base(path), string(text))
	}
}

func (w *warehouse) works(t *testing.T, what, statement string) {
	rows, err := w.conn.QueryContext(context.Background(), statement)
	if err == nil {
		for rows.Next() {
		}
		err = rows.Err()
		rows.Close()
	}
	if err != nil {
		t.Errorf("%s: %.300v", what, err)
	}
}
