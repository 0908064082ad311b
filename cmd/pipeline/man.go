package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/cpuguy83/go-md2man/v2/md2man"
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
			var page strings.Builder
			for _, r := range string(md2man.Render([]byte(manPage(c.App, thisBuild())))) {
				if r <= '~' {
					page.WriteRune(r)
				} else { // not every reader knows UTF-8
					fmt.Fprintf(&page, `\[u%04X]`, r)
				}
			}
			_, err := io.WriteString(c.App.Writer, page.String())
			return err
		},
	}
}

// manPage is the manual page as Markdown: the help of each command, variables and exit codes. It contains nothing of
// this machine: the same program prints the same page everywhere.
func manPage(app *cli.App, b build) string {
	var page strings.Builder
	day, _, _ := strings.Cut(b.CommitDate, "T")
	fmt.Fprintf(&page, "%% PIPELINE 1 \"%s\" \"pipeline %s\" \"User Commands\"\n# NAME\n\npipeline - %s\n", day,
		b.Version, app.Usage)
	page.WriteString(`
# SYNOPSIS

**pipeline** COMMAND [OPTIONS] [ARGUMENTS]

# DESCRIPTION

Cursor keeps every conversation on this machine, in SQLite stores that it overwrites and deletes from. pipeline loads them into a
DuckDB warehouse, all or nothing, and keeps what Cursor deletes. Stores are read from a consistent snapshot and never written;
Cursor may be running.

Standard output holds results only; messages go to standard error. With --json a command prints its result as JSON.

# COMMANDS
`)
	variables := map[string][]string{}
	for _, c := range app.Commands {
		manCommands(&page, "pipeline "+c.Name, c, variables)
	}
	page.WriteString("\n# ENVIRONMENT\n")
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		fmt.Fprintf(&page, "\n**%s**\n: The same as %s.\n", name, strings.Join(variables[name], ", "))
	}
	page.WriteString("\n**PIPELINE_CONFIG**\n: The folder of the configuration, in which pipelines are in the folder " +
		"pipelines.\n\n# EXIT STATUS\n")
	for _, s := range exitStatuses {
		fmt.Fprintf(&page, "\n**%d**\n: %s\n", s.code, s.meaning)
	}
	return page.String() + "\n# SEE ALSO\n\n**duckdb**(1)\n"
}

// manCommands writes the help of a command and of its subcommands, and notes the variables of their flags.
func manCommands(w io.Writer, name string, c *cli.Command, variables map[string][]string) {
	if c.Hidden {
		return
	}
	h := helpPage{width: helpWidth - len("           ")} // as a page is indented
	of := *c
	of.HelpName = name
	h.command(&of)
	fmt.Fprintf(w, "\n### %s\n\n```\n%s```\n", name, h.String())
	for _, f := range c.Flags {
		if doc, ok := f.(cli.DocGenerationFlag); ok {
			for _, v := range doc.GetEnvVars() {
				if same := "--" + f.Names()[0]; !slices.Contains(variables[v], same) {
					variables[v] = append(variables[v], same)
				}
			}
		}
	}
	for _, sub := range c.Subcommands {
		manCommands(w, name+" "+sub.Name, sub, variables)
	}
}
