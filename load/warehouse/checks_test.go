package warehouse_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pipeline/load/engine"
	"pipeline/load/figures"
	"pipeline/sql"
)

// TestChecksOfTables breaks a warehouse in the ways of the checks that are asked only of tables that may fail them:
// each check finds its own, and says which row.
func TestChecksOfTables(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ check, statement, first string }{
		{"keys_unique",
			`INSERT INTO prompts (source_id, workspace_id, prompt_id, kind) VALUES ('s', 'w', 'p', 'prompt'), ('s', 'w', 'p', 'prompt')`, "prompts s/w/p: 2 rows"},
		{"no_empty_texts",
			`INSERT INTO prompts (source_id, workspace_id, prompt_id, kind, text) VALUES ('s', 'w', 'p', 'prompt', '')`,
			"prompts s/w/p: '' instead of NULL: text"},
		{"no_negative_figures",
			`INSERT INTO model_usage (source_id, conversation_id, model, requests) VALUES ('s', 'c', 'm', -1)`,
			"model_usage s/c/m: negative: requests"},
		{"allowed_values", `INSERT INTO prompts (source_id, workspace_id, prompt_id, kind) VALUES ('s', 'w', 'p', 'x')`,
			"prompts s/w/p: kind x"},
		{"times_plausible",
			`INSERT INTO prompts (source_id, workspace_id, prompt_id, kind, created_at) VALUES ('s', 'w', 'p', 'prompt', '1970-01-01 00:00:00+00')`, "prompts s/w/p: created_at before 2015 or from 2100"},
	} {
		path := emptyWarehouse(t, true)
		db, conn, err := engine.Open(t.Context(), path, false)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _, _ = conn.Close(), db.Close() }()
		if _, err := conn.ExecContext(t.Context(), c.statement); err != nil {
			t.Fatal(err)
		}
		found, err := figures.RunChecks(t.Context(), conn, func(int, int) {},
			func(f sql.File) bool { return f.Parts != nil }, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range found {
			got = append(got, fmt.Sprintf("%s: %s", f.Check, f.First))
		}
		if diff := cmp.Diff([]string{c.check + ": " + c.first}, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.statement, diff)
		}
	}
}
