package main

import (
	"io"
	"os"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/result"
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
