package sql

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// viewColumns are the columns of all views, each with its view: "answers.tool_usage" and "calls", and whether the
// view's file has a comment on it.
func viewColumns(t *testing.T) (columns [][3]string) {
	t.Helper()
	for _, row := range newWarehouse(t).rows(t,
		`SELECT c.schema_name || '.' || c.table_name, c.column_name, c.comment IS NOT NULL
		FROM duckdb_columns() c
		SEMI JOIN (FROM duckdb_views() WHERE NOT internal) v ON v.view_oid = c.table_oid AND v.database_oid = c.database_oid
		ORDER BY c.table_oid, c.column_index`) {
		parts := strings.Split(row, " | ")
		columns = append(columns, [3]string(parts))
	}
	return columns
}

// TestGlossary: each column of a view has a meaning, each line of the glossary is needed and says something of its own,
// and a meaning is short.
func TestGlossary(t *testing.T) {
	t.Parallel()
	entries, unused := glossary(), maps.Clone(glossary())
	lack := map[string][]string{}
	for _, c := range viewColumns(t) {
		view, column, commented := c[0], c[1], c[2] == "true"
		if commented {
			continue
		}
		if meaning(entries, view, column, func(entry string) { delete(unused, entry) }) == "" {
			lack[view] = append(lack[view], column)
		}
	}
	for _, view := range slices.Sorted(maps.Keys(lack)) {
		t.Errorf("no meaning of the columns of %s: %s. Add them to sql/glossary.txt", view,
			strings.Join(lack[view], ", "))
	}
	for _, entry := range slices.Sorted(maps.Keys(unused)) {
		t.Errorf("glossary.txt explains %s: no view has that column, or another line takes its place", entry)
	}
	for entry, text := range entries {
		if n := utf8.RuneCountInString(text); n > 200 ||
			!strings.HasSuffix(entry, ".*") && !strings.HasPrefix(text, "= ") && !strings.HasSuffix(text, ".") {
			t.Errorf("glossary.txt: what it says of %s has %d characters, at most 200 are wanted, and a full stop: %s",
				entry, n, text)
		}
		dot := strings.LastIndex(entry, ".")
		if dot < 0 {
			continue
		}
		others := maps.Clone(entries)
		delete(others, entry)
		if without := meaning(others, entry[:dot], entry[dot+1:], func(string) {}); without == meaning(entries,
			entry[:dot], entry[dot+1:], func(string) {}) && without != "" {
			t.Errorf("glossary.txt says of %s what it would say without that line: %s", entry, without)
		}
	}
}
