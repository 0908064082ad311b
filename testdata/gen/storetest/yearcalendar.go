package storetest

import (
	"math"
	"time"
)

// This file says when a developer works: on which days of a year, and how much.

// yearEnd is the day after the last one of a year, unless YearOptions say another.
var yearEnd = time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)

// daysOff are the first and the last day of holidays, and of a week in bed.
var daysOff = [][2]string{{"08-04", "08-17"}, {"10-03", "10-03"}, {"11-24", "11-26"}, {"12-22", "12-31"},
	{"01-01", "01-04"}, {"04-02", "04-10"}, {"05-01", "05-01"}, {"05-14", "05-15"}}

// monthLoads are how much there is to do in each month, weekdayLoads on each day of a week from Sunday on.
var (
	monthLoads   = [...]float64{0.8, 1.05, 1.4, 0.9, 0.8, 1.15, 0.85, 0.75, 1, 1.25, 1.35, 0.95}
	weekdayLoads = [...]float64{0.07, 1, 1.15, 1.1, 1, 0.7, 0.12}
)

// A workday is a day with the number of conversations that it should have.
type workday struct {
	at    time.Time // midnight, UTC
	share float64
}

// calendar are the days of the year that ends before a day.
func calendar(r rng, until time.Time) (days []workday) {
	week := 1.0
	for at := until.AddDate(-1, 0, 0); at.Before(until); at = at.AddDate(0, 0, 1) {
		if at.Weekday() == time.Monday {
			week = min(max(math.Exp(r.NormFloat64()*0.28), 0.45), 1.7)
		}
		share := monthLoads[at.Month()-1] * weekdayLoads[at.Weekday()] * week
		if isOff(at) {
			share *= 0.02
		}
		days = append(days, workday{at, share})
	}
	return days
}

func isOff(at time.Time) bool {
	date := at.Format("01-02")
	for _, d := range daysOff {
		if date >= d[0] && date <= d[1] {
			return true
		}
	}
	return false
}

// A clock goes through a day of work: it begins in the morning, stops for lunch, and goes on in the evening when there
// is much to do.
type clock struct {
	r      rng
	at     int64
	noon   int64
	supper int64
	ate    bool
	rested bool
}

func newClock(r rng, day time.Time) *clock {
	midnight := day.UnixMilli()
	k := &clock{r: r, noon: midnight + r.ms(640, 700)*60_000, supper: midnight + r.ms(960, 1050)*60_000}
	k.at = midnight + r.ms(400, 530)*60_000
	if r.chance(0.15) { // meetings until noon
		k.at = k.noon + r.ms(30, 90)*60_000
		k.ate = true
	}
	if day.Weekday() == time.Saturday || day.Weekday() == time.Sunday {
		k.at += r.ms(60, 600) * 60_000
	}
	return k
}

// pause goes on to the next conversation: mostly after some minutes, now and then after a meeting.
func (k *clock) pause(end int64) {
	k.at = max(k.at, end) + k.r.ms(3, 24)*60_000
	if k.r.chance(0.3) {
		k.at += k.r.ms(35, 150) * 60_000
	}
	if !k.ate && k.at > k.noon {
		k.ate, k.at = true, k.at+k.r.ms(35, 65)*60_000
	}
	if !k.rested && k.at > k.supper {
		k.rested, k.at = true, k.at+k.r.ms(60, 130)*60_000
	}
}

// over says that the day is over.
func (k *clock) over() bool { return k.at > k.noon+10*3600_000 }
