package sql

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pipeline/sql/schema"
)

// TestAnswers asks every answer and its short form of a small history: testdata/answers/<name>/given.sql holds rows,
// want.sql and short.sql queries of the views with the rows that they must return, worked out by hand from the
// question. Answers whose names begin alike may share the rows: testdata/answers/billed/given.sql.
func TestAnswers(t *testing.T) {
	var histories histories
	shorts := Shorts()
	for i, answer := range Answers() {
		if i >= len(shorts) || shorts[i].Name != answer.Name+"_short" || shorts[i].Number != answer.Number {
			t.Fatalf("%s has no short form of its number", answer.Name)
		}
		dir, given := filepath.Join("../testdata/answers", answer.Name), givenOf(answer)
		histories.add(given, answer, filepath.Join(dir, "want.sql"))
		histories.add(given, shorts[i], filepath.Join(dir, "short.sql"))
	}
	histories.ask(t)
}

// TestShortColumns: a short form has few columns, and says what each means.
func TestShortColumns(t *testing.T) {
	t.Parallel()
	w := newWarehouse(t)
	for _, f := range Shorts() {
		rows := w.rows(t, "SELECT column_name, coalesce(comment, '') <> '' FROM duckdb_columns() WHERE schema_name = '"+
			f.Schema+"' AND table_name = '"+f.Name+"'")
		if len(rows) == 0 || len(rows) > 9 {
			t.Errorf("%s has %d columns", f.Name, len(rows))
		}
		for _, row := range rows {
			if column, commented, _ := strings.Cut(row, " | "); commented != "true" {
				t.Errorf("%s.%s has no comment", f.Name, column)
			}
		}
	}
}

// TestRepeatsCountOnce asks the answers about tools, edits, files and thinking of a chat and a fork of it:
// testdata/repeats/want.sql has what was done once, worked out by hand.
func TestRepeatsCountOnce(t *testing.T) {
	t.Parallel()
	w := newWarehouse(t)
	w.exec(t, readFile(t, "../testdata/repeats/given.sql"))
	w.exec(t, "UPDATE conversations SET display_title = title")
	w.everythingChanged(t)
	w.runModels(t)
	w.setZone("UTC")
	w.answers(t, "../testdata/repeats/want.sql")
}

// givenOf is the file with the rows of an answer's case.
func givenOf(answer File) string {
	given := filepath.Join("../testdata/answers", answer.Name, "given.sql")
	if _, err := os.Stat(given); err != nil {
		first, _, _ := strings.Cut(answer.Name, "_")
		given = filepath.Join("../testdata/answers", first, "given.sql")
	}
	return given
}

// TestReports asks every view of the report page in the same way, most of them of one history:
// testdata/report/given.sql.
func TestReports(t *testing.T) {
	var histories histories
	for i, report := range Reports() {
		if report.Number != i+1 || report.Schema != "report" {
			t.Errorf("view %d of the page is number %d, %s", i+1, report.Number, report.Name)
		}
		dir := filepath.Join("../testdata/report", report.Name)
		given := filepath.Join(dir, "given.sql")
		if _, err := os.Stat(given); err != nil {
			given = "../testdata/report/given.sql"
		}
		histories.add(given, report, filepath.Join(dir, "want.sql"))
	}
	histories.ask(t)
}

// history is the rows of one given.sql, and which views are asked about them.
type history struct {
	given string
	views []File
	wants []string
}

type histories []*history

func (all *histories) add(given string, view File, want string) {
	i := slices.IndexFunc(*all, func(h *history) bool { return h.given == given })
	if i < 0 {
		i = len(*all)
		*all = append(*all, &history{given: given})
	}
	h := (*all)[i]
	h.views, h.wants = append(h.views, view), append(h.wants, want)
}

// ask loads the rows of each history once, and compares the queries of each view with their rows, in a subtest named
// after the view.
func (all histories) ask(t *testing.T) {
	t.Helper()
	common := newWarehouse(t)
	commented := common.rows(t, "SELECT schema_name || '.' || view_name FROM duckdb_views() WHERE comment IS NOT NULL")
	for _, h := range all {
		w := common.withRows(t, readFile(t, h.given))
		// as the loader fills it
		w.exec(t, "UPDATE conversations SET display_title = title WHERE display_title IS NULL")
		w.everythingChanged(t)
		w.runModels(t)
		for i, view := range h.views { // a case may change rows and the zone, for itself
			w.exec(t, "BEGIN")
			w.setZone("UTC")
			t.Run(view.Name, func(t *testing.T) {
				if !slices.Contains(commented, view.Schema+"."+view.Name) {
					t.Error("the view has no comment")
				}
				w.asks(t, view, h.wants[i])
			})
			w.exec(t, "ROLLBACK")
		}
	}
}

func (w *warehouse) asks(t *testing.T, view File, want string) {
	if view.Question() == "" || !strings.Contains(view.Doc, "Coverage:") {
		t.Errorf("its comment begins with no question, or does not say what is known (Coverage: ...):\n%s", view.Doc)
	}
	if _, err := os.Stat(want); err != nil {
		t.Fatalf("it has no case: %v", err)
	}
	w.answers(t, want)
}

// withRows is the warehouse with these rows alone, in a connection without what models keep in theirs; or another one,
// where they change defaults of columns.
func (w *warehouse) withRows(t *testing.T, given string) *warehouse {
	t.Helper()
	if strings.Contains(given, "ALTER TABLE") {
		w = newWarehouse(t)
		w.exec(t, given)
		return w
	}
	var all strings.Builder
	for _, table := range schema.Tables() {
		all.WriteString("DELETE FROM " + table.Object() + ";")
	}
	w.exec(t, all.String())
	conn, err := w.db.Conn(t.Context())
	if err := errors.Join(err, w.conn.Close()); err != nil {
		t.Fatal(err)
	}
	w.conn = conn
	w.exec(t, searchPath)
	w.changes(t)
	w.exec(t, given)
	return w
}
