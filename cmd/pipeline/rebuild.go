package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/versions"
	"pipeline/pipelines"
)

func rebuildCommand() *cli.Command {
	return &cli.Command{
		Name:  "rebuild",
		Usage: "make the warehouse again from its raw layer",
		Description: `Reads the files beside the warehouse (<warehouse>.raw) and repeats every load, with the rows and the time of that load. Neither
Cursor nor its stores are needed. The old warehouse, if there is one, stays until the new one is whole.

Examples:
   pipeline rebuild
   pipeline rebuild --warehouse ~/restored/warehouse.duckdb`,
		Flags: []cli.Flag{
			warehouseFlag(),
			&cli.BoolFlag{Name: "force", Usage: "replace the warehouse even if it holds rows that the raw layer lacks"},
			memoryFlag(), jsonFlag(),
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print nothing but errors"},
		},
		Action: rebuildAction,
	}
}

func rebuildAction(c *cli.Context) (err error) {
	run, err := flagsOf(c, true)
	if err != nil {
		return err
	}
	result, err := showing(c, run.Options, func(ctx context.Context, opt pipelines.Options) (*pipelines.Result, error) {
		return pipelines.Rebuild(ctx, opt, c.Bool("force"))
	})
	switch {
	case errors.Is(err, versions.ErrNoRaw):
		return &exitError{exitSource, err}
	case err != nil:
		return err
	case c.Bool("json"):
		return term.PrintJSON(c.App.Writer, result)
	case c.Bool("quiet"):
		return nil
	}
	fmt.Fprintf(c.App.Writer, "Rebuilt from %s.\n  warehouse      %s\n  time           %.1f s\nWarehouse: %s\n",
		term.Plural(result.Loads, "load"), holdings(result.Totals), result.Seconds,
		term.Printable(result.Warehouse))
	printFailures(c.App.Writer, result.Failures)
	if len(result.Failures) > 0 {
		return &exitError{code: exitCheck}
	}
	return nil
}
