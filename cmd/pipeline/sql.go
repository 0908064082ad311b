package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/result"
	"pipeline/cmd/pipeline/internal/term"
)

func sqlCommand() *cli.Command {
	return &cli.Command{
		Name:      "sql",
		Usage:     "query the warehouse in SQL, read-only",
		ArgsUsage: "QUERY",
		Description: `Runs one query (or reads it from standard input) on the warehouse, of any version. The engine can read nothing but the warehouse. It cuts days in your time zone, as
the duckdb CLI does, or in that of --timezone; times are printed in UTC, with a Z.

Examples:
   pipeline sql "FROM list_conversations()"
   pipeline sql --format csv "FROM timeline" > timeline.csv
   pipeline sql "FROM live_messages" -o messages.parquet
   pipeline sql --json "FROM coverage" | jq '.rows[0]'

` + formatHelp + `

Tables and views: pipeline schema. For long sessions open the file in the duckdb CLI: duckdb -readonly warehouse.duckdb`,
		Flags:  append([]cli.Flag{warehouseFlag(), timezoneFlag()}, outputFlags()...),
		Action: sqlAction,
	}
}

func sqlAction(c *cli.Context) error {
	query := strings.Join(c.Args().Slice(), " ")
	out, err := outputOf(c)
	if err != nil {
		return err
	}
	if query == "" {
		if isatty.IsTerminal(os.Stdin.Fd()) {
			return usage(`give a query: pipeline sql "FROM list_conversations()"`)
		}
		text, err := io.ReadAll(os.Stdin)
		if err != nil {
			return err
		}
		query = string(text)
	}
	path, err := existingWarehouse(c)
	if err != nil {
		return err
	}
	return out.Present(c.Context, path, query, result.Caption{})
}

// What follows has the flags for the destination and the format of a query's result.

// Default numbers of a table's rows: on a terminal as many as the duckdb CLI shows, elsewhere as many as a program can
// hold.
const (
	rowsOnTerminal = 40
	rowsElsewhere  = 1000
)

const formatHelp = `Formats: table; markdown; csv, in which texts that a spreadsheet would take for a formula get a leading single quote; json and jsonl (an
object for each line), which keep every text as it is; parquet, which keeps the types too. Only the format table leaves rows out, and it says so.`

func outputFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "format", Aliases: []string{"f"},
			Usage:       "print `FORMAT`: table, csv, json, jsonl, markdown or parquet",
			DefaultText: "by the ending of --output's name, else table"},
		jsonFlag(),
		&cli.PathFlag{Name: "output", Aliases: []string{"o"},
			Usage: "write to `FILE`, which is replaced when everything is written"},
		&cli.IntFlag{Name: "max-rows", Usage: "print the first `NUMBER` of rows; 0: all",
			DefaultText: fmt.Sprintf("for a table %d on a terminal, %d elsewhere; else all", rowsOnTerminal,
				rowsElsewhere)},
		&cli.IntFlag{Name: "max-width", Usage: "cut cells of the table at this `NUMBER` of characters; 0: never",
			DefaultText: fmt.Sprintf("what fits the terminal, %d elsewhere", result.CellWidth)},
	}
}

// printed prints a result: as JSON if that is asked for, else for people, unless the command is to be quiet.
func printed(c *cli.Context, result any, people func(w io.Writer)) error {
	switch {
	case c.Bool("json"):
		return term.PrintJSON(c.App.Writer, result)
	case !c.Bool("quiet"):
		people(c.App.Writer)
	}
	return nil
}

// outputTo writes to the file of --output, else to standard output.
func outputTo(c *cli.Context) *result.Writer {
	o := &result.Writer{File: c.Path("output"), Stdout: c.App.Writer, Messages: c.App.ErrWriter}
	if o.File == "-" {
		o.File = ""
	}
	return o
}

// outputOf reads outputFlags.
func outputOf(c *cli.Context) (*result.Writer, error) {
	o := outputTo(c)
	o.Format = strings.ToLower(c.String("format"))
	switch {
	case c.Bool("json") && o.Format != "":
		return nil, usage("--json and --format %s are two formats: leave one out", o.Format)
	case c.Bool("json"):
		o.Format = result.Object
	case o.Format == "":
		o.Format = result.FormatOf(o.File)
	}
	if formats := []string{result.Table, result.CSV, result.JSON, result.Lines, result.Markdown,
		result.Parquet}; !c.Bool("json") && !slices.Contains(formats, o.Format) {
		return nil, usage("there is no format %q: write %s", o.Format, strings.Join(formats, ", "))
	}
	width := 0
	if o.File == "" && term.IsTerminal(c.App.Writer) {
		o.Terminal, width = true, term.Width(c.App.Writer)
	}
	if o.Format == result.Parquet && o.Terminal {
		return nil, usage("Parquet cannot be shown on a terminal: name a file with --output, or pipe it to a program")
	}
	if o.MaxRows, o.MaxWidth = c.Int("max-rows"), c.Int("max-width"); o.MaxRows < 0 || o.MaxWidth < 0 {
		return nil, usage("--max-rows and --max-width take a number of at least 0")
	}
	if o.Format == result.Parquet && o.MaxRows > 0 {
		return nil, usage("Parquet holds every row of the query: leave --max-rows out, and write LIMIT into the query")
	}
	if o.Format == result.Table {
		tableDefaults(o, c.IsSet("max-rows"), c.IsSet("max-width"), width)
	}
	return o, nil
}

// tableDefaults sets the limits of a table that no flag sets.
func tableDefaults(o *result.Writer, rows, cells bool, width int) {
	if !rows {
		o.MaxRows = rowsElsewhere
		if o.Terminal {
			o.MaxRows = rowsOnTerminal
		}
	}
	switch {
	case cells:
	case width > 0:
		o.Fit = width
	default:
		o.MaxWidth = result.CellWidth
	}
}
