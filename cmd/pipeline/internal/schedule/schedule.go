// Package schedule makes the operating system's own timer start a program: a systemd user timer, a launchd agent, or a
// task of the Windows Task Scheduler.
//
// It knows the formats of their files, and the commands that load them. It must never know what the program does: the
// arguments are only words. The functions that make the files are pure and work on every system, so that each system's
// files can be tested on any system.
package schedule

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// A Job is a program that a timer starts.
type Job struct {
	Name    string // name of the timer: letters, digits, - and _
	About   string // one line that describes the job, for people who find the files
	Program string // absolute path
	Args    []string
	Env     []Var // a timer does not have the shell's environment
	When    When
	Busy    int // exit code of a temporary failure: worth another try soon
	Stopped int // exit code after SIGTERM if nothing was left half done: not a failure
}

// A Var is an environment variable.
type Var struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Limits of every job, on every system.
const (
	longest     = 6 * time.Hour   // a longer run hangs: it is ended, and the next one starts
	graceful    = 5 * time.Minute // time for a run to end after it was asked to
	again       = 5 * time.Minute // pause before another try after a temporary failure
	triesInHour = 8               // more than the most frequent timer needs, so that no start is refused
)

// A System is an operating system's timer.
type System interface {
	// Plan returns the files of the job, and the commands that load them.
	Plan(Job) (Plan, error)
	// Undo returns the files of the job with that name, and the commands that stop it before they are removed.
	Undo(name string) Undo
	// Ready returns an error if the timer cannot be used here, with what to do instead. Otherwise it returns what a
	// person should know about it.
	Ready(context.Context, Runner) (notes []string, err error)
	// State asks the system about the job.
	State(ctx context.Context, r Runner, name string) (State, error)
}

// A Plan is what is needed to make a job.
type Plan struct {
	Files    []File    `json:"files"`
	Folders  []string  `json:"folders,omitempty"` // folders that must exist for the log
	Commands []Command `json:"commands"`
	Log      string    `json:"log"` // where the output of runs goes
}

// An Undo is what is needed to remove a job.
type Undo struct {
	Files    []string // the first one exists as long as the job does
	Links    []string // links that the system made to the files
	Commands []Command
	After    []Command // commands to run after the files are removed
}

// A Command is a command of the operating system.
type Command struct {
	Args    []string `json:"args"`
	MayFail bool     `json:"may_fail,omitempty"` // it fails if there is nothing to stop yet
	// it is run again until it fails: then what was stopped is gone
	UntilGone bool `json:"until_gone,omitempty"`
}

// Run runs the command. It returns no error of one that may fail.
func (c Command) Run(ctx context.Context, r Runner) error {
	_, err := r.Run(ctx, c.Args...)
	for begin := time.Now(); c.UntilGone && err == nil && time.Since(begin) < graceful; { // then the system kills it
		time.Sleep(gonePause)
		_, err = r.Run(ctx, c.Args...)
	}
	if c.MayFail || c.UntilGone {
		return nil
	}
	return err
}

// gonePause lies between two tries of such a command.
const gonePause = 200 * time.Millisecond

// String is roughly the command line that a person would type.
func (c Command) String() string {
	words := make([]string, len(c.Args))
	for i, a := range c.Args {
		if words[i] = a; strings.ContainsAny(a, " \t\"'&<>|;$`\\%()") {
			words[i] = `"` + a + `"`
		}
	}
	return strings.Join(words, " ")
}

// State is the system's report about a job. Unknown values are nil or "".
type State struct {
	Enabled  bool       `json:"enabled"` // the system will start the job
	Running  bool       `json:"running"`
	LastRun  *time.Time `json:"last_run"`  // start of the last run
	LastExit *int       `json:"last_exit"` // exit code of the last run
	Result   string     `json:"result"`    // the system's word for the result, if that says more
	NextRun  *time.Time `json:"next_run"`
	Told     []string   `json:"told,omitempty"` // lines of the system's own output, if they cannot be parsed reliably
}

// A Runner runs commands of the system.
type Runner interface {
	// Run returns the command's output; an error includes it.
	Run(ctx context.Context, args ...string) (string, error)
}

// A Place describes a user and a machine.
type Place struct {
	Home   string
	Config string // configuration folder: systemd reads units below it
	State  string // folder for logs
	UID    int
	User   string
}

// For returns the timer of an operating system, by Go's name of it; nil for other systems.
func For(goos string, p Place) System {
	switch goos {
	case "linux":
		return &Systemd{p}
	case "darwin":
		return &Launchd{p}
	case "windows":
		return &Tasks{p}
	}
	return nil
}

var goodName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$`)

// CheckName returns an error for an invalid name of a job.
func CheckName(name string) error {
	if !goodName.MatchString(name) {
		return fmt.Errorf("%q is no name for a timer: take up to 40 letters of a to z, digits, - and _", name)
	}
	return nil
}

// check refuses control characters: only one of the formats can escape them, and nobody needs them.
func (j Job) check() error {
	if err := CheckName(j.Name); err != nil {
		return err
	}
	words := append([]string{j.Program}, j.Args...)
	for _, v := range j.Env {
		words = append(words, v.Name+"="+v.Value)
	}
	for _, w := range words {
		if !utf8.ValidString(w) || strings.ContainsFunc(w, unicode.IsControl) {
			return fmt.Errorf("%q has a control character or is no UTF-8: a timer's file cannot hold it", w)
		}
	}
	return nil
}

// logFile is the log of runs, on systems without a journal.
func (p Place) logFile(name string) string {
	return filepath.Join(p.State, "pipeline", "schedule-"+name+".log")
}

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
