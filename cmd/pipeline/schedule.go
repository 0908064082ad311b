package main

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"runtime"

	"github.com/adrg/xdg"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/schedule"
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
