package file_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pipeline/pipelines/file"
)

// TestNext: the times are those of the schedule's zone; one that a day lacks is the moment of the jump, one that it has
// twice counts once. The times come from a calendar.
func TestNext(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ cron, zone, want string }{
		// on the 29th it is 3 o'clock after 1:59
		{"30 2 * * *", "Europe/Berlin", "28 02:30 CET, 29 03:00 CEST, 30 02:30 CEST"},
		{"15 2 * * *", "Australia/Lord_Howe", "28 02:15 +11, 29 02:15 +11, 30 02:15 +11"},
		{"30 2 * * *", "UTC", "28 02:30 UTC, 29 02:30 UTC, 30 02:30 UTC"},
		{"0 9 * * MON", "America/New_York", "30 09:00 EDT, 06 09:00 EDT, 13 09:00 EDT"},
		{"@hourly", "Asia/Kolkata", "27 18:00 IST, 27 19:00 IST, 27 20:00 IST"},
		{"0 0 29 2 *", "UTC", "29 00:00 UTC, 29 00:00 UTC, 29 00:00 UTC"},
	} {
		p := &file.Pipeline{Schedule: &file.Schedule{Cron: test.cron, Timezone: test.zone}}
		times, err := p.Next(onceUponATime(), 3)
		if err != nil {
			t.Error(err)
		}
		var got []string
		for _, at := range times {
			got = append(got, at.Format("02 15:04 MST"))
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%s in %s: %v, want %s", test.cron, test.zone, got, test.want)
		}
	}
	if times, err := (&file.Pipeline{}).Next(onceUponATime(), 3); err != nil || times != nil {
		t.Error("without a schedule: ", times, err)
	}
}

// TestClocksChange: on the days on which clocks are changed a schedule has the moments that a calendar of the zone has,
// also where they are changed by half an hour, at midnight, or by a day.
func TestClocksChange(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ cron, zone, from, want string }{
		{"30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", "25 02:30 CEST, 26 02:30 CET"},
		{"0 3 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", "29 03:00 CEST, 30 03:00 CEST"},
		{"0 * * * *", "Europe/Berlin", "2026-03-29T00:30:00Z", "29 03:00 CEST, 29 04:00 CEST"},
		{"0 * * * *", "Europe/Berlin", "2026-10-24T23:30:00Z", "25 02:00 CEST, 25 02:00 CET, 25 03:00 CET"},
		{"*/20 * * * *", "Europe/Berlin", "2026-10-25T00:30:00Z",
			"25 02:40 CEST, 25 02:00 CET, 25 02:20 CET, 25 02:40 CET, 25 03:00 CET"},
		// at 2 it is half past one again
		{"0 2 * * *", "Australia/Lord_Howe", "2026-04-04T00:00:00Z", "05 02:00 +1030, 06 02:00 +1030"},
		{"45 1 * * *", "Australia/Lord_Howe", "2026-04-04T00:00:00Z", "05 01:45 +11, 06 01:45 +1030"},
		// at 2 it is half past two
		{"15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00:00Z", "04 02:30 +11, 05 02:15 +11"},
		{"0 0 * * *", "America/Sao_Paulo", "2018-11-03T12:00:00Z", "04 01:00 -02, 05 00:00 -02"},
		// the 30th was left out
		{"30 12 * * *", "Pacific/Apia", "2011-12-29T00:00:00Z", "29 12:30 -10, 31 00:00 +14, 31 12:30 +14"},
	} {
		p := &file.Pipeline{Schedule: &file.Schedule{Cron: test.cron, Timezone: test.zone}}
		from, err := time.Parse(time.RFC3339, test.from)
		if err != nil {
			t.Fatal(err)
		}
		times, err := p.Next(from, strings.Count(test.want, ",")+1)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, at := range times {
			got = append(got, at.Format("02 15:04 MST"))
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%s in %s: %v, want %s", test.cron, test.zone, got, test.want)
		}
	}
}

// TestDue: of all moments that were missed one is left, and none that is to come.
func TestDue(t *testing.T) {
	t.Parallel()
	s := &file.Schedule{Cron: "30 4 * * *", Timezone: "UTC"}
	night := func(day, hour int) time.Time { return time.Date(2026, 5, day, hour, 30, 0, 0, time.UTC) }
	for _, test := range []struct {
		last, now time.Time
		want      string
	}{
		{night(3, 4), night(4, 3), "none"},
		{night(3, 4), night(4, 4), "2026-05-04 04:30, 0 missed"},
		{night(3, 4), night(4, 9), "2026-05-04 04:30, 0 missed"},
		{night(3, 4), night(13, 5), "2026-05-13 04:30, 9 missed"},
		{night(20, 4), night(13, 5), "none"}, // the clock was set back
		{time.Time{}, night(13, 5), "2026-05-13 04:30, 365 missed"},
	} {
		at, missed, err := s.Due(test.last, test.now)
		got := "none"
		if !at.IsZero() {
			got = fmt.Sprintf("%s, %d missed", at.Format("2006-01-02 15:04"), missed)
		}
		if err != nil || got != test.want {
			t.Errorf("after %v at %v: %s %v, want %s", test.last, test.now, got, err, test.want)
		}
	}
}
