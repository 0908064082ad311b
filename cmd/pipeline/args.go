package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"pipeline/pipelines"
	"pipeline/pipelines/file"
)

// This file adds what the library does not do with a command line: flags after arguments, and errors that suggest a
// correction.

// flagsFirst moves flags before the positional arguments: the library does not parse flags after them.
func flagsFirst(app *cli.App, args []string) []string {
	if len(args) < 3 || args[len(args)-1] == "--generate-bash-completion" {
		// the library looks for it as the last argument
		return args
	}
	command := app.Command(args[1])
	if command == nil {
		return args
	}
	first := 2
	if sub := command.Command(args[2]); sub != nil { // a subcommand of a group
		command, first = sub, 3
	}
	takesValue := map[string]bool{}
	for _, f := range command.Flags {
		_, isBool := f.(*cli.BoolFlag)
		for _, name := range f.Names() {
			takesValue[name] = !isBool
		}
	}
	out := args[:first:first]
	var positional []string
	for rest := args[first:]; len(rest) > 0; {
		arg := rest[0]
		rest = rest[1:]
		switch {
		case strings.HasPrefix(arg, "-- ") || strings.HasPrefix(arg, "--\n"): // a query that begins with a comment
			positional = append(positional, arg)
		case arg == "--":
			positional = append(append(positional, "--"), rest...)
			rest = nil
		case len(arg) > 1 && arg[0] == '-':
			out = append(out, arg)
			name := strings.TrimLeft(arg, "-")
			if takesValue[name] && len(rest) > 0 {
				out = append(out, rest[0])
				rest = rest[1:]
			}
		default:
			positional = append(positional, arg)
		}
	}
	if len(positional) > 0 && strings.HasPrefix(positional[0], "-") && positional[0] != "--" {
		out = append(out, "--")
	}
	return append(out, positional...)
}

// withoutArguments refuses arguments for a command that takes none. Otherwise an argument, such as a warehouse, would
// be ignored.
func withoutArguments(action cli.ActionFunc) cli.ActionFunc {
	return func(c *cli.Context) error {
		if c.NArg() == 0 {
			return action(c)
		}
		message := fmt.Sprintf("%s takes no argument %q", c.Command.Name, c.Args().First())
		if slices.ContainsFunc(c.Command.Flags,
			func(f cli.Flag) bool { return slices.Contains(f.Names(), "warehouse") }) {
			message += ": name the warehouse with --warehouse"
		}
		return &pipelines.UsageError{Message: message}
	}
}

// usageError suggests a flag if there is none with the given name.
func usageError(c *cli.Context, err error, _ bool) error {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	switch {
	case !unknown:
		return &pipelines.UsageError{Message: err.Error()}
	case name == "retention":
		return &pipelines.UsageError{Message: "there is no --retention: " + file.NoRetention}
	}
	flags := c.App.Flags
	if c.Command != nil && len(c.Command.Flags) > 0 {
		flags = c.Command.Flags
	}
	var names []string
	for _, f := range flags {
		if visible, ok := f.(cli.VisibleFlag); !ok || visible.IsVisible() {
			names = append(names, "--"+f.Names()[0])
		}
	}
	return &pipelines.UsageError{Message: fmt.Sprintf("there is no flag --%s%s", name,
		pipelines.DidYouMean("--"+name, names))}
}

func didYouMean(commands []*cli.Command, name string) string {
	var names []string
	for _, c := range commands {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	return pipelines.DidYouMean(name, names)
}

// wantsSubcommand is the action of a command that is only a group of others. Its error lists them, or says that there
// is none of the given name (%q).
func wantsSubcommand(none, unknown string) cli.ActionFunc {
	return func(c *cli.Context) error {
		if given := c.Args().First(); given != "" {
			return &pipelines.UsageError{Message: fmt.Sprintf(unknown, given) +
				didYouMean(c.Command.Subcommands, given)}
		}
		return &pipelines.UsageError{Message: none}
	}
}
