package report

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pipeline/load/reader"
)

func date(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

func TestPeriod(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	last := date("2026-01-24")
	now := time.Date(2026, 2, 1, 23, 30, 0, 0, time.UTC) // the second of February in Berlin
	since := time.Date(2026, 1, 31, 23, 30, 0, 0, time.UTC)
	for _, test := range []struct {
		since        *time.Time
		last         *time.Time
		zone         *time.Location
		want, before string
	}{
		{nil, &last, time.UTC, "27 October 2025 to 24 January 2026", "29 July to 26 October 2025"},
		{nil, nil, time.UTC, "4 November 2025 to 1 February 2026", "6 August to 3 November 2025"},
		{&since, &last, time.UTC, "31 January to 1 February 2026", "29 January to 30 January 2026"},
		{&since, &last, berlin, "1 February to 2 February 2026", "30 January to 31 January 2026"},
	} {
		got, _ := periodOf(Options{Now: now, Since: test.since}, test.zone, test.last)
		if got.words() != test.want || got.before().words() != test.before {
			t.Errorf("%v: %s, before %s; want %s, before %s", test.since, got.words(), got.before().words(), test.want,
				test.before)
		}
	}
}

// TestCompared: figures are compared with a period before only where something is recorded there.
func TestCompared(t *testing.T) {
	chosen := period{from: date("2026-01-08"), to: date("2026-01-14")}
	for first, want := range map[string]string{
		"":           "Nothing is recorded before this period that it could be compared with.",
		"2026-01-08": "Nothing is recorded before this period that it could be compared with.",
		"2026-01-07": "Each is compared with the 7 days before, 1 January to 7 January 2026.",
	} {
		if says, is := compared(chosen, first); says != want || is != strings.HasPrefix(want, "Each") {
			t.Errorf("first day %q: %q, %v; want %q", first, says, is, want)
		}
	}
}

// TestCountedSince: where Cursor's count begins within a period, that is said.
func TestCountedSince(t *testing.T) {
	p := period{date("2026-01-01"), date("2026-01-31")}
	for first, want := range map[string]string{"": "", "2025-12-31": "", "2026-01-01": "",
		"2026-01-02": "Events are known from 2 January 2026 on."} {
		if got := (&asker{events: first}).countedSince(p); got != want {
			t.Errorf("%s: %q, want %q", first, got, want)
		}
	}
}

// TestPeriodUntil: a period ends before a time, on the day that this is in the zone, and never behind today.
func TestPeriodUntil(t *testing.T) {
	now, last := time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC), date("2025-03-20")
	west := time.FixedZone("west", -5*3600)
	march, april := time.Date(2025, 3, 1, 0, 0, 0, 0, time.UTC), time.Date(2025, 4, 1, 0, 0, 0, 0, time.UTC)
	later := now.AddDate(1, 0, 0)
	for _, test := range []struct {
		since, until, last *time.Time
		zone               *time.Location
		want, upTo         string
	}{
		{&march, &april, &last, time.UTC, "1 March to 31 March 2025", "31 March 2025"},
		{&march, &april, &last, west, "28 February to 31 March 2025", "31 March 2025"},
		{&march, &later, &last, time.UTC, "1 March 2025 to 1 February 2026", "today"},
		{nil, &april, &last, time.UTC, "21 December 2024 to 20 March 2025",
			"the last recorded activity until 31 March 2025"},
		{nil, &april, nil, time.UTC, "1 January to 31 March 2025", "31 March 2025: no activity is recorded"},
	} {
		got, upTo := periodOf(Options{Now: now, Since: test.since, Until: test.until}, test.zone, test.last)
		if got.words() != test.want || upTo != test.upTo {
			t.Errorf("%s, up to %s; want %s, %s", got.words(), upTo, test.want, test.upTo)
		}
	}
}

// row is an answer of one row.
func row(values map[string]any) *question {
	q := &question{at: map[string]int{}, rows: [][]any{{}}}
	for name, v := range values {
		q.at[name] = len(q.rows[0])
		q.rows[0] = append(q.rows[0], v)
	}
	return q
}

func TestChange(t *testing.T) {
	of := func(prompts, tokens, known, answers int64) *question {
		return row(map[string]any{"messages": answers, "prompts": prompts, "input_tokens": tokens,
			"tokens_known": known, "answers": answers, "failed": tokens, "outcome_known": known, "calls": answers,
			"cost_known": int64(0)})
	}
	none := row(map[string]any{})
	for _, test := range []struct {
		now, before                          *question
		prompts, tokens, failed, failedValue string
	}{
		{of(30, 50, 100, 100), of(20, 40, 100, 100), "up 50 % from 20", "up 25 % from 40", "up 10.0 points from 40 %",
			"50 %"},
		{of(10, 20, 100, 100), of(20, 40, 100, 100), "down 50 % from 20", "down 50 % from 40",
			"down 20.0 points from 40 %", "20 %"},
		{of(60, 1, 100, 100), of(20, 0, 100, 100), "3 times the 20 before", "up from 0", "up from 0 %", "1 %"},
		{of(9, 1, 100, 100), of(3, 1, 100, 100), "up from 3", "as before", "as before", "1 %"},
		{of(20, 4, 100, 100), of(20, 4, 100, 100), "as before", "as before", "as before", "4 %"},
		{of(5, 40, 90, 100), of(4, 10, 20, 100), "up 25 % from 4", "10 before, but from 20 of 100: not comparable",
			"50 % before, but from 20 of 100: not comparable", "44 %"},
		{of(5, 4, 30, 30), of(5, 4, 19, 20), "as before", "as before", "21 % before, but from 19 of 20: not comparable",
			"13 %"},
		{of(5, 40, 90, 100), none, "before: no messages", "before: no message records tokens",
			"before: no tool call is known to have succeeded or failed", "44 %"},
	} {
		got := figures(test.now, test.before, "")
		for i, want := range map[int]string{1: test.prompts, 5: test.tokens, 3: test.failed} {
			if plain := strings.ReplaceAll(got[i].Change, nbsp, " "); plain != want {
				t.Errorf("%s: %q, want %q", got[i].Label, plain, want)
			}
		}
		if value := strings.ReplaceAll(got[3].Value, nbsp, " "); value != test.failedValue {
			t.Errorf("failure rate %q, want %q", value, test.failedValue)
		}
	}
	days := func(n int64) *question {
		q := of(427, 155_000_000, 5000, 5000)
		q.at["days"], q.rows[0] = len(q.rows[0]), append(q.rows[0], n)
		return q
	}
	few := of(20, 1_400_000, 45, 45)
	few.at["days"], few.rows[0] = len(few.rows[0]), append(few.rows[0], int64(2))
	for label, want := range map[string]string{
		"Prompts": "20 before, but on 2 days with messages, here on 60: not comparable",
		"Tokens":  "1.4 million before, but on 2 days with messages, here on 60: not comparable",
	} {
		for _, f := range figures(days(60), few, "") {
			if f.Label == label && strings.ReplaceAll(f.Change, nbsp, " ") != want {
				t.Errorf("%s against a nearly empty period: %q, want %q", label, f.Change, want)
			}
		}
	}
	late := begin(period{date("2026-01-01"), date("2026-01-31")}, "2026-01-20")
	if f := figures(days(10), days(9), late)[1]; f.Change != "427 before, but the records begin on 20 January 2026: "+
		"not comparable" {
		t.Errorf("records that begin late: %q", f.Change)
	}
	if f := figures(days(10), nil, "")[1]; f.Value != "427" || f.Change != "" {
		t.Errorf("without a period before: %+v", f)
	}
	if f := figures(none, none, "")[5]; f.Value != "—" || f.Note != "no message records tokens" || f.Change != "" {
		t.Errorf("unknown tokens: %+v", f)
	}
	costs := row(map[string]any{"cost_known": int64(1), "cost_cents": 123456.0, "conversations": int64(4)})
	if f := figures(costs, none, "")[5]; f.Label != "Cost" || f.Value != "$1,234.56" ||
		f.Note != "from 1 of 4 conversations with a cost" {
		t.Errorf("cost instead of tokens: %+v", f)
	}
}

func TestFreshness(t *testing.T) {
	of := func(good, last, status, newest any, unread int64) string {
		return strings.Join(
			freshness(row(map[string]any{"last_good_load": good, "last_load": last, "last_load_status": status,
				"newest_message": newest, "sources": int64(1), "stores": int64(3), "unread_stores": unread})), " ")
	}
	const early, late = "2026-01-02 03:04:05.678", "2026-01-03 03:04:05.678"
	for _, test := range []struct{ got, want string }{
		{of(late, late, "ok", early, 0), "Loaded 3 January 2026, 03:04, status ok. Newest message 2 January 2026, " +
			"03:04. 1 source, 3 stores, all read."},
		{of(early, late, "check_failed", nil, 0),
			"The last whole load was 2 January 2026, 03:04; the last one, 3 January 2026, 03:04, ended with status " +
				"check_failed. No message records its own time. 1 source, 3 stores, all read."},
		{of(nil, late, "partial", early, 2), "No load was whole yet; the last one, 3 January 2026, 03:04, ended with " +
			"status partial. Newest message 2 January 2026, 03:04. 1 source, 3 stores, 2 could not be read whole."},
		{of(nil, nil, nil, nil, 0), "Nothing was loaded yet: pipeline run does it."},
	} {
		if test.got != test.want {
			t.Errorf("got  %s\nwant %s", test.got, test.want)
		}
	}
}

func TestKnown(t *testing.T) {
	k := known{Says: "Tokens are known for", Known: "known", Of: "all", Things: "messages", Then: "only these count",
		Unless: "pipeline run --git reads them"}
	for _, test := range []struct {
		known, all int64
		want       string
	}{
		{3, 37000, "Tokens are known for 3 of 37,000 messages (below 0.1 %); only these count."},
		{5, 5, "Tokens are known for 5 of 5 messages; only these count."},
		{9999, 10000, "Tokens are known for 9,999 of 10,000 messages (above 99.9 %); only these count."},
		{0, 8, "Tokens are known for 0 of 8 messages (0 %); pipeline run --git reads them."},
		{0, 0, ""},
	} {
		got := strings.ReplaceAll(k.sentence(row(map[string]any{"known": test.known, "all": test.all})), nbsp, " ")
		if got != test.want {
			t.Errorf("%d of %d: %q, want %q", test.known, test.all, got, test.want)
		}
	}
}

func TestCells(t *testing.T) {
	for _, test := range []struct {
		unit unit
		v    any
		want string
	}{
		{unitCount, int64(1234567), "1,234,567"}, {unitCount, nil, "—"}, {unitShare, 0.0, "0 %"},
		{unitShare, 1.0, "100 %"}, {unitShare, 0.0567, "5.7 %"}, {unitShare, 0.5, "50 %"},
		{unitMillis, int64(0), "0 min"}, {unitMillis, int64(29000), "below 1 min"},
		{unitMillis, int64(5400000), "1 h 30 min"}, {unitMillis, int64(7200000), "2 h"},
		{unitMillis, int64(3599999), "1 h"}, {unitMillis, int64(376260000), "105 h"}, {unitCents, 0.4, "below $0.01"},
		{unitCents, int64(277), "$2.77"}, {unitWeekday, int64(1), "Monday"}, {unitWeekday, int64(7), "Sunday"},
		{unitHour, int64(9), "09:00"}, {unitTime, "2026-01-23 21:37:22.186", "2026-01-23 21:37"},
		{unitDay, "2026-01-23", "2026-01-23"}, {unitText, "a <b>", "a <b>"}, {unitID, int64(12345), "12345"},
	} {
		if got := strings.ReplaceAll((column{Unit: test.unit}).cell(test.v), nbsp, " "); got != test.want {
			t.Errorf("%s of %v: %q, want %q", test.unit, test.v, got, test.want)
		}
	}
}

// everything answers each query of the page with very many rows of long names.
type everything struct{ rows int }

func (e everything) Query(_ context.Context, query string) (*reader.Answer, error) {
	answer := &reader.Answer{Columns: []string{"zone", "last_day", "messages", "without_day"},
		Rows: [][]any{{"UTC", "2026-01-24", int64(370000), int64(3)}}}
	if strings.Contains(query, "FROM report.freshness") || strings.Contains(query, "AS without_day") {
		return answer, nil
	}
	answer = &reader.Answer{}
	if i := strings.Index(query, "-- What the page"); i == 0 {
		return e.facts(), nil
	}
	var columns []column
	for _, c := range charts() {
		columns = append(append(columns, c.Columns...), column{Name: c.Measure, Unit: unitCount})
	}
	for _, col := range columns {
		answer.Columns = append(answer.Columns, col.Name)
	}
	for i := range e.rows {
		var row []any
		for _, col := range columns {
			switch col.Unit {
			case unitText:
				row = append(row, fmt.Sprintf("a name that is %08d letters long", i)+strings.Repeat("x", 20))
			case unitDay, unitTime:
				row = append(row, "2026-01-24 12:34:56.789")
			default:
				row = append(row, int64(100000+i))
			}
		}
		answer.Rows = append(answer.Rows, row)
	}
	return answer, nil
}

// facts is an answer with columns of every kind, three rows a day.
func (e everything) facts() *reader.Answer {
	answer := &reader.Answer{Columns: []string{"messages", "prompts", "active_ms", "cost_cents", "input_tokens"}}
	numbers := len(answer.Columns)
	answer.Columns = append(answer.Columns, slices.Sorted(maps.Keys(factColumns))...)
	for i := range 30 * e.rows {
		var row []any
		for n, name := range answer.Columns {
			switch kind := factColumns[name].kind; {
			case n < numbers:
				row = append(row, int64(100000+i))
			case name == "day":
				row = append(row, date("2026-01-24").AddDate(0, 0, -i/3).Format(time.DateOnly))
			case name == "started":
				row = append(row, "2026-01-24 12:34:56.789")
			case kind == ofLists:
				row = append(row, []any{fmt.Sprint("name ", i%50)})
			default:
				row = append(row, fmt.Sprintf("%s </script> of %d", name, i%5000))
			}
		}
		answer.Rows = append(answer.Rows, row)
	}
	return answer
}

// TestSize: however much there is, the page stays below a megabyte, and says what it leaves out.
func TestSize(t *testing.T) {
	var page bytes.Buffer
	summary, err := Write(context.Background(), &page, everything{rows: 1000},
		Options{Now: date("2026-02-01"), Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	if want := (Summary{"2025-10-27", "2026-01-24", "UTC"}); *summary != want {
		t.Errorf("%+v, want %+v", *summary, want)
	}
	if page.Len() > 1<<20 {
		t.Errorf("the page has %d bytes", page.Len())
	}
	if page.Len() < 960_000 {
		t.Errorf("the page has %d bytes: there is room for more", page.Len())
	}
	for _, f := range facts {
		if found := regexp.MustCompile(`"` + f.name + `":\{"begins":"20(24|25|26)-`).
			FindString(page.String()); found == "" {
			t.Errorf("the facts of %s are not cut to the latest days", f.name)
		}
	}
	for _, c := range charts() {
		if want := fmt.Sprintf("The %s %s of 1,000 are shown; the query has all.", count(int64(c.Max)),
			c.First); !strings.Contains(page.String(), want) {
			t.Errorf("the page does not say: %s", want)
		}
	}
}

// TestDeclared: each chart has a query of its own, and each query is asked.
func TestDeclared(t *testing.T) {
	derived, err := parts.ReadFile("page/derive.js")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{"figures": true, "freshness": true, "days": true, "names": true}
	for _, f := range facts {
		used["facts_"+f.name] = true
	}
	for _, c := range charts() {
		if used[c.Name] {
			t.Errorf("two charts are called %s", c.Name)
		}
		used[c.Name] = true
		if c.Title == "" || c.Shows == "" || c.Absent == "" || c.Measure == "" || c.Max == 0 || c.First == "" ||
			len(c.Columns) == 0 {
			t.Errorf("%s is not declared whole", c.Name)
		}
		if strings.Contains(string(derived), "\n  "+c.Name+": [[") == c.Always {
			t.Errorf("page/derive.js must make the rows of charts of a period, and of no others: %s", c.Name)
		}
	}
	entries, err := queries.ReadDir("queries")
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(used) {
		t.Errorf("%d queries, %d are asked", len(entries), len(used))
	}
	host := regexp.MustCompile(`https?://[^"' )]+`)
	for _, name := range append([]string{"page/page.html", "page/style.css", "echarts/echarts.min.js"}, scripts...) {
		text, err := parts.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(strings.ToLower(string(text)), "</script") && name != "page/page.html" {
			t.Errorf("%s would end the script that it is", name)
		}
		for _, found := range host.FindAllString(string(text), -1) {
			if !strings.HasPrefix(found, "http://www.w3.org/") { // names of XML's name spaces
				t.Errorf("%s names %s", name, found)
			}
		}
	}
}

// TestBundle: the chart library is what its script makes.
func TestBundle(t *testing.T) {
	if testing.Short() {
		t.Skip("it asks for packages")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, "bash", "echarts/build.sh", "--check").CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
	case errors.As(err, &exit) && exit.ExitCode() == 1:
		t.Errorf("%s", out)
	default:
		t.Skipf("the bundle cannot be made here: %v %s", err, out)
	}
}
