package schedule

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// When is the times of day at which a job starts, in local time.
type When struct {
	Hour, Minute int           // once a day
	Every        time.Duration // if not 0, the interval instead, from midnight on
}

// every lists the intervals that divide a day, or an hour, into equal parts. Every system can express these; no other
// interval works on all systems.
func every() []time.Duration {
	const m, h = time.Minute, time.Hour
	return []time.Duration{15 * m, 20 * m, 30 * m, h, 2 * h, 3 * h, 4 * h, 6 * h, 8 * h, 12 * h, 24 * h}
}

// Daily parses a time of day, such as 02:30.
func Daily(text string) (When, error) {
	t, err := time.Parse("15:04", text)
	if err != nil {
		return When{}, fmt.Errorf("%q is no time of the day: write 02:30 or 18:00", text)
	}
	return When{Hour: t.Hour(), Minute: t.Minute()}, nil
}

// Repeated makes a When from an interval.
func Repeated(d time.Duration) (When, error) {
	var known []string
	for _, e := range every() {
		if d == e {
			return When{Every: d}, nil
		}
		known = append(known, short(e))
	}
	return When{}, fmt.Errorf("a timer cannot start every %s: it takes one of %s", d, strings.Join(known, ", "))
}

func short(d time.Duration) string {
	if d < time.Hour {
		return fmt.Sprintf("%dm", d/time.Minute)
	}
	return fmt.Sprintf("%dh", d/time.Hour)
}

// String describes the times for people.
func (w When) String() string {
	if w.Every > 0 {
		return "every " + short(w.Every)
	}
	return fmt.Sprintf("every day at %02d:%02d", w.Hour, w.Minute)
}

// in writes the times in one of three forms: of an hour and a minute, of a number of minutes, of a number of hours.
func (w When) in(daily, minutes, hours string) string {
	switch {
	case w.Every == 0, w.Every == 24*time.Hour:
		return fmt.Sprintf(daily, w.Hour, w.Minute)
	case w.Every < time.Hour:
		return fmt.Sprintf(minutes, w.Every/time.Minute)
	}
	return fmt.Sprintf(hours, w.Every/time.Hour)
}

// onCalendar writes the times for systemd.time(7).
func (w When) onCalendar() string {
	return w.in("*-*-* %02d:%02d:00", "*-*-* *:00/%d:00", "*-*-* 00/%d:00:00")
}

// cron writes the times for crontab(5).
func (w When) cron() string { return w.in("%[2]d %[1]d * * *", "*/%d * * * *", "0 */%d * * *") }

// A moment is one start each day, or each hour if hour is -1.
type moment struct{ hour, minute int }

// moments lists the starts.
func (w When) moments() (out []moment) {
	switch {
	case w.Every == 0:
		return []moment{{w.Hour, w.Minute}}
	case w.Every < time.Hour:
		for m := 0; m < 60; m += int(w.Every / time.Minute) {
			out = append(out, moment{-1, m})
		}
		return out
	}
	for h := 0; h < 24; h += int(w.Every / time.Hour) {
		out = append(out, moment{h, 0})
	}
	return out
}

// next is the first start after a time, in that time's zone.
func next(starts []moment, now time.Time) *time.Time {
	y, m, d := now.Date()
	for minute := now.Hour()*60 + now.Minute() + 1; minute <= 48*60; minute++ {
		for _, s := range starts {
			if s.minute == minute%60 && (s.hour < 0 || s.hour == minute/60%24) {
				t := time.Date(y, m, d, 0, minute, 0, 0, now.Location())
				return &t
			}
		}
	}
	return nil
}

// Skipped is the first day of the coming year without this time of day, because clocks go forward then; "" if there is
// none. Timers skip that day.
func (w When) Skipped(now time.Time) string {
	if w.Every > 0 {
		return ""
	}
	y, m, d := now.Date()
	for i := range 366 {
		if t := time.Date(y, m, d+i, w.Hour, w.Minute, 0, 0, now.Location()); t.Hour() != w.Hour ||
			t.Minute() != w.Minute {
			return t.Format(time.DateOnly)
		}
	}
	return ""
}

// CronLine is the line of a crontab that runs the job, for systems without a known timer. It escapes %, which would end
// the command.
func CronLine(j Job, p Place) string {
	words := []string{"nice", "-n", "19"}
	if len(j.Env) > 0 {
		words = append(words, "env")
	}
	for _, v := range j.Env {
		words = append(words, v.Name+"="+quoted(v.Value))
	}
	for _, w := range append([]string{j.Program}, j.Args...) {
		words = append(words, quoted(w))
	}
	line := strings.Join(words, " ") + " >>" + quoted(p.logFile(j.Name)) + " 2>&1"
	return j.When.cron() + " " + strings.ReplaceAll(line, "%", `\%`)
}

// quoted quotes a word for sh.
func quoted(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:=,@%"
	if s != "" && strings.Trim(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// number parses a whole number that a system printed; nil for other text.
func number(s string) *int {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil {
		return nil
	}
	return &n
}
