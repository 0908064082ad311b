package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	"github.com/dustin/go-humanize"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
)

func placesCommand() *cli.Command {
	return &cli.Command{
		Name:  "places",
		Usage: "say where this program's files are on this machine",
		Description: `Lists the warehouse and what is beside it, logs, pipelines, published tables, timers, and what else this program has made or is named in.
Cursor's own files are listed by 'pipeline discover'; 'pipeline uninstall' removes what is listed here.

Examples:
   pipeline places
   pipeline places --warehouse ~/cursor.duckdb   # of another warehouse
   pipeline places --json | jq -r '.places[] | select(.there) | .path'`,
		Flags:  slices.Concat([]cli.Flag{warehouseFlag()}, folderFlags("also look for %s in `DIR`"), []cli.Flag{jsonFlag()}),
		Action: placesAction,
	}
}

func placesAction(c *cli.Context) error {
	path, err := warehousePath(c)
	if err != nil {
		return err
	}
	all, err := placesOf(c, path)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return term.PrintJSON(c.App.Writer, map[string][]location{"places": all})
	}
	var rows []table.Row
	for _, p := range all {
		rows = append(rows, table.Row{p.Kind, p.size(), p.text()})
	}
	term.PlainTable(c.App.Writer, table.Row{"what", "size", "where"}, rows, "size")
	return nil
}

// size is how much there is, for people.
func (p location) size() string {
	if !p.There {
		return "-"
	}
	return humanize.Bytes(uint64(max(0, p.Bytes)))
}

// text is the path for people, with what else is to be known.
func (p location) text() string {
	text := term.Printable(shortPath(p.Path))
	if p.Note != "" {
		text += " (" + term.Printable(p.Note) + ")"
	}
	return text
}

// shortPath writes the home folder as ~.
func shortPath(path string) string {
	if rest, ok := strings.CutPrefix(path, xdg.Home+string(filepath.Separator)); ok && xdg.Home != "" {
		return "~" + string(filepath.Separator) + rest
	}
	return path
}

// line is a line about what uninstall does with a place.
func (p location) line(verb string) string {
	return fmt.Sprintf("%-9s %-16s %9s  %s", verb, p.Kind, p.size(), p.text())
}
