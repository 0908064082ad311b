package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"pipeline/cmd/pipeline/internal/faulttest"
	"pipeline/cmd/pipeline/internal/result"
	"pipeline/load/reader"
	"pipeline/load/tool/failpoint"
	"pipeline/pipelines/file"
	"pipeline/sql"
	"pipeline/testdata/gen/editortest"
)

var update = flag.Bool("update", false, "write golden files anew")

func TestMain(m *testing.M) {
	if strings.Contains(filepath.Base(os.Args[0]), ".test") { // the tests themselves, not a program that they run
		_ = os.Setenv("PIPELINE_LOG", file.LogNone) // the log is this user's
		time.Local = time.UTC                       // so are days
	}
	failpoint.Enable()
	editortest.Main()
	faulttest.Main()
	testscript.Main(withDemo{m}, map[string]func(){"pipeline": main, "holdwarehouse": holdWarehouse})
}

// TestDictionary keeps docs/dictionary.md what `pipeline schema` prints.
func TestDictionary(t *testing.T) {
	var out, errs bytes.Buffer
	if code := realMain([]string{"pipeline", "schema"}, &out, &errs); code != 0 {
		t.Fatal(code, errs.String())
	}
	golden(t, filepath.Join("..", "..", "docs", "dictionary.md"), out.Bytes())
}

// TestQueries runs the ten first queries on the demo store and compares the answers with those kept in testdata/golden.
func TestQueries(t *testing.T) {
	warehouse := demoWarehouse(t)
	queries, err := os.ReadFile(filepath.Join("..", "..", "testdata", "golden", "queries.sql"))
	must(t, err)
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "sql.md"))
	must(t, err)
	var answers bytes.Buffer
	parts := strings.Split(string(queries), "-- name: ")[1:]
	if len(parts) != 10 {
		t.Errorf("%d queries, want ten", len(parts))
	}
	for _, part := range parts {
		name, query, _ := strings.Cut(part, "\n")
		if !strings.Contains(string(page), strings.TrimSpace(query)) {
			t.Errorf("docs/sql.md does not show the query %q", name)
		}
		answers.WriteString(name + "\n")
		out := result.Writer{Format: result.Table, MaxWidth: 60, Stdout: &answers, Messages: io.Discard}
		if err := out.Present(t.Context(), warehouse, query, result.Caption{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		answers.WriteString("\n")
	}
	golden(t, filepath.Join("..", "..", "testdata", "golden", "answers.txt"), answers.Bytes())
}

// TestDuckDBCLI opens the warehouse in the real duckdb CLI: comments, every view, every macro.
func TestDuckDBCLI(t *testing.T) {
	long(t)
	cli, err := exec.LookPath("duckdb")
	if err != nil {
		t.Skip("the duckdb CLI is not installed; with it on the PATH this test opens the warehouse in it")
	}
	warehouse := demoWarehouse(t)
	queries := []string{
		"SELECT count(*) > 200 FROM duckdb_columns() WHERE comment IS NOT NULL",
		"SELECT count(*) > 0 FROM search_messages('the')", "SELECT count(*) = 3 FROM list_conversations(max_rows := 3)",
		"SELECT count(*) > 0 FROM list_messages((SELECT id FROM list_conversations() WHERE message_count > 0 LIMIT 1))",
		"SELECT count(*) > 1 FROM conversation_until((SELECT conversation_id FROM live_messages GROUP BY ALL ORDER " +
			"BY count(*) DESC LIMIT 1))",
		"SELECT count(*) = 1 FROM get_conversation((SELECT id FROM list_conversations() LIMIT 1))",
		"SELECT count(*) = 1 FROM get_message((SELECT min((conversation_id, message_id))[1] FROM live_messages), " +
			"(SELECT min((conversation_id, message_id))[2] FROM live_messages))",
	}
	for _, view := range []string{"timeline", "live_conversations", "live_messages", "live_tool_calls",
		"message_branches", "message_groups", "turns", "coverage", "loads_latest"} {
		queries = append(queries, "SELECT count(*) > 0 FROM "+view)
	}
	// The CLI's engine is a newer one: each answer must be understood by it, and have the same types.
	types, err := reader.Query(t.Context(), warehouse,
		`SELECT c.schema_name || '.' || table_name, string_agg(data_type, ', ' ORDER BY column_index)
		FROM duckdb_columns() c JOIN duckdb_views() v ON v.schema_name = c.schema_name AND view_name = table_name WHERE NOT v.internal GROUP BY ALL`)
	must(t, err)
	for _, view := range types.Rows {
		queries = append(queries,
			fmt.Sprintf("SELECT (SELECT count(*) >= 0 FROM %[1]s) AND string_agg(column_type, ', ') = '%[2]s' FROM "+
				"(DESCRIBE %[1]s)", view...))
	}
	shown, err := exec.Command(cli, "-readonly", "-csv", "-noheader", warehouse, "SHOW TABLES").CombinedOutput()
	if tables := strings.Fields(string(shown)); err != nil || !slices.Contains(tables, "timeline") ||
		slices.ContainsFunc(tables, isNoTable) {
		t.Errorf("SHOW TABLES: %s %v", shown, err)
	}
	// In a file that is attached to another database, a view finds what it reads by the name of its schema alone.
	for _, view := range types.Rows {
		got, err := exec.Command(cli, "-csv", "-noheader", "-c",
			fmt.Sprintf("ATTACH '%s' AS w (READ_ONLY); SELECT count(*) >= 0 FROM w.%s", warehouse, view[0])).
			CombinedOutput()
		if err != nil || strings.TrimSpace(string(got)) != "true" {
			t.Errorf("attached: %s: %s %v", view[0], got, err)
		}
	}
	for _, q := range queries {
		got, err := exec.Command(cli, "-readonly", "-csv", "-noheader", warehouse, q).CombinedOutput()
		if err != nil || strings.TrimSpace(string(got)) != "true" {
			t.Errorf("%s: %s %v", q, got, err)
		}
	}
}

// isNoTable reports whether a name is that of an internal table, or of a view of an answer or of the report: those are
// in other schemas.
func isNoTable(name string) bool {
	return strings.HasPrefix(name, "_") || strings.HasPrefix(name, "report_") ||
		slices.ContainsFunc(sql.Answers(), func(f sql.File) bool { return f.Name == name })
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		must(t, os.WriteFile(file, got, 0o600))
		return
	}
	want, err := os.ReadFile(file)
	must(t, err)
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs; look at it and run go test ./cmd/pipeline -update (-want +got):\n%s", file, diff)
	}
}
