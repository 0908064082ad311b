package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/adrg/xdg"
	"github.com/urfave/cli/v2"
	"github.com/xhit/go-str2duration/v2"

	"pipeline/cmd/pipeline/internal/schedule"
	"pipeline/cmd/pipeline/internal/term"
)

// installation is the JSON output of install.
type installation struct {
	System    string       `json:"system"`
	Name      string       `json:"name"`
	Starts    string       `json:"starts"`
	Program   string       `json:"program"`
	Args      []string     `json:"args"`
	Variables []string     `json:"variables"` // variables that are written into the files
	Notes     []string     `json:"notes"`
	Installed bool         `json:"installed"`
	job       schedule.Job // the job that the timer runs
	schedule.Plan
}

// refusals lists the files that must not be overwritten.
func (i *installation) refusals(force bool) (out []error, err error) {
	for _, f := range i.Files {
		found, err := f.Look()
		if err != nil {
			return nil, err
		}
		if !force && (found == schedule.Altered || found == schedule.Foreign) {
			out = append(out,
				fmt.Errorf("%s exists already, and was %s: look at it; --force overwrites it, --name uses other files",
					f.Path, map[schedule.FileState]string{
						schedule.Altered: "changed by hand", schedule.Foreign: "not made by this tool"}[found]))
		}
	}
	return out, nil
}

// print ends a dry run.
func (i *installation) print(c *cli.Context, last string) error {
	return printed(c, i, func(w io.Writer) {
		printPlan(w, i)
		fmt.Fprintln(w, "\n"+last)
	})
}

// carryOut writes the files and makes the system load them.
func (i *installation) carryOut(c *cli.Context) error {
	for _, dir := range i.Folders {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	for _, f := range i.Files {
		if err := f.Write(); err != nil {
			return fmt.Errorf("write %s: %w", f.Path, err)
		}
	}
	for _, command := range i.Commands {
		if err := command.Run(c.Context, schedule.Exec{}); err != nil {
			return fmt.Errorf("the files are written, the timer is not set: %w; fix that and install again, or "+
				"'pipeline schedule remove%s'", err, nameArg(i.Name))
		}
	}
	return nil
}

// planned reads the flags.
func planned(c *cli.Context) (*installation, schedule.System, error) {
	when, err := whenOf(c)
	if err != nil {
		return nil, nil, usage("%s", err)
	}
	if err := schedule.CheckName(c.String("name")); err != nil {
		return nil, nil, usage("%s", err)
	}
	args, err := runArgs(c)
	if err != nil {
		return nil, nil, err
	}
	program, err := programPath()
	if err != nil {
		return nil, nil, err
	}
	job := schedule.Job{Name: c.String("name"), About: "pipeline: load Cursor's history into the warehouse",
		Program: program, Args: args, Env: append(jobVariables(runFlags()), timerVariables()...), When: when,
		Busy: exitBusy, Stopped: exitInterrupted}
	system, err := timerSystem(". " + cronInstead(job))
	if err != nil {
		return nil, nil, err
	}
	plan, err := system.Plan(job)
	if err != nil {
		return nil, nil, err
	}
	i := &installation{System: timerName(), Name: job.Name, Starts: when.String(), Program: program, Args: args,
		Variables: []string{}, Notes: []string{}, Plan: plan, job: job}
	for _, v := range job.Env {
		if !slices.Contains(timerVariables(), v) {
			i.Variables = append(i.Variables, v.Name)
		}
	}
	if len(i.Variables) > 0 {
		i.Notes = append(i.Notes, "variables that are set now go into the files: "+strings.Join(i.Variables, ", "))
	}
	if day := when.Skipped(time.Now()); day != "" {
		i.Notes = append(i.Notes,
			fmt.Sprintf("clocks go forward on %s, and there is no %02d:%02d on that day: no run starts. 04:30 exists "+
				"on every day.", day, when.Hour, when.Minute))
	}
	return i, system, nil
}

func whenOf(c *cli.Context) (schedule.When, error) {
	switch {
	case c.IsSet("every") && c.IsSet("at"):
		return schedule.When{}, errors.New("--at and --every are two ways to say when: leave one out")
	case c.IsSet("every"):
		d, err := str2duration.ParseDuration(c.String("every"))
		if err != nil {
			return schedule.When{}, fmt.Errorf("--every %q is not a duration; write 6h or 30m", c.String("every"))
		}
		return schedule.Repeated(d)
	case c.IsSet("at"):
		return schedule.Daily(c.String("at"))
	}
	return schedule.Daily("04:30")
}

func printPlan(w io.Writer, i *installation) {
	for _, f := range i.Files {
		found, err := f.Look()
		if err != nil {
			found = schedule.FileState(err.Error())
		}
		fmt.Fprintf(w, "File %s (%s now):\n", term.Printable(f.Path), found)
		for line := range strings.Lines(f.Text) {
			fmt.Fprintln(w, strings.TrimRight("    "+term.Printable(strings.TrimSuffix(line, "\n")), " "))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, "Commands:")
	for _, command := range i.Commands {
		until := ""
		if command.UntilGone {
			until = "  (until it fails)"
		}
		fmt.Fprintln(w, "    "+term.Printable(command.String())+until)
	}
	fmt.Fprintf(w, "\nStarts %s. What runs print: %s\n", i.Starts, term.Printable(i.Log))
	for _, n := range i.Notes {
		fmt.Fprintln(w, "Note: "+term.Printable(n))
	}
}

func timerNameFlag(usage string) cli.Flag {
	return &cli.StringFlag{Name: "name", Value: "nightly", Usage: usage}
}

// timerSystem is the timer of this operating system. If there is none, the error ends with what to do instead.
func timerSystem(instead string) (schedule.System, error) {
	if system := schedule.For(runtime.GOOS, schedulePlace()); system != nil {
		return system, nil
	}
	return nil, fmt.Errorf("no timer of %s is known here%s", runtime.GOOS, instead)
}

// timerName is the name of this system's timer.
func timerName() string {
	return map[string]string{"linux": "systemd", "darwin": "launchd", "windows": "Task Scheduler"}[runtime.GOOS]
}

// nameArg is the flag to add to a line that can be pasted, for a timer with this name.
func nameArg(name string) string {
	if name == "nightly" {
		return ""
	}
	return " --name " + name
}

// schedulePlace describes this machine and user.
func schedulePlace() schedule.Place {
	p := schedule.Place{Home: xdg.Home, Config: xdg.ConfigHome, State: xdg.StateHome, UID: os.Getuid()}
	if u, err := user.Current(); err == nil {
		p.User = u.Username
	}
	return p
}

// cronInstead explains how cron runs a job.
func cronInstead(job schedule.Job) string {
	return fmt.Sprintf("Use cron instead: make the folder %s, and add this line with 'crontab -e':\n%s",
		filepath.Join(xdg.StateHome, "pipeline"), schedule.CronLine(job, schedulePlace()))
}
