package main

import (
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/reader"
	"pipeline/pipelines"
)

//go:generate go test . -run ^(TestDictionary|TestWarehouseDeclared)$ -update

func schemaCommand() *cli.Command {
	return &cli.Command{
		Name:  "schema",
		Usage: "print the data dictionary",
		Description: `Prints every table, column, view, answer, view of the report page and macro with its meaning; no warehouse is needed.

Examples:
   pipeline schema > dictionary.md
   pipeline schema --json | jq '.tables[].name'
   pipeline schema --json | jq -r '.answers[] | .name + ": " + .question'`,
		Flags: []cli.Flag{&cli.BoolFlag{Name: "markdown", Usage: "print Markdown (the default)"}, jsonFlag()},
		Action: func(c *cli.Context) error {
			if c.Bool("json") && c.Bool("markdown") {
				return &pipelines.UsageError{Message: "--json and --markdown are two formats: leave one out"}
			}
			columns, err := reader.ViewColumns(c.Context)
			if err != nil {
				return err
			}
			if c.Bool("json") {
				return term.PrintJSON(c.App.Writer, dictionary(columns))
			}
			printDictionary(c.App.Writer, columns)
			return nil
		},
	}
}
