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
	"pipeline/load"
	"pipeline/pipelines"
	"pipeline/sql/schema"
)

func searchCommand() *cli.Command {
	fields := load.SearchFields()
	return &cli.Command{
		Name:      "search",
		Usage:     "find messages by their words, the best first",
		ArgsUsage: "WORDS",
		Description: `Looks for words in what was said and thought, and in what tools were told and gave back. Case and accents do not count. All words must be in
one message; in Chinese, Japanese, Thai and the like, characters in a row are found anywhere.

   word             messages with that word            "two words"      words in a row
   begin*           words that begin so                -word            not with that word
   this OR that     one of the two                     read_file, a.go  parts of a name, in a row

A word with a - or quotes before it goes into the shell's quotes, as below.

The first search makes an index, a file beside the warehouse (WAREHOUSE.search); loads and searches keep it up to date after that. It may be
removed at any time.

Examples:
   pipeline search migration rollback
   pipeline search '"connection refused"' --project my-app --since 30d
   pipeline search 'deadlock -test' --role user
   pipeline search 'exit status' --in result --tool run_terminal_command
   pipeline search '接続 エラー' --json | jq -r '.hits[].conversation_id'`,
		Flags: append([]cli.Flag{warehouseFlag(),
			&cli.StringSliceFlag{Name: "in", Usage: "look only into `FIELD`: " + strings.Join(fields[:], ", ") + "; repeatable"},
			&cli.IntFlag{Name: "limit", Aliases: []string{"n"}, Value: 10, Usage: "show the best `N`"},
			&cli.BoolFlag{Name: "deleted", Usage: "also what Cursor no longer has"}}, append(messageFilterFlags(), jsonFlag())...),
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
	s, err := load.OpenSearch(c.Context, path, count)
	finish()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if o.Filter, err = filterOf(c, path, s); err != nil {
		return err
	}
	found, err := s.Find(c.Context, strings.Join(c.Args().Slice(), " "), o)
	if errors.Is(err, load.ErrNoWords) {
		return &pipelines.UsageError{Message: err.Error()}
	}
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return term.PrintJSON(c.App.Writer, found)
	}
	if len(found.Hits) == 0 {
		fmt.Fprintln(c.App.ErrWriter, noneFound(c.Context, s, c.Args().Slice(), o))
		return nil
	}
	printFound(c.App.Writer, found, warehouseArg(path))
	return nil
}

// searches shows how far the search index has come, once there is something to do for it.
func searches(c *cli.Context) (count func(done, total int), finish func()) {
	line, finish := begin(c, true)
	begun := sync.OnceFunc(func() { line.Phase(phaseWords[pipelines.PhaseIndex]) })
	return func(done, total int) {
		begun()
		line.Count(done, total)
	}, finish
}

func searchOptions(c *cli.Context) (o load.SearchOptions, err error) {
	if c.NArg() == 0 {
		return o, &pipelines.UsageError{Message: "search for what? pipeline search WORDS; 'pipeline search --help' shows how"}
	}
	o.In, o.Deleted, o.Limit = c.StringSlice("in"), c.Bool("deleted"), c.Int("limit")
	if o.Limit < 1 {
		return o, &pipelines.UsageError{Message: fmt.Sprintf("--limit %d: show at least one", o.Limit)}
	}
	fields := load.SearchFields()
	for _, name := range o.In {
		if !slices.Contains(fields[:], name) {
			return o, &pipelines.UsageError{Message: fmt.Sprintf("--in %q: there are %s", name, strings.Join(fields[:], ", "))}
		}
	}
	return o, nil
}

// noneFound says what to try.
func noneFound(ctx context.Context, s *load.Search, words []string, o load.SearchOptions) string {
	wide := o
	wide.Filter, wide.In, wide.Limit = load.Filter{}, nil, 1
	if all, err := s.Find(ctx, strings.Join(words, " "), wide); err == nil && all.Matches > 0 {
		return fmt.Sprintf("nothing found; without the filters %s", matches(all.Matches))
	}
	wide.Deleted = true
	if all, err := s.Find(ctx, strings.Join(words, " "), wide); err == nil && all.Matches > 0 {
		return fmt.Sprintf("nothing found; with --deleted %s", matches(all.Matches))
	}
	return "nothing found; a star finds words that begin so: pipeline search " + term.ShellQuote(words[0]+"*")
}

func matches(n int64) string {
	if n == 1 {
		return "1 message matches"
	}
	return humanize.Comma(n) + " messages match"
}

// printFound shows what was found to people.
func printFound(w io.Writer, found load.SearchFound, warehouse string) {
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
		fmt.Fprintln(w, title.Sprint(term.Printable(hitTitle(h))))
		fmt.Fprintln(w, "  "+marked(h, hit))
		fmt.Fprintln(w, "  "+dim.Sprint("pipeline show "+warehouse+term.ShellQuote(h.ConversationID+"/"+h.MessageID)))
	}
}

// hitTitle says when, where and by whom.
func hitTitle(h load.SearchHit) string {
	parts := []string{timeText(h.CreatedAt()), cmp.Or(term.OrEmpty(h.Project), "no project"), cmp.Or(term.OrEmpty(h.Title), "no title")}
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

// marked is the snippet with what was looked for made to stand out.
func marked(h load.SearchHit, color text.Colors) string {
	var b strings.Builder
	if h.Snippet.Before {
		b.WriteString("… ")
	}
	at := 0
	for _, hit := range h.Snippet.Hits {
		b.WriteString(flat(h.Snippet.Text[at:hit[0]]))
		if word := flat(h.Snippet.Text[hit[0]:hit[1]]); color == nil {
			b.WriteString("«" + word + "»")
		} else {
			b.WriteString(color.Sprint(word))
		}
		at = hit[1]
	}
	b.WriteString(flat(h.Snippet.Text[at:]))
	if h.Snippet.After {
		b.WriteString(" …")
	}
	return b.String()
}

// flat is a text in one line, as a terminal may have it.
func flat(s string) string {
	words := strings.Fields(s)
	out := strings.Join(words, " ")
	if len(words) > 0 && strings.TrimLeft(s, " \t\r\n") != s {
		out = " " + out
	}
	if len(words) == 0 && s != "" || len(words) > 0 && strings.TrimRight(s, " \t\r\n") != s {
		out += " "
	}
	return term.Printable(out)
}

// timeText is a time as people read it where they are.
func timeText(t *schema.Millis) string {
	if t == nil {
		return "no time"
	}
	return time.UnixMilli(int64(*t)).Local().Format("2006-01-02 15:04")
}
