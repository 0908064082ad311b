package pipelines_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"pipeline/pipelines"
	"pipeline/testdata/gen/storetest"
	"pipeline/testdata/gen/yeartest"
)

// TestYear compares the warehouse of a developer's year with what was planned before anything was written, as
// TestIndependentFigures does with histories of odd rows. Of what the year's files of usage tell of its conversations,
// nothing is given to a turn that it is not of, and each request is counted once.
func TestYear(t *testing.T) {
	concurrent(t)
	for seed := uint64(1); seed <= 4; seed++ {
		if testing.Short() && seed > 1 {
			continue // make test-all takes all seeds
		}
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			u := newUsageFixture(t)
			year := storetest.NewYear(storetest.YearOptions{Seed: seed, Messages: 6000, Root: "/home/mira/src",
				WAL: seed == 2})
			must(t, year.Write(u.user))
			must(t, year.WriteUsage(u.dir))
			u.run(nil, u.read)
			w := u.reading()
			for _, q := range year.Want().Queries() {
				if diff := cmp.Diff(q.Rows, query(t, w, q.SQL), cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("%s differs (-plan +warehouse):\n%s\n%s", q.Name, shorten(diff), q.SQL)
				}
			}
			u.judge(year.UsageEvents())
			same(t, "sums", year.UsageSums(), u.sums())
		})
	}
}

// TestYearBeside: the chats of the command line and the plans of a year are in the warehouse as they were planned.
func TestYearBeside(t *testing.T) {
	long(t)
	t.Parallel()
	l := newFixture(t)
	o := yeartest.Options{Seed: 1, Messages: 6000}
	must(t, yeartest.Write(l.dir, o))
	year, err := yeartest.Plan(l.dir, o)
	must(t, err)
	home := yeartest.Home(year)
	if len(home.Chats) == 0 || len(year.Plans) == 0 {
		t.Fatalf("%d chats, %d plans", len(home.Chats), len(year.Plans))
	}
	must(t, os.RemoveAll(l.user)) // TestYear looks at these
	l.run(nil, cliSources(t, filepath.Join(l.dir, yeartest.Dot)))
	wantCLI(t, l, home)
	var todos []string
	for _, p := range year.Plans {
		for _, todo := range p.Todos {
			todos = append(todos, strings.Join(todo, " | "))
		}
	}
	slices.Sort(todos)
	same(t, "todos of plans", todos, lines(l, "SELECT "+strings.Join(storetest.TodoColumns, ", ")+" FROM plan_todos"))
}

// TestYearCommits: the commits of a year's repositories are in the warehouse as they were planned, and those that a
// conversation led to are linked with it.
func TestYearCommits(t *testing.T) {
	long(t)
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	l := newFixture(t)
	o := yeartest.Options{Seed: 2, Messages: 3000}
	must(t, yeartest.Write(l.dir, o))
	year, err := yeartest.Plan(l.dir, o)
	must(t, err)
	l.run(nil, func(o *pipelines.Options) { o.Git = true })
	// Commits are read from the day before a project's first conversation on.
	begun := map[string]int64{}
	for _, c := range year.Want().Conversations {
		if at := begun[c.Project]; c.Created != 0 && (at == 0 || c.Created < at) {
			begun[c.Project] = c.Created
		}
	}
	var commits, linked []string
	for _, c := range year.Commits {
		if c.At >= begun[c.Project] {
			commits = append(commits, fmt.Sprintf("%d | %s | %s | %d", c.At/1000, c.Author, c.Message, len(c.Files)))
		}
		if c.Conversation != "" {
			linked = append(linked, fmt.Sprintf("%s | %d", c.Conversation, c.At/1000))
		}
	}
	slices.Sort(commits)
	begin := "epoch_ms(c.authored_at) >= (SELECT min(epoch_ms(v.created_at)) FROM conversations v JOIN repositories " +
		"r USING (project_uri) WHERE r.repository_id = c.repository_id)"
	same(t, "commits", commits,
		lines(l, "SELECT CAST(epoch(c.authored_at) AS BIGINT), c.author_name, c.subject, c.files_changed FROM commits "+
			"c WHERE "+begin))
	links := lines(l, "SELECT l.conversation_id, CAST(epoch(c.authored_at) AS BIGINT) FROM conversation_commits l "+
		"JOIN commits c USING (repository_id, commit_hash)")
	known := map[string]bool{} // conversations that Cursor lists
	for _, id := range lines(l, "SELECT conversation_id FROM live_conversations") {
		known[id] = true
	}
	for _, link := range linked {
		if id, _, _ := strings.Cut(link, " |"); known[id] && !slices.Contains(links, link) {
			t.Errorf("%s is not linked", link)
		}
	}
}

// lines are the rows of a query, each as one text, sorted.
func lines(l *fixture, query string) []string {
	var all []string
	for _, row := range l.ask(query) {
		all = append(all, strings.Join(row, " | "))
	}
	slices.Sort(all)
	return all
}
