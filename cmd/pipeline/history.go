package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/versions"
	"pipeline/pipelines"
)

func historyCommand() *cli.Command {
	return &cli.Command{
		Name:      "history",
		Usage:     "list the versions of a stored row, show one, compare two",
		ArgsUsage: "CONVERSATION|KEY",
		Description: `For a conversation (its id, or the beginning of its id) it lists the rows, the latest change first; for a row's key the versions, in order.
It reads the raw layer beside the warehouse, which holds what the runs have seen. It does not read the warehouse, which may be open elsewhere.

Examples:
   pipeline history 5a1cdd1b                             # a conversation
   pipeline history composerData:ID                      # a row
   pipeline history composerData:ID --diff last          # the latest change
   pipeline history composerData:ID --show 2 | jq .name  # as it was stored

--diff splits JSON into lines, with the members in the order in which they are stored. --show prints the exact bytes; on a terminal,
symbols replace control characters. A row whose key is no valid text is named x'HEX DIGITS', and a row without a key '(no key):' and the
beginning of its hash.

A chat of the command line is described by the row 0 of its table meta, and by the file meta.json. The nodes of the agent's graph never
change, so they are only counted; a node that is gone is no longer part of its conversation's graph. --nodes lists each. Conversations can
share a node: --conversation names one of them.`,
		Flags: []cli.Flag{
			warehouseFlag(), timezoneFlag(),
			&cli.StringFlag{Name: "diff", Usage: "compare two versions: `FROM:TO`, or last for the last two"},
			&cli.StringFlag{Name: "show", Usage: "print the version of this `NUMBER`; last: the latest value that it had"},
			&cli.StringFlag{Name: "source", Usage: "only rows of the source of this `ID`"},
			&cli.StringFlag{Name: "store", Usage: "only rows of this `STORE`: global, workspace/ID, or the folder of a chat"},
			&cli.StringFlag{Name: "table", Usage: "only rows of this `TABLE` of a store"},
			&cli.StringFlag{Name: "conversation", Usage: "only rows of the conversation of this `ID`"},
			&cli.BoolFlag{Name: "nodes", Usage: "also each node of the agent's graph"},
			jsonFlag(),
		},
		Action: historyAction,
	}
}

// latest means the last version, in place of a number.
const latest = -1

// historyQuestion is what the command line asks for.
type historyQuestion struct {
	filter versions.RowFilter
	diff   []int // two versions; nil: no diff. Both latest: the last two
	show   int   // a version; 0: none
}

func historyAction(c *cli.Context) (err error) {
	q, err := askedHistory(c)
	if err != nil {
		return err
	}
	path, err := warehousePath(c)
	if err != nil {
		return err
	}
	h, err := versions.OpenHistory(c.Context, path)
	if errors.Is(err, versions.ErrNoRaw) {
		return noRaw(path, err)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	for _, skipped := range h.Skipped {
		fmt.Fprintln(c.App.ErrWriter, "warning: "+term.PrintableLines(skipped.Error()))
	}
	rows, conversation, err := findRows(c.Context, h, q.filter, warehouseArg(path))
	switch {
	case err != nil:
		return err
	case conversation != "" && (q.diff != nil || q.show != 0):
		return &pipelines.UsageError{Message: fmt.Sprintf("--diff and --show take the key of one row, and %s is a conversation of %s. Its keys: pipeline history %s%s",
			term.Printable(conversation), term.Plural(int64(len(rows)), "row"), warehouseArg(path), term.ShellQuote(conversation))}
	case conversation != "":
		return printConversation(c, h, path, conversation, rows)
	case q.diff == nil && q.show == 0:
		return printVersions(c, rows)
	}
	row, err := onlyRow(rows)
	if err != nil {
		return err
	}
	if q.show != 0 {
		return showVersion(c, h, row, q.show)
	}
	return diffVersions(c, h, row, q.diff)
}

// askedHistory parses the command line.
func askedHistory(c *cli.Context) (q historyQuestion, err error) {
	if c.IsSet("diff") && c.IsSet("show") {
		return q, &pipelines.UsageError{Message: "--diff and --show cannot be combined"}
	}
	if c.IsSet("show") {
		n, ok := versionNumber(c.String("show"))
		if !ok {
			return q, &pipelines.UsageError{Message: fmt.Sprintf("--show takes the number of a version, or 'last', not %q", c.String("show"))}
		}
		q.show = n
	}
	if c.IsSet("diff") {
		from, to, two := strings.Cut(c.String("diff"), ":")
		if !two {
			to = from
		}
		a, ok1 := versionNumber(from)
		b, ok2 := versionNumber(to)
		if !ok1 || !ok2 || !two && a != latest {
			return q, &pipelines.UsageError{Message: fmt.Sprintf("--diff takes two versions, 1:2, or 'last' for the last two, not %q", c.String("diff"))}
		}
		q.diff = []int{a, b}
	}
	if c.Args().Len() != 1 || c.Args().First() == "" {
		return q, &pipelines.UsageError{Message: "name one conversation or one key: pipeline history composerData:ID; ids: pipeline sql \"FROM list_conversations()\""}
	}
	q.filter = versions.RowFilter{Name: c.Args().First(), SourceID: c.String("source"), Store: c.String("store"), Table: c.String("table"), Conversation: c.String("conversation")}
	return q, nil
}

// versionNumber parses a number that counts from 1, or 'last'.
func versionNumber(text string) (n int, ok bool) {
	if text == "last" {
		return latest, true
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n > 0
}
