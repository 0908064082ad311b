package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/adrg/xdg"
	"github.com/mattn/go-isatty"
	"github.com/urfave/cli/v2"
	"github.com/xhit/go-str2duration/v2"

	"pipeline/cmd/pipeline/internal/schedule"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/pipelines"
)

// scheduleCommand is the group of what has the operating system start runs.
func scheduleCommand() *cli.Command {
	const all = "pipeline schedule install, pipeline schedule status, pipeline schedule remove"
	return &cli.Command{
		Name:  "schedule",
		Usage: "have the operating system start 'pipeline run' every night",
		Description: `Uses the system's own timer: a systemd user timer, a launchd agent, or a task of the Windows Task Scheduler. No process of this
program stays behind, and no administrator is needed.

Examples:
   pipeline schedule install --dry-run
   pipeline schedule status
   pipeline schedule remove`,
		Subcommands: []*cli.Command{scheduleInstallCommand(), scheduleStatusCommand(), scheduleRemoveCommand(), scheduleExecCommand()},
		Action:      wantsSubcommand("say what to do: "+all, "schedule does not know %q; there is: "+all),
	}
}

func timerNameFlag(usage string) cli.Flag {
	return &cli.StringFlag{Name: "name", Value: "nightly", Usage: usage}
}

func scheduleInstallCommand() *cli.Command {
	return &cli.Command{
		Name:      "install",
		Usage:     "make a timer that runs 'pipeline run', or change it",
		ArgsUsage: "[-- RUN ARGS...]",
		Description: `Prints the files that it will write, whole, and the commands that it will run; then it asks, at a terminal, and needs --yes elsewhere.
What follows -- is given to 'pipeline run' as it is, but that paths are made absolute. A timer has not the environment of your shell:
the variables PIPELINE_* that are set now, and those of XDG folders, are written into the files.

The time is local. 04:30 is in no zone a time that is left out when clocks go forward; 02:30 is in many.

Examples:
   pipeline schedule install --dry-run                     show the files and commands, change nothing
   pipeline schedule install                               every day at 04:30
   pipeline schedule install --at 12:15 --yes
   pipeline schedule install --every 6h --name often -- --parquet ~/cursor-parquet --since 7d

Exit codes: 0 done, 1 failed (there is no such timer here, a file is another's, a command failed), 2 usage.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "at", Usage: "start every day at `HH:MM`", DefaultText: "04:30"},
			&cli.StringFlag{Name: "every", Usage: "start every `D` from midnight on instead: 15m, 1h, 6h, 12h"},
			timerNameFlag("call the timer `NAME`: each name is a timer of its own"),
			&cli.BoolFlag{Name: "dry-run", Usage: "print the files and the commands, change nothing"},
			&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "do not ask"},
			&cli.BoolFlag{Name: "force", Usage: "write over files that were changed by hand, or that this tool did not make"},
			jsonFlag(),
		},
		Action: scheduleInstallAction,
	}
}

// installation is what install prints as JSON.
type installation struct {
	System    string       `json:"system"`
	Name      string       `json:"name"`
	Starts    string       `json:"starts"`
	Program   string       `json:"program"`
	Args      []string     `json:"args"`
	Variables []string     `json:"variables"` // that were written into the files
	Notes     []string     `json:"notes"`
	Installed bool         `json:"installed"`
	job       schedule.Job // what is installed
	schedule.Plan
}

func scheduleInstallAction(c *cli.Context) error {
	i, system, err := planned(c)
	if err != nil {
		return err
	}
	refusals, err := i.refusals(c.Bool("force"))
	if err != nil {
		return err
	}
	if why := temporary(i.Program); why != nil {
		refusals = append(refusals, why)
	}
	notes, unready := system.Ready(c.Context, schedule.Exec{})
	i.Notes = append(i.Notes, notes...)
	if unready != nil {
		refusals = append(refusals, fmt.Errorf("%w\n%s", unready, cronInstead(i.job)))
	}
	if c.Bool("dry-run") {
		for _, r := range refusals {
			fmt.Fprintln(c.App.ErrWriter, "note: without --dry-run this would fail: "+term.PrintableLines(r.Error()))
		}
		return i.print(c, "Dry run: nothing was changed.")
	}
	if len(refusals) > 0 {
		return errors.Join(refusals...)
	}
	if !c.Bool("json") {
		printPlan(c.App.Writer, i)
	}
	if err := confirmed(c, "Write these files and run these commands?"); err != nil {
		return err
	}
	if err := i.carryOut(c); err != nil {
		return err
	}
	i.Installed = true
	if c.Bool("json") {
		return term.PrintJSON(c.App.Writer, i)
	}
	fmt.Fprintf(c.App.Writer, "\nInstalled: 'pipeline run' starts %s. See how it goes: pipeline schedule status%s\n", i.Starts, nameArg(i.Name))
	return nil
}

// planned reads the flags.
func planned(c *cli.Context) (*installation, schedule.System, error) {
	when, err := whenOf(c)
	if err != nil {
		return nil, nil, &pipelines.UsageError{Message: err.Error()}
	}
	if err := schedule.CheckName(c.String("name")); err != nil {
		return nil, nil, &pipelines.UsageError{Message: err.Error()}
	}
	args, err := runArgs(c)
	if err != nil {
		return nil, nil, err
	}
	program, err := programPath()
	if err != nil {
		return nil, nil, err
	}
	job := schedule.Job{Name: c.String("name"), About: "pipeline: load Cursor's history into the warehouse", Program: program, Args: args, Env: append(jobVariables(runFlags()), startedByTimer()),
		When: when, Busy: exitBusy, Stopped: exitInterrupted}
	system, err := timerSystem(". " + cronInstead(job))
	if err != nil {
		return nil, nil, err
	}
	plan, err := system.Plan(job)
	if err != nil {
		return nil, nil, err
	}
	i := &installation{System: timerName(), Name: job.Name, Starts: when.String(), Program: program, Args: args, Variables: []string{}, Notes: []string{}, Plan: plan, job: job}
	for _, v := range job.Env {
		if v != startedByTimer() {
			i.Variables = append(i.Variables, v.Name)
		}
	}
	if len(i.Variables) > 0 {
		i.Notes = append(i.Notes, "variables that are set now go into the files: "+strings.Join(i.Variables, ", "))
	}
	if day := when.Skipped(time.Now()); day != "" {
		i.Notes = append(i.Notes, fmt.Sprintf("clocks go forward on %s, and there is no %02d:%02d on that day: it is left out. 04:30 is there on every day.", day, when.Hour, when.Minute))
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
			return schedule.When{}, fmt.Errorf("--every %q is no duration; write 6h or 30m", c.String("every"))
		}
		return schedule.Repeated(d)
	case c.IsSet("at"):
		return schedule.Daily(c.String("at"))
	}
	return schedule.Daily("04:30")
}

// timerSystem is the timer of this operating system; without one the error ends with what to do instead.
func timerSystem(instead string) (schedule.System, error) {
	if system := schedule.For(runtime.GOOS, schedulePlace()); system != nil {
		return system, nil
	}
	return nil, fmt.Errorf("no timer of %s is known here%s", runtime.GOOS, instead)
}

// cronInstead says how cron runs a job.
func cronInstead(job schedule.Job) string {
	return fmt.Sprintf("Use cron instead: make the folder %s, and add this line with 'crontab -e':\n%s", filepath.Join(xdg.StateHome, "pipeline"), schedule.CronLine(job, schedulePlace()))
}

// schedulePlace is this machine, for this user.
func schedulePlace() schedule.Place {
	p := schedule.Place{Home: xdg.Home, Config: xdg.ConfigHome, State: xdg.StateHome, UID: os.Getuid()}
	if u, err := user.Current(); err == nil {
		p.User = u.Username
	}
	return p
}

// timerName is what the timer of this system is called.
func timerName() string {
	return map[string]string{"linux": "systemd", "darwin": "launchd", "windows": "Task Scheduler"}[runtime.GOOS]
}

// nameArg is what a line to paste needs for a timer of this name.
func nameArg(name string) string {
	if name == "nightly" {
		return ""
	}
	return " --name " + name
}

// refusals names the files that are not to be written over.
func (i *installation) refusals(force bool) (out []error, err error) {
	for _, f := range i.Files {
		found, err := f.Look()
		if err != nil {
			return nil, err
		}
		if !force && (found == schedule.Altered || found == schedule.Foreign) {
			out = append(out, fmt.Errorf("%s is there already, and was %s: look at it; --force writes over it, --name takes other files", f.Path, map[schedule.Condition]string{
				schedule.Altered: "changed by hand", schedule.Foreign: "not made by this tool"}[found]))
		}
	}
	return out, nil
}

// print is how a dry run ends.
func (i *installation) print(c *cli.Context, last string) error {
	if c.Bool("json") {
		return term.PrintJSON(c.App.Writer, i)
	}
	printPlan(c.App.Writer, i)
	fmt.Fprintln(c.App.Writer, "\n"+last)
	return nil
}

func printPlan(w io.Writer, i *installation) {
	for _, f := range i.Files {
		found, err := f.Look()
		if err != nil {
			found = schedule.Condition(err.Error())
		}
		fmt.Fprintf(w, "File %s (%s now):\n", term.Printable(f.Path), found)
		for line := range strings.Lines(f.Text) {
			fmt.Fprintln(w, strings.TrimRight("    "+term.Printable(strings.TrimSuffix(line, "\n")), " "))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, "Commands:")
	for _, command := range i.Commands {
		fmt.Fprintln(w, "    "+term.Printable(command.String()))
	}
	fmt.Fprintf(w, "\nStarts %s. What runs print: %s\n", i.Starts, term.Printable(i.Log))
	for _, n := range i.Notes {
		fmt.Fprintln(w, "Note: "+term.Printable(n))
	}
}

// confirmed asks at a terminal; elsewhere --yes must have said so.
func confirmed(c *cli.Context, question string) error {
	if c.Bool("yes") {
		return nil
	}
	if !isatty.IsTerminal(os.Stdin.Fd()) {
		return &pipelines.UsageError{Message: "nobody is there to ask: --yes writes the files and runs the commands, --dry-run only shows them"}
	}
	fmt.Fprintf(c.App.ErrWriter, "\n%s [y/N] ", question)
	answer, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
		return &exitError{exitFailed, errors.New("nothing was changed")}
	}
	return nil
}

// carryOut writes the files and has the system take them up.
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
		if _, err := (schedule.Exec{}).Run(c.Context, command.Args...); err != nil && !command.MayFail {
			return fmt.Errorf("the files are written, the timer is not set: %w; mend that and install again, or 'pipeline schedule remove%s'", err, nameArg(i.Name))
		}
	}
	return nil
}
