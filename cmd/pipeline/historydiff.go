package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/versions"
)

// side is one of the two versions that are compared.
type side struct {
	*versions.RowVersion
	value []byte
	text  []byte // as lines
}

// title is the heading of a side.
func (s side) title(r *versions.RowHistory) string {
	what := s.ValueType + ", " + sizeOf(s.RowVersion)
	if s.Event == versions.EventGone {
		what = versions.EventGone
	}
	return strings.ReplaceAll(fmt.Sprintf("%s version %d (%s, load %d, %s)", r.Name, s.Version, term.LocalTime(s.ObservedAt), s.LoadID, what), "\n", "⏎")
}

// diffVersions prints the difference between two versions.
func diffVersions(c *cli.Context, h *versions.History, r *versions.RowHistory, numbers []int) error {
	if numbers[0] == latest && numbers[1] == latest {
		if len(r.Versions) == 1 {
			return fmt.Errorf("%s has one version: there is nothing to compare it with", r.Name)
		}
		numbers = []int{len(r.Versions) - 1, len(r.Versions)}
	}
	var sides [2]side
	for i, n := range numbers {
		v, err := versionOf(r, n)
		if err != nil {
			return err
		}
		sides[i] = side{RowVersion: v}
		if v.Event == versions.EventGone {
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
		_, lines, _ = strings.Cut(lines, "\n") // drop the first line: it is the command line of a diff that nobody ran
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

// isBinary reports a value that is no text.
func isBinary(value []byte) bool { return !utf8.Valid(value) || bytes.IndexByte(value, 0) >= 0 }

// inLines splits JSON into lines, one for each member, and one for each line of a text in it. Everything else stays as
// it is stored. Other values are not changed.
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
			if line[i] != '\\' { // JSON has backslashes only in strings
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
