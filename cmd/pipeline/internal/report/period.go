package report

import (
	"fmt"
	"time"
)

// usualDays is the default length of the period.
const usualDays = 90

// A period is a range of whole days, both ends included. Its times are midnights in UTC that stand for days in the
// reader's time zone.
type period struct{ from, to time.Time }

// day is the day of a time in a zone.
func day(t time.Time, zone *time.Location) time.Time {
	y, m, d := t.In(zone).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

func (p period) days() int { return int(p.to.Sub(p.from).Hours()/24) + 1 }

// before is the period of the same length just before.
func (p period) before() period {
	return period{p.from.AddDate(0, 0, -p.days()), p.from.AddDate(0, 0, -1)}
}

// condition is the SQL condition for the period's rows of a view with a column day.
func (p period) condition() string {
	return fmt.Sprintf("day BETWEEN DATE '%s' AND DATE '%s'", p.from.Format(time.DateOnly), p.to.Format(time.DateOnly))
}

// words are the period's first and last day for people.
func (p period) words() string {
	first := "2 January 2006"
	if p.from.Year() == p.to.Year() {
		first = "2 January"
	}
	return p.from.Format(first) + " to " + p.to.Format("2 January 2006")
}

// lastDay is the last day that a period may have: today, or the last one before Until.
func (o Options) lastDay(zone *time.Location) time.Time {
	today := day(o.Now, zone)
	if o.Until != nil {
		if last := day(o.Until.Add(-time.Millisecond), zone); last.Before(today) {
			return last
		}
	}
	return today
}

// periodOf returns the period of the page, and words for its last day.
func periodOf(o Options, zone *time.Location, last *time.Time) (p period, upTo string) {
	end, until := o.lastDay(zone), "today"
	if end.Before(day(o.Now, zone)) {
		until = end.Format("2 January 2006")
	}
	switch {
	case o.Since != nil:
		return period{day(*o.Since, zone), end}, until
	case last == nil:
		return period{end.AddDate(0, 0, 1-usualDays), end}, until + ": no activity is recorded"
	case until != "today":
		return period{last.AddDate(0, 0, 1-usualDays), *last}, "the last recorded activity until " + until
	}
	return period{last.AddDate(0, 0, 1-usualDays), *last}, "the last recorded activity"
}
