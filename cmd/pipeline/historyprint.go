package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
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
		fmt.Fprintf(w, "%s, %s", term.Plural(int64(len(rows)), "row"), term.Plural(int64(total), "version"))
		if nodes > 0 {
			fmt.Fprintf(w, "; %s of the agent's graph, which --json lists", term.Plural(int64(nodes), "node"))
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
		return nil, fmt.Errorf("there is no version %d: %s has %s", n, r.Name,
			term.Plural(int64(len(r.Versions)), "version"))
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
