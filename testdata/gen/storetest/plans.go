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
	PlanColumns = []string{"plan_id", "name", "overview", "body", "is_project", "path", "todo_count",
		"completed_todo_count"}
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
			"---\nname: Fix the login\noverview: \"It fails: for é.\"\ntodos:\n  - id: one\n    content: Find it\n"+
				"    status: completed\n  - id: two\n    content: |-\n      Mend it\n      well\n"+
				"    status: in_progress\n  - id: three\n    content: Test it\n    status: pending\n"+
				"isProject: false\n---\n\n"+
				"# Fix the login\n\n---\n\nThe end.\n",
			[]string{"Fix the login", "It fails: for é.", "\n# Fix the login\n\n---\n\nThe end.\n", "false"},
			[]string{"one", "Find it", "completed"}, []string{"two", "Mend it\nwell", "in_progress"},
			[]string{"three", "Test it", "pending"}),
		plan("a project", "a_project_00000001", "---\nname: P\nisProject: true\n---\nText",
			[]string{"P", null, "Text", "true"}),
		plan("no tasks", "no_tasks_00000002", "---\nname: T\ntodos: []\n---\n", []string{"T", null, null, null}),
		plan("no head", "no_head_00000003", "# Only text\n", []string{null, null, "# Only text\n", null}),
		plan("an empty head", "empty_head_00000004", "---\n---\nText\n", []string{null, null, "Text\n", null}),
		plan("a head without an end", "open_head_00000005", "---\nname: x\n",
			[]string{null, null, "---\nname: x\n", null}),
		plan("an empty file", "empty_00000006", "", []string{null, null, null, null}),
		plan("lines of Windows", "windows_00000007", "---\r\nname: W\r\n---\r\nOne\r\nTwo\r\n",
			[]string{"W", null, "One\nTwo\n", null}),
		plan("values that are no texts", "numbers_00000008",
			"---\nname: 7\noverview: [a]\ntodos:\n  - id: 1\n    content: true\n  - nonsense\n---\nx",
			[]string{"7", null, "x", null}, []string{"1", "true", "pending"}),
		plan("no UTF-8", "bytes_00000009", "---\nname: \"caf\xff\"\n---\n\xfe",
			[]string{"caf\ufffd", null, "\ufffd", null}),
		bad(plan("broken YAML", "broken_0000000a", "---\nname: [x\ntodos: }\n---\nText",
			[]string{null, null, "Text", null})),
		bad(plan("a list for a head", "list_0000000b", "---\n- a\n- b\n---\nText", []string{null, null, "Text", null})),
		plan("values that nobody quoted", "colons_0000000c",
			"\uFEFF---\r\nname: Free disk\r\noverview: Fix: remove old logs # soon\r\ntodos:\r\n- id: a\r\n"+
				"  content: find: all of them\r\n  status: completed\r\n"+
				"- id: b\r\n  content: go on\r\n      with: it\r\nisProject: false\r\n---\r\n\r\nText",
			[]string{"Free disk", "Fix: remove old logs # soon", "\nText", "false"},
			[]string{"a", "find: all of them", "completed"}, []string{"b", "go on with: it", "pending"}),
		plan("words that YAML reserves", "reserved_0000000d",
			"---\nname: `go vet`: passes\noverview: @team\ntodos:\n  - content: \"done: it's\"\n    id: a: b\n---\n",
			[]string{"`go vet`: passes", "@team", null, null}, []string{"a: b", "done: it's", "pending"}),
		bad(plan("a value that YAML refuses", "refused_0000000e",
			"---\nname: [x\noverview: all of it\ntodos:\n  - id: a\n    content: \"open\n    status: completed\n"+
				"  - id: b\n    content: closed\nisProject: true\n---\nText",
			[]string{null, "all of it", "Text", "true"}, []string{"a", null, "completed"},
			[]string{"b", "closed", "pending"})),
		plan("blanks behind the dashes", "blanks_0000000f",
			"--- \t\nname: B\noverview: |-\n  One\n\n  ---\n  Two\n---  \n\nText",
			[]string{"B", "One\n\n---\nTwo", "\nText", null}),
		plan("tasks of phases", "phases_00000010",
			"---\nname: Big\ntodos:\n  - id: o\n    content: before\n    status: cancelled\nphases:\n  - name: One\n"+
				"    todos:\n      - id: p\n        content: first\n        status: in_progress\n"+
				"  - name: None\n  - name: Two\n    todos:\n      - id: q\n        content: second\n"+
				"        dependencies:\n          - p\n---\n", []string{"Big", null, null, null},
			[]string{"o", "before", "cancelled"}, []string{"p", "first", "in_progress"},
			[]string{"q", "second", "pending"}),
		plan("the oldest form", "old-00000011",
			"<!-- 1 2 -->\r\n# Old plan\r\n\r\n- [ ] no task\r\n\r\n### To-dos\r\n\r\n- [x] did it\r\n"+
				"- [ ] to do: it\r\n", []string{"Old plan", null,
				"<!-- 1 2 -->\n# Old plan\n\n- [ ] no task\n\n### To-dos\n\n- [x] did it\n" +
					"- [ ] to do: it\n", null}, []string{null, "did it", "completed"},
			[]string{null, "to do: it", "pending"}),
		plan("the oldest form without a heading", "old-00000012", "<!-- 1 2 -->\n- [X] did it\n",
			[]string{null, null, "<!-- 1 2 -->\n- [X] did it\n", null}, []string{null, "did it", "completed"}),
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
