package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/mattn/go-isatty"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/extract"
	"pipeline/load/versions"
)

// This file prints rows and versions of the raw layer.

// sizeOf is the size of a version's value.
func sizeOf(v *versions.RowVersion) string {
	switch {
	case v.Event == versions.EventGone:
		return "-"
	case v.ValueType == "null":
		return "NULL"
	}
	return humanize.Bytes(uint64(max(0, v.ValueBytes)))
}

// eventOf describes what happened in a version.
func eventOf(v *versions.RowVersion) string {
	switch {
	case v.Removed() && v.Event == versions.EventAgain:
		return fmt.Sprintf("version %d again; its value was removed by retention", v.Again)
	case v.Removed():
		return v.Event + "; its value was removed by retention"
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

func placeOf(r *versions.RowHistory) string {
	return term.Printable(fmt.Sprintf("source %s, store %s, table %s", r.SourceID, r.Store, r.Table))
}

// printVersions lists the versions of each row.
func printVersions(c *cli.Context, rows []versions.RowHistory) error {
	if c.Bool("json") {
		return term.PrintJSON(c.App.Writer, rows)
	}
	for i := range rows {
		r := &rows[i]
		if i > 0 {
			fmt.Fprintln(c.App.Writer)
		}
		fmt.Fprintf(c.App.Writer, "%s\n%s\n\n", term.Printable(r.Name), placeOf(r))
		var lines []table.Row
		for j := range r.Versions {
			v := &r.Versions[j]
			hash := cmp.Or(v.Hash[:min(12, len(v.Hash))], "-")
			lines = append(lines, table.Row{v.Version, term.LocalTime(v.ObservedAt), v.LoadID, v.ValueType, sizeOf(v), hash, eventOf(v)})
		}
		term.PlainTable(c.App.Writer, table.Row{"version", "observed", "load", "type", "size", "hash", "event"}, lines, "version", "load", "size")
	}
	return nil
}

// historyLine is a row of a conversation as it is printed as JSON.
type historyLine struct {
	SourceID   string    `json:"source_id"`
	Store      string    `json:"store"`
	Table      string    `json:"table"`
	Key        string    `json:"key"`
	Versions   int       `json:"versions"`
	First      time.Time `json:"first_observed_at"`
	Last       time.Time `json:"last_observed_at"`
	ValueBytes int64     `json:"value_bytes"`
	State      string    `json:"state"`
}

// printConversation lists the rows of a conversation, the latest change first.
func printConversation(c *cli.Context, h *versions.History, path, id string, rows []versions.RowHistory) error {
	slices.SortStableFunc(rows, func(a, b versions.RowHistory) int {
		return cmp.Or(b.Last().ObservedAt.Compare(a.Last().ObservedAt), cmp.Compare(b.Last().LoadID, a.Last().LoadID))
	})
	name := conversationName(c.Context, h, id, rows)
	if c.Bool("json") {
		lines := make([]historyLine, len(rows))
		for i, r := range rows {
			lines[i] = historyLine{r.SourceID, r.Store, r.Table, r.Name, len(r.Versions), r.Versions[0].ObservedAt, r.Last().ObservedAt,
				r.LastValue().ValueBytes, stateOf(&r)}
		}
		return term.PrintJSON(c.App.Writer, map[string]any{"conversation_id": id, "name": name, "rows": lines})
	}
	w := c.App.Writer
	fmt.Fprintln(w, strings.TrimSpace(term.Printable(id)+"  "+term.Printable(name)))
	differ := differing(rows)
	if differ == (differences{}) {
		fmt.Fprintln(w, placeOf(&rows[0]))
	}
	fmt.Fprintln(w)
	header := append(table.Row{"versions", "first observed", "last observed", "size", "state"}, differ.columns("source", "store", "table")...)
	var lines []table.Row
	versions := 0
	for i := range rows {
		r := &rows[i]
		versions += len(r.Versions)
		line := table.Row{len(r.Versions), term.LocalTime(r.Versions[0].ObservedAt), term.LocalTime(r.Last().ObservedAt), sizeOf(r.LastValue()), stateOf(r)}
		lines = append(lines, append(append(line, differ.columns(r.SourceID, r.Store, r.Table)...), term.Printable(r.Name)))
	}
	term.PlainTable(w, append(header, "key"), lines, "versions", "size")
	example := worthALook(id, rows)
	fmt.Fprintf(w, "\n%s, %s. The versions of a row:\n  pipeline history %s%s%s\nWhat changed last in it, or what it holds: add --diff last, or --show last\n",
		term.Plural(int64(len(rows)), "row"), term.Plural(int64(versions), "version"), warehouseArg(path), term.ShellQuote(example.Name), differ.flags(example))
	return nil
}

// worthALook returns the row to suggest first: the latest that has changed, else the conversation's own row.
func worthALook(id string, rows []versions.RowHistory) *versions.RowHistory {
	for _, good := range []func(*versions.RowHistory) bool{
		func(r *versions.RowHistory) bool { return len(r.Versions) > 1 },
		func(r *versions.RowHistory) bool { return r.Name == extract.FamilyComposer+":"+id },
	} {
		for i := range rows {
			if good(&rows[i]) {
				return &rows[i]
			}
		}
	}
	return &rows[0]
}

// versionOf returns the version with that number.
func versionOf(r *versions.RowHistory, n int) (*versions.RowVersion, error) {
	if n == latest {
		return r.Last(), nil
	}
	if n > len(r.Versions) {
		return nil, fmt.Errorf("there is no version %d: %s has %s", n, r.Name, term.Plural(int64(len(r.Versions)), "version"))
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
		fmt.Fprintf(c.App.ErrWriter, "The row has been gone since load %d; this is version %d, the last value that it had.\n", r.Last().LoadID, v.Version)
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
