package warehouse_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pipeline/load/reader"
	"pipeline/load/warehouse"
	"pipeline/sql/schema"
)

var update = flag.Bool("update", false, "make the template anew")

// catalogue asks for everything that the engine knows of a warehouse but its rows, and for its settings.
var catalogue = []string{
	`SELECT schema_name, comment FROM duckdb_schemas() WHERE database_name = current_database() ORDER BY ALL`,
	`SELECT table_name, comment, temporary, has_primary_key, column_count, index_count, check_constraint_count, sql FROM duckdb_tables() WHERE database_name = current_database() ORDER BY ALL`,
	`SELECT table_name, column_index, column_name, data_type, is_nullable, column_default, comment FROM duckdb_columns() WHERE database_name = current_database() ORDER BY ALL`,
	`SELECT view_name, comment, column_count, list_sort(string_split_regex(sql, '[\s,()]+')) FROM duckdb_views() WHERE database_name = current_database() AND NOT internal ORDER BY ALL`,
	`SELECT function_name, function_type, parameters, list_sort(string_split_regex(macro_definition, '[\s,()]+')), comment FROM duckdb_functions() WHERE database_name = current_database() AND NOT internal ORDER BY ALL`,
	`SELECT table_name, constraint_type, constraint_text FROM duckdb_constraints() WHERE database_name = current_database() ORDER BY ALL`,
	`SELECT index_name, sql FROM duckdb_indexes() WHERE database_name = current_database() ORDER BY ALL`,
	`SELECT sequence_name FROM duckdb_sequences() WHERE database_name = current_database() ORDER BY ALL`,
	`SELECT type_name FROM duckdb_types() WHERE database_name = current_database() AND NOT internal ORDER BY ALL`,
	`SELECT key, value FROM internal._meta ORDER BY ALL`,
	`SELECT tags, block_size FROM duckdb_databases(), pragma_database_size() WHERE duckdb_databases.database_name = current_database()`,
}

func ask(t *testing.T, path, query string) [][]any {
	t.Helper()
	answer, err := reader.Query(t.Context(), path, query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return answer.Rows
}

// opened opens a warehouse for many questions.
func opened(t *testing.T, path string) func(query string) [][]any {
	t.Helper()
	r, err := reader.OpenAny(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return func(query string) [][]any {
		t.Helper()
		answer, err := r.Query(t.Context(), query)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return answer.Rows
	}
}

// emptyWarehouse is one without a load: what a new file is before anything is written.
func emptyWarehouse(t *testing.T, templated bool) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "w.duckdb")
	w, err := warehouse.OpenAnew(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if warehouse.Templated(w) != templated {
		t.Errorf("made out of the template: %t, want %t", !templated, templated)
	}
	if err := errors.Join(w.Place(), w.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTemplate: the template is of this engine and of today's statements, and a warehouse that is made out of it has
// the catalogue of one that statements made. With -update it is made anew (go generate ./load).
func TestTemplate(t *testing.T) { // alone: it switches the template off
	undo := warehouse.WithoutTemplate()
	made := emptyWarehouse(t, false)
	undo()
	engine := ask(t, made, `SELECT version()`)[0][0].(string)
	want := warehouse.TemplateFor(engine)
	if *update {
		file, err := os.ReadFile(made)
		if err != nil {
			t.Fatal(err)
		}
		packed, err := warehouse.PackTemplate(file)
		if err := errors.Join(err, os.WriteFile("template.duckdb.zst", packed, 0o644),
			os.WriteFile("template.txt", []byte(want), 0o644)); err != nil {
			t.Fatal(err)
		}
		t.Skipf("made anew: %d bytes", len(packed))
	}
	if warehouse.TemplateOf != want {
		t.Fatalf("the template is of\n%swant\n%srun: go generate ./load", warehouse.TemplateOf, want)
	}
	byStatements, unpacked := opened(t, made), opened(t, emptyWarehouse(t, true))
	for _, query := range catalogue {
		if diff := cmp.Diff(byStatements(query), unpacked(query)); diff != "" {
			t.Errorf("%s: made by statements, then out of the template:\n%s", query, diff)
		}
	}
	for _, table := range schema.Tables() {
		if n := unpacked(`SELECT count(*) FROM ` + table.Name)[0][0]; n != int64(0) && table.Name != "_meta" {
			t.Errorf("table %s of the template has %v rows", table.Name, n)
		}
	}
}

// TestViewsMadeOnce: views and macros are made once, and not anew by each load, however often the engine writes the
// file.
func TestViewsMadeOnce(t *testing.T) { // alone: it switches the template off
	for _, templated := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "w.duckdb")
		undo := func() {}
		if !templated {
			undo = warehouse.WithoutTemplate()
		}
		for n := range 3 {
			mustLoad(t, path, func(tx *warehouse.Load) {
				if n == 1 { // so that the file is written anew as a whole
					if err := tx.Write(&schema.Rows{
						Conversations: []schema.Conversation{{SourceID: "s", ConversationID: "c", Format: "rows"}},
					}); err != nil {
						t.Fatal(err)
					}
				}
			})
			if differ, err := warehouse.ObjectsDiffer(t.Context(), path); differ || err != nil {
				t.Errorf("template %t, load %d: the views would be made anew: %v", templated, n+1, err)
			}
		}
		undo()
	}
}
