// Package schedule has the operating system's own timer start a program: a systemd user timer, a launchd agent, or a task of the Windows Task
// Scheduler.
//
// It knows the formats of their files and the commands that make them take effect. It must never know what the program does: the arguments are
// words to it. The makers of the files are pure and work on any system, so that each can be tested on each.
package schedule

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// A Job is a program to be run by a timer.
type Job struct {
	Name    string // of the timer: letters, digits, - and _
	About   string // one line on what it does, for people who come upon the files
	Program string // absolute path
	Args    []string
	Env     []Var // a timer has not the shell's environment
	When    When
	Busy    int // exit code for a passing cause: worth another try soon
	Stopped int // exit code after SIGTERM when nothing is left half done: no failure
}

// A Var is an environment variable.
type Var struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// What every job keeps to, whatever the system.
const (
	longest     = 6 * time.Hour   // a run that takes longer hangs: it is ended, and the next one starts anew
	graceful    = 5 * time.Minute // to end well in, once asked to
	again       = 5 * time.Minute // after which a run is tried again that could not be had
	triesInHour = 8               // more than the most frequent timer needs, so that none of its starts is refused
)

// A System is an operating system's timer.
type System interface {
	// Plan says which files make the job, and which commands make them take effect.
	Plan(Job) (Plan, error)
	// Undo says which files the job of that name is made of, and which commands end it before they are removed.
	Undo(name string) Undo
	// Ready returns an error where the timer cannot be used here, with what to do instead; else what a person should know about it.
	Ready(context.Context, Runner) (notes []string, err error)
	// State asks for what became of the job.
	State(ctx context.Context, r Runner, name string) (State, error)
}

// A Plan is what makes a job.
type Plan struct {
	Files    []File    `json:"files"`
	Folders  []string  `json:"folders,omitempty"` // that must be there for the log
	Commands []Command `json:"commands"`
	Log      string    `json:"log"` // where what the runs print goes
}

// An Undo is what removes a job.
type Undo struct {
	Files    []string // the first is always there while the job is
	Links    []string // that the system itself made to the files
	Commands []Command
	After    []Command // once the files are gone
}

// A Command is one of the system's.
type Command struct {
	Args    []string `json:"args"`
	MayFail bool     `json:"may_fail,omitempty"` // where there is nothing to end yet
}

// String is the command as a person would type it on any system's shell, roughly.
func (c Command) String() string {
	words := make([]string, len(c.Args))
	for i, a := range c.Args {
		if words[i] = a; strings.ContainsAny(a, " \t\"'&<>|;$`\\%()") {
			words[i] = `"` + a + `"`
		}
	}
	return strings.Join(words, " ")
}

// State is what the system says of a job. What it does not say is nil or "".
type State struct {
	Enabled  bool       `json:"enabled"` // the system will start it
	Running  bool       `json:"running"`
	LastRun  *time.Time `json:"last_run"`  // when it was started last
	LastExit *int       `json:"last_exit"` // the code that the last run ended with
	Result   string     `json:"result"`    // in the system's word, where that says more
	NextRun  *time.Time `json:"next_run"`
	Told     []string   `json:"told,omitempty"` // lines of the system's own, where they cannot be read for certain
}

// A Runner runs the system's commands.
type Runner interface {
	// Run returns what the command printed; an error has its words.
	Run(ctx context.Context, args ...string) (string, error)
}

// A Place is where things are, for a user on a machine.
type Place struct {
	Home   string
	Config string // of the user's programs: systemd reads units below it
	State  string // for logs
	UID    int
	User   string
}

// For returns the timer of an operating system, by Go's name of it; nil where there is none that is known.
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

// CheckName says what is wrong with a name for a job.
func CheckName(name string) error {
	if !goodName.MatchString(name) {
		return fmt.Errorf("%q is no name for a timer: take up to 40 letters of a to z, digits, - and _", name)
	}
	return nil
}

// check says what no format can hold. Escapes for control characters exist in one of them only, and nobody needs them.
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

// logFile is where runs print to under systems that keep no journal.
func (p Place) logFile(name string) string {
	return filepath.Join(p.State, "pipeline", "schedule-"+name+".log")
}
