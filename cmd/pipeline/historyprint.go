package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/mattn/go-isatty"
	"github.com/rogpeppe/go-internal/diff"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/extract"
	"pipeline/load"
)

// This file prints what package load finds in the raw layer.

// sizeOf is the size of a version's value.
func sizeOf(v *load.RowVersion) string {
	switch {
	case v.Event == load.EventGone:
		return "-"
	case v.ValueType == "null":
		return "NULL"
	}
	return humanize.Bytes(uint64(max(0, v.ValueBytes)))
}

// eventOf says what happened.
func eventOf(v *load.RowVersion) string {
	switch {
	case v.Removed() && v.Event == load.EventAgain:
		return fmt.Sprintf("version %d again; its value was removed by retention", v.Again)
	case v.Removed():
		return v.Event + "; its value was removed by retention"
	case v.Event == load.EventAgain && v.Again == 0:
		return "an earlier version again, whose value is lost"
	case v.Event == load.EventAgain:
		return fmt.Sprintf("version %d again", v.Again)
	}
	return v.Event
}

// stateOf says whether the row is there.
func stateOf(r *load.RowHistory) string {
	if r.Last().Event == load.EventGone {
		return "gone"
	}
	return "present"
}

func placeOf(r *load.RowHistory) string {
	return term.Printable(fmt.Sprintf("source %s, store %s, table %s", r.SourceID, r.Store, r.Table))
}

// printVersions lists the versions of each row.
func printVersions(c *cli.Context, rows []load.RowHistory) error {
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
func printConversation(c *cli.Context, h *load.History, path, id string, rows []load.RowHistory) error {
	slices.SortStableFunc(rows, func(a, b load.RowHistory) int {
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

// worthALook is a row to look at first: the latest that has changed, else the conversation's own.
func worthALook(id string, rows []load.RowHistory) *load.RowHistory {
	for _, good := range []func(*load.RowHistory) bool{
		func(r *load.RowHistory) bool { return len(r.Versions) > 1 },
		func(r *load.RowHistory) bool { return r.Name == extract.FamilyComposer+":"+id },
	} {
		for i := range rows {
			if good(&rows[i]) {
				return &rows[i]
			}
		}
	}
	return &rows[0]
}

// columns are the cells of a row's place that a table needs.
func (d differences) columns(source, store, table string) (cells []any) {
	for _, c := range []struct {
		wanted bool
		text   string
	}{{d.source, source}, {d.store, store}, {d.table, table}} {
		if c.wanted {
			cells = append(cells, term.Printable(c.text))
		}
	}
	return cells
}

// versionOf is the version of that number.
func versionOf(r *load.RowHistory, n int) (*load.RowVersion, error) {
	if n == latest {
		return r.Last(), nil
	}
	if n > len(r.Versions) {
		return nil, fmt.Errorf("there is no version %d: %s has %s", n, r.Name, term.Plural(int64(len(r.Versions)), "version"))
	}
	return &r.Versions[n-1], nil
}

// showVersion prints a value as it is stored.
func showVersion(c *cli.Context, h *load.History, r *load.RowHistory, n int) error {
	v, err := versionOf(r, n)
	if err != nil {
		return err
	}
	if n == latest && v.Event == load.EventGone {
		v = r.LastValue()
		fmt.Fprintf(c.App.ErrWriter, "The row is gone since load %d; this is version %d, the last value that it had.\n", r.Last().LoadID, v.Version)
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

// side is a version that is compared.
type side struct {
	*load.RowVersion
	value []byte
	text  []byte // as lines
}

// diffVersions prints what differs between two versions.
func diffVersions(c *cli.Context, h *load.History, r *load.RowHistory, versions []int) error {
	if versions[0] == latest && versions[1] == latest {
		if len(r.Versions) == 1 {
			return fmt.Errorf("%s has one version: there is nothing to compare it with", r.Name)
		}
		versions = []int{len(r.Versions) - 1, len(r.Versions)}
	}
	var sides [2]side
	for i, n := range versions {
		v, err := versionOf(r, n)
		if err != nil {
			return err
		}
		sides[i] = side{RowVersion: v}
		if v.Event == load.EventGone {
			continue
		}
		if sides[i].value, err = h.Value(c.Context, r, v); err != nil {
			return err
		}
		sides[i].text = inLines(decoded(r, v, bytes.Clone(sides[i].value)))
	}
	old, now := sides[0], sides[1]
	binary := isBinary(old.text) || isBinary(now.text)
	var lines, note string
	if binary {
		note = "at least one of them is no text"
	} else {
		lines = string(diff.Diff(old.title(r), old.text, now.title(r), now.text))
		_, lines, _ = strings.Cut(lines, "\n") // the command line of a diff that nobody ran
	}
	switch {
	case lines != "":
	case old.Hash == now.Hash:
		note = "they are the same"
	case bytes.Equal(old.value, now.value):
		note = "the bytes are the same, the types are not"
	case !binary:
		note = "the content is the same, the white space or the encoding is not"
	}
	if c.Bool("json") {
		return term.PrintJSON(c.App.Writer, map[string]any{"source_id": r.SourceID, "store": r.Store, "table": r.Table, "key": r.Name,
			"from": old.RowVersion, "to": now.RowVersion, "binary": binary, "note": note, "diff": lines})
	}
	if lines == "" {
		fmt.Fprintf(c.App.Writer, "%s\n%s\n%s\n", term.Printable("--- "+old.title(r)), term.Printable("+++ "+now.title(r)), note)
		return nil
	}
	fmt.Fprint(c.App.Writer, term.PrintableLines(lines))
	return nil
}

// title says which version a side is.
func (s side) title(r *load.RowHistory) string {
	what := s.ValueType + ", " + sizeOf(s.RowVersion)
	if s.Event == load.EventGone {
		what = load.EventGone
	}
	return strings.ReplaceAll(fmt.Sprintf("%s version %d (%s, load %d, %s)", r.Name, s.Version, term.LocalTime(s.ObservedAt), s.LoadID, what), "\n", "⏎")
}

// isBinary reports a value that is no text.
func isBinary(value []byte) bool { return !utf8.Valid(value) || bytes.IndexByte(value, 0) >= 0 }

// inLines lays JSON out in lines, everything in it as it is stored: one for each member, and for each line of a text in it. Other values stay
// as they are.
func inLines(value []byte) []byte {
	var indented, out bytes.Buffer
	trimmed := bytes.TrimSpace(value)
	if len(trimmed) == 0 || trimmed[0] != '{' && trimmed[0] != '[' || json.Indent(&indented, trimmed, "", "  ") != nil {
		return value
	}
	for line := range bytes.Lines(append(indented.Bytes(), '\n')) {
		margin := line[:len(line)-len(bytes.TrimLeft(line, " "))]
		for i := 0; i < len(line); i++ {
			out.WriteByte(line[i])
			if line[i] != '\\' { // which JSON has in strings alone
				continue
			}
			i++
			out.WriteByte(line[i])
			if line[i] == 'n' && line[i+1] != '"' {
				out.WriteByte('\n')
				out.Write(margin)
				out.WriteString("    ")
			}
		}
	}
	return out.Bytes()
}
