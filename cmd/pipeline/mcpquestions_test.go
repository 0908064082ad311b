package main

import (
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"
	"unicode/utf8"
)

// An inquirer is an agent that knows the descriptions of the tools, and nothing else. It counts what a question takes.
type inquirer struct {
	*agent
	about        string // what query says of itself
	calls, chars int    // of the question
}

// inquirer starts 'pipeline mcp' on the year.
func (y *year) inquirer(t *testing.T) *inquirer {
	t.Helper()
	w := *y.cliTest
	w.t = t
	a := &inquirer{agent: w.agent()}
	listed, err := a.session.ListTools(t.Context(), nil)
	w.must(err)
	for _, tool := range listed.Tools {
		if tool.Name == "query" {
			a.about = tool.Description
		}
	}
	return a
}

// rows are what a tool answered, by the names of the columns.
type rows []map[string]any

// ask calls a tool.
func (a *inquirer) ask(tool string, with arguments) (out rows) {
	a.t.Helper()
	answer := a.call(tool, with)
	a.calls, a.chars = a.calls+1, a.chars+utf8.RuneCountInString(answer.text)
	for _, cells := range answer.Rows {
		row := map[string]any{}
		for i, column := range answer.Columns {
			row[column] = cells[i]
		}
		out = append(out, row)
	}
	return out
}

// query asks in SQL, of tables that the tool's description names.
func (a *inquirer) query(format string, values ...any) rows {
	a.t.Helper()
	sql := fmt.Sprintf(format, values...)
	for _, from := range fromTable.FindAllStringSubmatch(sql, -1) {
		if !strings.Contains(a.about, "\n"+from[1]+"(") {
			a.t.Errorf("no description names %s, of which %s asks", from[1], sql)
		}
	}
	return a.ask("query", arguments{"sql": sql})
}

var fromTable = regexp.MustCompile(`FROM (\w+)`)

// tell says what is in some columns of rows, a line for each.
func (r rows) tell(columns ...string) string {
	var lines []string
	for _, row := range r {
		var cells []string
		for _, column := range columns {
			cell, ok := row[column]
			if !ok {
				return fmt.Sprintf("there is no column %s in %v", column, row)
			}
			cells = append(cells, fmt.Sprint(cell))
		}
		lines = append(lines, strings.Join(cells, " | "))
	}
	return strings.Join(lines, "\n")
}

// has says which of the texts is in no cell.
func (r rows) has(texts ...string) string {
	all := fmt.Sprint(r)
	for _, text := range texts {
		if !strings.Contains(all, text) {
			return "nothing says " + text
		}
	}
	return "found"
}

// A developerQuestion is put to an agent that has read the descriptions of the tools, and nothing else. ask does what
// the agent does, and returns its answer; want is what it must be.
type developerQuestion struct {
	text string
	ask  func(a *inquirer) string
	want string
}

// mostCalls is how many calls are enough for any of the questions.
const mostCalls = 3

// counting are the tables that have the answer to a question in one row or some: which tools fail most, which model is
// used most, what a project cost, which files are edited again and again, how long there was work. testdata/answers has
// their figures.
var counting = []string{"tool_failures", "live_messages", "billed_by_day", "file_churn", "active_time_per_day"}

// TestQuestions: an agent answers each of some questions about a year in few calls, with an index of words and without,
// and knows the tables that count. -v prints what it takes.
func TestQuestions(t *testing.T) {
	long(t)
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git, which has the commits of the year: ", err)
	}
	t.Setenv("TZ", "UTC") // days of questions are those of the year
	y := newYear(t)
	for _, index := range []bool{false, true} {
		name := "without an index"
		if index {
			name = "with an index"
			y.does(0, "search", "--warehouse", y.warehouse, "retries")
		}
		t.Run(name, func(t *testing.T) {
			a := y.inquirer(t)
			for _, table := range counting {
				if !strings.Contains(a.about, "\n"+table+"(") {
					t.Errorf("no description names %s", table)
				}
			}
			var table strings.Builder
			w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
			for _, q := range y.questions() {
				a.calls, a.chars = 0, 0
				got := q.ask(a)
				fmt.Fprintf(w, "%s\t%d calls\t%d characters\t%v\n", q.text, a.calls, a.chars, got == q.want)
				if got != q.want || a.calls > mostCalls {
					t.Errorf("%s: in %d calls the answer is\n%s\nwant\n%s", q.text, a.calls, got, q.want)
				}
			}
			y.must(w.Flush())
			t.Log("\n" + table.String())
		})
	}
}

// questions are those whose answer somebody said, or whose answer is in several places.
func (y *year) questions() []developerQuestion {
	month := y.lastMonth()
	return []developerQuestion{
		{"What did we decide about retries last month, and why?", func(a *inquirer) string {
			asked := arguments{"words": "retr*", "role": "assistant", "since": month.Format(time.DateOnly),
				"until": month.AddDate(0, 1, 0).Format(time.DateOnly)}
			decides := func(hit map[string]any) bool { return strings.Contains(fmt.Sprint(hit["snippet"]), "decid") }
			found := a.ask("search", asked)
			if !slices.ContainsFunc(found, decides) { // much is said of retries
				asked["words"] = "retr* decid*"
				found = a.ask("search", asked)
			}
			if len(found) == 0 {
				return "nothing found"
			}
			at := max(0, slices.IndexFunc(found, decides))
			return a.ask("get_message", arguments{"conversation_id": found[at]["conversation_id"],
				"message_id": found[at]["message_id"]}).
				has("at most three times with jitter", "locks an account after five attempts")
		}, "found"},
		{"What led to this commit?", func(a *inquirer) string {
			return a.query("SELECT project, title, prompt FROM commit_prompts WHERE commit_hash LIKE '%s%%' ORDER BY "+
				"relevance DESC, shared_files DESC LIMIT 1", y.commit[:8]).tell("project", "title", "prompt")
		}, "gateway | One tenant slows all | Limit each tenant to fifty requests a second."},
		{"Where did I see the error \"connection refused\" before, and how was it fixed?", func(a *inquirer) string {
			found := a.ask("search", arguments{"words": `"connection refused"`})
			if len(found) == 0 {
				return "nothing found"
			}
			return found[0]["project"].(string) + ": " +
				a.ask("list_messages", arguments{"conversation_id": found[0]["conversation_id"],
					"after": found[0]["position"]}).has("I set the port of DATABASE_URL to 5432 in compose.yaml")
		}, "atlas: found"},
		{"What did I work on yesterday, and how much last week, by project?", func(a *inquirer) string {
			found := a.ask("list_conversations", arguments{"since": "yesterday", "until": "today", "limit": 100})
			slices.SortFunc(found, func(a, b map[string]any) int {
				return strings.Compare(fmt.Sprint(a["project"], a["title"]), fmt.Sprint(b["project"], b["title"]))
			})
			before := a.query("SELECT project, count(DISTINCT conversation_id) AS conversations FROM timeline WHERE "+
				"created_at >= '%s' AND created_at < '%s' GROUP BY ALL ORDER BY project",
				y.monday(1).Format(time.DateOnly), y.monday(0).Format(time.DateOnly))
			return strings.ReplaceAll(found.tell("project", "title"), " | ", ": ") + "\n" +
				before.tell("project", "conversations")
		}, y.talkedOn(y.today.AddDate(0, 0, -1)) + "\n" + y.lastWeek()},
		{"What is left open in mobile?", func(a *inquirer) string {
			var open []string
			for _, row := range append(a.query(
				"SELECT conversation_id, title, reason FROM abandoned_work WHERE project = 'mobile' AND NOT "+
					"is_subagent"),
				a.query("SELECT conversation_id, title, 'todos' AS reason FROM todo_progress WHERE project = 'mobile' "+
					"AND open > 0")...) {
				open = append(open, fmt.Sprintf("%s: %s", row["conversation_id"], row["reason"]))
			}
			slices.Sort(open)
			return strings.Join(open, "\n")
		}, y.open()},
	}
}

// talkedOn are the conversations of a day.
func (y *year) talkedOn(day time.Time) string {
	var all []string
	for key := range y.talked {
		if key[0] == day.Format(time.DateOnly) {
			all = append(all, key[1])
		}
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// monday is the one of this week, or of weeks before it.
func (y *year) monday(before int) time.Time {
	return y.today.AddDate(0, 0, -7*before-int(y.today.Weekday()+6)%7)
}

// lastWeek is how many conversations there were in the week before this one, by project.
func (y *year) lastWeek() string {
	conversations := map[string]map[string]bool{}
	for key := range y.talked {
		if monday := y.monday(1).Format(time.DateOnly); key[0] >= monday && key[0] < y.monday(0).Format(time.DateOnly) {
			project, title, _ := strings.Cut(key[1], ": ")
			if conversations[project] == nil {
				conversations[project] = map[string]bool{}
			}
			conversations[project][title] = true
		}
	}
	var all []string
	for project, titles := range conversations {
		all = append(all, fmt.Sprintf("%s | %d", project, len(titles)))
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// open is what is left open in mobile.
func (y *year) open() string {
	var all []string
	for id, why := range y.abandons {
		all = append(all, id+": "+why)
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}
