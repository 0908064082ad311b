package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/places"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load"
	"pipeline/pipelines"
)

// exportCommand is the group of what writes files for other programs.
func exportCommand() *cli.Command {
	group := &cli.Command{
		Name:  "export",
		Usage: "write the warehouse's data for other programs",
		Description: `Examples:
   pipeline export parquet ~/cursor-parquet                                every table, for pandas, polars, Spark, DuckDB
   pipeline export conversations --format markdown --out ~/cursor-chats    every conversation, a file each`,
		Subcommands: []*cli.Command{exportParquetCommand(), exportConversationsCommand()},
	}
	var names []string
	for _, sub := range group.Subcommands {
		names = append(names, "pipeline export "+sub.Name)
	}
	all := strings.Join(names, ", ")
	group.Action = wantsSubcommand("say what to export: "+all, "there is no export of %q; there is: "+all)
	return group
}

func exportParquetCommand() *cli.Command {
	return &cli.Command{
		Name:      "parquet",
		Usage:     "publish every table as Parquet, as 'pipeline run --parquet' does, without a run",
		ArgsUsage: "DIR",
		Description: `Writes DIR/v-<load>/<table>.parquet, of messages and tool_calls DIR/v-<load>/<table>/month=YYYY-MM/part-0.parquet by the month (UTC) in
which the conversation began ('unknown' where no start is recorded), and has DIR/current name that folder. What has not changed since the
publication before is linked, not written again. Older publications are removed when they have not been current for as long as
--parquet-keep says. The warehouse is only read.

Resolve DIR/current once and read below the folder that it names: then another publication cannot come in between.

Examples:
   pipeline export parquet ~/cursor-parquet
   pipeline export parquet ~/cursor-parquet --warehouse work.duckdb --json
   duckdb -c "FROM '$(readlink -f ~/cursor-parquet/current)/messages/*/*.parquet' WHERE month = '2025-03'"

Exit codes: 0 done, 1 failed, 2 usage, 3 there is no warehouse, 75 a run or another publication is under way, 130 interrupted.`,
		Flags:  []cli.Flag{warehouseFlag(), parquetKeepFlag(), memoryFlag(), jsonFlag(), &cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print nothing but errors"}},
		Action: exportParquetAction,
	}
}

func exportParquetAction(c *cli.Context) (err error) {
	if c.NArg() != 1 || c.Args().First() == "" {
		return &pipelines.UsageError{Message: "name the folder to publish in: pipeline export parquet ~/cursor-parquet"}
	}
	opt := defaultOptions(false)
	if opt.ParquetKeep, err = parquetKeepOf(c); err != nil {
		return err
	}
	if opt.Memory, err = memoryOf(c); err != nil {
		return err
	}
	if opt.Warehouse, err = existingWarehouse(c); err != nil {
		return err
	}
	if opt.Parquet, err = parquetFolder(c.Args().First()); err != nil {
		return err
	}
	if err := places.CheckParquet(opt.Parquet, "DIR", places.ForbiddenFolders(env(c), nil, opt.Warehouse)); err != nil {
		return err
	}
	finish := shows(c, &opt)
	defer finish()
	out, err := pipelines.Publish(c.Context, opt)
	finish()
	switch {
	case err != nil && c.Context.Err() != nil:
		return &exitError{exitInterrupted, fmt.Errorf("interrupted; %s is as it was", opt.Parquet)}
	case err != nil:
		return err
	case c.Bool("json"):
		return term.PrintJSON(c.App.Writer, out)
	case !c.Bool("quiet"):
		fmt.Fprintf(c.App.Writer, "Load %d: %s\n", out.LoadID, publishedLine(opt.Parquet, out))
	}
	return nil
}

// publishedLine is a publication in a line.
func publishedLine(dir string, p *load.Published) string {
	line := term.Printable(filepath.Join(dir, "current"))
	if p.Unchanged {
		return fmt.Sprintf("%s, %s, was there already", line, term.Plural(int64(p.Files), "file"))
	}
	line += fmt.Sprintf(", %s of %s, %d written", term.Plural(int64(p.Files), "file"), humanize.Bytes(uint64(max(0, p.Bytes))), p.Written)
	if p.Removed > 0 {
		line += ", " + term.Plural(int64(p.Removed), "older publication") + " removed"
	}
	return line
}
