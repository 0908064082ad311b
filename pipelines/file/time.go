package file

import (
	"fmt"
	"strings"
	"time"

	"github.com/xhit/go-str2duration/v2"

	"pipeline/pipelines"
)

// lastRun is the word for the start of the last good load.
const lastRun = "last-run"

// ParseTime parses a time: RFC 3339, a date or a date and time (local), yesterday, today, a duration before now (36h,
// 7d, 2w), or last-run, the start of the last good load. last is that start; nil if there is none.
func ParseTime(text string, now time.Time, last *time.Time) (time.Time, error) {
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	switch word := strings.ToLower(strings.TrimSpace(text)); word {
	case lastRun:
		if last == nil {
			return time.Time{}, usage("last-run: there has been no good load yet; leave the option out for a first run")
		}
		return *last, nil
	case "now":
		return now, nil
	case "today":
		return begin(today, now.Location()), nil
	case "yesterday":
		return begin(today.AddDate(0, 0, -1), now.Location()), nil
	default:
		if day, err := time.Parse(time.DateOnly, word); err == nil {
			return begin(day, now.Location()), nil
		}
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04",
			"2006-01-02 15:04:05", "2006-01-02 15:04"} {
			if t, err := time.ParseInLocation(layout, strings.ToUpper(word), now.Location()); err == nil {
				return t, nil
			}
		}
		if d, err := str2duration.ParseDuration(word); err == nil && d >= 0 {
			return now.Add(-d), nil
		}
	}
	return time.Time{}, usage("%q is no time; write 7d, 36h, 2w, yesterday, last-run, 2026-03-01 or "+
		"2026-03-01T09:00:00Z", text)
}

// begin is the first moment of a day in a zone. midnight stands for the day, in UTC. In some zones clocks go forward
// over midnight: the day begins at one o'clock.
func begin(midnight time.Time, zone *time.Location) time.Time {
	for at := midnight.AddDate(0, 0, -2).In(zone); ; {
		_, east := at.Zone()
		from, to := at.ZoneBounds()
		first := midnight.Add(-time.Duration(east) * time.Second).In(zone)
		if first.Before(from) {
			first = from
		}
		if to.IsZero() || first.Before(to) {
			return first
		}
		at = to
	}
}

// usage is a mistake of the user.
func usage(format string, args ...any) error {
	return &pipelines.UsageError{Message: fmt.Sprintf(format, args...)}
}
