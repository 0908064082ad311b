package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/chat"
	"pipeline/cmd/pipeline/internal/places"
	"pipeline/load"
	"pipeline/load/reader"
)

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
