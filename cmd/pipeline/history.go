package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/extract"
	"pipeline/load"
	"pipeline/pipelines"
)

func historyCommand() *cli.Command {
	return &cli.Command{
		Name:      "history",
		Usage:     "list the versions of a stored row, show one, compare two",
		ArgsUsage: "CONVERSATION|KEY",
		Description: `Of a conversation (its id, or how the id begins) it lists the rows, the latest change first; of a row's key the versions, in order.
It reads the raw layer beside the warehouse, which has what the runs have seen, and not the warehouse: that may be open elsewhere.

Examples:
   pipeline history 5a1cdd1b                                    the rows of a conversation
   pipeline history composerData:ID                             the versions of a row
   pipeline history bubbleId:ID:BUBBLE --diff last              what the latest change was
   pipeline history bubbleId:ID:BUBBLE --diff 1:3               what changed from version 1 to version 3
   pipeline history composerData:ID --show 2 | jq .name         the bytes of version 2 as they were stored

--diff lays JSON out in lines, members in the order in which they are stored. --show prints the very bytes, but on a terminal control
characters as symbols. A row whose key no text can hold is named x'HEX DIGITS', one without a key '(no key):' and how its hash begins.`,
		Flags: []cli.Flag{
			warehouseFlag(),
			&cli.StringFlag{Name: "diff", Usage: "compare two versions of a key: `A:B`, or last for the last two"},
			&cli.StringFlag{Name: "show", Usage: "print version `N` of a key; last: the latest value that it had"},
			&cli.StringFlag{Name: "source", Usage: "only rows of the source of this `ID`"},
			&cli.StringFlag{Name: "store", Usage: "only rows of this `STORE`: global, or workspace/ID"},
			&cli.StringFlag{Name: "table", Usage: "only rows of this `TABLE` of a store"},
			jsonFlag(),
		},
		Action: historyAction,
	}
}

// latest stands for the last version where a number could be.
const latest = -1

// historyQuestion is what the command line asks.
type historyQuestion struct {
	filter load.RowFilter
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
	h, err := load.OpenHistory(c.Context, path)
	if errors.Is(err, load.ErrNoRaw) {
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

// askedHistory reads the command line.
func askedHistory(c *cli.Context) (q historyQuestion, err error) {
	if c.IsSet("diff") && c.IsSet("show") {
		return q, &pipelines.UsageError{Message: "--diff and --show do not go together"}
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
	q.filter = load.RowFilter{Name: c.Args().First(), SourceID: c.String("source"), Store: c.String("store"), Table: c.String("table")}
	return q, nil
}

// versionNumber reads a number that counts from 1, or 'last'.
func versionNumber(text string) (n int, ok bool) {
	if text == "last" {
		return latest, true
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n > 0
}

// noRaw says what to do where nothing was kept.
func noRaw(path string, cause error) error {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return &exitError{exitSource, fmt.Errorf("%w at %s: run 'pipeline run' first, or name another warehouse with --warehouse", cause, load.RawDir(path))}
	}
	return &exitError{exitSource, fmt.Errorf("%w: the warehouse %s has kept no versions in %s. Run 'pipeline run' without --no-raw; they are kept from then on",
		cause, path, load.RawDir(path))}
}

// findRows finds the rows that are meant; conversation is "" if they are those of a key. warehouse is the flag that a pasted line needs.
func findRows(ctx context.Context, h *load.History, f load.RowFilter, warehouse string) (rows []load.RowHistory, conversation string, err error) {
	if rows, err = h.Rows(ctx, f); err != nil {
		return nil, "", err
	}
	if len(rows) == 0 { // it may be how an id begins
		ids, err := h.Conversations(ctx, f)
		switch {
		case err != nil:
			return nil, "", err
		case len(ids) == 0:
			return nil, "", notInHistory(ctx, h, f, warehouse)
		case len(ids) > 1:
			return nil, "", manyBegin(ctx, h, f, ids)
		}
		f.Name = ids[0]
		if rows, err = h.Rows(ctx, f); err != nil {
			return nil, "", err
		}
	}
	for _, r := range rows {
		if r.ConversationID == f.Name {
			return rows, f.Name, nil
		}
	}
	return rows, "", nil
}

// listed is how many of several candidates an error names.
const listed = 5

// manyBegin lists conversations whose ids begin alike.
func manyBegin(ctx context.Context, h *load.History, f load.RowFilter, ids []string) error {
	text := fmt.Sprintf("%s begins the ids of %s; give more of it:", f.Name, term.Plural(int64(len(ids)), "conversation"))
	for _, id := range ids[:min(listed, len(ids))] {
		rows, err := h.Rows(ctx, load.RowFilter{Name: id, SourceID: f.SourceID, Store: f.Store, Table: f.Table})
		if err != nil {
			return err
		}
		text += "\n  " + id
		if name := conversationName(ctx, h, id, rows); name != "" {
			text += "  " + term.Cut(term.Printable(name), 60)
		}
	}
	return errors.New(text + more(len(ids)))
}

// notInHistory says what was looked for, and what comes near.
func notInHistory(ctx context.Context, h *load.History, f load.RowFilter, warehouse string) error {
	text := fmt.Sprintf("no row has the key %s, and no conversation an id that begins so", f.Name)
	for _, limit := range [][2]string{{"source", f.SourceID}, {"store", f.Store}, {"table", f.Table}} {
		if limit[1] != "" {
			text += fmt.Sprintf(", in the %s %s", limit[0], limit[1])
		}
	}
	keys, err := h.Keys(ctx, f)
	if err != nil {
		return err
	}
	if len(keys) > 0 {
		return errors.New(text + ". Keys that begin so:\n  " + strings.Join(keys[:min(listed, len(keys))], "\n  ") + more(len(keys)))
	}
	if _, rest, ok := strings.Cut(f.Name, ":"); ok { // most keys name their conversation
		id, _, _ := strings.Cut(rest, ":")
		rows, err := h.Rows(ctx, load.RowFilter{Name: id})
		if err != nil {
			return err
		}
		if len(rows) > 0 {
			return errors.New(text + ".\nThe keys of that conversation: pipeline history " + warehouse + term.ShellQuote(id))
		}
	}
	return fmt.Errorf("%s.\nConversations and their ids: pipeline sql %s\"FROM list_conversations()\"; rows without one: pipeline history %s'(shared)'",
		text, warehouse, warehouse)
}

func more(n int) string {
	if n <= listed {
		return ""
	}
	return fmt.Sprintf("\n  and %d more", n-listed)
}

// onlyRow is the row that is meant where it has to be a single one.
func onlyRow(rows []load.RowHistory) (*load.RowHistory, error) {
	if len(rows) == 1 {
		return &rows[0], nil
	}
	differ := differing(rows)
	text := fmt.Sprintf("%s are meant; name one:", term.Plural(int64(len(rows)), "row"))
	for _, r := range rows[:min(listed, len(rows))] {
		text += "\n  " + term.ShellQuote(r.Name) + differ.flags(&r)
	}
	return nil, &pipelines.UsageError{Message: text + more(len(rows))}
}

// differences are the parts of a row's place that are not the same for all rows.
type differences struct{ source, store, table bool }

// differing compares the places of rows.
func differing(rows []load.RowHistory) (d differences) {
	for _, r := range rows {
		d.source = d.source || r.SourceID != rows[0].SourceID
		d.store = d.store || r.Store != rows[0].Store
		d.table = d.table || r.Table != rows[0].Table
	}
	return d
}

// flags are those that tell a row from the others.
func (d differences) flags(r *load.RowHistory) (flags string) {
	if d.source {
		flags += " --source " + term.ShellQuote(r.SourceID)
	}
	if d.store {
		flags += " --store " + term.ShellQuote(r.Store)
	}
	if d.table {
		flags += " --table " + term.ShellQuote(r.Table)
	}
	return flags
}

// conversationName is the name that the conversation's own row gives it in its latest value; "" if none does.
func conversationName(ctx context.Context, h *load.History, id string, rows []load.RowHistory) string {
	for i := range rows {
		r := &rows[i]
		if r.Name != extract.FamilyComposer+":"+id {
			continue
		}
		value, err := h.Value(ctx, r, r.LastValue())
		if err != nil {
			continue // the list says as much as without a name
		}
		var named struct {
			Name string `json:"name"`
		}
		if json.Unmarshal(decoded(r, r.LastValue(), value), &named) == nil && named.Name != "" {
			return named.Name
		}
	}
	return ""
}

// decoded is a value without the encoding in which Cursor may have stored it.
func decoded(r *load.RowHistory, v *load.RowVersion, value []byte) []byte {
	return extract.Restore(extract.Document{Store: r.Store, Table: r.Table, Key: r.Name, KeyType: r.KeyType, Type: v.ValueType, Bytes: v.ValueBytes, Raw: value}).Value
}
