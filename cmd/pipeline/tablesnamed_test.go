package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pipeline/sql/schema"
)

// TestTablesNamed: docs/sql.md names every table that is for people.
func TestTablesNamed(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "sql.md"))
	must(t, err)
	for _, table := range schema.Tables() {
		if !strings.HasPrefix(table.Name, "_") && !strings.Contains(string(page), "`"+table.Name+"`") {
			t.Errorf("docs/sql.md does not name the table %s", table.Name)
		}
	}
}
