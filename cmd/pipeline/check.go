package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load"
	"pipeline/pipelines"
	"pipeline/sql"
)

func checkCommand() *cli.Command {
	return &cli.Command{
		Name:  "check",
		Usage: "test what the warehouse promises",
		Description: `Runs every check (uniqueness, positions without holes, sums, references) over the whole warehouse. Exit code 4 if one fails.

Examples:
   pipeline check
   pipeline check --json`,
		Flags:  []cli.Flag{warehouseFlag(), jsonFlag()},
		Action: checkAction,
	}
}

func checkAction(c *cli.Context) error {
	path, err := existingWarehouse(c)
	if err != nil {
		return err
	}
	count, finish := busy(c, phaseWords[pipelines.PhaseCheck])
	failures, err := load.Check(c.Context, path, count)
	finish()
	if err != nil {
		return err
	}
	if c.Bool("json") {
		if failures == nil {
			failures = []load.CheckFailure{}
		}
		err = term.PrintJSON(c.App.Writer, map[string]any{"checks": len(sql.Checks()), "failures": failures})
	} else {
		for _, f := range failures {
			fmt.Fprintf(c.App.Writer, "FAILED  %s: %s\n        %s, the first: %s\n", f.Check, f.Doc, term.Plural(f.Rows, "row"), term.Printable(f.First))
		}
		fmt.Fprintf(c.App.Writer, "%d of %d checks passed\n", len(sql.Checks())-len(failures), len(sql.Checks()))
	}
	if err == nil && len(failures) > 0 {
		err = &exitError{code: exitCheck}
	}
	return err
}
