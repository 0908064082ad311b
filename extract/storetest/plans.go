package storetest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// PlanFile is a plan of Cursor's agent as a file, and what a warehouse makes of it.
type PlanFile struct {
	Case  string
	Name  string // of the file
	Text  string
	Want  []string   // the row of plans, in the order of PlanColumns, with NULL for NULL; nil: none
	Todos [][]string // the rows of plan_todos, in the order of TodoColumns
	Bad   bool       // the head is quarantined
}

// PlanColumns and TodoColumns are the columns that the rows of Want and Todos have.
var (
	PlanColumns = []string{"plan_id", "name", "overview", "body", "is_project", "path", "todo_count", "completed_todo_count"}
	TodoColumns = []string{"plan_id", "ordinal", "todo_id", "content", "status"}
)

// PlanFiles are one of each kind.
func PlanFiles() []PlanFile {
	plan := func(name, id, text string, want []string, todos ...[]string) PlanFile {
		p := PlanFile{Case: name, Name: id + ".plan.md", Text: text, Want: append([]string{id}, want...)}
		done := 0
		for i, t := range todos {
			p.Todos = append(p.Todos, append([]string{id, fmt.Sprint(i)}, t...))
			if t[2] == "completed" {
				done++
			}
		}
		p.Want = append(p.Want, p.Name, fmt.Sprint(len(todos)), fmt.Sprint(done))
		return p
	}
	bad := func(p PlanFile) PlanFile {
		p.Bad = true
		return p
	}
	return []PlanFile{
		plan("all that a plan has", "fix_the_login_1a2b3c4d",
			"---\nname: Fix the login\noverview: \"It fails: for é.\"\ntodos:\n  - id: one\n    content: Find it\n    status: completed\n  - id: two\n    content: |-\n      Mend it\n      well\n    status: in_progress\n  - id: three\n    content: Test it\n    status: pending\nisProject: false\n---\n\n# Fix the login\n\n---\n\nThe end.\n",
			[]string{"Fix the login", "It fails: for é.", "\n# Fix the login\n\n---\n\nThe end.\n", "false"},
			[]string{"one", "Find it", "completed"}, []string{"two", "Mend it\nwell", "in_progress"}, []string{"three", "Test it", "pending"}),
		plan("a project", "a_project_00000001", "---\nname: P\nisProject: true\n---\nText", []string{"P", null, "Text", "true"}),
		plan("no tasks", "no_tasks_00000002", "---\nname: T\ntodos: []\n---\n", []string{"T", null, null, null}),
		plan("no head", "no_head_00000003", "# Only text\n", []string{null, null, "# Only text\n", null}),
		plan("an empty head", "empty_head_00000004", "---\n---\nText\n", []string{null, null, "Text\n", null}),
		plan("a head without an end", "open_head_00000005", "---\nname: x\n", []string{null, null, "---\nname: x\n", null}),
		plan("an empty file", "empty_00000006", "", []string{null, null, null, null}),
		plan("lines of Windows", "windows_00000007", "---\r\nname: W\r\n---\r\nOne\r\nTwo\r\n", []string{"W", null, "One\nTwo\n", null}),
		plan("values that are no texts", "numbers_00000008", "---\nname: 7\noverview: [a]\ntodos:\n  - id: 1\n    content: true\n  - nonsense\n---\nx", []string{"7", null, "x", null}, []string{"1", "true", null}),
		plan("no UTF-8", "bytes_00000009", "---\nname: \"caf\xff\"\n---\n\xfe", []string{"caf\ufffd", null, "\ufffd", null}),
		bad(plan("broken YAML", "broken_0000000a", "---\nname: [x\ntodos: }\n---\nText", []string{null, null, "Text", null})),
		bad(plan("a list for a head", "list_0000000b", "---\n- a\n- b\n---\nText", []string{null, null, "Text", null})),
		{Case: "no plan", Name: "notes.md", Text: "---\nname: N\n---\n"},
	}
}

// WritePlan writes a plan into a folder, with a time.
func WritePlan(dir string, p PlanFile, at time.Time) error {
	path := filepath.Join(dir, p.Name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(path, []byte(p.Text), 0o600); err != nil {
		return err
	}
	return os.Chtimes(path, at, at)
}

// Row is the row of plans as one text, with the time that WritePlan gave it.
func (p PlanFile) Row(at time.Time) string {
	return strings.Join(append(append([]string{}, p.Want...), fmt.Sprint(at.UnixMilli())), " | ")
}
