package main

import (
	"bytes"
	"cmp"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pipeline/load/reader"
	"pipeline/sql/schema"
)

// expectedTable is what readers of a published table must find.
type expectedTable struct {
	Rows    int64               `json:"rows"`
	Columns map[string]string   `json:"columns"`
	Figures map[string][2]int64 `json:"figures"` // of a column: how many values there are, and what they come to
}

// figureOf is what a column's values come to.
var figureOf = map[string]string{
	"VARCHAR": `length(%s)`, "JSON": `length(CAST(%s AS VARCHAR))`, "BIGINT": `%s`,
	"DOUBLE": `CAST(round(%s * 1000) AS BIGINT)`, "BOOLEAN": `CAST(%s AS BIGINT)`,
	"DATE": `date_diff('day', DATE '1970-01-01', %s)`, "TIMESTAMPTZ": `epoch_ms(%s)`,
}

// figuresQuery asks for the rows of a table, and for two figures of each column.
func figuresQuery(t schema.Table, from string) string {
	parts := []string{"count(*)"}
	for _, c := range t.Columns {
		name := fmt.Sprintf("%q", c.Name)
		parts = append(parts, "count("+name+")",
			"CAST(coalesce(sum("+fmt.Sprintf(figureOf[c.Type], name)+"), 0) AS BIGINT)")
	}
	return "SELECT " + strings.Join(parts, ", ") + " FROM " + from
}

// expectedOf reads what a figuresQuery answered.
func expectedOf(t *testing.T, table schema.Table, row []any) expectedTable {
	t.Helper()
	n := make([]int64, len(row))
	for i, cell := range row {
		if _, err := fmt.Sscan(reader.Text(cell), &n[i]); err != nil {
			t.Fatalf("%s: %v", table.Name, err)
		}
	}
	out := expectedTable{Rows: n[0], Columns: map[string]string{}, Figures: map[string][2]int64{}}
	for i, c := range table.Columns {
		out.Columns[c.Name], out.Figures[c.Name] = c.Type, [2]int64{n[1+2*i], n[2+2*i]}
	}
	return out
}

// publishedRows is a query of a table's rows with the column is_live, as the views live_... tell it.
func publishedRows(t schema.Table) string {
	if !t.Is(schema.Live) {
		return t.Name
	}
	var same []string
	for _, key := range t.Key() {
		same = append(same, fmt.Sprintf("l.%[1]q = t.%[1]q", key))
	}
	return fmt.Sprintf("(SELECT t.*, EXISTS (FROM live_%[1]s l WHERE %[2]s) AS is_live FROM %[1]s t)", t.Name,
		strings.Join(same, " AND "))
}

// publishedDemo publishes a demo store, and says what readers must find.
func publishedDemo(t *testing.T) (folder string, expected map[string]expectedTable) {
	t.Helper()
	w := newCLITest(t)
	demo, parquet := filepath.Join(w.dir, "demo"), filepath.Join(w.dir, "it's parquet")
	mustWriteStore(t, demo, 600, 1)
	w.must(setRow(demo, "composerData:timeless",
		`{"_v":3,"composerId":"timeless","fullConversationHeadersOnly":[{"bubbleId":"m","type":1}]}`))
	w.must(setRow(demo, "bubbleId:timeless:m", `{"_v":2,"type":1,"bubbleId":"m","text":"when?"}`))
	w.does(0, "run", "--quiet", "--source", "test="+demo, "--warehouse", w.warehouse)
	w.does(0, "export", "parquet", parquet, "--warehouse", w.warehouse)
	expected = map[string]expectedTable{}
	for _, table := range schema.Tables() {
		if table.Scope == schema.Internal {
			continue
		}
		answer, err := reader.Query(t.Context(), w.warehouse, figuresQuery(table.Published(), publishedRows(table)))
		w.must(err)
		expected[table.Name] = expectedOf(t, table.Published(), answer.Rows[0])
		if live := expected[table.Name].Figures["is_live"]; table.Is(schema.Live) && table.Name != "tool_calls" &&
			live[1] == expected[table.Name].Rows {
			t.Errorf("all %s of the demo are live: nothing is tested", table.Name)
		}
	}
	folder, err := filepath.EvalSymlinks(filepath.Join(parquet, "current"))
	w.must(err)
	return folder, expected
}

// TestDuckReader: DuckDB reads of a publication what the warehouse has; the months are a column, and one of them is
// read without the others.
func TestDuckReader(t *testing.T) {
	t.Parallel()
	long(t)
	folder, expected := publishedDemo(t)
	db, err := sql.Open("duckdb", "")
	must(t, err)
	defer db.Close()
	for name, want := range expected {
		table, _ := schema.Lookup(name)
		table = table.Published()
		row := make([]any, 1+2*len(table.Columns))
		refs := make([]any, len(row))
		for i := range row {
			refs[i] = &row[i]
		}
		from := filepath.Join(folder, name+".parquet")
		if isFolder(filepath.Join(folder, name)) {
			from = filepath.Join(folder, name, "*", "*.parquet")
		}
		if err := db.QueryRow(figuresQuery(table, "read_parquet("+quoted(from)+")")).Scan(refs...); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := expectedOf(t, table, row); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	months := "read_parquet(" + quoted(filepath.Join(folder, "messages", "*", "*.parquet")) + ")"
	var kind, month string
	var files, unknown int
	must(t, db.QueryRow(
		`SELECT any_value(typeof(month)), min(month), count(DISTINCT month), count(DISTINCT month) FILTER (WHERE month = 'unknown') FROM `+months).Scan(&kind, &month, &files, &unknown))
	if kind != "VARCHAR" || files < 3 || unknown != 1 {
		t.Errorf("the months are of type %s, there are %d, unknown among them %d times", kind, files, unknown)
	}
	var name, plan string
	must(t, db.QueryRow(`EXPLAIN ANALYZE SELECT count(text) FROM `+months+` WHERE month = `+quoted(month)).
		Scan(&name, &plan))
	if !strings.Contains(plan, "Total Files Read: 1 ") {
		t.Errorf("of %d files DuckDB does not read one:\n%s", files, plan)
	}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// TestNotebookReaders: pyarrow, pandas, polars and Python's DuckDB read of a publication what the warehouse has.
// PIPELINE_TEST_PYTHON names a Python that has them.
func TestNotebookReaders(t *testing.T) {
	t.Parallel()
	long(t)
	python, err := exec.LookPath(cmp.Or(os.Getenv("PIPELINE_TEST_PYTHON"), "python3"))
	if err != nil {
		t.Skip("there is no Python:", err)
	}
	folder, expected := publishedDemo(t)
	text, err := json.Marshal(expected)
	must(t, err)
	cmd := exec.Command(python, filepath.Join("..", "..", "testdata", "readers", "check.py"), folder)
	cmd.Stdin = bytes.NewReader(text)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 3 {
		t.Skipf("this Python has no reader of Parquet: %s", out)
	}
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Logf("%s", out)
}
