package serve_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"pipeline/cmd/pipeline/internal/runlog"
	"pipeline/cmd/pipeline/internal/serve"
	"pipeline/pipelines/file"
)

func at(t *testing.T, text string) time.Time {
	t.Helper()
	if text == "" {
		return time.Time{}
	}
	out, err := time.Parse("2006-01-02 15:04:05 MST", text+" UTC")
	must(t, err)
	return out
}

func nightly(cron, zone string) serve.Pipeline {
	return serve.Pipeline{Name: "night", Arg: "night", Schedule: &file.Schedule{Cron: cron, Timezone: zone}}
}

// ran is a run of the log that ended well.
func ran(pipeline string, started time.Time) runlog.Run {
	finished, code := started.Add(time.Minute), 0
	return runlog.Run{ID: started.String(), Pipeline: pipeline, StartedAt: started, FinishedAt: &finished,
		ExitCode: &code}
}

// TestDue: one run for what has come since the last, whatever the machine and its clock did. The moments come from a
// calendar.
func TestDue(t *testing.T) {
	t.Parallel()
	const berlin = "Europe/Berlin"
	for _, test := range []struct{ name, cron, zone, last, now, want string }{
		{"not yet", "30 4 * * *", "UTC", "2026-05-03 04:30:00", "2026-05-04 04:29:59", "none"},
		{"on time", "30 4 * * *", "UTC", "2026-05-03 04:30:00", "2026-05-04 04:30:00",
			"schedule for 05-04 04:30, 0 missed"},
		{"a look later", "30 4 * * *", "UTC", "2026-05-03 04:30:00", "2026-05-04 04:30:30",
			"schedule for 05-04 04:30, 0 missed"},
		{"has run", "30 4 * * *", "UTC", "2026-05-04 04:30:01", "2026-05-04 04:30:30", "none"},
		{"slept over it", "30 4 * * *", "UTC", "2026-05-03 04:30:00", "2026-05-04 08:00:00",
			"catch-up for 05-04 04:30, 0 missed"},
		{"off for ten nights", "30 4 * * *", "UTC", "2026-05-03 04:30:00", "2026-05-13 08:00:00",
			"catch-up for 05-13 04:30, 9 missed"},
		{"somebody ran it in between", "30 4 * * *", "UTC", "2026-05-13 07:59:00", "2026-05-13 08:00:00", "none"},
		{"never ran", "30 4 * * *", "UTC", "", "2026-05-13 08:00:00", "catch-up for 05-13 04:30, 0 missed"},
		{"never ran, once a year", "@yearly", "UTC", "", "2026-05-13 08:00:00", "catch-up for 01-01 00:00, 0 missed"},
		{"the clock was set back by three days", "30 4 * * *", "UTC", "2026-05-16 04:30:00", "2026-05-13 04:00:00",
			"catch-up for 05-12 04:30, 0 missed"},
		{"the clock was set back by seconds", "30 4 * * *", "UTC", "2026-05-04 04:30:00", "2026-05-04 04:29:55",
			"none"},
		{"and is right again", "30 4 * * *", "UTC", "2026-05-04 04:30:00", "2026-05-04 04:30:20", "none"},
		{"2:30 is not there when clocks go forward", "30 2 * * *", berlin, "2026-03-28 01:30:00", "2026-03-29 00:59:59",
			"none"},
		{"it is 3:00 then", "30 2 * * *", berlin, "2026-03-28 01:30:00", "2026-03-29 01:00:00",
			"schedule for 03-29 01:00, 0 missed"},
		{"and once only", "30 2 * * *", berlin, "2026-03-29 01:00:00", "2026-03-29 23:00:00", "none"},
		{"2:30 comes twice when clocks go back", "30 2 * * *", berlin, "2026-10-24 00:30:00", "2026-10-25 00:30:00",
			"schedule for 10-25 00:30, 0 missed"},
		{"the second does not count", "30 2 * * *", berlin, "2026-10-25 00:30:00", "2026-10-25 01:30:10", "none"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			now := at(t, test.now)
			var runs []runlog.Run
			if test.last != "" {
				runs = []runlog.Run{ran("night", at(t, test.last))}
			}
			p := serve.NewPlanner(serve.Policy{}, now.Add(-time.Hour))
			start, err := p.Look(now, []serve.Pipeline{nightly(test.cron, test.zone)}, runs)
			if got := said(start); err != nil || got != test.want {
				t.Errorf("%s %v, want %s", got, err, test.want)
			}
		})
	}
}

func said(s *serve.Start) string {
	if s == nil {
		return "none"
	}
	if s.Moment.IsZero() {
		return s.Trigger
	}
	return fmt.Sprintf("%s for %s, %d missed", s.Trigger, s.Moment.UTC().Format("01-02 15:04"), s.Missed)
}

// TestCutOff: a run that was interrupted, or killed, is made up for when the server starts, once; one that fails is
// not.
func TestCutOff(t *testing.T) {
	t.Parallel()
	began := at(t, "2026-05-04 08:00:00")
	before := ran("night", at(t, "2026-05-03 04:30:00"))
	for _, test := range []struct {
		name  string
		code  *int
		start string
		want  string
	}{
		{"interrupted", new(130), "2026-05-04 04:30:00", "catch-up for 05-04 04:30, 0 missed"},
		{"killed", nil, "2026-05-04 04:30:00", "catch-up for 05-04 04:30, 0 missed"},
		{"failed", new(1), "2026-05-04 04:30:00", "none"},
		{"busy", new(75), "2026-05-04 04:30:00", "none"},
		{"interrupted since", new(130), "2026-05-04 08:00:01", "none"},
		{"somebody's, under way", nil, "2026-05-04 08:00:01", "none"},
		{"somebody's, under way for long", nil, "2026-05-04 04:30:00", "none"},
	} {
		last := ran("night", at(t, test.start))
		if strings.HasSuffix(test.name, "long") {
			last.ID = fmt.Sprint("x-", os.Getppid()) // a process that is there
		}
		if last.ExitCode = test.code; test.code == nil {
			last.FinishedAt = nil
		}
		p := serve.NewPlanner(serve.Policy{}, began)
		pipeline := []serve.Pipeline{nightly("30 4 * * *", "UTC")}
		runs := []runlog.Run{last, before}
		start, err := p.Look(began.Add(time.Minute), pipeline, runs)
		if got := said(start); err != nil || got != test.want {
			t.Errorf("%s: %s %v, want %s", test.name, got, err, test.want)
		}
		if p.Ended(); start != nil {
			if again, _ := p.Look(began.Add(2*time.Minute), pipeline, runs); again != nil {
				t.Errorf("%s: it is made up for twice", test.name)
			}
		}
	}
}

// TestQueue: one run at a time over all pipelines, none waits twice, and each keeps the trigger that it came by.
func TestQueue(t *testing.T) {
	t.Parallel()
	var all []serve.Pipeline
	var runs []runlog.Run
	now := at(t, "2026-05-04 04:30:00")
	for _, name := range []string{"a", "b", "c"} {
		p := nightly("30 4 * * *", "UTC")
		p.Name, p.Watched = name, true
		all = append(all, p)
		runs = append(runs, ran(name, now.Add(-24*time.Hour)))
	}
	p := serve.NewPlanner(serve.Policy{MinPause: 5 * time.Minute}, now.Add(-time.Hour))
	var got []string
	for range 100 { // looks, half a minute apart; a run takes twenty minutes
		start, err := p.Look(now, all, runs)
		must(t, err)
		if start != nil {
			got = append(got, start.Pipeline.Name+" "+now.Format("15:04")+" "+start.Trigger)
			p.Changed("b") // changes go on all the time
		}
		if now = now.Add(30 * time.Second); now.Minute()%20 == 10 && now.Second() == 0 {
			p.Ended()
		}
	}
	want := []string{"a 04:30 schedule", "b 04:50 schedule", "c 05:10 schedule"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	p = serve.NewPlanner(serve.Policy{}, now)
	if start, _ := p.Look(now, all, nil); start == nil || start.Pipeline.Name != "a" {
		t.Fatal("nothing is due")
	}
	p.Ended()
	if start, _ := p.Look(now, all[2:], nil); start == nil || start.Pipeline.Name != "c" {
		t.Error("a pipeline that is not served any more is run, or another is not: ", said(start))
	}
	often := []serve.Pipeline{nightly("*/5 * * * *", "UTC")}
	now = at(t, "2026-05-04 12:00:00")
	p = serve.NewPlanner(serve.Policy{}, now)
	p.Look(now, often, nil)
	for range 22 { // moments that come while its run goes on
		now = now.Add(time.Minute)
		p.Look(now, often, nil)
	}
	p.Ended()
	if got := said(first(p.Look(now, often, nil))); got != "schedule for 05-04 12:20, 3 missed" {
		t.Error("after a long run: ", got)
	}
}

// TestPause: changes start a run no sooner than the pause after the end of the one before; a schedule is not kept by
// it.
func TestPause(t *testing.T) {
	t.Parallel()
	now := at(t, "2026-05-04 12:00:00")
	pipeline := []serve.Pipeline{{Name: "w", Watched: true}}
	p := serve.NewPlanner(serve.Policy{MinPause: 5 * time.Minute}, now)
	if p.Changed("w"); said(first(p.Look(now, pipeline, nil))) != runlog.ByWatch {
		t.Fatal("a change starts nothing")
	}
	p.Changed("w") // while the run goes on
	p.Ended()
	runs := []runlog.Run{ran("w", now)} // it took a minute
	for _, test := range []struct {
		after time.Duration
		want  string
	}{{2 * time.Minute, "none"}, {6*time.Minute - time.Second, "none"}, {6 * time.Minute, "watch"},
		{7 * time.Minute, "none"}, {time.Hour, "none"}} {
		if wake := p.Wake(now.Add(2*time.Minute), pipeline, runs); test.after == 2*time.Minute &&
			!wake.Equal(now.Add(6*time.Minute)) {
			t.Errorf("it wakes at %v", wake)
		}
		if got := said(first(p.Look(now.Add(test.after), pipeline, runs))); got != test.want {
			t.Errorf("after %v: %s, want %s", test.after, got, test.want)
		}
		if test.want == "watch" {
			p.Ended()
		}
	}
}

// TestPauseBusy: a warehouse that is held is not asked again and again, however short the pause.
func TestPauseBusy(t *testing.T) {
	t.Parallel()
	now := at(t, "2026-05-04 12:00:00")
	pipeline := []serve.Pipeline{{Name: "w", Watched: true}}
	p := serve.NewPlanner(serve.Policy{}, now.Add(-time.Hour))
	p.Changed("w")
	busy := ran("w", now)
	busy.ExitCode = new(75)
	for _, test := range []struct {
		after time.Duration
		want  string
	}{{61 * time.Second, "none"}, {2*time.Minute - time.Second, "none"}, {2 * time.Minute, "watch"}} {
		if got := said(first(p.Look(now.Add(test.after), pipeline, []runlog.Run{busy}))); got != test.want {
			t.Errorf("after %v: %s, want %s", test.after, got, test.want)
		}
	}
}

func first(s *serve.Start, _ error) *serve.Start { return s }

// TestJitter: chance, but the same for one moment, and a moment is not lost by it.
func TestJitter(t *testing.T) {
	t.Parallel()
	pipeline := nightly("30 4 * * *", "UTC")
	pipeline.Jitter = time.Hour
	seen := map[time.Duration]bool{}
	for day := 1; day <= 28; day++ {
		moment := time.Date(2026, 2, day, 4, 30, 0, 0, time.UTC)
		runs := []runlog.Run{ran("night", moment.Add(-24*time.Hour))}
		p := serve.NewPlanner(serve.Policy{Seed: "here"}, moment)
		next, err := p.Next(pipeline, moment.Add(-time.Minute))
		after := next.Sub(moment)
		if again, _ := serve.NewPlanner(serve.Policy{Seed: "here"}, moment).
			Next(pipeline, moment.Add(-time.Hour)); err != nil || after < 0 || after >= time.Hour ||
			!again.Equal(next) {
			t.Fatalf("%v after %v, then %v: %v", after, moment, again, err)
		}
		if wake := p.Wake(moment.Add(time.Millisecond), []serve.Pipeline{pipeline}, runs); after > 0 &&
			!wake.Equal(next) {
			t.Errorf("it wakes at %v for %v", wake, next)
		}
		early := said(first(p.Look(next.Add(-time.Second), []serve.Pipeline{pipeline}, runs)))
		if late := said(first(p.Look(next, []serve.Pipeline{pipeline}, runs))); early != "none" ||
			late != "schedule for "+moment.Format("01-02 15:04")+", 0 missed" {
			t.Errorf("%s before, %s then", early, late)
		}
		seen[after] = true
	}
	if len(seen) < 20 {
		t.Errorf("%d times of 28 nights", len(seen))
	}
	often := nightly("* * * * *", "UTC") // its next moment comes before the jitter is over
	often.Jitter = time.Hour
	now := at(t, "2026-05-04 12:00:30")
	p := serve.NewPlanner(serve.Policy{}, now)
	if got := said(first(p.Look(now.Add(2*time.Minute), []serve.Pipeline{often},
		[]runlog.Run{ran("night", now)}))); got != "schedule for 05-04 12:02, 1 missed" {
		t.Error("a jitter that is longer than the schedule keeps runs: ", got)
	}
}
