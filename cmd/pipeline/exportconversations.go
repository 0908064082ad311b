package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/chat"
	"pipeline/cmd/pipeline/internal/places"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load"
	"pipeline/load/outpath"
	"pipeline/pipelines"
)

func exportConversationsCommand() *cli.Command {
	return &cli.Command{
		Name:      "conversations",
		Usage:     "write conversations as Markdown, JSON Lines, or messages as OpenAI's API takes them",
		ArgsUsage: " ",
		Description: `With --out it writes a file for each conversation, named by its day, title and id; else all of them in one stream, to standard output or to -o.
Formats: markdown, to read; jsonl, a conversation a line with every column of it, its messages, tool calls and attachments; openai, a line
{"messages": [...]} for a conversation, as OpenAI's chat API and fine-tuning take them: without thinking, errors and attachments, for which
there is no place in it.

What Cursor shows is exported: conversations that it has now, on their active branches. --gone adds deleted and orphaned conversations,
--all-branches what edited prompts left behind. Conversations without a message are left out. The filters choose conversations; of those with
--role, --kind and --tool one message that is all of it is enough.

A second export into the same folder writes what has changed, each file whole or not at all; files of conversations that do not match any
more stay, as do those under an earlier title.

Examples:
   pipeline export conversations --format markdown --out ~/cursor-chats
   pipeline export conversations --format markdown --project my-app --since 7d > week.md
   pipeline export conversations --format jsonl -o chats.jsonl
   pipeline export conversations --format jsonl --tool run_terminal_command | jq -r .conversation.title
   pipeline export conversations --format openai --conversation 5a1cdd1b

Exit codes: 0 done, 1 failed, 2 usage, 3 there is no warehouse, 130 interrupted.`,
		Flags: slices.Concat([]cli.Flag{
			warehouseFlag(),
			&cli.StringFlag{Name: "format", Aliases: []string{"f"}, Usage: "write `FORMAT`: markdown, jsonl or openai"},
			&cli.PathFlag{Name: "out", Usage: "write a file for each conversation into `DIR`, which is made"},
			&cli.PathFlag{Name: "output", Aliases: []string{"o"}, Usage: "write one stream to `FILE`, which is replaced when everything is written"},
		}, filterFlags(), []cli.Flag{
			&cli.StringSliceFlag{Name: "conversation", Usage: "only the conversation of this `ID`, or whose id begins so; repeatable"},
			&cli.StringFlag{Name: "source", Usage: "only conversations of the source of this `ID`"},
			&cli.BoolFlag{Name: "gone", Usage: "also deleted and orphaned conversations"},
			&cli.BoolFlag{Name: "all-branches", Usage: "also what edited prompts left behind and what was deleted, behind the others"},
			&cli.BoolFlag{Name: "full", Usage: "in Markdown also thinking, parameters, results and ids"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print nothing but errors"},
			&cli.BoolFlag{Name: "json", Usage: "print what was written as JSON, with --out or -o"},
		}),
		Action: exportConversationsAction,
	}
}

// A chatExport writes conversations somewhere.
type chatExport struct {
	format      string
	full        bool
	allBranches bool
	terminal    bool // a person's terminal shows the stream
	reader      *load.Reader
	heads       []load.Head
	report      func(done, total int)
	result      exported
}

// exported is what was written.
type exported struct {
	Format        string        `json:"format"`
	Place         string        `json:"to"`
	Conversations int           `json:"conversations"`
	Messages      int           `json:"messages"`
	Written       int           `json:"files_written"`
	Unchanged     int           `json:"files_unchanged"`
	Empty         int           `json:"without_messages"`
	Omitted       *chat.Omitted `json:"messages_left_out,omitempty"`
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
	r, err := load.OpenReader(c.Context, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	e := &chatExport{format: c.String("format"), full: c.Bool("full"), allBranches: c.Bool("all-branches"), reader: r}
	e.result = exported{Format: e.format}
	if e.format == chat.OpenAI {
		e.result.Omitted = &chat.Omitted{}
	}
	if e.heads, err = exportedHeads(c, path, r); err != nil {
		return err
	}
	finish := func() {}
	if !e.intoTerminal(c) { // which shows the conversations themselves
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

// intoTerminal reports that the conversations are printed on a terminal.
func (e *chatExport) intoTerminal(c *cli.Context) bool {
	return c.Path("out") == "" && (c.Path("output") == "" || c.Path("output") == "-") && term.IsTerminal(c.App.Writer)
}

// checkExport refuses flags that do not go together.
func checkExport(c *cli.Context) error {
	formats := []string{chat.Markdown, chat.Lines, chat.OpenAI}
	switch {
	case c.NArg() > 0:
		return &pipelines.UsageError{Message: fmt.Sprintf("export conversations takes no argument %q: name a folder with --out, a file with -o, a conversation with --conversation", c.Args().First())}
	case c.String("format") == "":
		return &pipelines.UsageError{Message: "say in which format: --format " + strings.Join(formats, ", --format ")}
	case !slices.Contains(formats, c.String("format")):
		return &pipelines.UsageError{Message: fmt.Sprintf("there is no format %q: write %s", c.String("format"), strings.Join(formats, ", "))}
	case c.Path("out") != "" && c.Path("output") != "":
		return &pipelines.UsageError{Message: "--out writes a file for each conversation, -o one for all: leave one out"}
	case c.IsSet("out") && c.Path("out") == "":
		return &pipelines.UsageError{Message: "--out needs the name of a folder"}
	case c.Bool("json") && c.Path("out") == "" && (c.Path("output") == "" || c.Path("output") == "-"):
		return &pipelines.UsageError{Message: "--json says what was written to --out or -o; conversations as JSON are --format jsonl"}
	}
	return nil
}

// exportedHeads lists the conversations that are asked for.
func exportedHeads(c *cli.Context, warehouse string, r *load.Reader) ([]load.Head, error) {
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
	heads, err := r.Heads(c.Context, f, c.Bool("gone") || len(named) > 0) // who names one means it, whatever became of it
	if err != nil {
		return nil, err
	}
	source := c.String("source")
	return slices.DeleteFunc(heads, func(h load.Head) bool {
		return len(named) > 0 && !named[h.RowKey] || source != "" && h.SourceID != source
	}), nil
}

// each writes the conversations one by one. Those without a message in the format leave nothing.
func (e *chatExport) each(ctx context.Context, write func(c *chat.Conversation) (messages int, err error)) error {
	done := 0
	for rows, err := range e.reader.Conversations(ctx, e.heads) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		messages, err := write(chat.Choose(rows, e.allBranches))
		if err != nil {
			return err
		}
		if done++; e.report != nil {
			e.report(done, len(e.heads))
		}
		if messages == 0 {
			e.result.Empty++
			continue
		}
		e.result.Conversations++
		e.result.Messages += messages
	}
	return nil
}

// write writes a conversation in the format, and says how many messages are in it; where there are none it writes nothing.
func (e *chatExport) write(ctx context.Context, w io.Writer, c *chat.Conversation) (int, error) {
	switch {
	case e.format == chat.OpenAI:
		return chat.WriteOpenAI(ctx, w, c, e.result.Omitted)
	case len(c.Shown) == 0:
		return 0, nil
	case e.format == chat.Markdown:
		return len(c.Shown), chat.WriteMarkdown(ctx, w, c, e.full)
	}
	return len(c.Shown), chat.WriteJSON(ctx, w, c, false)
}

// intoStream writes one conversation after the other.
func (e *chatExport) intoStream(c *cli.Context, warehouse string) error {
	signal.Ignore(syscall.SIGPIPE) // a reader that has seen enough is no error
	o := outputTo(c)
	e.result.Place = o.File
	e.terminal = e.intoTerminal(c)
	harmless := term.HarmlessJSON
	if e.format == chat.Markdown {
		harmless = term.HarmlessText
	}
	return term.IgnoreBrokenPipe(o.Deliver(warehouse, func(w io.Writer) error {
		return term.Buffered(w, func(w io.Writer) error {
			w = harmless(w, e.terminal)
			return e.each(c.Context, func(shown *chat.Conversation) (int, error) {
				if e.format == chat.Markdown && e.result.Conversations > 0 && len(shown.Shown) > 0 {
					if _, err := io.WriteString(w, "\n---\n\n"); err != nil {
						return 0, err
					}
				}
				return e.write(c.Context, w, shown)
			})
		})
	}))
}

// intoFolder writes a file for each conversation that is new or has changed.
func (e *chatExport) intoFolder(ctx context.Context, dir string) (err error) {
	if err := outpath.Folder(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the folder of the export: %w; name another with --out", err)
	}
	root, err := os.OpenRoot(dir) // whatever a name may hold, nothing is written outside
	if err != nil {
		return fmt.Errorf("open the folder of the export: %w; name another with --out", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	e.result.Place = dir
	names := map[string]load.RowKey{}
	return e.each(ctx, func(c *chat.Conversation) (int, error) {
		key := load.RowKey{SourceID: c.Conversation.SourceID, ConversationID: c.Conversation.ConversationID}
		name := chat.FileName(&c.Conversation, chat.FileEnding(e.format))
		if other, taken := names[strings.ToLower(name)]; taken {
			return 0, fmt.Errorf("conversations %s and %s would both be %s: export them one by one with --conversation", other.ConversationID, key.ConversationID, name)
		}
		f := openChangedFile(root, name)
		messages, err := e.write(ctx, f, c)
		written, finishErr := f.finish(err == nil && messages > 0)
		if err = errors.Join(err, finishErr); err != nil {
			return 0, fmt.Errorf("write %s: %w", filepath.Join(dir, name), err)
		}
		if messages > 0 {
			names[strings.ToLower(name)] = key
		}
		switch {
		case messages == 0:
		case written:
			e.result.Written++
		default:
			e.result.Unchanged++
		}
		return messages, nil
	})
}

// conclude says what was written.
func (e *chatExport) conclude(c *cli.Context) error {
	r, stderr := &e.result, c.App.ErrWriter
	if c.Bool("json") {
		return term.PrintJSON(c.App.Writer, r)
	}
	if c.Bool("quiet") {
		return nil
	}
	if o := r.Omitted; o != nil && *o != (chat.Omitted{}) {
		fmt.Fprintf(stderr, "left out, for the format has no place for them: %s of thinking, %s of unknown role, %s without a text\n",
			term.Plural(int64(o.Thinking), "message"), term.Plural(int64(o.UnknownRole), "message"), term.Plural(int64(o.Empty), "message"))
	}
	if r.Conversations == 0 {
		fmt.Fprintln(stderr, "no conversation matches; --gone adds deleted and orphaned ones")
	}
	switch {
	case c.Path("out") != "":
		fmt.Fprintf(c.App.Writer, "%s, %s: %s written to %s, %d as it was before\n", term.Plural(int64(r.Conversations), "conversation"), term.Plural(int64(r.Messages), "message"),
			term.Plural(int64(r.Written), "file"), term.Printable(r.Place), r.Unchanged)
	case r.Place != "":
		fmt.Fprintf(c.App.Writer, "%s, %s: %s\n", term.Plural(int64(r.Conversations), "conversation"), term.Plural(int64(r.Messages), "message"), term.Printable(r.Place))
	}
	return nil
}
