package main

import (
	"cmp"
	"fmt"
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
   pipeline man > ~/.local/share/man/man1/pipeline.1     then: man pipeline
   pipeline man | man -l -                               read it at once
   make man                                              bin/pipeline.1`,
		Action: func(c *cli.Context) error {
			_, err := io.WriteString(c.App.Writer, manPage(c.App, thisBuild()))
			return err
		},
	}
}

// roff is a manual page in the making.
type roff struct{ strings.Builder }

// manPage is the manual page of the commands. Nothing of the machine is in it: the same program prints the same page.
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

// exitStatuses are the exit codes in words.
var exitStatuses = []struct {
	code    int
	meaning string
}{
	{0, "Done."},
	{exitFailed, "Failed; the warehouse is as it was."},
	{exitUsage, "The command line, or a pipeline's file, is not understood."},
	{exitSource, "A source is missing or cannot be read."},
	{exitCheck, "Loaded, but a check failed; with --strict also: rows are quarantined."},
	{exitStale, "The last good load is older than status --max-age."},
	{exitBusy, "Busy: another run or a writer holds the warehouse, or a store could not be read without disturbing Cursor. Try again later."},
	{exitInterrupted, "Interrupted; nothing is half done."},
}

// command writes what --help of a command says, and of those below it.
func (r *roff) command(name string, c *cli.Command, variables map[string][]string) {
	if c.Hidden {
		return
	}
	r.line(".SS %s", roffText(strings.TrimSpace(name+" "+c.ArgsUsage)))
	r.text(strings.ToUpper(c.Usage[:1]) + c.Usage[1:] + ".\n\n" + c.Description)
	for _, f := range c.Flags {
		r.flag(f, name, variables)
	}
	for _, sub := range c.Subcommands {
		r.command(name+" "+sub.Name, sub, variables)
	}
}

// flag writes a flag, and notes its variables.
func (r *roff) flag(f cli.Flag, command string, variables map[string][]string) {
	doc, ok := f.(cli.DocGenerationFlag)
	if visible, is := f.(cli.VisibleFlag); !ok || is && !visible.IsVisible() {
		return
	}
	placeholder, usage := unquoted(doc.GetUsage())
	var names []string
	for _, n := range f.Names() {
		dashes := "--"
		if len(n) == 1 {
			dashes = "-"
		}
		name := `\fB` + roffText(dashes+n) + `\fR`
		if doc.TakesValue() {
			name += ` \fI` + roffText(cmp.Or(placeholder, "VALUE")) + `\fR`
		}
		names = append(names, name)
	}
	if value := cmp.Or(doc.GetDefaultText(), doc.GetValue()); doc.TakesValue() && value != "" && value != `""` && value != "[]" {
		usage += " (default: " + value + ")"
	}
	for _, v := range doc.GetEnvVars() {
		usage += " [$" + v + "]"
		if same := "--" + f.Names()[0]; !slices.Contains(variables[v], same) {
			variables[v] = append(variables[v], same)
		}
	}
	r.line(".TP\n%s\n%s", strings.Join(names, ", "), roffText(usage))
}

// unquoted takes the quotes off the word in a flag's usage that stands for its value.
func unquoted(usage string) (placeholder, text string) {
	before, rest, found := strings.Cut(usage, "`")
	word, after, closed := strings.Cut(rest, "`")
	if !found || !closed {
		return "", usage
	}
	return word, before + word + after
}

// text writes paragraphs; lines that begin with spaces stay as they are.
func (r *roff) text(s string) {
	kept := false
	keep := func(now bool) {
		if now != kept {
			r.line(map[bool]string{true: ".PP\n.nf\n.RS 4", false: ".RE\n.fi"}[now])
		}
		kept = now
	}
	for l := range strings.Lines(strings.TrimSpace(s)) {
		l = strings.TrimRight(l, "\n")
		switch {
		case strings.HasPrefix(l, "   "):
			keep(true)
			r.line("%s", roffText(strings.TrimPrefix(l, "   ")))
		case l == "":
			keep(false)
			r.line(".PP")
		default:
			keep(false)
			r.line("%s", roffText(l))
		}
	}
	keep(false)
}

func (r *roff) line(format string, args ...any) {
	fmt.Fprintf(r, format+"\n", args...)
}

// roffText has a text stand for itself: a backslash, a dash that is to be a dash, a line that would be a request, letters beyond ASCII.
func roffText(s string) string {
	var b strings.Builder
	for i, c := range s {
		switch {
		case c == '\\':
			b.WriteString(`\e`)
		case c == '-':
			b.WriteString(`\-`)
		case (c == '.' || c == '\'') && i == 0:
			b.WriteString(`\&` + string(c))
		case c == '\'':
			b.WriteString(`\(aq`)
		case c == '"':
			b.WriteString(`\(dq`)
		case c == '`':
			b.WriteString(`\(ga`)
		case c == '^':
			b.WriteString(`\(ha`)
		case c == '~':
			b.WriteString(`\(ti`)
		case c > '~':
			fmt.Fprintf(&b, `\[u%04X]`, c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}
