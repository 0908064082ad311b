package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pipeline/sql/schema"
)

// TestReadmeNamesTables: the README names every table that is for people.
func TestReadmeNamesTables(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range schema.Tables() {
		if !strings.HasPrefix(table.Name, "_") && !strings.Contains(string(readme), "`"+table.Name+"`") {
			t.Errorf("the README does not name the table %s", table.Name)
		}
	}
}
