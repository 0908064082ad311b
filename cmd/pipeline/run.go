package main

import "github.com/urfave/cli/v2"

func runCommand() *cli.Command {
	return &cli.Command{
		Name:      "run",
		Usage:     "load Cursor's history into the warehouse",
		ArgsUsage: "[NAME|FILE]",
		Description: `Finds Cursor's stores, takes a read-only snapshot of each, and commits what they hold to the warehouse, all or nothing.
Cursor may be running. Rows that Cursor deletes or overwrites later stay in the warehouse.

The file of a pipeline (NAME or FILE) has the same settings as the flags below; flags and environment variables override it. 'pipeline pipelines'
lists the pipelines.

Examples:
   pipeline run                                          every Cursor found here
   pipeline run --source ~/backup/Cursor/User            another user directory
   pipeline run --source work=/mnt/disk/User --json      named source, result as JSON
   pipeline run --since 7d                               only what was active in the last week
   pipeline run --project my-app --parquet ~/cursor-parquet
   pipeline run --git --commit-window 1h                 also the commits of the projects' repositories
   pipeline run --report ~/cursor.html                   and the page of 'pipeline report'
   pipeline run nightly                                  as nightly.yaml says
   pipeline run nightly --ping https://hc-ping.com/...   and tell a monitor how it went
   pipeline run --retry 1h --on-end 'notify-send "pipeline: $PIPELINE_EXIT_CODE"'
   pipeline run ./work.yaml --since 2d                   as a file says, except for the flags

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
