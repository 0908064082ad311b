package main

import (
	"io"

	"github.com/urfave/cli/v2"

	"pipeline/pipelines"
)

func pruneCommand() *cli.Command {
	return &cli.Command{
		Name:  "prune",
		Usage: "merge small files, and give free space back",
		Description: `Saves space, and changes nothing unless --apply is given. No version of any row is removed.

Every run adds a file for each source to the raw layer; prune merges files below 8 MB into files of up to 128 MB, with every
version in its order. If more than a third of a warehouse is free space, it is copied into a new file, the two are compared,
and the new file replaces the old one.

A program that has the warehouse open goes on reading the old file. You may interrupt prune at any moment: the next run or prune finishes what was
begun, and nothing is lost or duplicated. A second prune finds nothing to do.

Examples:
   pipeline prune           # what could be done
   pipeline prune --apply   # do it
   pipeline prune --json | jq .warehouse

Exit codes: 0 done, 1 failed, 2 usage, 3 there is no warehouse, 75 a run is under way, 130 interrupted.`,
		Flags: []cli.Flag{
			warehouseFlag(),
			&cli.BoolFlag{Name: "apply", Usage: "do it; without this nothing is changed"},
			&cli.BoolFlag{Name: "dry-run", Aliases: []string{"n"},
				Usage: "only say what would be done: the default without --apply"},
			memoryFlag(), jsonFlag(),
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print nothing but errors"},
		},
		Action: pruneAction,
	}
}

func pruneAction(c *cli.Context) error {
	if c.Bool("dry-run") && c.Bool("apply") {
		return usage("--dry-run changes nothing, --apply does it: leave one out")
	}
	run, err := flagsOf(c, false)
	if err == nil {
		err = isThere(run.Options.Warehouse)
	}
	if err != nil {
		return err
	}
	opt := run.Options
	finish := shows(c, &opt)
	defer finish()
	out, err := pipelines.Compact(c.Context, opt, c.Bool("apply"))
	if err != nil {
		return err
	}
	finish()
	return printed(c, out, func(w io.Writer) { printPruned(w, out) })
}
