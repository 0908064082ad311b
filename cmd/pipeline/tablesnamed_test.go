package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pipeline/sql/schema"
)

// TestTablesNamed: docs/warehouse.md names every table that is for people.
func TestTablesNamed(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "warehouse.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range schema.Tables() {
		if !strings.HasPrefix(table.Name, "_") && !strings.Contains(string(page), "`"+table.Name+"`") {
			t.Errorf("docs/warehouse.md does not name the table %s", table.Name)
		}
	}
}
