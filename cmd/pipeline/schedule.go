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

// cronInstead explains how cron runs a job.
func cronInstead(job schedule.Job) string {
	return fmt.Sprintf("Use cron instead: make the folder %s, and add this line with 'crontab -e':\n%s",
		filepath.Join(xdg.StateHome, "pipeline"), schedule.CronLine(job, schedulePlace()))
}

// schedulePlace describes this machine and user.
func schedulePlace() schedule.Place {
	p := schedule.Place{Home: xdg.Home, Config: xdg.ConfigHome, State: xdg.StateHome, UID: os.Getuid()}
	if u, err := user.Current(); err == nil {
		p.User = u.Username
	}
	return p
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
