package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"pipeline/load/search"
	"pipeline/pipelines"
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
