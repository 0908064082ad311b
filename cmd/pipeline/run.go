package main

import "github.com/urfave/cli/v2"

func runCommand() *cli.Command {
	return &cli.Command{
		Name:      "run",
		Usage:     "load Cursor's history into the warehouse",
		ArgsUsage: "[NAME|FILE]",
		Description: `Finds Cursor's stores, takes a read-only snapshot of each, and commits what they hold to the warehouse, all or nothing.
Cursor may be running. Rows that Cursor deletes or overwrites later stay in the warehouse.

The file of a pipeline (NAME or FILE) has the same settings as the flags below; flags and environment variables override it. 'pipeline pipelines list'
lists the pipelines.

Examples:
   pipeline run                              # every Cursor found here
   pipeline run --since 7d --project my-app  # what was active in a week
   pipeline run --source work=~/backup/User  # another folder, with a name
   pipeline run nightly --dry-run            # what nightly.yaml would load

Exit codes: 0 done, 1 failed, 2 usage, 3 source missing or unreadable, 4 loaded but a check failed
(or rows were quarantined, with --strict), 75 busy, 130 interrupted.`,
		Flags: append(settingFlags(),
			&cli.BoolFlag{Name: "dry-run", Usage: "say what would be loaded, change nothing"},
			jsonFlag(),
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print nothing but errors"}),
		Action:       runAction,
		BashComplete: pipelineNames,
	}
}
