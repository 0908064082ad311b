package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/maintain"
	"pipeline/pipelines"
)

func pruneCommand() *cli.Command {
	return &cli.Command{
		Name:      "prune",
		Usage:     "find what the warehouse does not need, and remove it",
		ArgsUsage: " ", // see pruneAction
		Description: `Changes nothing unless --apply is given. It does two things:

It saves space. Every run adds a file for each source to the raw layer; prune combines files below 8 MB into files of up to 128 MB, with every version
in its order. If more than a third of a warehouse is free space, it is copied into a new file, the two are compared, and the new file replaces the
old one.

With --retention it removes what a run replaced, if that run began longer ago than the duration: versions of rows in the raw layer, and rows of loads,
load_stores and key_families. The latest version of every row always stays, also of rows that Cursor deleted. So does a version from which a
table keeps a deleted row: 'pipeline rebuild' makes the same tables afterwards. A removed version loses its value; its time, its size and its hash stay,
and 'pipeline history' shows that it existed. Rows that conversations share (lists of titles, projects) and quarantined rows stay.
'pipeline run --retention', or 'retention' in a pipeline's file, does the same once a day after a load.

A program that has the warehouse open goes on reading the old file. You may interrupt prune at any moment: the next run or prune finishes what was
begun, and nothing is lost or duplicated. A second prune finds nothing to do.

Examples:
   pipeline prune                           # what could be done
   pipeline prune --retention 180d          # also which old versions may go
   pipeline prune --retention 180d --apply  # do it
   pipeline prune --json | jq .warehouse

Exit codes: 0 done, 1 failed, 2 usage, 3 there is no warehouse, 75 a run is under way, 130 interrupted.`,
		Flags: []cli.Flag{
			warehouseFlag(),
			settingFlagAs("retention", "also remove versions and loads that were replaced longer than `DURATION` ago, such as 180d", "all versions stay"),
			&cli.BoolFlag{Name: "apply", Usage: "do it; without this nothing is changed"},
			&cli.BoolFlag{Name: "dry-run", Aliases: []string{"n"}, Usage: "only say what would be done: the default without --apply"},
			memoryFlag(), jsonFlag(),
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print nothing but errors"},
		},
		Action: pruneAction,
	}
}

// pruned is what prune prints as JSON.
type pruned struct {
	Applied   bool                `json:"applied"`
	Retention *maintain.Retention `json:"retention"` // null without --retention
	*pipelines.Compacted
}

// isDue reports whether there is something to do.
func (p pruned) isDue() bool {
	return p.Retention != nil && p.Retention.Versions+p.Retention.Loads > 0 || p.Raw.Into > 0 || p.Warehouse.Due
}

func pruneAction(c *cli.Context) error {
	if c.NArg() > 0 {
		return &pipelines.UsageError{Message: fmt.Sprintf("prune takes no argument %q: say how long old versions are kept with --retention, 180d for example", c.Args().First())}
	}
	if c.Bool("dry-run") && c.Bool("apply") {
		return &pipelines.UsageError{Message: "--dry-run changes nothing, --apply does it: leave one out"}
	}
	opt, finish, err := pruneOptions(c)
	if err != nil {
		return err
	}
	defer finish()
	out := pruned{Applied: c.Bool("apply")}
	if opt.Retention > 0 {
		if out.Retention, err = pipelines.Retain(c.Context, opt, out.Applied); err != nil {
			return err
		}
	}
	if out.Compacted, err = pipelines.Compact(c.Context, opt, out.Applied); err != nil {
		if out.Applied && out.Retention != nil {
			err = fmt.Errorf("old versions were removed, but the other files were not combined: %w", err)
		}
		return err
	}
	finish()
	switch {
	case c.Bool("json"):
		return term.PrintJSON(c.App.Writer, out)
	case !c.Bool("quiet"):
		printPruned(c.App.Writer, out)
	}
	return nil
}

// pruneOptions checks and reads what is needed before anything is removed.
func pruneOptions(c *cli.Context) (opt pipelines.Options, finish func(), err error) {
	run, err := flagsOf(c, false)
	if err == nil {
		err = isThere(run.Options.Warehouse)
	}
	if err != nil {
		return opt, func() {}, err
	}
	opt = run.Options
	return opt, shows(c, &opt), nil
}
