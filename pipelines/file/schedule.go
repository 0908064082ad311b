package file

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

const cronForm = "write minute, hour, day, month and weekday, in quotes: '30 2 * * *'"

// checkCron returns an error for a text that is no schedule: five fields, or a word for them.
func checkCron(text string, now time.Time) error {
	fields := strings.Fields(text)
	switch {
	case strings.HasPrefix(text, "TZ=") || strings.HasPrefix(text, "CRON_TZ="):
		return errors.New("the time zone has a key of its own: write timezone: below cron")
	case strings.HasPrefix(text, "@every"):
		return fmt.Errorf("%q runs at no fixed time: write every 15 minutes as '*/15 * * * *', every 6 hours as '0 "+
			"*/6 * * *'", text)
	case len(fields) == 6:
		return fmt.Errorf("%q has 6 fields, a schedule has 5: there are no seconds; write '%s'", text,
			strings.Join(fields[1:], " "))
	case len(fields) != 5 && !strings.HasPrefix(text, "@"):
		return fmt.Errorf("%q has %d of 5 fields; %s", text, len(fields), cronForm)
	}
	times, err := cron.ParseStandard(text)
	switch {
	case err != nil && strings.HasPrefix(text, "@"):
		return fmt.Errorf("there is no %q; write @hourly, @daily, @weekly, @monthly or @yearly", text)
	case err != nil:
		return fmt.Errorf("%q is no schedule (%w); %s", text, err, cronForm)
	case times.Next(now).IsZero():
		return fmt.Errorf("%q never comes: there is no such day", text)
	}
	return nil
}

// checkZone returns an error for a text that is no name of a time zone.
func checkZone(text string, _ time.Time) error {
	if _, err := time.LoadLocation(text); err != nil || text == "" || text == "Local" {
		return fmt.Errorf("there is no time zone %q; write a name such as Europe/Berlin, America/New_York or UTC, or "+
			"leave the key out for this machine's", text)
	}
	return nil
}

// zone is the time zone of the schedule.
func (s *Schedule) zone() (*time.Location, error) {
	if s.Timezone == "" {
		return time.Local, nil
	}
	return time.LoadLocation(s.Timezone)
}

// times are the times of the schedule in its own time zone.
func (s *Schedule) times() (times, error) {
	zone, err := s.zone()
	if err != nil {
		return times{}, err
	}
	clock, err := cron.ParseStandard(s.Cron)
	return times{clock, zone}, err
}

// times are the times of a schedule in a zone. The library that computes them skips days on which a zone's clocks
// change. So it is used with a clock that never changes, and this type converts its times to the zone.
type times struct {
	clock cron.Schedule
	zone  *time.Location
}

// Next is the first time after now, zero if there is none. If clocks go forward over a time, the run starts at that
// moment. A time that occurs twice counts once, except for schedules of an hour or less, which go on.
func (t times) Next(now time.Time) time.Time {
	now = now.In(t.zone)
	var again time.Time // the second occurrence of a time whose first one is over
	for face := t.clock.Next(faceOf(now).Add(-comesAgain(now))); !face.IsZero(); face = t.clock.Next(face) {
		first, second := t.moments(face)
		if second.After(now) && again.IsZero() && t.clock.Next(face).Sub(face) <= time.Hour {
			again = second
		}
		if first.After(now) {
			if again.IsZero() || first.Before(again) {
				return first
			}
			return again
		}
	}
	return again
}

// comesAgain returns how far the clock will soon be set back, if the time that it shows now will then be shown again;
// else 0.
func comesAgain(now time.Time) time.Duration {
	_, end := now.ZoneBounds()
	if end.IsZero() {
		return 0
	}
	back := faceOf(now).Sub(now.UTC()) - faceOf(end).Sub(end.UTC())
	if end.Sub(now) > back {
		return 0
	}
	return back
}

// changes is more than any clock was ever changed by: Samoa left out a whole day.
const changes = 36 * time.Hour

// faceOf is what a clock in the time's zone shows, as a time in a zone whose clocks never change.
func faceOf(t time.Time) time.Time {
	_, offset := t.Zone()
	return t.UTC().Add(time.Duration(offset) * time.Second)
}

// moments are the times at which the zone's clocks show something: two, or one (second is zero). If the clocks jump
// over it, it is the time of the jump.
func (t times) moments(face time.Time) (first, second time.Time) {
	var jumped time.Time
	for _, near := range []time.Duration{-changes, changes} {
		// the earlier of two moments is by the clock before the change
		_, offset := face.Add(near).In(t.zone).Zone()
		at := face.Add(-time.Duration(offset) * time.Second).In(t.zone)
		switch {
		case !faceOf(at).Equal(face):
			if near < 0 {
				jumped, _ = at.ZoneBounds() // by the old clock it is after the jump
			}
		case first.IsZero():
			first = at
		case !at.Equal(first):
			second = at
		}
	}
	if first.IsZero() {
		first = jumped
	}
	return first, second
}

// Due is the latest time of the schedule after last and not after now, and how many times before it were missed: one
// run makes up for all of them. It is zero if there is none. It uses the wall clock and no timer, so it is right after
// a sleep or a change of the clock.
func (s *Schedule) Due(last, now time.Time) (at time.Time, missed int, err error) {
	times, err := s.times()
	if err != nil {
		return at, 0, err
	}
	if since := now.Add(-longAgo); last.Before(since) { // a pipeline has not run for years: only the last one counts
		last = since
	}
	for next := times.Next(last); !next.IsZero() && !next.After(now); next = times.Next(next) {
		if !at.IsZero() {
			missed++
		}
		at = next
	}
	return at, missed, nil
}

// Next is the first time of the schedule after now; zero if there is none.
func (s *Schedule) Next(now time.Time) (time.Time, error) {
	times, err := s.times()
	if err != nil {
		return time.Time{}, err
	}
	return times.Next(now), nil
}

const longAgo = 366 * 24 * time.Hour
