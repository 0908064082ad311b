package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/mattn/go-isatty"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/extract"
	"pipeline/load/rawlog"
	"pipeline/load/versions"
)

func historyCommand() *cli.Command {
	return &cli.Command{
		Name:      "history",
		Usage:     "list the versions of a stored row, or show one",
		ArgsUsage: "CONVERSATION|KEY",
		Description: `For the id of a conversation it lists the rows, the latest change first; for a row's key the versions, in order.
It reads the raw layer beside the warehouse, which holds what the runs have seen. It does not read the warehouse, which may be
open elsewhere.

Examples:
   pipeline history 5a1cdd1b-0000-4000-8000-000000000001  # a conversation
   pipeline history composerData:ID                       # a row
   pipeline history composerData:ID --show 2 | jq .name   # as it was stored

--show prints the exact bytes; on a terminal, symbols replace control characters. A row whose key is no valid text is named
x'HEX DIGITS', and a row without a key '(no key):' and the beginning of its hash.

A chat of the command line is described by the row 0 of its table meta, and by the file meta.json. The nodes of the agent's
graph never change, so they are only counted; --json lists each. Conversations can share a node: --conversation names one.`,
		Flags: []cli.Flag{
			warehouseFlag(), timezoneFlag(),
			&cli.StringFlag{Name: "show", Usage: "print the version of this `NUMBER`; last: the latest value that it " +
				"had"},
			&cli.StringFlag{Name: "source", Usage: "only rows of the source of this `ID`"},
			&cli.StringFlag{Name: "store", Usage: "only rows of this `STORE`: global, workspace/ID, or the folder of " +
				"a chat"},
			&cli.StringFlag{Name: "table", Usage: "only rows of this `TABLE` of a store"},
			&cli.StringFlag{Name: "conversation", Usage: "only rows of the conversation of this `ID`"},
			jsonFlag(),
		},
		Action: historyAction,
	}
}

func historyAction(c *cli.Context) (err error) {
	show := 0
	if c.IsSet("show") {
		if show, err = versionNumber(c.String("show")); err != nil {
			return err
		}
	}
	if c.Args().Len() != 1 || c.Args().First() == "" {
		return usage("name one conversation or one key: pipeline history composerData:ID; ids: %s", askIDs(c))
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
	f := versions.RowFilter{Name: c.Args().First(), SourceID: c.String("source"), Store: c.String("store"),
		Table: c.String("table"), Conversation: c.String("conversation")}
	rows, err := historyRows(c.Context, h, f, warehouseArg(path))
	isConversation := slices.ContainsFunc(rows, func(r versions.RowHistory) bool { return r.ConversationID == f.Name })
	switch {
	case err != nil:
		return err
	case show == 0 && isConversation:
		return printConversation(c, f.Name, rows)
	case show == 0:
		return printed(c, map[string][]versions.RowHistory{"rows": rows}, func(w io.Writer) { printVersions(w, rows) })
	case isConversation:
		return usage("--show takes the key of one row, and %s is a conversation of %s. Its keys: pipeline history %s%s",
			term.Printable(f.Name), term.Plural(len(rows), "row"), warehouseArg(path), term.ShellQuote(f.Name))
	}
	row, err := onlyRow(rows)
	if err != nil {
		return err
	}
	return showVersion(c, h, row, show)
}

// historyRows are the rows that the command line names. warehouse is the flag to add to command lines in errors.
func historyRows(ctx context.Context, h *versions.History, f versions.RowFilter,
	warehouse string) ([]versions.RowHistory, error) {
	rows, err := h.Rows(ctx, f)
	if err != nil || len(rows) > 0 {
		return rows, err
	}
	text := "no conversation has the id " + f.Name + ", and no row that key"
	for _, limit := range [][2]string{{"source", f.SourceID}, {"store", f.Store}, {"table", f.Table},
		{"conversation", f.Conversation}} {
		if limit[1] != "" {
			text += fmt.Sprintf(", in the %s %s", limit[0], limit[1])
		}
	}
	return nil, fmt.Errorf("%s.\nConversations and their ids: pipeline sql %s\"FROM list_conversations()\"; rows "+
		"without one: pipeline history %s'(shared)'",
		text, warehouse, warehouse)
}

// versionNumber parses a number that counts from 1, or 'last'.
func versionNumber(text string) (int, error) {
	if text == "last" {
		return latest, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, usage("--show takes the number of a version, or 'last', not %q", text)
	}
	return n, nil
}

// noRaw says what to do if the raw layer is empty.
func noRaw(path string, cause error) error {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return &exitError{exitSource,
			fmt.Errorf("%w at %s: run 'pipeline run' first, or name another warehouse with --warehouse", cause,
				rawlog.Dir(path))}
	}
	return &exitError{exitSource,
		fmt.Errorf("%w: the warehouse %s has no versions in %s: the next 'pipeline run' writes those that the stores "+
			"still hold",
			cause, path, rawlog.Dir(path))}
}

// onlyRow returns the single row, or an error that says how to name one.
func onlyRow(rows []versions.RowHistory) (*versions.RowHistory, error) {
	if len(rows) == 1 {
		return &rows[0], nil
	}
	text := fmt.Sprintf("%s match; name one:", term.Plural(len(rows), "row"))
	for _, r := range rows[:min(listed, len(rows))] {
		text += fmt.Sprintf("\n  --source %s --store %s --table %s --conversation %s", term.ShellQuote(r.SourceID),
			term.ShellQuote(r.Store), term.ShellQuote(r.Table), term.ShellQuote(r.ConversationID))
	}
	return nil, usage("%s%s", text, more(len(rows)))
}

// sizeOf is the size of a version's value.
func sizeOf(v *versions.RowVersion) string {
	switch {
	case v.Event == versions.EventGone:
		return "-"
	case v.ValueType == "null":
		return "NULL"
	}
	return term.Size(v.ValueBytes)
}

// eventOf describes what happened in a version.
func eventOf(v *versions.RowVersion) string {
	switch {
	case v.Event == versions.EventAgain && v.Again == 0:
		return "an earlier version again, whose value is lost"
	case v.Event == versions.EventAgain:
		return fmt.Sprintf("version %d again", v.Again)
	}
	return v.Event
}

// stateOf says whether the row still exists.
func stateOf(r *versions.RowHistory) string {
	if r.Last().Event == versions.EventGone {
		return "gone"
	}
	return "present"
}

// printVersions lists the versions of each row.
func printVersions(w io.Writer, rows []versions.RowHistory) {
	for i := range rows {
		r := &rows[i]
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s\n%s\n\n", term.Printable(r.Name),
			term.Printable(fmt.Sprintf("source %s, store %s, table %s, conversation %s", r.SourceID, r.Store, r.Table,
				cmp.Or(r.ConversationID, "-"))))
		var lines []table.Row
		for j := range r.Versions {
			v := &r.Versions[j]
			hash := cmp.Or(v.Hash[:min(12, len(v.Hash))], "-")
			lines = append(lines, table.Row{v.Version, term.LocalTime(v.ObservedAt), v.LoadID, v.ValueType, sizeOf(v),
				hash, eventOf(v)})
		}
		term.PlainTable(w, table.Row{"version", "observed", "load", "type", "size", "hash", "event"}, lines,
			"version", "load", "size")
	}
}

// historyLine is a row of a conversation as it is printed as JSON.
type historyLine struct {
	SourceID   string    `json:"source_id"`
	Store      string    `json:"store"`
	Table      string    `json:"table"`
	Family     string    `json:"family"`
	Key        string    `json:"key"`
	Versions   int       `json:"versions"`
	First      time.Time `json:"first_observed_at"`
	Last       time.Time `json:"last_observed_at"`
	ValueBytes int64     `json:"value_bytes"`
	State      string    `json:"state"`
}

// printConversation lists the rows of a conversation, the latest change first.
func printConversation(c *cli.Context, id string, rows []versions.RowHistory) error {
	slices.SortStableFunc(rows, func(a, b versions.RowHistory) int {
		return cmp.Or(b.Last().ObservedAt.Compare(a.Last().ObservedAt), cmp.Compare(b.Last().LoadID, a.Last().LoadID))
	})
	out, total, nodes := make([]historyLine, len(rows)), 0, 0
	var lines []table.Row
	for i := range rows {
		r := &rows[i]
		total += len(r.Versions)
		out[i] = historyLine{r.SourceID, r.Store, r.Table, r.Family, r.Name, len(r.Versions), r.Versions[0].ObservedAt,
			r.Last().ObservedAt, r.LastValue().ValueBytes, stateOf(r)}
		if r.Family == extract.FamilyNode || r.Family == extract.FamilyCLINode {
			// its key is a hash of its value, so it never changes
			nodes++
			continue
		}
		lines = append(lines, table.Row{len(r.Versions), term.LocalTime(out[i].First), term.LocalTime(out[i].Last),
			sizeOf(r.LastValue()), out[i].State, term.Printable(r.SourceID), term.Printable(r.Store),
			term.Printable(r.Table), term.Printable(r.Name)})
	}
	return printed(c, map[string]any{"conversation_id": id, "rows": out}, func(w io.Writer) {
		if len(lines) > 0 {
			term.PlainTable(w, table.Row{"versions", "first observed", "last observed", "size", "state", "source",
				"store", "table", "key"}, lines, "versions", "size")
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s, %s", term.Plural(len(rows), "row"), term.Plural(total, "version"))
		if nodes > 0 {
			fmt.Fprintf(w, "; %s of the agent's graph, which --json lists", term.Plural(nodes, "node"))
		}
		fmt.Fprintln(w, ". A row's versions: pipeline history KEY; what it holds: --show last")
	})
}

// versionOf returns the version with that number.
func versionOf(r *versions.RowHistory, n int) (*versions.RowVersion, error) {
	if n == latest {
		return r.Last(), nil
	}
	if n > len(r.Versions) {
		return nil, fmt.Errorf("there is no version %d: %s has %s", n, r.Name, term.Plural(len(r.Versions), "version"))
	}
	return &r.Versions[n-1], nil
}

// showVersion prints a value as it is stored.
func showVersion(c *cli.Context, h *versions.History, r *versions.RowHistory, n int) error {
	v, err := versionOf(r, n)
	if err != nil {
		return err
	}
	if n == latest && v.Event == versions.EventGone {
		v = r.LastValue()
		fmt.Fprintf(c.App.ErrWriter, "The row has been gone since load %d; this is version %d, the last value that it "+
			"had.\n", r.Last().LoadID, v.Version)
	}
	value, err := h.Value(c.Context, r, v)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		out := map[string]any{"source_id": r.SourceID, "store": r.Store, "table": r.Table, "key": r.Name, "version": v}
		switch {
		case value == nil:
			out["value"] = nil
		case utf8.Valid(value):
			out["value"] = string(value)
		default:
			out["value_base64"] = value
		}
		return term.PrintJSON(c.App.Writer, out)
	}
	if value == nil {
		fmt.Fprintf(c.App.ErrWriter, "Version %d is NULL.\n", v.Version)
	}
	if f, ok := c.App.Writer.(*os.File); ok && isatty.IsTerminal(f.Fd()) {
		_, err = fmt.Fprintln(f, term.PrintableLines(string(value)))
		return err
	}
	_, err = c.App.Writer.Write(value)
	return err
}

// latest means the last version, in place of a number.
const latest = -1
