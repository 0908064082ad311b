package main

import (
	"github.com/urfave/cli/v2"
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
