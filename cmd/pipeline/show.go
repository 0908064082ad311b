package main

import (
	"errors"
	"io"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/chat"
	"pipeline/cmd/pipeline/internal/result"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/reader"
)

func showCommand() *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "read a conversation",
		ArgsUsage: "CONVERSATION",
		Description: `Prints a conversation for people: what was said, tool calls in a line each. CONVERSATION is its id, or the beginning of its id; the id of a
message, or CONVERSATION/MESSAGE, shows the conversation with that message marked. Deleted conversations and orphans are shown too, and say so.

It prints the active branch: what Cursor shows. Messages that an edited prompt left behind, and those that Cursor has deleted since, are counted;
--all-branches shows them after the others.

On a terminal it is shown in a pager: $PAGER, else less. PAGER= or --no-pager prints it directly; NO_COLOR=1 turns colours off.

Examples:
   pipeline show --last           # what was I just doing?
   pipeline show 5a1cdd1b --full  # with thinking and results
   pipeline show 5a1cdd1b --markdown > chat.md
   pipeline show 5a1cdd1b --json | jq -r '.messages[].text'

--json gives the columns of the tables by their names, texts as they are. Ids: pipeline sql "FROM list_conversations()"`,
		Flags: []cli.Flag{
			warehouseFlag(),
			&cli.BoolFlag{Name: "last", Usage: "the conversation with the latest activity that has a message"},
			projectFlag(), timezoneFlag(),
			&cli.StringFlag{Name: "source", Usage: "only conversations of the source of this `ID`"},
			&cli.StringFlag{Name: "to", Usage: "only up to and including `MESSAGE`: its number, its id, or the " +
				"beginning of its id"},
			&cli.BoolFlag{Name: "all-branches",
				Usage: "also messages that edited prompts left behind, and deleted ones, after the others"},
			&cli.BoolFlag{Name: "full", Usage: "also thinking, parameters, results and ids"},
			&cli.BoolFlag{Name: "markdown", Usage: "print Markdown"},
			&cli.BoolFlag{Name: "html", Usage: "print a page for a browser that needs nothing but itself"},
			jsonFlag(),
			&cli.IntFlag{Name: "width", Usage: "wrap texts at this `NUMBER` of columns",
				DefaultText: "the terminal's, elsewhere 80"},
			&cli.BoolFlag{Name: "no-pager", Usage: "print directly to the terminal"},
		},
		Action: showAction,
	}
}

func showAction(c *cli.Context) (err error) {
	if err := checkShow(c); err != nil {
		return err
	}
	path, err := existingWarehouse(c)
	if err != nil {
		return err
	}
	r, err := reader.Open(c.Context, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	result.SayCopy(c.App.ErrWriter, r)
	found, err := wantedConversation(c, r)
	if err != nil {
		return err
	}
	rows, err := r.Conversation(c.Context, found.key)
	if err != nil {
		return err
	}
	shown := chat.Choose(rows, c.Bool("all-branches"))
	if to := c.String("to"); to != "" {
		at, err := messageAt(shown, to)
		if err != nil {
			return err
		}
		shown.UpTo(at)
	}
	shown.Marked = found.message
	zone, err := r.Zone(c.Context)
	if err != nil {
		return err
	}
	terminal, width := terminalOf(c)
	begin := "" // text that the pager shows first
	if found.message != "" {
		begin = chat.Mark
	}
	return term.Page(c.Context, c.App.Writer, c.App.ErrWriter, terminal && !c.Bool("no-pager"),
		begin, func(w io.Writer) error {
			switch {
			case c.Bool("json"):
				return chat.WriteJSON(c.Context, term.HarmlessJSON(w, terminal), shown, true)
			case c.Bool("markdown"):
				return chat.WriteMarkdown(c.Context, term.HarmlessText(w, terminal), shown, c.Bool("full"))
			case c.Bool("html"):
				return term.Buffered(term.HarmlessText(w, terminal), func(w io.Writer) error {
					return chat.WriteHTMLPage(c.Context, w, shown, c.Bool("full"))
				})
			}
			t := &chat.Transcript{Width: width, Full: c.Bool("full"), Colours: terminal && term.ColoursWanted(),
				Zone: zone, Warehouse: warehouseArg(path)}
			return t.Print(c.Context, w, shown)
		})
}

// checkShow refuses flags that cannot be combined.
func checkShow(c *cli.Context) error {
	switch {
	case c.NArg() > 1:
		return usage("one conversation at a time: what is %q?", c.Args().Get(1))
	case c.Bool("last") && c.NArg() > 0:
		return usage("--last takes the conversation with the latest activity: leave %s or --last out", c.Args().First())
	case !c.Bool("last") && c.Args().First() == "":
		return usage("name a conversation, or --last: pipeline show --last; ids: pipeline sql \"FROM " +
			"list_conversations()\"")
	case !c.Bool("last") && c.String("project") != "":
		return usage("--project needs --last")
	case c.Bool("json") && c.Bool("markdown") || c.Bool("html") && (c.Bool("json") || c.Bool("markdown")):
		return usage("--json, --markdown and --html are different formats: choose one")
	case c.IsSet("width") && c.Int("width") < minWidth:
		return usage("--width takes a number of at least %d", minWidth)
	}
	return nil
}

// Widths at which texts are wrapped: the smallest, and the one without a terminal.
const (
	minWidth     = 20
	defaultWidth = 80
)

// terminalOf returns whether the output goes to a terminal, and the width of the text.
func terminalOf(c *cli.Context) (terminal bool, width int) {
	terminal, width = term.IsTerminal(c.App.Writer), term.Width(c.App.Writer)
	if c.IsSet("width") {
		width = c.Int("width")
	}
	if width < minWidth {
		width = defaultWidth
	}
	return terminal, width
}

// wantedConversation finds the conversation that the command line names.
func wantedConversation(c *cli.Context, r *reader.Reader) (wanted, error) {
	source := c.String("source")
	if !c.Bool("last") {
		return resolve(c.Context, r, c.Args().First(), source)
	}
	uris, err := projectOf(c, r)
	if err != nil {
		return wanted{}, err
	}
	found, err := r.Latest(c.Context, reader.Filter{ProjectURIs: uris}, source, 1)
	if err != nil {
		return wanted{}, err
	}
	if len(found) == 0 {
		return wanted{}, usage("there is no conversation with a message whose last activity is known; name one by " +
			"its id: pipeline sql \"FROM list_conversations()\"")
	}
	return wanted{key: found[0].RowKey}, nil
}
