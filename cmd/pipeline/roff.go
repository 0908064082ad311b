package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// roff builds a manual page.
type roff struct{ strings.Builder }

// command writes the help of a command and of its subcommands.
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

// flag writes a flag, and notes its environment variables.
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

// text writes paragraphs. Lines that begin with spaces keep their line breaks.
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

// unquoted splits a flag's usage into the placeholder in backquotes and the text without the quotes.
func unquoted(usage string) (placeholder, text string) {
	before, rest, found := strings.Cut(usage, "`")
	word, after, closed := strings.Cut(rest, "`")
	if !found || !closed {
		return "", usage
	}
	return word, before + word + after
}

// roffText escapes a text for roff: backslashes, dashes, lines that would be requests, and letters beyond ASCII.
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
