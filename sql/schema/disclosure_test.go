package schema

import (
	"slices"
	"testing"
)

// TestDisclosure: somebody has thought of each column of text whether it may tell what a person wrote; a name stands in one list, and is still one of a column.
func TestDisclosure(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for _, table := range Tables() {
		if table.Scope == Internal {
			continue
		}
		for _, c := range table.Columns {
			used[c.Name] = true
			listed := 0
			for _, list := range [][]string{figures, projects, texts} {
				if slices.Contains(list, c.Name) {
					listed++
				}
			}
			isText := c.Type == "VARCHAR" || c.Type == "JSON" || c.Type == "BLOB"
			if isText && listed != 1 && !slices.Contains(private, table.Name) {
				t.Errorf("%s.%s is in %d lists of disclosure.go: may it leave the machine where texts may not?", table.Name, c.Name, listed)
			}
			if !isText && c.Discloses() != Figures {
				t.Errorf("%s.%s is no text", table.Name, c.Name)
			}
		}
	}
	for _, name := range slices.Concat(figures, projects, texts) {
		if !used[name] {
			t.Errorf("disclosure.go names %s, and no table has such a column", name)
		}
	}
	for _, name := range []string{"text", "title", "params", "file_path", "subject"} {
		if (Column{Name: name, Type: "VARCHAR"}).Discloses() != Texts {
			t.Errorf("%s is no text", name)
		}
	}
	if (Column{Name: "a new column", Type: "VARCHAR"}).Discloses() != Texts {
		t.Error("a column that nobody has thought of is passed on")
	}
}
