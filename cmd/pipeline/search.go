package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/reader"
	"pipeline/load/search"
	"pipeline/pipelines"
	"pipeline/sql/schema"
)

func searchCommand() *cli.Command {
	fields := search.Fields()
	return &cli.Command{
		Name:      "search",
		Usage:     "find messages by words, the best matches first",
		ArgsUsage: "WORDS",
		Description: `Searches messages, titles, thinking, and the parameters and results of tool calls for words. Case and accents do not matter. All words must be
in one message; in Chinese, Japanese, Thai and similar scripts, any sequence of characters is found. A title is searched with the first message of its chat.

What was said comes before what tools were given and gave back, words that are close together before others. Where few messages match, a word is also found
by its beginning or in another form: limits finds limiting. Quotes keep a word as it is.

   word             messages with that word
   "two words"      words in a row
   begin*           words with that beginning
   -word            without that word
   this OR that     one of the two
   read_file, a.go  parts of a name, in a row

Put words with a leading - or with quotes into the shell's quotes, as below.

The first search makes an index, a file beside the warehouse (WAREHOUSE.search); loads and searches keep it up to date after that. It may be
removed at any time.

Examples:
   pipeline search migration rollback
   pipeline search '"connection refused"' --project my-app --since 30d
   pipeline search 'deadlock -test' --role user
   pipeline search '接続 エラー' --json | jq -r '.hits[].conversation_id'`,
		Flags: append([]cli.Flag{warehouseFlag(), timezoneFlag(),
			&cli.StringSliceFlag{Name: "in", Usage: "look only into `FIELD`: " + strings.Join(fields[:], ", ") +
				"; repeatable"},
			&cli.IntFlag{Name: "limit", Value: 10, Usage: "show this `NUMBER` of the best matches"},
			&cli.BoolFlag{Name: "deleted", Usage: "also what Cursor no longer has"}},
			append(messageFilterFlags(), jsonFlag())...),
		Action: searchAction,
	}
}

func searchAction(c *cli.Context) (err error) {
	o, err := searchOptions(c)
	if err != nil {
		return err
	}
	path, err := existingWarehouse(c)
	if err != nil {
		return err
	}
	count, finish := searches(c)
	s, err := search.Open(c.Context, path, count)
	finish()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if o.Filter, err = filterOf(c, path, s); err != nil {
		return err
	}
	found, err := s.Find(c.Context, strings.Join(c.Args().Slice(), " "), o)
	if errors.Is(err, search.ErrNoWords) {
		return usage("%s", err)
	}
	if err != nil {
		return err
	}
	return printed(c, found, func(w io.Writer) {
		if len(found.Hits) == 0 {
			fmt.Fprintln(c.App.ErrWriter, noneFound(c.Context, s, path, c.Args().Slice(), o))
			return
		}
		printFound(w, found, warehouseArg(path))
	})
}

// searches shows the progress of the search index, once there is some.
func searches(c *cli.Context) (count func(done, total int), finish func()) {
	line, finish := begin(c, true)
	begun := sync.OnceFunc(func() { line.Phase(phaseWords[pipelines.PhaseIndex]) })
	return func(done, total int) {
		begun()
		line.Count(done, total)
	}, finish
}

func searchOptions(c *cli.Context) (o search.Options, err error) {
	if c.NArg() == 0 {
		return o, usage("search for what? pipeline search WORDS; 'pipeline search --help' shows how")
	}
	o.In, o.Deleted, o.Limit = c.StringSlice("in"), c.Bool("deleted"), c.Int("limit")
	if o.Limit < 1 {
		return o, usage("--limit %d: show at least one", o.Limit)
	}
	fields := search.Fields()
	for _, name := range o.In {
		if !slices.Contains(fields[:], name) {
			return o, usage("--in %q: there are %s", name, strings.Join(fields[:], ", "))
		}
	}
	return o, nil
}

// noneFound suggests what to try if nothing was found.
func noneFound(ctx context.Context, s *search.Search, path string, words []string, o search.Options) string {
	query, wide := strings.Join(words, " "), o
	wide.Filter, wide.In, wide.Limit = reader.Filter{}, nil, 1
	if all, err := s.Find(ctx, query, wide); err == nil && all.Matches > 0 {
		return fmt.Sprintf("nothing found; without the filters %s", matches(all.Matches))
	}
	wide.Deleted = true
	if all, err := s.Find(ctx, query, wide); err == nil && all.Matches > 0 {
		return fmt.Sprintf("nothing found; with --deleted %s", matches(all.Matches))
	}
	if word := search.Unstarred(query); word != "" {
		return "nothing found; a star finds words with that beginning: " +
			inLine("pipeline search "+term.ShellQuote(word+"*"), path)
	}
	return "nothing found"
}

// printFound prints the hits for people.
func printFound(w io.Writer, found search.Found, warehouse string) {
	title, hit, dim := text.Colors{text.Bold}, text.Colors{text.Bold, text.FgHiYellow}, text.Colors{text.Faint}
	if !term.IsTerminal(w) || !term.ColoursWanted() {
		title, hit, dim = nil, nil, nil
	}
	head := matches(found.Matches)
	switch n := int64(len(found.Hits)); {
	case found.More:
		head = fmt.Sprintf("more than %s; the best %d of the newest of them", matches(found.Matches), n)
	case n < found.Matches:
		head += fmt.Sprintf("; the best %d", n)
	}
	fmt.Fprintln(w, head+":")
	for _, h := range found.Hits {
		fmt.Fprintln(w)
		fmt.Fprintln(w, wrapped(title.Sprint(term.Printable(hitTitle(h))), term.Width(w)))
		fmt.Fprintln(w, "  "+strings.ReplaceAll(wrapped(marked(h, hit), term.Width(w)-2), "\n", "\n  "))
		// whole: a terminal that breaks it still gives one line to paste
		fmt.Fprintln(w, "  "+dim.Sprint("pipeline show "+warehouse+term.ShellQuote(h.ConversationID+"/"+h.MessageID)))
	}
}

// wrapped breaks a text at spaces, also one with colours, so that it fits a terminal; one of no width gets it whole.
func wrapped(s string, width int) string {
	if width <= 0 {
		return s
	}
	return text.WrapSoft(s, width)
}

func matches(n int64) string {
	if n == 1 {
		return "1 message matches"
	}
	return humanize.Comma(n) + " messages match"
}

// hitTitle is the heading of a hit: when, where and by whom.
func hitTitle(h search.Hit) string {
	parts := []string{timeText(h.CreatedAt()), cmp.Or(term.OrEmpty(h.Project), "no project"),
		cmp.Or(term.OrEmpty(h.Title), "no title")}
	who := h.Role
	if h.Tool != nil && *h.Tool != "" {
		who = *h.Tool
	}
	if h.FoundIn != "" && h.FoundIn != "text" {
		who += " " + h.FoundIn
	}
	if parts = append(parts, who); h.Deleted {
		parts = append(parts, "deleted")
	}
	return strings.Join(parts, " · ")
}

// marked is the snippet with the matching words highlighted.
func marked(h search.Hit, color text.Colors) string {
	var b strings.Builder
	for _, p := range h.Snippet.Pieces() {
		switch text := term.Flat(p.Text); {
		case !p.Found:
			b.WriteString(text)
		case color == nil:
			b.WriteString("«" + text + "»")
		default:
			b.WriteString(color.Sprint(text))
		}
	}
	return b.String()
}

// timeText is a time in the local time zone, for people.
func timeText(t *schema.Millis) string {
	if t == nil {
		return "no time"
	}
	return time.UnixMilli(int64(*t)).Local().Format("2006-01-02 15:04")
}
