package main

import (
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

func manCommand() *cli.Command {
	return &cli.Command{
		Name:  "man",
		Usage: "print the manual page",
		Description: `Prints the manual page of this version, in roff, with every command and every flag.

Examples:
   pipeline man | man -l -                            # read it at once
   pipeline man > ~/.local/share/man/man1/pipeline.1  # then: man pipeline`,
		Action: func(c *cli.Context) error {
			_, err := io.WriteString(c.App.Writer, manPage(c.App, thisBuild()))
			return err
		},
	}
}

// manPage is the manual page. It contains nothing of this machine: the same program prints the same page everywhere.
func manPage(app *cli.App, b build) string {
	r := &roff{}
	day, _, _ := strings.Cut(b.CommitDate, "T")
	r.line(`.TH PIPELINE 1 "%s" "pipeline %s" "User Commands"`, roffText(day), roffText(b.Version))
	r.line(".SH NAME\npipeline \\- %s", roffText(app.Usage))
	r.line(".SH SYNOPSIS\n.B pipeline\n.I COMMAND\n.RI [ options ]\n.RI [ arguments ]")
	r.line(".SH DESCRIPTION")
	r.text("Cursor keeps every conversation on this machine, in SQLite stores that it overwrites and deletes from. pipeline loads them into a DuckDB warehouse, " +
		"all or nothing, and keeps what Cursor deletes. Stores are read from a consistent snapshot and never written; Cursor may be running.\n\n" +
		"Standard output holds results only; messages go to standard error. With --json a command prints its result as JSON.")
	r.line(".SH COMMANDS")
	variables := map[string][]string{}
	for _, c := range app.Commands {
		r.command("pipeline "+c.Name, c, variables)
	}
	r.line(".SH ENVIRONMENT")
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		r.line(".TP\n.B %s\nThe same as %s.", roffText(name), roffText(strings.Join(variables[name], ", ")))
	}
	r.line(".TP\n.B PIPELINE_CONFIG\nThe folder of the configuration, in which pipelines are in the folder pipelines.")
	r.line(".SH EXIT STATUS")
	for _, s := range exitStatuses {
		r.line(".TP\n.B %d\n%s", s.code, roffText(s.meaning))
	}
	r.line(".SH SEE ALSO\n.BR duckdb (1)")
	return r.String()
}
