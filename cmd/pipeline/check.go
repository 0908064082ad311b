package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/figures"
	"pipeline/pipelines"
	"pipeline/sql"
)

func checkCommand() *cli.Command {
	return &cli.Command{
		Name:  "check",
		Usage: "check that the warehouse is consistent",
		Description: `Runs every check (uniqueness, positions without holes, sums, references) over the whole warehouse.

--deep also reads every table and hashes the files of the raw layer; with --parquet it compares the publication, and with --source it reads
the stores and compares their conversations with what was loaded. It changes nothing, and names for each damage the command that repairs it.

Examples:
   pipeline check
   pipeline check --deep
   pipeline check --deep --parquet ~/cursor-parquet
   pipeline check --deep --source ~/.config/Cursor --subset 1/7  # a seventh

Exit codes: 0 all is well, 3 there is no warehouse, or a source cannot be read, 4 a check failed, or something is damaged.`,
		Flags: slices.Concat([]cli.Flag{warehouseFlag(),
			&cli.BoolFlag{Name: "deep", Usage: "also read everything that was written, and report damage"}},
			deepFlags(), []cli.Flag{jsonFlag()}),
		Action: checkAction,
	}
}

func checkAction(c *cli.Context) error {
	if c.Bool("deep") {
		return checkDeep(c)
	}
	for _, f := range deepFlags() { // not if a variable set it: that may be meant for other commands
		if name := f.Names()[0]; slices.Contains(typedFlags(c), name) {
			return usage("--%s needs --deep: pipeline check --deep --%s ...", name, name)
		}
	}
	path, err := existingWarehouse(c)
	if err != nil {
		return err
	}
	count, finish := busy(c, phaseWords[pipelines.PhaseCheck])
	failures, err := figures.Check(c.Context, path, count)
	finish()
	if err != nil {
		return err
	}
	checks, code := len(sql.Checks()), 0
	if len(failures) > 0 {
		code = exitCheck
	}
	result := map[string]any{"checks": checks, "failures": append([]figures.CheckFailure{}, failures...)}
	return exits(printed(c, result, func(w io.Writer) {
		for _, f := range failures {
			fmt.Fprintf(w, "FAILED  %s: %s\n        %s, the first: %s\n", f.Check, f.Doc, term.Plural(f.Rows, "row"),
				term.Printable(f.First))
		}
		fmt.Fprintf(w, "%d of %d checks passed\n", checks-len(failures), checks)
	}), code)
}
