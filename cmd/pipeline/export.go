package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/chat"
	"pipeline/cmd/pipeline/internal/places"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load"
	"pipeline/load/reader"
	"pipeline/load/redact"
	"pipeline/load/sinks"
	"pipeline/pipelines"
	"pipeline/pipelines/file"
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
	out, err := showing(c, opt, pipelines.Publish)
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

func exportConversationsCommand() *cli.Command {
	return &cli.Command{
		Name: "conversations",
		Usage: "write conversations as Markdown, as pages for a browser, as JSON Lines, or in a form that other " +
			"programs read",
		ArgsUsage: " ",
		Description: `With --out it writes a file for each conversation, named by its day, title and id; else all of them in one stream, to standard output or to -o.

Formats:
   markdown   to read
   html       a page for a browser that needs nothing but itself: it has no script and loads nothing. Without --out it is one page with all
              conversations, folded
   jsonl      a conversation a line, with every column of it, its messages, tool calls and attachments
   openai     a line {"messages": [...]} for a conversation, as OpenAI's chat API and fine-tuning take them: without thinking, errors and
              attachments, which that format cannot hold

A command that the user ran is a message of the user, with what it printed. A prompt that the program wrote, and no person, has the
heading "Program" in Markdown and HTML and the name "program" in the openai form.

What Cursor shows is exported: conversations that it has now, on their active branches. --gone adds deleted and orphaned conversations,
--all-branches what edited prompts left behind. Conversations without a message are left out. The filters choose conversations; for
--role, --kind and --tool, one message that matches all of them is enough.

What people pasted into a chat is written as it is, secrets too. With --redact texts, titles and the names of files have [redacted:RULE] in place of secrets and ~ in place of home folders, as a push has them. Numbers, times
and ids stay.

A second export into the same folder writes what has changed, each file whole or not at all; files of conversations that no longer match
stay, as do files under an earlier title: a folder that others are to see is exported to with --redact alone.

Examples:
   pipeline export conversations --format markdown --out ~/cursor-chats
   pipeline export conversations --format html --project my-app -o my-app.html
   pipeline export conversations --format jsonl --since 7d -o week.jsonl

Exit codes: 0 done, 1 failed, 2 usage, 3 there is no warehouse, 130 interrupted.`,
		Flags: slices.Concat([]cli.Flag{
			warehouseFlag(), timezoneFlag(),
			&cli.StringFlag{Name: "format", Aliases: []string{"f"},
				Usage: "write `FORMAT`: markdown, html, jsonl or openai"},
			&cli.PathFlag{Name: "out", Usage: "write a file for each conversation into `DIR`, which is created"},
			&cli.PathFlag{Name: "output", Aliases: []string{"o"},
				Usage: "write all conversations to `FILE`, which is replaced when everything is written"},
		}, filterFlags(), []cli.Flag{
			&cli.StringSliceFlag{Name: "conversation",
				Usage: "only the conversation with this `ID`, or whose id begins with it; repeatable"},
			&cli.StringFlag{Name: "source", Usage: "only conversations of the source of this `ID`"},
			&cli.BoolFlag{Name: "gone", Usage: "also deleted and orphaned conversations"},
			&cli.BoolFlag{Name: "all-branches",
				Usage: "also messages that edited prompts left behind, and deleted ones, after the others"},
			&cli.BoolFlag{Name: "full", Usage: "in Markdown and HTML also thinking, parameters, results and ids"},
			redactFlag("write"),
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print nothing but errors"},
			&cli.BoolFlag{Name: "json", Usage: "print what was written as JSON, with --out or -o"},
		}),
		Action: exportConversationsAction,
	}
}

func exportConversationsAction(c *cli.Context) (err error) {
	if err := checkExport(c); err != nil {
		return err
	}
	path, err := existingWarehouse(c)
	if err != nil {
		return err
	}
	if err := places.CheckExport(c.Path("out"), "--out", path); err != nil {
		return err
	}
	if err := outputTo(c).Check(path); err != nil {
		return err
	}
	r, err := reader.Open(c.Context, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	e := &conversationExport{format: c.String("format"), full: c.Bool("full"), allBranches: c.Bool("all-branches"),
		reader: r}
	if c.Bool("redact") {
		if err := e.withoutSecrets(c.Context); err != nil {
			return err
		}
	}
	e.result = exported{Format: e.format}
	if e.format == chat.OpenAI {
		e.result.Omitted = &chat.Omitted{}
	}
	if e.heads, err = exportedHeads(c, path, r); err != nil {
		return err
	}
	finish := func() {}
	if !e.intoTerminal(c) { // a terminal shows the conversations themselves
		e.report, finish = busy(c, "exporting conversations")
	}
	defer finish()
	dir := c.Path("out")
	if dir != "" {
		err = e.intoFolder(c.Context, dir)
	} else {
		err = e.intoStream(c, path)
	}
	finish()
	if err != nil {
		return err
	}
	return e.conclude(c)
}

// checkExport refuses flags that cannot be combined.
func checkExport(c *cli.Context) error {
	formats := []string{chat.Markdown, chat.HTML, chat.Lines, chat.OpenAI}
	switch {
	case c.NArg() > 0:
		return usage("export conversations takes no argument %q: name a folder with --out, a file with -o, a "+
			"conversation with --conversation", c.Args().First())
	case c.String("format") == "":
		return usage("choose a format: --format %s", strings.Join(formats, ", --format "))
	case !slices.Contains(formats, c.String("format")):
		return usage("there is no format %q: write %s", c.String("format"), strings.Join(formats, ", "))
	case c.Path("out") != "" && c.Path("output") != "":
		return usage("--out writes a file for each conversation, -o one for all: leave one out")
	case c.IsSet("out") && c.Path("out") == "":
		return usage("--out needs the name of a folder")
	case c.Path("out") == "-":
		return usage("--out writes a file for each conversation into a folder: -o - writes all to standard output")
	case c.Bool("json") && c.Path("out") == "" && (c.Path("output") == "" || c.Path("output") == "-"):
		return usage("--json says what was written to --out or -o; conversations as JSON are --format jsonl")
	}
	return nil
}

// exportedHeads lists the conversations to export. Of a conversation that several sources have it lists the primary,
// unless a source is given.
func exportedHeads(c *cli.Context, warehouse string, r *reader.Reader) ([]reader.Head, error) {
	f, err := filterOf(c, warehouse, r)
	if err != nil {
		return nil, err
	}
	named := map[load.RowKey]bool{}
	for _, id := range c.StringSlice("conversation") {
		w, err := resolve(c.Context, r, id, c.String("source"))
		if err != nil {
			return nil, err
		}
		named[w.key] = true
	}
	// a conversation that is named is exported even if it is deleted
	heads, err := r.Heads(c.Context, f, c.Bool("gone") || len(named) > 0)
	if err != nil {
		return nil, err
	}
	source := c.String("source")
	return slices.DeleteFunc(heads, func(h reader.Head) bool {
		return len(named) > 0 && !named[h.RowKey] || source != "" && h.SourceID != source ||
			h.Copy && source == "" && len(named) == 0
	}), nil
}

// folderFlags are flags for the folder of each sink, for a command that reads publications.
func folderFlags(usage string) (flags []cli.Flag) {
	for _, s := range sinks.All() {
		flags = append(flags, settingFlagAs(s.About().Name, strings.ReplaceAll(usage, "%s", s.About().Title), ""))
	}
	return flags
}

// targets are the folders in which a run publishes. Two sinks must not have the same folder: they would replace each
// other's publications.
func targets(run *file.Run) (out []sinks.Target, err error) {
	taken := map[string]string{}
	for _, t := range run.Targets {
		name := t.Sink.About().Name
		if t.Dir, err = publicationFolder(t.Dir); err != nil {
			return nil, err
		}
		if t.Dir == "" {
			continue
		}
		if other := taken[t.Dir]; other != "" {
			return nil, usage("--%s and --%s name the same folder, %s: choose another for one of them", other, name,
				t.Dir)
		}
		taken[t.Dir] = name
		out = append(out, t)
	}
	return out, nil
}

// publicationFolder is the given folder of publications; "" for none.
func publicationFolder(dir string) (string, error) {
	if dir == "" {
		return "", nil
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return dir, sinks.CheckFolder(dir)
}

// publishedLine describes a publication in one line.
func publishedLine(dir string, p *sinks.Published) string {
	line := term.Printable(sinks.CurrentName(dir))
	if p.Unchanged {
		return fmt.Sprintf("%s, %s, was there already", line, term.Plural(p.Files, "file"))
	}
	line += fmt.Sprintf(", %s of %s, %d written", term.Plural(p.Files, "file"), term.Size(p.Bytes), p.Written)
	if p.Removed > 0 {
		line += ", " + term.Plural(p.Removed, "older publication") + " removed"
	}
	return line
}
