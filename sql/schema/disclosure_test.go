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
			for _, list := range [][]string{ids, wordLists, projects, texts} {
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
	for _, name := range slices.Concat(ids, wordLists, projects, texts) {
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

// TestIsWord: what the format's lists have is a word, and what somebody wrote is none.
func TestIsWord(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"", "agent", "claude-4.5-sonnet", "openrouter/meta:free", "USAGE_EVENT_KIND_INCLUDED_IN_PRO", "Errored, No Charge", "Included in Pro", "Included", "57", ".go", "run_terminal_command", "capabilities[].data.bubbleDataMap", "(shared)"} {
		if !IsWord(value) {
			t.Errorf("%q is no word", value)
		}
	}
	for _, value := range []string{"The key is abc.", "a\nb", "/home/mira/x", "one two three", "One Two Three Four Five", "ключ", "a=b", "mcp_billing_pay", `"quoted"`, "see tide-api/src/routes.ts please"} {
		if IsWord(value) {
			t.Errorf("%q is a word", value)
		}
	}
}
