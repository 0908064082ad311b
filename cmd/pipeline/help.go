package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/cpuguy83/go-md2man/v2/md2man"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/sinks"
)

// This file prints --help. The library's own help has one list of all commands and one of all flags, and does not wrap.

// Widths of help: that of the terminal up to a limit, and the one without a terminal.
const (
	helpWidest = 100
	helpWidth  = 80
	helpIndent = "   "
	helpColumn = 30 // where the text about a flag begins, unless its names take more
)

// commandGroups are the groups in which help lists the commands.
var commandGroups = []struct {
	title    string
	commands []string
}{
	{"Daily use", []string{"run", "status", "search", "show", "open", "answers", "sql", "report"}},
	{"On a schedule", []string{"pipelines", "config", "schedule", "serve", "hook"}},
	{"Sharing", []string{"export", "push", "mcp", "secrets"}},
	{"Upkeep", []string{"discover", "doctor", "check", "history", "prune", "rebuild"}},
	{"Reference", []string{"schema", "prices", "demo", "completion", "man", "version"}},
}

// flagGroups are the groups in which help lists the flags of a command that has many. Flags in none come last.
var flagGroups = []struct {
	title string
	flags []string
}{
	{"Common options", []string{"source", "since", "until", "timezone", "project", "conversation", "full", "to",
		"level", "format", "out", "output", "warehouse", "parquet", "report", "markdown",
		"markdown-redact", "dry-run", "json", "quiet", "help"}},
	{"What is read", []string{"usage", "usage-user", "git", "commit-window", "alias", "user-data-dir"}},
	{"Which conversations and messages", []string{"role", "kind", "tool", "gone", "all-branches"}},
	{"What is written", append([]string{"redact", "session-gap", "estimate", "prices"}, sinkFlags()...)},
	{"Pushing", []string{"push", "push-endpoint", "push-region", "push-level", "push-since", "push-project",
		"push-deny", "endpoint", "region", "deny", "show-redactions"}},
	{"Removing", []string{"withdraw", "gc", "erase"}},
	{"Reading what was pushed", []string{"views", "tables", "answers"}},
	{"How it runs, and who is told", []string{"strict", "accept-deletes", "memory", "retry", "ping", "on-end",
		"on-end-when", "log", "checkpoint", "new-machine", "force"}},
}

// groupedFrom is the number of flags from which on they are listed in groups.
const groupedFrom = 16

func sinkFlags() (names []string) {
	for _, s := range sinks.All() {
		names = append(names, s.About().Name, s.About().Name+"-keep")
	}
	return names
}

// useOwnHelp has the library print help with printHelp. It knows only one printer for all programs of a process.
var useOwnHelp = sync.OnceFunc(func() { cli.HelpPrinter = printHelp })

// printHelp prints the help of the program or of a command. The library calls it.
func printHelp(w io.Writer, _ string, about any) {
	h := helpPage{width: helpWidth}
	if width := term.Width(w); width > 0 {
		h.width = min(max(width, 40), helpWidest)
	}
	switch c := about.(type) {
	case *cli.App:
		h.program(c)
	case *cli.Command:
		h.command(c)
	}
	_, _ = io.WriteString(w, h.String()) // execute looks whether it was printed
}

// A helpPage is what is printed of one help.
type helpPage struct {
	strings.Builder
	width int
}

func (h *helpPage) program(app *cli.App) {
	fmt.Fprintf(h, "%s - %s\n\nUsage:\n%spipeline COMMAND [OPTIONS] [ARGUMENTS]\n", app.Name, app.Usage, helpIndent)
	for _, g := range commandGroups {
		fmt.Fprintf(h, "\n%s:\n", g.title)
		for _, name := range g.commands {
			if c := app.Command(name); c != nil {
				h.entry(c.Name, c.Usage, len(helpIndent)+12)
			}
		}
	}
	h.WriteString("\nOptions:\n")
	h.entry("--help, -h", "print this, or after a command the help of that command", len(helpIndent)+15)
	h.entry("--version, -v", "print the version", len(helpIndent)+15)
	h.WriteString("\nExamples:\n" + helpIndent + "pipeline run          # load what Cursor has on this machine\n" +
		helpIndent + "pipeline show --last  # read the latest conversation\n" +
		helpIndent + "pipeline run --help   # all about a command\n")
}

func (h *helpPage) command(c *cli.Command) {
	args := strings.TrimSpace(c.ArgsUsage)
	if len(c.Subcommands) > 0 {
		args = "COMMAND"
	}
	fmt.Fprintf(h, "%s - %s\n\nUsage:\n%s%s\n", c.HelpName, strings.Join(h.wrapped(c.Usage, len(c.HelpName)+3), "\n"),
		helpIndent, strings.TrimSpace(c.HelpName+" [OPTIONS] "+args))
	if c.Description != "" {
		h.WriteString("\n")
		h.description(c.Description)
	}
	if len(c.Subcommands) > 0 {
		h.WriteString("\nCommands:\n")
		for _, sub := range c.Subcommands {
			if !sub.Hidden {
				h.entry(sub.Name, sub.Usage, len(helpIndent)+15)
			}
		}
	}
	h.flags(c)
}

// flags lists the flags, in groups if there are many.
func (h *helpPage) flags(c *cli.Command) {
	left := slices.DeleteFunc(slices.Clone(c.Flags), func(f cli.Flag) bool {
		visible, can := f.(cli.VisibleFlag)
		return can && !visible.IsVisible()
	})
	group := func(title string, flags []cli.Flag) {
		if len(flags) == 0 {
			return
		}
		fmt.Fprintf(h, "\n%s:\n", title)
		for _, f := range flags {
			names, usage := describedFlag(f)
			h.entry(names, usage, helpColumn)
		}
	}
	if len(left) < groupedFrom {
		group("Options", left)
		return
	}
	for _, g := range flagGroups {
		var in []cli.Flag
		for _, name := range g.flags {
			if i := slices.IndexFunc(left, func(f cli.Flag) bool { return f.Names()[0] == name }); i >= 0 {
				in, left = append(in, left[i]), slices.Delete(left, i, i+1)
			}
		}
		group(g.title, in)
	}
	group("Other options", left)
}

// describedFlag is what help says of a flag: its names with the word for its value, and what it is for.
func describedFlag(f cli.Flag) (names, usage string) {
	doc, ok := f.(cli.DocGenerationFlag)
	if !ok {
		return "--" + f.Names()[0], ""
	}
	word, usage := unquoted(doc.GetUsage())
	for i, name := range f.Names() {
		switch {
		case i == 0 && doc.TakesValue():
			names = "--" + name + " " + cmp.Or(word, "VALUE")
		case i == 0:
			names = "--" + name
		default:
			names += ", " + strings.Repeat("-", min(len(name), 2)) + name
		}
	}
	if value := doc.GetDefaultText(); doc.TakesValue() && value != "" && value != `""` {
		usage += " (default: " + strings.Trim(value, `"`) + ")"
	}
	for _, variable := range doc.GetEnvVars() {
		usage += " [$" + variable + "]"
	}
	return names, usage
}

// entry prints a name and what it is, the latter wrapped beside it from a column on; below it if the name is too long.
func (h *helpPage) entry(name, what string, column int) {
	line := helpIndent + name
	column = min(column, h.width/2)
	if len(line)+2 > column {
		h.WriteString(line + "\n")
		line = ""
	}
	for _, text := range h.wrapped(what, column) {
		fmt.Fprintf(h, "%-*s%s\n", column, line, text)
		line = ""
	}
}

// wrapped wraps a text to what is left of the lines from a column on.
func (h *helpPage) wrapped(text string, column int) []string {
	return term.Wrap(text, max(h.width-column, 20))
}

// inColumns is a line of a list: a term, and what it is.
var inColumns = regexp.MustCompile(`^( {3})(\S.*?)( {2,})(\S.*)$`)

// description prints the text about a command. Paragraphs are wrapped, and the right column of a list; examples and
// other lines that are indented stay as they are.
func (h *helpPage) description(text string) {
	var paragraph string
	examples, column := false, 0
	end := func() {
		if paragraph == "" {
			return
		}
		indent := strings.Repeat(" ", column)
		for i, line := range h.wrapped(paragraph, column) {
			if i > 0 {
				line = indent + line
			}
			h.WriteString(line + "\n")
		}
		paragraph, column = "", 0
	}
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		list := inColumns.FindStringSubmatch(line)
		switch {
		case line == "" || line == "Examples:":
			end()
			examples = line != ""
			h.WriteString(line + "\n")
		case examples:
			h.WriteString(line + "\n")
		case list != nil:
			end()
			column = len(list[1] + list[2] + list[3])
			h.WriteString(line[:column])
			paragraph = list[4]
		case column > 0 && strings.HasPrefix(line, strings.Repeat(" ", column)):
			paragraph += " " + strings.TrimSpace(line)
		case strings.HasPrefix(line, " "):
			end()
			h.WriteString(line + "\n")
		default:
			if column > 0 {
				end()
			}
			paragraph = strings.TrimSpace(paragraph + " " + line)
		}
	}
	end()
}

// unquoted splits a flag's usage into the placeholder in backquotes and the text without the quotes.
func unquoted(usage string) (placeholder, text string) {
	before, rest, found := strings.Cut(usage, "`")
	word, after, closed := strings.Cut(rest, "`")
	if !found || !closed {
		return "", usage
	}
	return word, before + word + after
}

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
