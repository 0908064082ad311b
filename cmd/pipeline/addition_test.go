package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pipeline/load/rawlog"
	"pipeline/load/reader"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// macroCalls asks each macro.
var macroCalls = map[string]string{
	"conversation_until": "FROM conversation_until('alpha', 'a2')",
	"get_conversation":   "FROM get_conversation('alpha')",
	"get_message":        "FROM get_message('alpha', 'a2')",
	"list_conversations": "FROM list_conversations()",
	"list_messages":      "FROM list_messages('alpha')",
	"search_messages":    "FROM search_messages('question')",
}

// readsEverything reads every row and column of every table, view, answer and macro.
func (e *earlier) readsEverything() {
	e.t.Helper()
	var queries []string
	for _, t := range schema.Tables() {
		queries = append(queries, "FROM "+t.Object())
	}
	for _, view := range slices.Concat(sql.Views(), sql.Answers(), sql.Reports()) {
		queries = append(queries, "FROM "+view.Object())
	}
	for _, macro := range sql.Macros() {
		call := macroCalls[macro.Name]
		if call == "" {
			e.t.Errorf("macro %s is read by nobody here", macro.Name)
			continue
		}
		queries = append(queries, call)
	}
	r, err := reader.OpenAny(e.t.Context(), e.warehouse)
	e.must(err)
	for _, query := range queries {
		if _, err := r.Query(e.t.Context(), query); err != nil {
			e.t.Errorf("%s: %v", query, err)
		}
	}
	e.must(r.Close())
	e.does(0, "check", "--warehouse", e.warehouse)
	e.does(0, "show", "alpha", "--no-pager", "--warehouse", e.warehouse)
	e.does(0, "report", "--output", filepath.Join(e.dir, "report.html"), "--warehouse", e.warehouse)
}

// TestDeclaredSince: what is declared after a warehouse was made is added to it by the next run, whatever the number of its schema says, and a view, a
// macro or a comment that is not as this version makes it is made anew. All of it then has what a first load has.
func TestDeclaredSince(t *testing.T) {
	t.Parallel()
	store := readEarlierStore(t)
	fresh := &earlier{cliTest: newCLITest(t)}
	store.write(t, fresh.user, store.states())
	fresh.run(0, "--quiet")
	want := fresh.holds()
	fresh.readsEverything()
	bytes, err := os.ReadFile(fresh.warehouse)
	fresh.must(err)
	for name, test := range map[string]struct {
		without string // of which the warehouse is
		lacks   string // what whoever only reads is told; "": it can be read
		copied  int    // version that the copy names; 0: there is none
	}{
		"column":                {"ALTER TABLE messages DROP turn_duration_ms", "messages.turn_duration_ms", schema.Version},
		"columns of two tables": {"ALTER TABLE conversations DROP title; ALTER TABLE loads DROP finished_at", "conversations.title, loads.finished_at", schema.Version},
		"column, new version":   {fmt.Sprintf("ALTER TABLE messages DROP turn_duration_ms; UPDATE internal._meta SET value = '%d' WHERE key = 'schema_version'", schema.Version-1), "schema version", schema.Version - 1},
		"table":                 {"DROP TABLE checkpoints", "checkpoints", schema.Version},
		"view":                  {"DROP VIEW live_messages", "", 0},
		"answer":                {"CREATE OR REPLACE VIEW answers.tool_usage AS SELECT 1 AS one", "", 0},
		"macro":                 {"DROP MACRO TABLE list_messages", "", 0},
		"comment of a column":   {"COMMENT ON COLUMN messages.text IS NULL", "", 0},
		"other comments":        {"COMMENT ON TABLE messages IS 'mine'; COMMENT ON VIEW timeline IS NULL", "", 0},
	} {
		if testing.Short() && name != "column" {
			continue // make test-all runs them
		}
		t.Run(name, func(t *testing.T) {
			e := &earlier{cliTest: newCLITest(t)}
			e.user = fresh.user
			e.must(os.WriteFile(e.warehouse, bytes, 0o600))
			e.must(os.CopyFS(rawlog.Dir(e.warehouse), os.DirFS(rawlog.Dir(fresh.warehouse))))
			e.must(execDuckDB(e.warehouse, test.without))
			before := e.tables(e.warehouse)
			if test.lacks != "" {
				if _, said := e.does(exitFailed, "check", "--warehouse", e.warehouse); !strings.Contains(said, test.lacks) || !strings.Contains(said, "'pipeline run'") {
					t.Errorf("a reader says %q, want %q and what to do", said, test.lacks)
				}
			}
			_, said := e.run(0, "--quiet")
			e.same("what the warehouse holds", want, e.holds())
			e.readsEverything()
			copies, err := filepath.Glob(e.warehouse + ".schema-*")
			e.must(err)
			if test.copied == 0 {
				if len(copies) > 0 || said != "" {
					t.Errorf("there is %v, and the run says %q: no table was changed", copies, said)
				}
			} else {
				e.same("the copies", []string{fmt.Sprintf("%s.schema-%d", e.warehouse, test.copied)}, copies)
				e.same("the copy", before, e.tables(copies[0]))
			}
			e.isQuiet()
		})
	}
}
