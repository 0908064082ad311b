package schema

import (
	"slices"
	"strings"
	"testing"
)

// TestDisclosure: what a column tells is what its declaration says; one of text that says nothing is a text, and
// numbers are none.
func TestDisclosure(t *testing.T) {
	t.Parallel()
	type row struct {
		ID      string  `col:"an_id,key,id"`
		Model   *string `col:"model,word"`
		Project *string `col:"project,project"`
		Written JSON    `col:"written"`
		At      *Millis `col:"at"`
	}
	want := []Disclosure{Figures, Words, Projects, Texts, Figures}
	for i, c := range NewTable[row]("rows", "", ByConversation).Columns {
		if c.Discloses != want[i] {
			t.Errorf("%s: %v, want %v", c.Name, c.Discloses, want[i])
		}
	}
	for _, table := range Tables() {
		for _, c := range table.Columns {
			if slices.Contains([]string{"text", "title", "params", "file_path", "subject"}, c.Name) &&
				c.Discloses != Texts {
				t.Errorf("%s.%s is no text", table.Name, c.Name)
			}
			named := c.Name == "plan_id" || c.Name == "edit_id" // names of files are in them
			if table.IsShared() && c.Key && strings.HasSuffix(c.Name, "_id") && c.Discloses == Texts && !named {
				t.Errorf("%s.%s is an id, and taken for a text: write id behind key", table.Name, c.Name)
			}
		}
	}
}

// TestIsWord: what the format's lists have is a word, and what somebody wrote is none.
func TestIsWord(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"", "agent", "claude-4.5-sonnet", "openrouter/meta:free",
		"USAGE_EVENT_KIND_INCLUDED_IN_PRO", "Errored, No Charge", "Included in Pro", "Included", "57", ".go",
		"run_terminal_command", "capabilities[].data.bubbleDataMap", "(shared)"} {
		if !IsWord(value) {
			t.Errorf("%q is no word", value)
		}
	}
	for _, value := range []string{"The key is abc.", "a\nb", "/home/mira/x", "one two three",
		"One Two Three Four Five", "ключ", "a=b", "mcp_billing_pay", `"quoted"`, "see tide-api/src/routes.ts please"} {
		if IsWord(value) {
			t.Errorf("%q is a word", value)
		}
	}
}
