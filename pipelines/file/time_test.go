package file_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pipeline/pipelines"
	"pipeline/pipelines/file"
)

// TestDayBegins: a day begins at its first moment, also where clocks skip midnight or have it twice. The moments are
// those of the zone's rules, by hand.
func TestDayBegins(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ zone, now, text, want string }{
		// 23:59 of the 3rd (-03) is followed by 01:00 (-02)
		{"America/Sao_Paulo", "2018-11-20T12:00:00Z", "2018-11-04", "2018-11-04T03:00:00Z"},
		{"America/Sao_Paulo", "2018-11-04T15:00:00Z", "today", "2018-11-04T03:00:00Z"},
		{"America/Sao_Paulo", "2018-11-05T15:00:00Z", "yesterday", "2018-11-04T03:00:00Z"},
		{"America/Sao_Paulo", "2018-11-20T12:00:00Z", "2018-11-05", "2018-11-05T02:00:00Z"},
		// the hour before midnight comes twice
		{"America/Sao_Paulo", "2018-02-20T12:00:00Z", "2018-02-18", "2018-02-18T03:00:00Z"},
		{"Asia/Beirut", "2024-04-20T12:00:00Z", "2024-03-31", "2024-03-30T22:00:00Z"},
		{"Africa/Cairo", "2024-05-20T12:00:00Z", "2024-04-26", "2024-04-25T22:00:00Z"},
		// the hour after midnight comes twice
		{"America/Havana", "2023-11-20T12:00:00Z", "2023-11-05", "2023-11-05T04:00:00Z"},
		// a day that the zone has not: the next one
		{"Pacific/Apia", "2012-01-20T12:00:00Z", "2011-12-30", "2011-12-30T10:00:00Z"},
		{"Europe/Berlin", "2026-03-30T12:00:00Z", "2026-03-29", "2026-03-28T23:00:00Z"},
		{"UTC", "2026-03-30T12:00:00Z", "yesterday", "2026-03-29T00:00:00Z"},
	} {
		zone, err := time.LoadLocation(test.zone)
		if err != nil {
			t.Fatal(err)
		}
		now, err := time.Parse(time.RFC3339, test.now)
		if err != nil {
			t.Fatal(err)
		}
		got, err := file.ParseTime(test.text, now.In(zone), nil)
		if err != nil || got.UTC().Format(time.RFC3339) != test.want {
			t.Errorf("%s in %s: %v, %v, want %s", test.text, test.zone, got.UTC(), err, test.want)
		}
	}
}

func TestParseTime(t *testing.T) {
	zone := time.FixedZone("somewhere", 2*3600)
	now := time.Date(2026, 3, 10, 14, 30, 0, 0, zone)
	last := time.Date(2026, 3, 9, 2, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"7d":                        time.Date(2026, 3, 3, 14, 30, 0, 0, zone),
		"36h":                       time.Date(2026, 3, 9, 2, 30, 0, 0, zone),
		"2w":                        time.Date(2026, 2, 24, 14, 30, 0, 0, zone),
		"1d12h":                     time.Date(2026, 3, 9, 2, 30, 0, 0, zone),
		"yesterday":                 time.Date(2026, 3, 9, 0, 0, 0, 0, zone),
		"Today":                     time.Date(2026, 3, 10, 0, 0, 0, 0, zone),
		"now":                       now,
		"2026-03-01":                time.Date(2026, 3, 1, 0, 0, 0, 0, zone),
		"2026-03-01 09:15":          time.Date(2026, 3, 1, 9, 15, 0, 0, zone),
		"2026-03-01T09:15:00Z":      time.Date(2026, 3, 1, 9, 15, 0, 0, time.UTC),
		"2026-03-01T09:15:00+05:30": time.Date(2026, 3, 1, 3, 45, 0, 0, time.UTC),
		"last-run":                  last,
	} {
		got, err := file.ParseTime(text, now, &last)
		if err != nil || !got.Equal(want) {
			t.Errorf("%s: got %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "soon", "7", "-7d", "2026-13-01", "7 days ago", "last-run"} {
		_, err := file.ParseTime(text, now, nil)
		var usage *pipelines.UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), "last-run") {
			t.Errorf("%q: got %v, want a usage error with examples", text, err)
		}
	}
}
