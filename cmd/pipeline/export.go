package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/places"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/redact"
	"pipeline/load/sinks"
	"pipeline/pipelines"
)

// exportCommand is the group of commands that write files for other programs.
func exportCommand() *cli.Command {
	group := &cli.Command{
		Name:        "export",
		Usage:       "write the warehouse's data for other programs",
		Description: "Examples:\n",
	}
	for _, s := range sinks.All() {
		about := s.About()
		group.Subcommands = append(group.Subcommands, exportSinkCommand(s))
		group.Description += fmt.Sprintf("   pipeline export %s ~/cursor-%s\n", about.Name, about.Name)
	}
	group.Description += "   pipeline export conversations --format markdown --out ~/cursor-chats"
	group.Subcommands = append(group.Subcommands, exportConversationsCommand())
	var names []string
	for _, sub := range group.Subcommands {
		names = append(names, "pipeline export "+sub.Name)
	}
	all := strings.Join(names, ", ")
	group.Action = wantsSubcommand("say what to export: "+all, "there is no export of %q; there is: "+all)
	return group
}

// exportSinkCommand publishes the files of a sink.
func exportSinkCommand(s sinks.Sink) *cli.Command {
	about := s.About()
	named := strings.NewReplacer("<name>", about.Name, "<title>", about.Title, "<ext>", about.Extension, "<example>",
		about.Example, "<details>", about.Details, "<for>", about.For)
	return &cli.Command{
		Name:      about.Name,
		Usage:     named.Replace("publish every table as <title>, <for>"),
		ArgsUsage: "DIR",
		Description: named.Replace(
			`Publishes as 'pipeline run --<name>' does, without a run. Each publication is a folder of its own, DIR/v-<load>; the link DIR/current leads to the latest. A table is one file, <table><ext>. Messages
and tool_calls are folders with a folder for each month: <table>/month=YYYY-MM/part-0<ext>. The month is that in which the conversation
began, in UTC ('unknown' if no start is recorded). A file that is the same as in the last publication is linked, not written again. A
publication is removed when another one has been current for as long as --<name>-keep says. The warehouse is only read.

What people pasted into a chat is published as it is, secrets too. With --redact texts have [redacted:RULE] in place of secrets and ~ in place of home folders, as a push has them, and tables about this machine's files are left
out. Such publications have a folder of their own.

<details>Resolve DIR/current once and read below that folder: then a new publication cannot get in between.

Examples:
   pipeline export <name> ~/cursor-<name>
   pipeline export <name> ~/cursor-<name> --json
   pipeline export <name> ~/cursor-<name>-redacted --redact

To read it:
   <example>

Exit codes: 0 done, 1 failed, 2 usage, 3 there is no warehouse, 75 a run or another publication is under way, 130 interrupted.`),
		Flags: []cli.Flag{warehouseFlag(), settingFlag(about.Name + "-keep"), redactFlag("publish"), memoryFlag(),
			jsonFlag(), &cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print nothing but errors"}},
		Action: func(c *cli.Context) error { return exportSink(c, s) },
	}
}

func exportSink(c *cli.Context, s sinks.Sink) (err error) {
	if name := s.About().Name; c.NArg() != 1 || c.Args().First() == "" {
		return usage("name the folder to publish in: pipeline export %s ~/cursor-%s", name, name)
	}
	run, err := flagsOf(c, false)
	if err != nil {
		return err
	}
	opt, target := run.Options, *run.Target(s)
	if err := isThere(opt.Warehouse); err != nil {
		return err
	}
	if target.Dir, err = publicationFolder(c.Args().First()); err != nil {
		return err
	}
	if err := places.CheckTarget(target, "DIR", places.ForbiddenFolders(env(run), nil, opt.Warehouse)); err != nil {
		return err
	}
	if c.Bool("redact") {
		people, err := peopleIn(c.Context, opt.Warehouse)
		if err != nil {
			return err
		}
		target.Redaction = &sinks.Redaction{Text: func(text, _ string) string { return people.Text(text) },
			Version: redact.Version}
	}
	opt.Publish = []sinks.Target{target}
	finish := shows(c, &opt)
	defer finish()
	out, err := pipelines.Publish(c.Context, opt)
	finish()
	switch {
	case err != nil && c.Context.Err() != nil:
		return &exitError{exitInterrupted, fmt.Errorf("interrupted; %s is as it was", target.Dir)}
	case err != nil:
		return err
	}
	return printed(c, out[0], func(w io.Writer) {
		fmt.Fprintf(w, "Load %d: %s\n", out[0].LoadID, publishedLine(target.Dir, out[0]))
		if target.Redaction == nil {
			fmt.Fprintln(term.Fitted(c.App.ErrWriter), keepsSecrets)
		}
	})
}
