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
		Usage:     "say what of the warehouse's files may go, and remove it",
		ArgsUsage: " ", // see pruneAction
		Description: `Changes nothing unless --apply is given. What may go:

Room: every run adds a file to the raw layer for each source; those below 8 MB are put together into files of up to 128 MB, with every version and
its order. A warehouse of which more than a third is free is copied into a new file, compared with it, and the new file takes its place.

Old versions, with --retention D: what a run that began more than D ago took the place of, versions of rows in the raw layer and rows of
loads, load_stores and key_families. The latest version of every row stays for ever, also of rows that Cursor deleted, and so does each version
from which a table has a deleted row: 'pipeline rebuild' makes the same tables afterwards. Of a version that is removed the value goes; when it
was seen, its size and its hash stay, and 'pipeline history' shows that it was there. What conversations share (lists of titles, projects) and
quarantined rows stay. 'pipeline run --retention D', or 'retention' in a pipeline's file, does the same once a day after a load.

Who holds the warehouse open keeps what it was. It may be interrupted at any moment: the next run or prune ends what was begun, and nothing is
lost or there twice. A second time finds nothing to do.

Examples:
   pipeline prune                             what could be done
   pipeline prune --retention 180d            also which old versions may go
   pipeline prune --retention 180d --apply    do it
   pipeline prune --json | jq .warehouse

Exit codes: 0 done, 1 failed, 2 usage, 3 there is no warehouse, 75 a run is under way, 130 interrupted.`,
		Flags: []cli.Flag{
			warehouseFlag(),
			settingFlagAs("retention", "also versions and loads that others took the place of more than `D` ago, 180d say", "all versions stay"),
			&cli.BoolFlag{Name: "apply", Usage: "do it; without this nothing is changed"},
			&cli.BoolFlag{Name: "dry-run", Aliases: []string{"n"}, Usage: "say what would be done, change nothing: so it is without --apply"},
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

// isDue reports that there is something to do.
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
			err = fmt.Errorf("old versions are removed; what is left was not put together: %w", err)
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

// pruneOptions are what has to be known before anything may go.
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
