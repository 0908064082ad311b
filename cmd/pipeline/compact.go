package main

import (
	"fmt"
	"io"

	"github.com/dustin/go-humanize"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/pipelines"
)

func compactCommand() *cli.Command {
	return &cli.Command{
		Name:  "compact",
		Usage: "put small raw files together, and write the warehouse anew where much of it is free",
		Description: `Every run adds a file to the raw layer for each source: those below 8 MB are put together into files of up to 128 MB, with every version
and its order. A warehouse of which more than a third is free is copied into a new file, compared with it, and the new file takes its place.

Who holds the warehouse open keeps what it was. It may be interrupted at any moment: the next run or compact ends what was begun, and nothing
is lost or there twice. A second time finds nothing to do. Exit codes: 0 done, 75 a run is under way.

Examples:
   pipeline compact --dry-run     what it would do
   pipeline compact
   pipeline compact --json | jq .warehouse`,
		Flags: []cli.Flag{
			warehouseFlag(),
			&cli.BoolFlag{Name: "dry-run", Usage: "say what would be done, change nothing"},
			memoryFlag(), jsonFlag(),
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print nothing but errors"},
		},
		Action: compactAction,
	}
}

func compactAction(c *cli.Context) error {
	opt, finish, err := houseOptions(c)
	if err != nil {
		return err
	}
	defer finish()
	out, err := pipelines.Compact(c.Context, opt, !c.Bool("dry-run"))
	finish()
	switch {
	case err != nil:
		return err
	case c.Bool("json"):
		return term.PrintJSON(c.App.Writer, out)
	case !c.Bool("quiet"):
		printCompacted(c.App.Writer, out)
	}
	return nil
}

func printCompacted(w io.Writer, out *pipelines.Compacted) {
	size := func(n int64) string { return humanize.Bytes(uint64(n)) }
	raw, file := out.Raw, out.Warehouse
	text := fmt.Sprintf("%s, %s; nothing to put together", term.Plural(int64(raw.AllFiles), "file"), size(raw.AllBytes))
	switch {
	case raw.Into > 0 && out.Applied:
		text = fmt.Sprintf("%s of %s put together into %d of %s; now %s", term.Plural(int64(raw.Files), "small file"), size(raw.Bytes), raw.Into, size(raw.BytesAfter),
			term.Plural(int64(raw.AllFiles-raw.Files+raw.Into), "file"))
	case raw.Into > 0:
		text = fmt.Sprintf("%s of %s would be put together into %d; there are %s", term.Plural(int64(raw.Files), "small file"), size(raw.Bytes), raw.Into, term.Plural(int64(raw.AllFiles), "file"))
	}
	fmt.Fprintf(w, "raw layer   %s\n", text)
	share := fmt.Sprintf("%d of %s free", file.Free, term.Plural(file.Blocks, "block"))
	switch {
	case file.Done:
		text = fmt.Sprintf("written anew: %s, was %s (%s)", size(file.After), size(file.Bytes), share)
	case file.Due && !out.Applied:
		text = fmt.Sprintf("%s, %s: it would be written anew", size(file.Bytes), share)
	default:
		text = fmt.Sprintf("%s, %s; it stays as it is", size(file.Bytes), share)
	}
	fmt.Fprintf(w, "warehouse   %s\n", text)
	if !out.Applied {
		fmt.Fprintln(w, "Nothing was changed.")
	}
}
