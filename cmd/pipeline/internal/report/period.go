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

// periodOf returns the period of the page, and a text that says how it was chosen.
func periodOf(o Options, zone *time.Location, last *time.Time) (period, string) {
	today := day(o.Now, zone)
	if o.Since != nil {
		from := day(*o.Since, zone)
		p := period{from, today}
		return p, plural(int64(p.days()), "day") + " up to today"
	}
	if last == nil {
		return period{today.AddDate(0, 0, 1-usualDays),
			today}, fmt.Sprintf("%d days up to today: no activity is recorded", usualDays)
	}
	return period{last.AddDate(0, 0, 1-usualDays), *last}, fmt.Sprintf("%d days up to the last recorded activity",
		usualDays)
}
