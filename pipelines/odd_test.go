package pipelines_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pipeline/load/reader"
	"pipeline/sql"
	"pipeline/testdata/gen/storetest"
)

// TestOddStore loads a store with extremes in every number and time, with differences and with workspaces of every
// kind: each cell is what the dictionary says, whatever is wrong stays in its cell, and all that can be read can be.
func TestOddStore(t *testing.T) {
	long(t)
	t.Parallel()
	dir := t.TempDir()
	user := filepath.Join(dir, "User")
	odd := storetest.NewOdd()
	must(t, odd.Write(user))
	o := options(t, dir, user)
	result := mustRun(t, o)
	for _, f := range result.Failures {
		t.Errorf("check %s failed: %s", f.Check, f.First)
	}
	w, err := reader.Open(t.Context(), result.Warehouse)
	must(t, err)
	for _, q := range odd.Queries() {
		if diff := cmp.Diff(q.Rows, query(t, w, q.SQL)); diff != "" {
			t.Errorf("%s differ (-store +warehouse):\n%s\n%s", q.Name, shorten(diff), q.SQL)
		}
	}
	readsEverything(t, w)
	must(t, w.Close())
	same(t, "what a second run changes", 0, int(mustRun(t, o).Conversations.Changed))
}

// readsEverything reads every table, view, macro, check, answer and query of the report page.
func readsEverything(t *testing.T, w *reader.Reader) {
	t.Helper()
	ask := func(what, statement string) {
		if _, err := w.Query(context.Background(), statement); err != nil {
			t.Errorf("%s: %.300v", what, err)
		}
	}
	objects := query(t, w, "SELECT schema_name || '.' || table_name FROM duckdb_tables() WHERE NOT internal UNION ALL "+
		"SELECT schema_name || '.' || view_name FROM duckdb_views() WHERE NOT internal")
	if want := len(sql.Views()) + len(sql.Answers()) + len(sql.Reports()); len(objects) < want+20 {
		t.Errorf("%d tables and views, %d views", len(objects), want)
	}
	for _, name := range objects {
		ask(name[0], "FROM "+name[0])
	}
	for _, f := range sql.Checks() {
		ask("check "+f.Name, f.SQL)
	}
	for _, call := range []string{"list_conversations()", "get_conversation(c)", "list_messages(c)",
		"get_message(c, m)", "search_messages('t')", "conversation_until(c)"} {
		ask("macro "+call, "FROM "+strings.NewReplacer("(c", "('odd-head-18'", ", m)", ", 'm2')").Replace(call))
	}
	pages, err := filepath.Glob("../cmd/pipeline/internal/report/queries/*.sql")
	if err != nil || len(pages) == 0 {
		t.Fatalf("queries of the page: %d, %v", len(pages), err)
	}
	for _, path := range slices.Sorted(slices.Values(pages)) {
		text, err := os.ReadFile(path)
		must(t, err)
		ask("query "+filepath.Base(path), string(text))
	}
}
