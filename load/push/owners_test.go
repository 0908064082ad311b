package push

import (
	"slices"
	"testing"

	"pipeline/sql/schema"
)

// TestOwners: somebody has said of each shared table whose its rows are, and rows that are sent although nothing says
// whose they are have no text of anybody's.
func TestOwners(t *testing.T) {
	t.Parallel()
	harmless := []string{"keyed_by", "read_as", "file"} // made by this program, and the name of a file with usage
	known := map[string]bool{}
	for _, table := range sharedTables() {
		known[table.Name] = true
		o, ok := ownerOf(table)
		if !ok {
			t.Errorf("nothing says whose the rows of %s are", table.Name)
		}
		if o.denied == "" && (table.Has("conversation_id") || table.Has("project_uri") || table.Has("workspace_id") ||
			table.Has("repository_id") || table.Has("plan_id") || table.Has("commit_hash")) {
			t.Errorf("the rows of %s are somebody's", table.Name)
		}
		for _, c := range table.Columns {
			if o.figures && c.Discloses == schema.Texts && !slices.Contains(harmless, c.Name) {
				t.Errorf("%s.%s is a text", table.Name, c.Name)
			}
		}
	}
	for name := range owners {
		if !known[name] {
			t.Errorf("owners has %s, which is no shared table", name)
		}
	}
	var p pusher
	if got := p.allowed(schema.Table{Name: "a_new_table"}); got != "false" {
		t.Errorf("a new table is sent where %s", got)
	}
}

// TestAges: of each shared table whose rows are sent as a whole, somebody has said when they are of; or they have no
// time, or one that says nothing of a person's work.
func TestAges(t *testing.T) {
	t.Parallel()
	ageless := []string{"loads", "sources", "unknown_fields", "model_prices", "load_elements", "project_aliases",
		"workspaces", "repositories"}
	for _, table := range sharedTables() {
		some := table.Name == "ai_code_hashes" // are of no conversation
		if _, has := ages[table.Name]; has == (isSentByConversation(table) && !some ||
			slices.Contains(ageless, table.Name)) {
			t.Errorf("ages and the rows of %s do not go together", table.Name)
		}
	}
}
