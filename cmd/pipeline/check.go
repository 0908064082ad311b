package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/figures"
	"pipeline/load/inspect"
	"pipeline/load/sinks"
	"pipeline/pipelines"
	"pipeline/pipelines/file"
	"pipeline/pipelines/plan"
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

// deepFlags choose what else 'check --deep' reads.
func deepFlags() []cli.Flag {
	return slices.Concat(folderFlags("with --deep compare the publication in `DIR` too"), []cli.Flag{
		sourceFlag(), userDataDirFlag(),
		&cli.StringFlag{Name: "subset", Usage: "compare only `PART/PARTS` of the conversations in the stores, such " +
			"as 1/7"},
	})
}

// deepCheck is what check --deep prints as JSON.
type deepCheck struct {
	*inspect.Verification
	Read int64 `json:"conversations_read"`
	// conversations that the store has changed since the last load
	Behind  int64              `json:"conversations_behind"`
	Changes []pipelines.Change `json:"changes"`
}

// checkDeep reads everything that a load has written.
func checkDeep(c *cli.Context) error {
	run, err := flagsOf(c, false)
	if err == nil {
		err = isThere(run.Options.Warehouse)
	}
	if err != nil {
		return err
	}
	part, parts, err := subset(c.String("subset"))
	if err != nil {
		return err
	}
	line, finish := begin(c, true)
	defer finish()
	line.Phase("reading all that was written")
	out := deepCheck{Changes: []pipelines.Change{}}
	if out.Verification, err = inspect.Verify(c.Context, run.Options.Warehouse, run.Options.Publish...); err != nil {
		return err
	}
	if len(run.Sources) > 0 && len(out.Damages) == 0 {
		line.Phase("comparing with the stores")
		if err := out.compare(c.Context, run, part, parts, line.Count); err != nil {
			return err
		}
	}
	finish()
	code := 0
	if len(out.Damages) > 0 {
		code = exitCheck
	}
	return exits(printed(c, out, func(w io.Writer) { out.print(w, run.Options.Warehouse) }), code)
}

// subset parses K/N: the part, counted from 0, and the number of parts.
func subset(text string) (part, parts int, err error) {
	if text == "" {
		return 0, 1, nil
	}
	k, n, ok := strings.Cut(text, "/")
	part, err1 := strconv.Atoi(k)
	parts, err2 := strconv.Atoi(n)
	if !ok || err1 != nil || err2 != nil || part < 1 || part > parts || parts > 1000 {
		return 0, 0, usage("--subset takes a part and the number of parts, such as 1/7, not %q", text)
	}
	return part - 1, parts, nil
}

// compare compares the stores with what was loaded. Changes since the last load are no damage. Other rows with the same
// rowids are.
func (v *deepCheck) compare(ctx context.Context, run *file.Run, part, parts int, count func(done, total int)) error {
	opt := run.Options
	found, _, err := sources(run)
	if err != nil {
		return err
	}
	opt.Sources, opt.Progress = found, count
	result, err := pipelines.Compare(ctx, opt, part, parts)
	if err != nil {
		return err
	}
	if failures := result.Errors(); len(failures) > 0 {
		return &exitError{codeOfFailures(failures), failures[0]}
	}
	v.Read, v.Changes = result.Read, append(v.Changes, result.Changes...)
	for _, change := range result.Changes {
		if change.Why != plan.WhyInPlace {
			v.Behind++
			continue
		}
		v.Damages = append(v.Damages, inspect.Damage{Where: "conversation " + change.ConversationID,
			Repair: "pipeline run --full", Problem: "its rows in the store differ from the loaded ones, although " +
				"their rowids are the same: they were changed in place"})
	}
	return nil
}

func (v *deepCheck) print(w io.Writer, path string) {
	fmt.Fprintf(w, "warehouse   %s, %s, %s\n", term.Plural(v.Tables, "table"), term.Plural(v.Rows, "row"),
		term.Plural(v.Checks, "check"))
	fmt.Fprintf(w, "raw layer   %s, %s\n", term.Plural(v.RawFiles, "file"), term.Size(v.RawBytes))
	for _, p := range v.Publications() {
		fmt.Fprintf(w, "%-11s %s\n", sinks.Named(p.Sink).About().Title, term.Plural(p.Files, "file"))
	}
	if v.Read > 0 {
		fmt.Fprintf(w, "stores      %s read, of which %s changed since the last load\n",
			term.Plural(v.Read, "conversation"), humanize.Comma(v.Behind))
	}
	for _, note := range v.Notes {
		fmt.Fprintf(w, "note        %s\n", term.Printable(note))
	}
	for _, d := range v.Damages {
		repair := d.Repair
		if flag := warehouseArg(path); flag != "" {
			repair += " " + strings.TrimSpace(flag)
		}
		fmt.Fprintf(w, "DAMAGED     %s: %s\n            repair: %s\n", term.Printable(d.Where),
			term.Printable(d.Problem), term.Printable(repair))
	}
	if len(v.Damages) == 0 {
		fmt.Fprintln(w, "all is well")
	}
}
