package pipelines_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pipeline/pipelines"
	"pipeline/testdata/gen/usagetest"
)

// TestUsageGenerations: exports of one month in every generation, encoding and separator, in any order of reading, are
// each request once, with the tokens and the cost of those that record them; pages of the same requests beside them
// change nothing but what counts. A rebuild gives the same.
func TestUsageGenerations(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			if seed > 0 {
				long(t)
			}
			u := newUsageFixture(t)
			requests := usagetest.Requests(seed, 80)
			generations := slices.Sorted(maps.Keys(usagetest.Generations))
			for i := range generations {
				name := generations[(i*5+int(seed))%len(generations)]
				text, _ := usagetest.Export(requests,
					usagetest.Style{Generation: name, Mixed: i%2 == 0, Separator: []string{",", ";", "\t"}[i%3],
						Encoding: []string{"", "UTF-16LE", "UTF-16BE"}[i%3]}, seed)
				u.put(name+".csv", text)
				if testing.Short() && i%3 > 0 && i < len(generations)-1 {
					continue // make test-all has a load for each
				}
				u.run(nil, u.read)
				same(t, "events after "+name, [][]string{{fmt.Sprint(len(requests))}},
					u.ask(`SELECT count(*) FROM usage_events`))
			}
			_, told := usagetest.Export(requests, usagetest.Style{Generation: "v2"}, seed)
			same(t, "sums", toldSums(told), u.sums())
			kinds := map[string]int{}
			for _, q := range requests {
				kinds[fmt.Sprintf("%s %s %t", strings.ToLower(q.User), q.Kind.Word, q.Max)]++
			}
			var want []int
			for _, key := range slices.Sorted(maps.Keys(kinds)) {
				want = append(want, kinds[key])
			}
			slices.Sort(want)
			same(t, "events of each person, kind and mode", strings.ReplaceAll(fmt.Sprint(want), " ", ", "),
				u.ask(
					`SELECT list(n ORDER BY n)::VARCHAR FROM (SELECT count(*) AS n FROM usage_events GROUP BY person, kind, max_mode)`)[0][0])
			page, inAPI := usagetest.Pages(requests, usagetest.PageStyle{Form: "page", PageSize: 1000, Admin: true})
			u.put("page.json", page)
			u.run(nil, u.read)
			same(t, "sums with a page", toldSums(inAPI), u.sums())
			u.rebuilt()
		})
	}
}

// personsStore is a chat of two prompts, and what a dashboard tells of them: the user's own requests, and a colleague's
// three seconds later.
func personsStore(at time.Time) (w *userDir, team func(generation string) []byte) {
	w = &userDir{rows: map[string]any{}, workspaces: map[string]folder{}}
	var requests []usagetest.Request
	headers := ""
	for i := range 2 {
		asked := at.Add(time.Duration(i) * time.Hour)
		stamp := func(after time.Duration) string { return asked.Add(after).UTC().Format("2006-01-02T15:04:05.000Z") }
		w.rows[fmt.Sprintf("bubbleId:c1:p%d",
			i)] = fmt.Sprintf(`{"_v":3,"type":1,"bubbleId":"p%d","text":"Do it","createdAt":%q}`, i, stamp(0))
		w.rows[fmt.Sprintf("bubbleId:c1:a%d",
			i)] = fmt.Sprintf(
			`{"_v":3,"type":2,"bubbleId":"a%d","text":"Done","modelInfo":{"modelName":"m"},"createdAt":%q}`, i,
			stamp(time.Minute))
		headers += fmt.Sprintf(`,{"bubbleId":"p%d","type":1},{"bubbleId":"a%d","type":2}`, i, i)
		for j, who := range []string{"ann@example.com", "bob@example.com"} {
			requests = append(requests,
				usagetest.Request{At: asked.Add(time.Minute + time.Duration(1+3*j)*time.Second).UnixMilli(), Model: "m",
					Kind: usagetest.Kinds[1], Tokens: true, Fresh: 10, Output: int64(5 + j),
					Worth: []int64{100_000, 9_000_000}[j], User: who})
		}
	}
	w.rows["composerData:c1"] = fmt.Sprintf(
		`{"_v":13,"composerId":"c1","name":"Work","createdAt":%d,"fullConversationHeadersOnly":[%s]}`, at.UnixMilli(),
		headers[1:])
	return w, func(generation string) []byte {
		text, _ := usagetest.Export(requests, usagetest.Style{Generation: generation}, 1)
		return text
	}
}

// TestUsagePersons: of an export of several persons nothing is joined by time, and the run says so, until it is said
// who uses the warehouse. That is kept: later runs, other files and a rebuild know it. No address and no key is in a
// table that people read.
func TestUsagePersons(t *testing.T) {
	t.Parallel()
	u := newUsageFixture(t)
	w, team := personsStore(time.Date(2026, 6, 1, 9, 0, 0, 0, time.UTC))
	u.put("team.csv", team("output"))
	var notes []string
	run := func(w *userDir, user string) {
		t.Helper()
		notes = nil
		u.run(w, u.read, func(o *pipelines.Options) {
			o.UsageUser, o.Note = user, func(format string, args ...any) {
				notes = append(notes, fmt.Sprintf(format, args...))
			}
		})
	}
	joined := func(what string, want ...string) {
		t.Helper()
		var rows [][]string
		for _, w := range want {
			rows = append(rows, strings.Fields(w))
		}
		same(t, what, rows,
			u.ask(
				`SELECT message_id, join_method, round(cost_cents)::BIGINT FROM usage_events WHERE message_id IS NOT NULL ORDER BY ALL`))
	}
	said := func(what string, words ...string) {
		t.Helper()
		all := strings.Join(notes, "\n")
		for _, word := range words {
			if !strings.Contains(all, word) {
				t.Errorf("%s: the run does not say %q: %q", what, word, all)
			}
		}
		if len(words) == 0 && strings.Contains(all, "usage") {
			t.Errorf("%s: the run says %q", what, all)
		}
	}
	run(w, "")
	joined("two persons")
	said("two persons", "2 named persons", "--usage-user")
	run(nil, "nobody@example.com")
	joined("a person of whom there is nothing")
	said("a person of whom there is nothing", "none of them is the one of --usage-user")
	mine := []string{"p0 time 10", "p1 time 10"}
	run(nil, " Ann@Example.com")
	joined("it is ann's", mine...)
	said("it is ann's")
	run(nil, "")
	joined("a later run", mine...)
	said("a later run")
	u.put("again.csv", team("v3 team"))
	run(nil, "")
	joined("another export of the same", mine...)
	same(t, "events", [][]string{{"4", "2"}}, u.ask(`SELECT count(*), count(DISTINCT person) FROM usage_events`))
	_, err := pipelines.Rebuild(t.Context(), pipelines.Options{Warehouse: u.warehouse(), ToolVersion: "test"}, false)
	must(t, err)
	joined("after a rebuild", mine...)
	must(t, os.Remove(filepath.Join(u.dir, "team.csv")))
	u.put("third.csv", team("tokens"))
	run(nil, "")
	joined("a file after a rebuild has the same persons", mine...)
	same(t, "events of three files", [][]string{{"4", "2"}},
		u.ask(`SELECT count(*), count(DISTINCT person) FROM usage_events`))
	key := u.ask(`SELECT value FROM _meta WHERE key = 'usage_person_key'`)[0][0]
	forPeople := slices.DeleteFunc(allTables(), func(name string) bool { return strings.HasPrefix(name, "_") })
	if text := fmt.Sprint(u.dump(forPeople...)); strings.Contains(text, "example.com") || strings.Contains(text, key) {
		t.Error("a table names a person, or has the key")
	}
	run(nil, "none")
	joined("taken back")
	said("taken back", "2 named persons")
}

// TestUsageOfOnePerson: an export that names one person alone is joined by time, as one that names nobody; both
// together are not, as nobody knows whose the others are.
func TestUsageOfOnePerson(t *testing.T) {
	t.Parallel()
	u := newUsageFixture(t)
	w, team := personsStore(time.Date(2026, 6, 1, 9, 0, 0, 0, time.UTC))
	var own []string
	for _, line := range strings.Split(string(team("output")), "\n") {
		if !strings.Contains(line, "bob@") {
			own = append(own, line)
		}
	}
	u.put("own.csv", []byte(strings.Join(own, "\n")))
	u.run(w, u.read)
	joined := func() [][]string {
		return u.ask(`SELECT message_id, join_method FROM usage_events WHERE message_id IS NOT NULL ORDER BY ALL`)
	}
	both := [][]string{{"p0", "time"}, {"p1", "time"}}
	same(t, "one person", both, joined())
	u.put("nameless.csv", []byte("Date,Model,Output Tokens,Cost\n2026-06-05T09:00:00.000Z,m,1,1\n"))
	u.run(nil, u.read)
	same(t, "one person, and events that name nobody", [][]string(nil), joined())
	u.run(nil, u.read, func(o *pipelines.Options) { o.UsageUser = "ann@example.com" })
	same(t, "it is said who", both, joined())
}
