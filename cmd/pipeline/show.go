package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/chat"
	"pipeline/cmd/pipeline/internal/result"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load"
	"pipeline/load/reader"
	"pipeline/pipelines"
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
		at, err := messageAt(shown, to, path)
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
		return usage("name a conversation, or --last: pipeline show --last; ids: %s", askIDs(c))
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
		return wanted{}, usage("there is no conversation with a message whose last activity is known; name one by "+
			"its id: %s", askIDs(c))
	}
	return wanted{key: found[0].RowKey}, nil
}

// resolve finds the conversation for a name: its id, the beginning of its id, the id of one of its messages, or
// CONVERSATION/MESSAGE.
func resolve(ctx context.Context, r *reader.Reader, name, source string) (wanted, error) {
	found, err := r.HeadsOf(ctx, name, source)
	if err != nil {
		return wanted{}, err
	}
	if len(found) > 0 {
		return onlyHead(name, found, "")
	}
	if conversation, message, two := cutLast(name, "/"); two {
		if found, err = r.HeadsOf(ctx, conversation, source); err != nil {
			return wanted{}, err
		}
		if len(found) > 0 {
			out, err := onlyHead(conversation, found, message)
			if err != nil {
				return wanted{}, err
			}
			return out, hasMessage(ctx, r, out)
		}
	}
	if found, err = r.HeadsWith(ctx, name, source); err != nil {
		return wanted{}, err
	}
	if len(found) > 0 {
		return onlyHead(name, found, name)
	}
	return wanted{}, notFound(ctx, r, name, source)
}

func cutLast(s, sep string) (before, after string, found bool) {
	at := strings.LastIndex(s, sep)
	if at <= 0 || at+len(sep) == len(s) {
		return "", "", false
	}
	return s[:at], s[at+len(sep):], true
}

// hasMessage returns an error if the conversation does not have the message.
func hasMessage(ctx context.Context, r *reader.Reader, w wanted) error {
	found, err := r.HeadsWith(ctx, w.message, w.key.SourceID)
	if err == nil && !slices.ContainsFunc(found, func(h reader.Head) bool { return h.RowKey == w.key }) {
		return usage("conversation %s has no message %s", w.key.ConversationID, w.message)
	}
	return err
}

// onlyHead returns the single conversation, or an error that lists the candidates. Of a conversation that several
// sources have it takes the primary, if that is among those found.
func onlyHead(name string, found []reader.Head, message string) (wanted, error) {
	if len(found) > 1 {
		found = withoutCopies(found)
	}
	if len(found) == 1 {
		return wanted{found[0].RowKey, message}, nil
	}
	hint := "give more of it:"
	if slices.ContainsFunc(found[1:], func(h reader.Head) bool { return h.ConversationID == found[0].ConversationID }) {
		hint = "give more of it, or --source ID:"
	}
	what := "matches the beginning of the ids of"
	switch name {
	case found[0].ConversationID:
		what = "is the id of"
	case message:
		what = "is the id of a message of"
	}
	text := fmt.Sprintf("%s %s %s; %s", name, what, term.Plural(len(found), "conversation"), hint)
	return wanted{}, usage("%s%s", text, headLines(found))
}

// withoutCopies leaves out the copies of conversations whose primary is in the list.
func withoutCopies(found []reader.Head) (out []reader.Head) {
	primary := map[string]bool{}
	for _, h := range found {
		primary[h.ConversationID] = primary[h.ConversationID] || !h.Copy
	}
	for _, h := range found {
		if !h.Copy || !primary[h.ConversationID] {
			out = append(out, h)
		}
	}
	return out
}

// headLines lists conversations for an error, so that the user can choose one.
func headLines(found []reader.Head) string {
	text, sources := "", map[string]bool{}
	for _, h := range found {
		sources[h.SourceID] = true
	}
	for _, h := range found[:min(listed, len(found))] {
		text += "\n  " + term.ShellQuote(h.ConversationID) + "  " +
			cmp.Or(chat.LocalTime(h.LastActivityAt), "(no time)")
		if len(sources) > 1 {
			text += "  source " + h.SourceID
		}
		text += "  " + term.Cut(term.Printable(chat.Title(h.Title)), 60)
		if h.Gone {
			text += " (deleted)"
		}
	}
	return text + more(len(found))
}

// notFound suggests conversations: those whose title has the words, else those with a similar id.
func notFound(ctx context.Context, r *reader.Reader, name, source string) error {
	all, err := r.HeadsOf(ctx, "", source) // all of them: every id begins with ""
	if err != nil {
		return err
	}
	text := fmt.Sprintf("there is no conversation %s, and none whose id begins with it", name)
	if source != "" {
		text += ", in the source " + source
	}
	var near []reader.Head
	for _, h := range all {
		if h.Title != nil && strings.Contains(strings.ToLower(*h.Title), strings.ToLower(name)) {
			near = append(near, h)
		}
	}
	if len(near) == 0 {
		ids, byID := []string{}, map[string]reader.Head{}
		for _, h := range all {
			begin := []rune(h.ConversationID)
			id := string(begin[:min(len([]rune(name)), len(begin))])
			if _, ok := byID[id]; !ok {
				ids, byID[id] = append(ids, id), h
			}
		}
		for _, id := range pipelines.Nearest(name, ids) {
			near = append(near, byID[id])
		}
	}
	if len(near) > 0 {
		text += "; the nearest are:" + headLines(near)
	}
	return usage("%s", text)
}

// A wanted conversation, and the message if one was given.
type wanted struct {
	key     load.RowKey
	message string
}

// messageAt finds a message by its id, its number, or the beginning of its id. An error names the warehouse.
func messageAt(c *chat.Conversation, wanted, warehouse string) (int, error) {
	var begin []int
	for i, at := range c.Shown {
		m := &c.Places[at]
		if m.MessageID == wanted {
			return i, nil
		}
		if strings.HasPrefix(m.MessageID, wanted) {
			begin = append(begin, i)
		}
	}
	if n, err := strconv.ParseInt(wanted, 10, 64); err == nil {
		for i, at := range c.Shown {
			if position := c.Places[at].Position; position != nil && *position == n {
				return i, nil
			}
		}
	}
	id := c.Conversation.ConversationID
	switch {
	case len(begin) == 1:
		return begin[0], nil
	case len(begin) > 1:
		text := fmt.Sprintf("%s matches the beginning of the ids of %s; give more of it:", wanted,
			term.Plural(len(begin), "message"))
		for _, i := range begin[:min(listed, len(begin))] {
			text += "\n  " + c.Places[c.Shown[i]].MessageID
		}
		return 0, usage("%s%s", text, more(len(begin)))
	}
	for _, m := range c.Places {
		if m.Branch != reader.BranchActive && strings.HasPrefix(m.MessageID, wanted) {
			return 0, usage("message %s of conversation %s is %s: add --all-branches", m.MessageID, id, m.Branch)
		}
	}
	return 0, usage("conversation %s has no message %s; it has %s. Numbers and ids: %s", id, wanted,
		term.Plural(len(c.Shown), "message"), inLine("pipeline show "+term.ShellQuote(id)+" --full", warehouse))
}

// listed is how many candidates an error names.
const listed = 5

// more says how many candidates are not named.
func more(n int) string {
	if n <= listed {
		return ""
	}
	return fmt.Sprintf("\n  and %d more", n-listed)
}
