package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"pipeline/sql"
	"pipeline/sql/schema"
)

func schemaCommand() *cli.Command {
	return &cli.Command{
		Name:  "schema",
		Usage: "print the data dictionary",
		Description: `Prints every table, column, view and macro with its meaning; no warehouse is needed.

Examples:
   pipeline schema > dictionary.md
   pipeline schema --json | jq '.tables[].name'`,
		Flags: []cli.Flag{&cli.BoolFlag{Name: "markdown", Usage: "print Markdown (the default)"}, jsonFlag()},
		Action: func(c *cli.Context) error {
			if c.Bool("json") {
				return printJSON(c.App.Writer, dictionary())
			}
			printDictionary(c.App.Writer)
			return nil
		},
	}
}

// dictionaryTable and its parts are the data dictionary as JSON.
type dictionaryTable struct {
	Name    string             `json:"name"`
	Doc     string             `json:"doc"`
	Columns []dictionaryColumn `json:"columns"`
}

type dictionaryColumn struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Key      bool   `json:"key"`
	Nullable bool   `json:"nullable"`
	Doc      string `json:"doc"`
}

type dictionaryObject struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

func dictionary() map[string]any {
	var tables []dictionaryTable
	for _, t := range append(schema.Tables(), schema.RawLayer()) {
		d := dictionaryTable{Name: t.Name, Doc: t.Doc}
		for _, c := range t.Columns {
			d.Columns = append(d.Columns, dictionaryColumn{c.Name, c.Type, c.Key, c.Nullable, c.Doc})
		}
		tables = append(tables, d)
	}
	objects := func(files []sql.File) []dictionaryObject {
		var out []dictionaryObject
		for _, f := range files {
			out = append(out, dictionaryObject{f.Name, f.Doc})
		}
		return out
	}
	return map[string]any{"schema_version": schema.Version, "tables": tables, "views": objects(sql.Views()), "macros": objects(sql.Macros())}
}

func printDictionary(w io.Writer) {
	fmt.Fprintf(w, "# Data dictionary\n\nSchema version %d. NULL means \"not recorded\", never 0 and never ''. Times are UTC. Tables whose names begin with an underscore are internal.\n", schema.Version)
	for _, t := range append(schema.Tables(), schema.RawLayer()) {
		fmt.Fprintf(w, "\n## %s\n\n%s\n\n| column | type | key | meaning |\n| --- | --- | --- | --- |\n", t.Name, t.Doc)
		for _, c := range t.Columns {
			key := ""
			if c.Key {
				key = "key"
			}
			fmt.Fprintf(w, "| %s | %s | %s | %s |\n", c.Name, c.Type, key, strings.ReplaceAll(c.Doc, "|", `\|`))
		}
	}
	for _, part := range []struct {
		title string
		files []sql.File
	}{{"Views", sql.Views()}, {"Table macros", sql.Macros()}} {
		fmt.Fprintf(w, "\n## %s\n\n| name | what it answers |\n| --- | --- |\n", part.title)
		for _, f := range part.files {
			fmt.Fprintf(w, "| %s | %s |\n", f.Name, strings.ReplaceAll(strings.Join(strings.Fields(f.Doc), " "), "|", `\|`))
		}
	}
}
