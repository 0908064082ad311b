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
	"slices"
	"strings"
	"time"

	"github.com/adrg/xdg"
	"github.com/mattn/go-isatty"
	"github.com/urfave/cli/v2"
	"github.com/xhit/go-str2duration/v2"

	"pipeline/cmd/pipeline/internal/schedule"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/tool/atomicfile"
	"pipeline/load/tool/outpath"
)

// scheduleCommand is the group of commands about timers of the operating system.
func scheduleCommand() *cli.Command {
	const all = "pipeline schedule install, pipeline schedule status, pipeline schedule remove"
	return &cli.Command{
		Name:  "schedule",
		Usage: "have the operating system start 'pipeline run' every night",
		Description: `Uses the system's own timer: a systemd user timer, a launchd agent, or a task of the Windows Task Scheduler. No process of this
program keeps running, and no administrator is needed.

Examples:
   pipeline schedule install --dry-run
   pipeline schedule status
   pipeline schedule remove`,
		Subcommands: []*cli.Command{scheduleInstallCommand(), scheduleStatusCommand(), scheduleRemoveCommand(),
			scheduleExecCommand()},
		Action: wantsSubcommand("say what to do: "+all, "schedule does not know %q; there is: "+all),
	}
}

func scheduleInstallCommand() *cli.Command {
	return &cli.Command{
		Name:      "install",
		Usage:     "make a timer that runs 'pipeline run', or change it",
		ArgsUsage: "[-- RUN ARGS...]",
		Description: `Prints in full the files that it will write, and the commands that it will run. Then it asks at a terminal; elsewhere it needs --yes.
The arguments after -- go to 'pipeline run' unchanged, except that paths are made absolute. A timer does not have the environment of your shell:
the variables PIPELINE_* that are set now, those of XDG folders, and those by
which a push finds its server (AWS_PROFILE, AWS_REGION, SSL_CERT_FILE, HTTPS_PROXY
and the like), but no keys, are written into the files.

The time is local. When clocks go forward, many time zones skip 02:30; none skips 04:30.

Examples:
   pipeline schedule install --dry-run  # show the files and commands
   pipeline schedule install            # every day at 04:30
   pipeline schedule install --at 12:15 --yes
   pipeline schedule install --every 6h --name often -- nightly --since 7d

Exit codes: 0 done, 1 failed (there is no such timer here, a file is another's, a command failed), 2 usage.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "at", Usage: "start every day at `HH:MM`", DefaultText: "04:30"},
			&cli.StringFlag{Name: "every", Usage: "start again after each `DURATION`, from midnight on: 15m, 1h, 6h, " +
				"12h"},
			timerNameFlag("call the timer `NAME`: each name is a timer of its own"),
			&cli.BoolFlag{Name: "dry-run", Usage: "print the files and the commands, change nothing"},
			&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "do not ask"},
			&cli.BoolFlag{Name: "force", Usage: "overwrite files that were changed by hand, or that this tool did " +
				"not make"},
			jsonFlag(),
		},
		Action: scheduleInstallAction,
	}
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
			fmt.Fprintln(c.App.ErrWriter, "note: without --dry-run this fails: "+term.PrintableLines(r.Error()))
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
	return printed(c, i, func(w io.Writer) {
		fmt.Fprintf(w, "\nInstalled: 'pipeline run' starts %s. See how it goes: pipeline schedule status%s\n", i.Starts,
			nameArg(i.Name))
	})
}

// confirmed asks at a terminal. Elsewhere --yes is needed.
func confirmed(c *cli.Context, question string) error {
	if c.Bool("yes") {
		return nil
	}
	if !isatty.IsTerminal(os.Stdin.Fd()) {
		return usage("nobody is there to ask: --yes does it without asking, --dry-run only shows it")
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
		found, err := schedule.Look(f.Path, f.Text)
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
		found, err := schedule.Look(f.Path, f.Text)
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

func scheduleExecCommand() *cli.Command {
	return &cli.Command{
		Name:   "exec",
		Usage:  "what a task of the Windows Task Scheduler starts: a task has no variables and no place for output",
		Hidden: true, ArgsUsage: "COMMAND",
		Flags: []cli.Flag{
			&cli.PathFlag{Name: "log", Required: true, Usage: "append what is printed to `FILE`"},
			&cli.StringSliceFlag{Name: "env", Usage: "set `NAME=VALUE`"},
		},
		Action: scheduleExecAction,
	}
}

// logLimit is the size at which a log is rotated; one older file is kept.
const logLimit = 4 << 20

func scheduleExecAction(c *cli.Context) (err error) {
	schedule.HideConsole()
	for _, v := range c.StringSlice("env") {
		name, value, _ := strings.Cut(v, "=")
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	file := c.Path("log")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	if info, err := os.Stat(file); err == nil && info.Size() > logLimit {
		if err := atomicfile.Move(file, file+".1"); err != nil {
			return err
		}
	}
	log, err := outpath.Open(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	if code := realMain(append([]string{"pipeline"}, c.Args().Slice()...), log, log); code != 0 {
		return &exitError{code: code}
	}
	return nil
}
