package file_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pipeline/pipelines"
	"pipeline/pipelines/file"
)

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
