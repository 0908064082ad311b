package main

import (
	"io"

	"github.com/urfave/cli/v2"

	"pipeline/load/reader"
)

//go:generate go test . -run ^TestDictionary$ -update

func schemaCommand() *cli.Command {
	return &cli.Command{
		Name:      "schema",
		Usage:     "print the data dictionary, or a command's JSON schema",
		ArgsUsage: "[COMMAND]",
		Description: `Prints every table, column, view, answer, view of the report page and macro with its meaning; no warehouse is needed.
With the name of a command it prints the JSON schema of what that command prints with --json; error is that of failures.

Examples:
   pipeline schema > dictionary.md
   pipeline schema --json | jq -r '.tables[].name'
   pipeline schema pipelines list  # the JSON schema of --json`,
		Flags: []cli.Flag{&cli.BoolFlag{Name: "markdown", Usage: "print Markdown (the default)"}, jsonFlag()},
		Action: func(c *cli.Context) error {
			if c.Bool("json") && c.Bool("markdown") {
				return usage("--json and --markdown are two formats: leave one out")
			}
			if c.Args().Present() {
				return printForm(c)
			}
			columns, err := reader.ViewColumns(c.Context)
			if err != nil {
				return err
			}
			return printed(c, dictionary(columns), func(w io.Writer) { printDictionary(w, columns) })
		},
	}
}

// printForm prints the JSON schema of what a command prints.
func printForm(c *cli.Context) error {
	form, err := jsonForm(c.App, c.Args().Slice())
	if err != nil {
		return err
	}
	_, err = c.App.Writer.Write(form)
	return err
}
