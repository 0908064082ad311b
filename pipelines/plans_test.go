package pipelines_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pipeline/pipelines"
	"pipeline/testdata/gen/graphtest"
	"pipeline/testdata/gen/storetest"
)

// plansFixture is a fixture with plans in the home around its user directory, and what the warehouse must have of them.
type plansFixture struct {
	*gitFixture
	dir   string
	files map[string]storetest.PlanFile
	times map[string]time.Time
}

func newPlansFixture(t *testing.T) *plansFixture {
	t.Helper()
	l := &plansFixture{&gitFixture{fixture: newFixture(t)}, "", map[string]storetest.PlanFile{}, map[string]time.Time{}}
	l.dir = filepath.Join(l.gitFixture.dir, ".cursor", "plans")
	baseUserDir().write(t, l.user)
	for i, p := range storetest.PlanFiles() {
		l.put(p, time.UnixMilli(1760000000123+int64(i)*1000))
	}
	return l
}

func (l *plansFixture) put(p storetest.PlanFile, at time.Time) {
	l.t.Helper()
	must(l.t, storetest.WritePlan(l.dir, p, at))
	l.files[p.Name], l.times[p.Name] = p, at
}

// holds runs, and compares the live rows with the files. read is how many files the run reads.
func (l *plansFixture) holds(what string, read int, change ...func(*pipelines.Options)) {
	l.t.Helper()
	l.run(nil, change...)
	var plans, todos []string
	var bad [][]string
	for _, name := range sortedNames(l.files) {
		p := l.files[name]
		if p.Want == nil {
			continue
		}
		plans = append(plans, p.Row(l.times[name]))
		for _, t := range p.Todos {
			todos = append(todos, strings.Join(t, " | "))
		}
		if p.Bad {
			bad = append(bad, []string{name, "not_object"})
		}
	}
	l.same(what+": plans", plans, `SELECT `+strings.Join(storetest.PlanColumns, ", ")+
		`, epoch_ms(updated_at) FROM plans WHERE deleted_at IS NULL`)
	l.same(what+": tasks", todos, `SELECT `+strings.Join(storetest.TodoColumns, ", ")+
		` FROM plan_todos WHERE deleted_at IS NULL`)
	same(l.t, what+": quarantine", bad,
		l.ask(`SELECT "key", reason FROM quarantine WHERE family = 'plans.file' AND resolved_load_id IS NULL`))
	same(l.t, what+": files read", [][]string{{fmt.Sprint(read)}},
		l.ask(`SELECT rows_changed FROM load_stores WHERE store = 'plans' ORDER BY load_id DESC LIMIT 1`))
}

func (l *plansFixture) same(what string, want []string, query string) {
	l.t.Helper()
	var got []string
	for _, row := range l.ask(query) {
		got = append(got, strings.Join(row, " | "))
	}
	slices.Sort(want)
	slices.Sort(got)
	same(l.t, what, want, got)
}

func sortedNames[T any](m map[string]T) (names []string) {
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// TestPlans: plans come, change and go, as the generator says; a quiet night opens none, and a rebuild gives the same
// rows.
func TestPlans(t *testing.T) {
	t.Parallel()
	l := newPlansFixture(t)
	l.holds("first load", len(l.files)-1)
	l.wants("source", `SELECT count(*) FROM sources WHERE app = 'plans'`, "1")
	before := l.dump(allTables()...)
	for name, p := range l.files { // whoever reads one now sees another text
		p.Text = strings.Repeat("x", len(p.Text))
		must(t, storetest.WritePlan(l.dir, p, l.times[name]))
	}
	l.holds("a quiet night", 0)
	same(t, "tables after a quiet night", before, l.dump(allTables()...))
	for name, p := range l.files {
		must(t, storetest.WritePlan(l.dir, p, l.times[name]))
	}

	p := storetest.PlanFiles()[0]
	p.Text = strings.Replace(strings.Replace(p.Text, "in_progress", "completed", 1),
		"  - id: three\n    content: Test it\n    status: pending\n", "", 1)
	p.Want = slices.Clone(p.Want)
	p.Want[6], p.Want[7] = "2", "2"
	p.Todos = [][]string{p.Todos[0], {p.Todos[1][0], "1", "two", "Mend it\nwell", "completed"}}
	l.put(p, time.UnixMilli(1760000900000))
	l.holds("tasks are done, one is gone", 1)
	mended := storetest.PlanFiles()[10]
	mended.Bad, mended.Text, mended.Want = false, "---\nname: Mended\n---\nText", slices.Clone(mended.Want)
	mended.Want[1] = "Mended"
	l.put(mended, time.UnixMilli(1760000900000))
	l.holds("a head is mended", 1)

	gone := storetest.PlanFiles()[1].Name
	must(t, os.Remove(filepath.Join(l.dir, gone)))
	delete(l.files, gone)
	l.holds("one is gone", 0)
	l.wants("it is kept", `SELECT name, deleted_at IS NOT NULL FROM plans WHERE path = '`+gone+`'`, "P | true")
	l.rebuilt("last_seen_at")

	must(t, os.Remove(filepath.Join(l.dir, p.Name)))
	must(t, os.Symlink("notes.md", filepath.Join(l.dir, p.Name)))
	delete(l.files, p.Name)
	l.holds("a link in place of a plan", 0)
}

// TestPlansUnreadable: a plan that cannot be read stays as it was, with a warning, and the others are read.
func TestPlansUnreadable(t *testing.T) {
	t.Parallel()
	l := newPlansFixture(t)
	l.holds("first load", len(l.files)-1)
	broken := storetest.PlanFiles()[0]
	must(t, os.WriteFile(filepath.Join(l.dir, broken.Name), make([]byte, 5<<20), 0o600))
	old := time.UnixMilli(1760000900000)
	must(t, os.Chtimes(filepath.Join(l.dir, broken.Name), old, old))
	other := storetest.PlanFiles()[3]
	other.Text, other.Want = "# Other text\n", slices.Clone(other.Want)
	other.Want[3] = "# Other text\n"
	l.put(other, time.UnixMilli(1760000900000))
	var said []string
	l.holds("one is too large", 1, func(o *pipelines.Options) {
		o.Warn = func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }
	})
	if len(said) != 1 || !strings.Contains(said[0], broken.Name) {
		t.Errorf("the run says %q", said)
	}
}

// TestPlanPaths: a conversation names its plans by their paths, sorted, each once; one without a plan names none.
func TestPlanPaths(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	chat := graphtest.CloudCases()[0].Cloud.Chat
	without := chat
	chat.PlanPaths = [][2]string{{"p2", "/h/.cursor/plans/b.plan.md"}, {"p1", "/h/.cursor/plans/a.plan.md"},
		{"p3", "/h/.cursor/plans/b.plan.md"}}
	l.writeCloud(slices.Concat(shows(1, "bcId", &chat), shows(2, "bcId", &without)))
	l.run(nil)
	same(t, "paths", [][]string{{composerID(1), `["/h/.cursor/plans/a.plan.md","/h/.cursor/plans/b.plan.md"]`},
		{composerID(2), "NULL"}},
		l.ask(`SELECT conversation_id, CAST(plan_paths AS VARCHAR) FROM conversations`))
}
