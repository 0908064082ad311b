package main

import (
	"context"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
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
	out, err := showing(c, run.Options, func(ctx context.Context, opt pipelines.Options) (*pipelines.Compacted, error) {
		return pipelines.Compact(ctx, opt, c.Bool("apply"))
	})
	if err != nil {
		return err
	}
	return printed(c, out, func(w io.Writer) { printPruned(w, out) })
}

// printPruned says what may be done, or was.
func printPruned(w io.Writer, out *pipelines.Compacted) {
	printCompacted(w, out)
	switch {
	case out.Applied:
	case out.Raw.Into > 0 || out.Warehouse.Due:
		fmt.Fprintln(w, "Nothing was changed; --apply does it.")
	default:
		fmt.Fprintln(w, "There is nothing to do.")
	}
}

// printCompacted says which files would be merged and rewritten, or were.
func printCompacted(w io.Writer, out *pipelines.Compacted) {
	size := term.Size
	raw, file := out.Raw, out.Warehouse
	text := fmt.Sprintf("%s, %s; nothing to merge", term.Plural(raw.AllFiles, "file"), size(raw.AllBytes))
	switch {
	case raw.Into > 0 && out.Applied:
		text = fmt.Sprintf("%s of %s merged into %d of %s; now %s", term.Plural(raw.Files, "small file"),
			size(raw.Bytes), raw.Into, size(raw.BytesAfter),
			term.Plural(raw.AllFiles-raw.Files+raw.Into, "file"))
	case raw.Into > 0:
		text = fmt.Sprintf("%s of %s would be merged into %d; there are %s",
			term.Plural(raw.Files, "small file"), size(raw.Bytes), raw.Into,
			term.Plural(raw.AllFiles, "file"))
	}
	fmt.Fprintf(w, "raw layer   %s\n", text)
	share := fmt.Sprintf("%d of %s free", file.Free, term.Plural(file.Blocks, "block"))
	switch {
	case file.Done:
		text = fmt.Sprintf("rewritten: %s, was %s (%s)", size(file.After), size(file.Bytes), share)
	case file.Due && !out.Applied:
		text = fmt.Sprintf("%s, %s: it would be rewritten", size(file.Bytes), share)
	default:
		text = fmt.Sprintf("%s, %s; it stays as it is", size(file.Bytes), share)
	}
	fmt.Fprintf(w, "warehouse   %s\n", text)
}
