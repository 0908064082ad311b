package main

import (
	"cmp"
	"fmt"
	"io"
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
	differ := differing(rows)
	if c.Bool("json") {
		return term.PrintJSON(c.App.Writer, map[string][]versions.RowHistory{"rows": rows})
	}
	for i := range rows {
		r := &rows[i]
		if i > 0 {
			fmt.Fprintln(c.App.Writer)
		}
		place := placeOf(r)
		if differ.conversation {
			place += ", conversation " + term.Printable(r.ConversationID)
		}
		fmt.Fprintf(c.App.Writer, "%s\n%s\n\n", term.Printable(r.Name), place)
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
	Family     string    `json:"family"`
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
			lines[i] = historyLine{r.SourceID, r.Store, r.Table, r.Family, r.Name, len(r.Versions), r.Versions[0].ObservedAt, r.Last().ObservedAt,
				r.LastValue().ValueBytes, stateOf(&r)}
		}
		return term.PrintJSON(c.App.Writer, map[string]any{"conversation_id": id, "name": name, "rows": lines})
	}
	w := c.App.Writer
	fmt.Fprintln(w, strings.TrimSpace(term.Printable(id)+"  "+term.Printable(name)))
	printRows(c, rows)
	total := 0
	for i := range rows {
		total += len(rows[i].Versions)
	}
	example := worthALook(id, rows)
	flags := differing(rows)
	flags.conversation = flags.conversation || !strings.Contains(example.Name, id) // others may have a row of that key
	fmt.Fprintf(w, "\n%s, %s. The versions of a row:\n  pipeline history %s%s%s\nWhat changed last in it, or what it holds: add --diff last, or --show last\n",
		term.Plural(int64(len(rows)), "row"), term.Plural(int64(total), "version"), warehouseArg(path), term.ShellQuote(example.Name), flags.flags(example))
	return nil
}

// printRows lists rows of a conversation. The nodes of the agent's graph are only counted, unless each is asked for.
func printRows(c *cli.Context, rows []versions.RowHistory) {
	w := c.App.Writer
	var listed, nodes []versions.RowHistory
	for _, r := range rows {
		if isNode(&r) && !c.Bool("nodes") {
			nodes = append(nodes, r)
			continue
		}
		listed = append(listed, r)
	}
	differ := differing(listed)
	place := differ.place(&rows[0])
	if len(listed) > 0 {
		place = differ.place(&listed[0])
	}
	fmt.Fprintf(w, "%s\n\n", place)
	var lines []table.Row
	for i := range listed {
		r := &listed[i]
		line := table.Row{len(r.Versions), term.LocalTime(r.Versions[0].ObservedAt), term.LocalTime(r.Last().ObservedAt), sizeOf(r.LastValue()), stateOf(r)}
		lines = append(lines, append(append(line, differ.columns(r)...), term.Printable(r.Name)))
	}
	if len(listed) > 0 {
		header := append(table.Row{"versions", "first observed", "last observed", "size", "state"}, differ.headings()...)
		term.PlainTable(w, append(header, "key"), lines, "versions", "size")
	}
	if len(nodes) > 0 {
		printNodes(w, nodes, len(listed) > 0)
	}
}

// isNode reports a node of the agent's graph. Its key is a hash of its value, so it never changes.
func isNode(r *versions.RowHistory) bool {
	return r.Family == extract.FamilyNode || r.Family == extract.FamilyCLINode
}

// printNodes counts nodes of the agent's graph by the time at which they were first observed, in the order of the rows.
func printNodes(w io.Writer, nodes []versions.RowHistory, below bool) {
	type group struct{ first, last, state string }
	type count struct{ nodes, bytes int64 }
	counts := map[group]*count{}
	var order []group
	for i := range nodes {
		r := &nodes[i]
		g := group{term.LocalTime(r.Versions[0].ObservedAt), term.LocalTime(r.Last().ObservedAt), stateOf(r)}
		if counts[g] == nil {
			counts[g] = &count{}
			order = append(order, g)
		}
		counts[g].nodes++
		counts[g].bytes += max(0, r.LastValue().ValueBytes)
	}
	var lines []table.Row
	for _, g := range order {
		lines = append(lines, table.Row{humanize.Comma(counts[g].nodes), g.first, g.last, humanize.Bytes(uint64(counts[g].bytes)), g.state})
	}
	if below {
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%s of the agent's graph, each listed with --nodes:\n\n", term.Plural(int64(len(nodes)), "node"))
	term.PlainTable(w, table.Row{"nodes", "first observed", "last observed", "size", "state"}, lines, "nodes", "size")
}

// worthALook returns the row to suggest first: the latest that has changed and is no hash and no node of the agent's graph,
// else the row that describes the conversation, else one that is no node.
func worthALook(id string, rows []versions.RowHistory) *versions.RowHistory {
	for _, good := range []func(*versions.RowHistory) bool{
		func(r *versions.RowHistory) bool {
			return len(r.Versions) > 1 && !isNode(r) && r.Family != extract.FamilyRoot
		},
		func(r *versions.RowHistory) bool {
			return r.Name == extract.FamilyComposer+":"+id || r.Family == extract.FamilyCLIMeta
		},
		func(r *versions.RowHistory) bool { return !isNode(r) },
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
