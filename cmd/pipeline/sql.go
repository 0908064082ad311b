package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/mattn/go-isatty"
	"github.com/urfave/cli/v2"

	"pipeline/load"
	"pipeline/pipelines"
)

func sqlCommand() *cli.Command {
	return &cli.Command{
		Name:      "sql",
		Usage:     "ask the warehouse in SQL, read-only",
		ArgsUsage: "QUERY",
		Description: `Runs one query (or reads it from standard input) on the warehouse. The engine can read nothing but the warehouse.

Examples:
   pipeline sql "FROM list_conversations()"
   pipeline sql "SELECT tool, count(*) AS calls FROM live_tool_calls GROUP BY tool ORDER BY calls DESC"
   pipeline sql --json "FROM coverage" | jq .
   pipeline sql < question.sql

Tables and views: pipeline schema. For long sessions open the file in the duckdb CLI: duckdb -readonly warehouse.duckdb`,
		Flags:  []cli.Flag{warehouseFlag(), jsonFlag(), &cli.IntFlag{Name: "max-width", Value: 60, Usage: "cut cells of the table at `N` characters; 0: never"}},
		Action: sqlAction,
	}
}

func sqlAction(c *cli.Context) error {
	query := strings.Join(c.Args().Slice(), " ")
	if query == "" {
		if isatty.IsTerminal(os.Stdin.Fd()) {
			return &pipelines.UsageError{Message: `give a query: pipeline sql "FROM list_conversations()"`}
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
	answer, err := load.Query(c.Context, path, query)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return printJSON(c.App.Writer, answer.Objects())
	}
	printTable(c.App.Writer, answer, c.Int("max-width"))
	return nil
}

// printTable draws rows for people: control characters neutralised, long cells cut, NULL told from ”.
func printTable(w io.Writer, answer *load.Answer, width int) {
	t := table.NewWriter()
	t.SetOutputMirror(w)
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	header := make(table.Row, len(answer.Columns))
	configs := make([]table.ColumnConfig, len(answer.Columns))
	for i, name := range answer.Columns {
		header[i] = printable(name)
		configs[i] = table.ColumnConfig{Number: i + 1, AlignHeader: text.AlignLeft}
		if answer.Numeric[i] {
			configs[i].Align, configs[i].AlignHeader = text.AlignRight, text.AlignRight
		}
	}
	t.AppendHeader(header)
	t.SetColumnConfigs(configs)
	for _, row := range answer.Rows {
		cells := make(table.Row, len(row))
		for i, v := range row {
			cells[i] = cut(printable(load.Text(v)), width)
		}
		t.AppendRow(cells)
	}
	t.Render()
	fmt.Fprintf(w, "(%s)\n", plural(int64(len(answer.Rows)), "row"))
}

func cut(s string, width int) string {
	if width <= 0 {
		return s
	}
	if r := []rune(s); len(r) > width {
		return string(r[:max(0, width-1)]) + "…"
	}
	return s
}

// printableLines is printable for a text of several lines.
func printableLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = printable(lines[i])
	}
	return strings.Join(lines, "\n")
}

// printable keeps text from steering the terminal: control characters are shown as symbols, line ends as one line.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return '⏎'
		case r == '\t':
			return ' '
		case r < 0x20:
			return 0x2400 + r
		case r == 0x7f || unicode.Is(unicode.Cf, r) && r != 0x200d || r >= 0x80 && r < 0xa0:
			return unicode.ReplacementChar
		}
		return r
	}, s)
}
