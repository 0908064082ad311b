package sql

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	_ "github.com/marcboeker/go-duckdb/v2"

	"pipeline/sql/schema"
)

// zones are time zones that would show if a model cut or compared times by calendar: one with an odd offset, two with
// summer time.
var zones = []string{"UTC", "Asia/Kathmandu", "America/New_York", "Australia/Lord_Howe"}

// TestModels runs every case of testdata/models: given.sql holds rows, want.sql queries with their answers, written by
// hand from the data dictionary. The models run over everything; with a change.sql they run once more after it, as a
// load would: over what it changed.
func TestModels(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob("../testdata/models/*/want.sql")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no cases in testdata/models: %v", err)
	}
	common := newWarehouse(t)
	for _, want := range dirs {
		dir := filepath.Dir(want)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			tried := zones
			w := common.withRows(t, readFile(t, filepath.Join(dir, "given.sql")))
			change, err := os.ReadFile(filepath.Join(dir, "change.sql"))
			if testing.Short() { // one run over everything, or one over what changed, under a zone
				tried = nil
				w.setZone(zones[1])
			}
			w.everythingChanged(t)
			w.runModels(t)
			if err == nil {
				w.nothingChanged(t)
				w.exec(t, string(change))
				w.runModels(t)
			}
			w.answers(t, want)
			w.modelChecksPass(t)
			if len(tried) == 0 {
				return
			}
			before := w.derived(t)
			for _, zone := range tried {
				// Over everything and under any time zone the rows are the same: an incremental run ends where a full
				// one does.
				if !w.setZone(zone) {
					t.Logf("TimeZone %s is not tried: the engine knows no time zones (no ICU)", zone)
					continue
				}
				w.nothingChanged(t)
				w.everythingChanged(t)
				w.runModels(t)
				w.answers(t, want)
				if diff := cmp.Diff(before, w.derived(t)); diff != "" {
					t.Errorf("TimeZone %s: a run over everything gives other rows\n(-before +after)\n%s", zone, diff)
				}
			}
		})
	}
}

// answers compares the queries of a want.sql with their rows.
func (w *warehouse) answers(t *testing.T, want string) {
	t.Helper()
	for _, q := range readWants(t, want) {
		if diff := cmp.Diff(q.rows, w.rows(t, q.sql)); diff != "" {
			t.Errorf("%s, line %d: %s\n(-want +got)\n%s", want, q.line, q.sql, diff)
		}
	}
}

// warehouse is an empty warehouse with all tables, views and macros. Columns that every row must have get defaults
// (testdata/models/defaults.sql), so that a case names only the columns that it is about.
type warehouse struct {
	db   *sql.DB
	conn *sql.Conn
}

// newWarehouse is a copy of one that was made once: to make the views takes longer than most cases.
func newWarehouse(t testing.TB) *warehouse {
	t.Helper()
	file, err := emptyWarehouse()
	path := filepath.Join(t.TempDir(), "w.duckdb")
	if err := errors.Join(err, os.WriteFile(path, file, 0o600)); err != nil {
		t.Fatal(err)
	}
	w, end, err := openWarehouse(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = end() })
	w.changes(t)
	return w
}

// newTables makes the tables alone; change has a say in how.
func newTables(t testing.TB, change func(ddl string) string) *warehouse {
	t.Helper()
	w, end, err := openWarehouse("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = end() })
	w.exec(t, schema.SchemasDDL()+searchPath)
	for _, table := range schema.Tables() {
		create, _, _ := strings.Cut(table.DDL(), "COMMENT ON") // the comments are most of the time
		w.exec(t, change(create))
	}
	w.exec(t, readFile(t, "../testdata/models/defaults.sql"))
	w.changes(t)
	return w
}

// changes makes the tables that name what changed.
func (w *warehouse) changes(t testing.TB) {
	w.exec(t, `CREATE TEMP TABLE _changed(source_id VARCHAR, conversation_id VARCHAR);
		CREATE TEMP TABLE _changed_groups(source_id VARCHAR, project_uri VARCHAR);
		CREATE TEMP TABLE _recalled(table_name VARCHAR, conversation_id VARCHAR);
		CREATE TEMP TABLE _copied(source_id VARCHAR, conversation_id VARCHAR, message_id VARCHAR, copy_of VARCHAR);
		SET VARIABLE load_id = 7::BIGINT`)
}

// searchPath looks up names without a schema in all schemas, as the program does.
var searchPath = "SET search_path = '" + strings.Join(schema.Schemas(), ",") + "'"

func openWarehouse(path string) (w *warehouse, end func() error, err error) {
	db, err := sql.Open("duckdb", path+"?threads=1") // more only take turns: a case has few rows
	if err != nil {
		return nil, nil, err
	}
	db.SetMaxIdleConns(0) // a connection that is closed is not used again
	conn, err := db.Conn(context.Background())
	if err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	_, _ = conn.ExecContext(context.Background(), searchPath) // a new file has no schemas yet
	w = &warehouse{db, conn}
	return w, func() error { return errors.Join(w.conn.Close(), db.Close()) }, nil
}

// emptyWarehouse is the file of a warehouse without a row.
var emptyWarehouse = sync.OnceValues(func() (file []byte, err error) {
	dir, err := os.MkdirTemp("", "pipeline-sql-test-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "w.duckdb")
	w, end, err := openWarehouse(path)
	if err != nil {
		return nil, err
	}
	defaults, err := os.ReadFile("../testdata/models/defaults.sql")
	statements := []string{"BEGIN", schema.SchemasDDL(), searchPath}
	for _, table := range schema.Tables() {
		create, _, _ := strings.Cut(table.DDL(), "COMMENT ON") // the comments are most of the time
		statements = append(statements, create)
	}
	statements = append(statements, string(defaults))
	for _, f := range slices.Concat(Views(), Answers(), Shorts(), Reports(), Macros()) {
		statements = append(statements, f.SQL)
	}
	for _, statement := range append(statements, "COMMIT") {
		if err == nil {
			_, err = w.conn.ExecContext(context.Background(), statement)
		}
	}
	if err := errors.Join(err, end()); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

func (w *warehouse) exec(t testing.TB, statements string) {
	t.Helper()
	if _, err := w.conn.ExecContext(context.Background(), statements); err != nil {
		t.Fatalf("%v\n%s", err, statements)
	}
}

// setZone sets the reader's time zone, and says whether the engine has the extension that knows zones.
func (w *warehouse) setZone(zone string) bool {
	_, err := w.conn.ExecContext(context.Background(), "SET TimeZone = '"+zone+"'")
	return err == nil
}

func (w *warehouse) nothingChanged(t testing.TB) {
	w.exec(t, "DELETE FROM _changed; DELETE FROM _changed_groups; DELETE FROM _copied")
}

func (w *warehouse) everythingChanged(t testing.TB) {
	w.exec(t, `INSERT INTO _changed SELECT source_id, conversation_id FROM conversations;
		INSERT INTO _changed_groups SELECT DISTINCT source_id, project_uri FROM conversations
		UNION SELECT source_id, project_uri FROM sessions UNION SELECT source_id, project_uri FROM activity_periods`)
}

// runModels runs the models as a load does: without those that need rows of a table that has none.
func (w *warehouse) runModels(t testing.TB) {
	t.Helper()
	w.exec(t, "BEGIN")
	for _, f := range Models() {
		if f.Needs != "" && w.rows(t, "SELECT EXISTS (FROM "+f.Needs+")")[0] == "false" {
			continue
		}
		if _, err := w.conn.ExecContext(context.Background(), f.SQL); err != nil {
			t.Fatalf("model %s: %v", f.Name, err)
		}
	}
	w.exec(t, "COMMIT")
}

// modelChecks are the checks whose rows the models write; the others look at rows that a loader writes.
var modelChecks = []string{"activity_period_figures", "activity_periods_apart", "commit_links", "conversation_copies",
	"conversation_figures", "forks", "session_figures", "session_membership", "subagents"}

func (w *warehouse) modelChecksPass(t testing.TB) {
	t.Helper()
	for _, name := range modelChecks {
		if got := w.rows(t, checkNamed(t, name).SQL); len(got) > 0 {
			t.Errorf("check %s fails:\n%s", name, strings.Join(got, "\n"))
		}
	}
}

func checkNamed(t testing.TB, name string) File {
	t.Helper()
	for _, f := range Checks() {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("no check named %s", name)
	return File{}
}

// derived returns every row that the models make or write to.
func (w *warehouse) derived(t testing.TB) []string {
	t.Helper()
	var all []string
	for _, q := range []string{
		"FROM conversations ORDER BY source_id, conversation_id",
		"FROM tool_calls ORDER BY source_id, conversation_id, message_id, call_index",
		"FROM conversation_copies ORDER BY source_id, conversation_id",
		"FROM sessions ORDER BY session_id",
		"FROM activity_periods ORDER BY period_id",
		"FROM code_diffs ORDER BY source_id, diff_id",
		"FROM conversation_commits ORDER BY ALL",
		"FROM usage_events ORDER BY event_id",
		"FROM turn_estimates ORDER BY source_id, conversation_id, message_id",
	} {
		all = append(all, w.rows(t, q)...)
	}
	return all
}

// rows returns the answer of a query, a line for each row: values separated by " | ", times in UTC, NULL as NULL.
func (w *warehouse) rows(t testing.TB, query string) []string {
	t.Helper()
	rows, err := w.conn.QueryContext(context.Background(), query)
	if err != nil {
		t.Fatalf("%v\n%s", err, query)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for rows.Next() {
		values := make([]any, len(columns))
		targets := make([]any, len(columns))
		for i := range values {
			targets[i] = &values[i]
		}
		if err := rows.Scan(targets...); err != nil {
			t.Fatal(err)
		}
		cells := make([]string, len(values))
		for i, v := range values {
			cells[i] = cell(v)
		}
		list = append(list, strings.Join(cells, " | "))
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%v\n%s", err, query)
	}
	return list
}

func cell(v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case time.Time:
		return v.UTC().Format("2006-01-02 15:04:05.999")
	case string:
		return strings.ReplaceAll(v, "\n", `\n`)
	}
	return fmt.Sprint(v)
}

// wanted is a query of a want.sql and the rows that it must return.
type wanted struct {
	line int
	sql  string
	rows []string
}

// readWants reads queries that end in ; each followed by its rows as comment lines that begin with "-->".
func readWants(t testing.TB, path string) []wanted {
	t.Helper()
	var list []wanted
	var query strings.Builder
	number, first := 0, 0
	s := bufio.NewScanner(strings.NewReader(readFile(t, path)))
	for s.Scan() {
		number++
		line := strings.TrimSpace(s.Text())
		if row, ok := strings.CutPrefix(line, "-->"); ok {
			if len(list) == 0 || query.Len() > 0 {
				t.Fatalf("%s:%d: a row without a query before it", path, number)
			}
			list[len(list)-1].rows = append(list[len(list)-1].rows, strings.TrimSpace(row))
			continue
		}
		if line == "" || strings.HasPrefix(line, "--") {
			continue
		}
		if query.Len() == 0 {
			first = number
		}
		query.WriteString(line + "\n")
		if strings.HasSuffix(line, ";") {
			list = append(list, wanted{line: first, sql: strings.TrimSpace(query.String())})
			query.Reset()
		}
	}
	if query.Len() > 0 || len(list) == 0 {
		t.Fatalf("%s: a query without ; at its end, or none", path)
	}
	return list
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestModelNeeds: a model that is skipped while a table is empty names a table that there is, and changes nothing then.
func TestModelNeeds(t *testing.T) {
	t.Parallel()
	givens, err := filepath.Glob("../testdata/models/*/given.sql")
	if err != nil || len(givens) == 0 {
		t.Fatalf("no cases in testdata/models: %v", err)
	}
	if testing.Short() {
		givens = givens[:1]
	}
	marked, common := 0, newWarehouse(t)
	for i, m := range Models() {
		if m.Needs == "" {
			continue
		}
		marked++
		isQuery := strings.HasPrefix(m.Needs, "(")
		if _, ok := schema.Lookup(m.Needs); !ok && !isQuery {
			t.Fatalf("model %s needs %s, and there is no such table", m.Name, m.Needs)
		}
		tried := 0
		for _, given := range givens {
			t.Run(m.Name+"/"+filepath.Base(filepath.Dir(given)), func(t *testing.T) {
				few := "; DELETE FROM " + m.Needs
				if isQuery {
					few = "" // only the cases in which it finds nothing
				}
				w := common.withRows(t, readFile(t, given)+few)
				if isQuery && w.rows(t, "SELECT EXISTS (FROM "+m.Needs+")")[0] == "true" {
					return
				}
				tried++
				w.everythingChanged(t)
				before := w.derived(t)
				for _, one := range Models()[:i+1] { // with those that make what it reads
					if one.Needs == m.Needs {
						w.exec(t, one.SQL)
					}
				}
				if diff := cmp.Diff(before, w.derived(t)); diff != "" {
					t.Errorf("without %s rows change\n(-before +after)\n%s", m.Needs, diff)
				}
			})
		}
		if tried == 0 {
			t.Errorf("model %s: every case has rows in %s", m.Name, m.Needs)
		}
	}
	if marked == 0 {
		t.Error("no model is skipped: does the mark in its comment still have the words that sql.go looks for?")
	}
}

// A model that changes rows of a table that is published by month says so in _recalled: a publication would not be
// written anew otherwise.
func TestModelsSayWhatTheyChange(t *testing.T) {
	t.Parallel()
	says := 0
	for _, m := range Models() {
		for _, table := range m.Changes() {
			if spec, ok := schema.Lookup(table); !ok || !spec.ByMonth() {
				continue
			}
			if says++; !strings.Contains(m.SQL, "INSERT INTO _recalled") || !strings.Contains(m.SQL, "'"+table+"'") {
				t.Errorf("model %s changes %s, and does not say so in _recalled", m.Name, table)
			}
		}
	}
	if says < 5 {
		t.Errorf("only %d changes of these tables were found", says)
	}
}
