package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"pipeline/cmd/pipeline/internal/runlog"
	"pipeline/load/reader"
	"pipeline/testdata/gen/storetest"
)

// TestTrend: messages are counted in the days of the reader's zone, also where clocks are changed, and a day that no
// good load has seen is not none.
func TestTrend(t *testing.T) {
	w := newCLITest(t)
	rows := talk("a", "no time of its own")
	head := `{"_v":13,"composerId":"b","name":"b","createdAt":1760000000000,"fullConversationHeadersOnly":[`
	for i, at := range []string{ // in Berlin clocks go forward on 29 March
		"2026-03-17T22:59:59Z", // 23:59:59 on the 17th: before the first day
		"2026-03-17T23:00:00Z", // the 18th begins
		"2026-03-28T23:30:00Z", // 00:30 on the 29th
		"2026-03-29T21:30:00Z", // 23:30 on the 29th, in summer time
		"2026-03-31T12:00:00Z", // today
	} {
		id := string(rune('a' + i))
		head += map[bool]string{true: ","}[i > 0] + `{"bubbleId":"` + id + `"}`
		rows = append(rows, storetest.Row{Key: "bubbleId:b:" + id,
			Value: `{"type":1,"text":"hello","createdAt":"` + at + `"}`})
	}
	w.store(append(rows, storetest.Row{Key: "composerData:b", Value: head + "]}"}), storetest.StoreOptions{})
	w.does(0, "run", "--quiet", "--source", "test="+w.user, "--warehouse", w.warehouse)
	berlin, err := time.LoadLocation("Europe/Berlin")
	w.must(err)
	now := time.Date(2026, 3, 31, 15, 0, 0, 0, berlin)
	s, err := reader.ReadStatus(t.Context(), w.warehouse, 1, trendDays(now)...)
	w.must(err)
	w.same("the days", []int64{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1}, s.Days)
	for _, test := range []struct {
		good time.Time // zero: there was none
		want string
	}{
		{now, "a day to today: 0 0 0 0 2 0 1; the 7 days before: 1 0 0 0 0 0 0\n"},
		{time.Date(2026, 3, 30, 0, 0, 1, 0, berlin),
			"a day to today: 0 0 0 0 2 0 1; the 7 days before: 1 0 0 0 0 0 0\n"},
		{time.Date(2026, 3, 27, 0, 0, 0, 0, berlin),
			"a day to today: 0 0 - - 2 - 1; the 7 days before: 1 0 0 0 0 0 0\n"},
		{time.Time{}, "a day to today: - - - - 2 - 1; the 7 days before: 1 - - - - - -\n"},
	} {
		s.LastGood = &reader.LoadSummary{StartedAt: test.good}
		if test.good.IsZero() {
			s.LastGood = nil
		}
		var out bytes.Buffer
		days := trendOf(s, now)
		printTrend(&out, days)
		w.same("the trend", "messages     "+test.want, out.String())
		if last := days[len(days)-1]; last.Day != "2026-03-31" || !last.SoFar {
			t.Errorf("today is %+v", last)
		}
	}
	s.Days, s.LastGood = make([]int64, 14), &reader.LoadSummary{StartedAt: now.AddDate(0, 0, -4)}
	var out bytes.Buffer
	printTrend(&out, trendOf(s, now))
	w.same("the trend of nothing", "messages     none in the last 14 days, of which 4 no good load has seen\n",
		out.String())
}

// TestFailingRuns: a pipeline fails as long as its own last run did not go well, whatever others do meanwhile.
func TestFailingRuns(t *testing.T) {
	t.Parallel()
	begin, code := time.Date(2026, 5, 4, 4, 30, 0, 0, time.UTC), map[string]int{"ok": 0, "source": 3, "busy": 75}
	now := begin.Add(24 * time.Hour)
	runs := func(list ...string) (out loggedRuns) { // "pipeline state", the latest first
		for i, text := range list {
			name, state, _ := strings.Cut(text, " ")
			r := loggedRun{Run: runlog.Run{ID: text + string(rune('a'+i)), Pipeline: strings.TrimPrefix(name, "-"),
				StartedAt: now.Add(-time.Hour * time.Duration(i)), Error: "said " + state + "\nand more"},
				State: runlog.Ended}
			if c, ok := code[state]; ok {
				r.ExitCode = &c
			} else {
				r.State, r.Error = runlog.State(strings.ReplaceAll(state, "_", " ")), ""
			}
			out = append(out, r)
		}
		return out
	}
	loaded := &reader.LoadSummary{LoadID: 7}
	for _, test := range []struct {
		runs loggedRuns
		last *reader.LoadSummary
		want string
	}{
		{nil, loaded, ""},
		{runs("n ok", "n source"), loaded, ""},
		{runs("n source", "n ok"), loaded, "last run     failed (exit 3), now (DAY 04:30), n: said source ...\n"},
		{runs("n source", "n busy", "n killed", "n ok", "n source"), loaded,
			"last run     failed (exit 3), now (DAY 04:30), n: said source ...\n" +
				"failing      3 runs in a row, n, since 2 hours ago (DAY 02:30)\n"},
		{runs("often ok", "n source", "often ok", "n source", "n ok"), loaded,
			"failing      2 runs in a row, n, since 3 hours ago (DAY 01:30); the last: failed (exit 3): said source " +
				"...\n"},
		{runs("n under_way", "n busy", "n ok"), loaded,
			"last run     under way, now (DAY 04:30), n\n" +
				"failing      1 run in a row, n, since 1 hour ago (DAY 03:30); the last: failed (exit 75): said busy " +
				"...\n"},
		{runs("- killed"), nil, "last run     killed, now (DAY 04:30)\n"},
		{runs("- ok"), nil, "last run     went well, now (DAY 04:30): said ok ...\n"},
	} {
		var out bytes.Buffer
		test.runs.print(&out, test.last, now.Local())
		want := test.want
		for hour := range 4 { // in this machine's zone
			at := now.Add(-time.Hour * time.Duration(hour))
			want = strings.ReplaceAll(want, at.Format("DAY 15:04"), at.Local().Format("2006-01-02 15:04"))
		}
		if got := out.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	text, err := json.Marshal(reportedStatus{Runs: runs("n source").last(5), Failing: runs("n source").failing()})
	if err != nil || !strings.Contains(string(text), `"failing":[{"pipeline":"n","runs":1,`) ||
		!strings.Contains(string(text), `"state":"ended"`) || strings.Contains(string(text), "last_good") {
		t.Errorf("%s %v", text, err)
	}
}
