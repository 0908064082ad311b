package main

import (
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"pipeline/load/reader"
	"pipeline/pipelines"
	"pipeline/sql"
	"pipeline/sql/schema"
)

//go:generate go test . -run ^TestDictionary$ -update

func schemaCommand() *cli.Command {
	return &cli.Command{
		Name:      "schema",
		Usage:     "print the data dictionary, or a command's JSON schema",
		ArgsUsage: "[COMMAND]",
		Description: `Prints every table, column, view, answer, view of the report page and macro with its meaning; no warehouse is needed.
With the name of a command it prints the JSON schema of what that command prints with --json; error is that of failures.

Examples:
   pipeline schema > dictionary.md
   pipeline schema --json | jq -r '.tables[].name'
   pipeline schema pipelines list  # the JSON schema of --json`,
		Flags: []cli.Flag{&cli.BoolFlag{Name: "markdown", Usage: "print Markdown (the default)"}, jsonFlag()},
		Action: func(c *cli.Context) error {
			if c.Bool("json") && c.Bool("markdown") {
				return usage("--json and --markdown are two formats: leave one out")
			}
			if c.Args().Present() {
				return printForm(c)
			}
			columns, err := reader.ViewColumns(c.Context)
			if err != nil {
				return err
			}
			return printed(c, dictionary(columns), func(w io.Writer) { printDictionary(w, columns) })
		},
	}
}

// printForm prints the JSON schema of what a command prints.
func printForm(c *cli.Context) error {
	form, err := jsonForm(c.App, c.Args().Slice())
	if err != nil {
		return err
	}
	_, err = c.App.Writer.Write(form)
	return err
}

// jsonForms are JSON schemas of what commands print with --json: a file for each command, and error.json for failures.
//
//go:embed jsonschema/*.json
var jsonForms embed.FS

// formNames names the commands that print in the form of others.
var formNames = map[string]string{"rebuild": "run"}

// jsonForm is the JSON schema of what a command prints with --json. The commands below export that publish share one.
func jsonForm(app *cli.App, words []string) ([]byte, error) {
	name := strings.Join(words, "-")
	if other, ok := formNames[name]; ok {
		name = other
	}
	form, err := jsonForms.ReadFile("jsonschema/" + name + ".json")
	if err == nil {
		return form, nil
	}
	var known []string
	for command, path := range commandsOf(app.Commands, nil) {
		if !hasFlag(command, "json") {
			continue
		}
		if slices.Equal(path, words) && len(words) == 2 {
			return jsonForms.ReadFile("jsonschema/" + words[0] + ".json")
		}
		known = append(known, strings.Join(path, " "))
	}
	given := strings.Join(words, " ")
	return nil, usage("there is no command %q that prints JSON%s", given,
		pipelines.DidYouMean(given, append(known, "error")))
}

// commandsOf are the commands that help lists, and those below them, with their names.
func commandsOf(commands []*cli.Command, above []string) func(yield func(*cli.Command, []string) bool) {
	return func(yield func(*cli.Command, []string) bool) {
		for _, c := range commands {
			if c.Hidden {
				continue
			}
			path := append(slices.Clone(above), c.Name)
			if !yield(c, path) {
				return
			}
			for sub, subPath := range commandsOf(c.Subcommands, path) {
				if !yield(sub, subPath) {
					return
				}
			}
		}
	}
}

// dictionaryTable and its parts are the JSON form of the data dictionary.
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

// dictionaryAnswer is an answer with its columns.
type dictionaryAnswer struct {
	answerLine
	Doc          string          `json:"doc"`
	Columns      []reader.Column `json:"columns"`
	ShortColumns []reader.Column `json:"short_columns"`
}

// dictionaryView is a view with its columns.
type dictionaryView struct {
	dictionaryObject
	Columns []reader.Column `json:"columns"`
}

func dictionaryAnswers(columns map[string][]reader.Column) []dictionaryAnswer {
	out := []dictionaryAnswer{}
	for _, f := range sql.Answers() {
		out = append(out, dictionaryAnswer{answerLineOf(f), f.Doc, columns[f.Object()],
			columns[f.Schema+"."+f.Short()]})
	}
	return out
}

func dictionaryViews(files []sql.File, columns map[string][]reader.Column) []dictionaryView {
	out := []dictionaryView{}
	for _, f := range files {
		out = append(out, dictionaryView{dictionaryObject{f.Object(), f.Doc}, columns[f.Object()]})
	}
	return out
}

// dictionary is the data dictionary as JSON. columns has the columns of all views, by view.
func dictionary(columns map[string][]reader.Column) map[string]any {
	var tables []dictionaryTable
	for _, t := range append(schema.Tables(), schema.RawLayer()) {
		d := dictionaryTable{Name: t.Name, Doc: t.Doc}
		for _, c := range t.Columns {
			d.Columns = append(d.Columns, dictionaryColumn{c.Name, c.Type, c.Key, c.Nullable, t.Meaning(c)})
		}
		tables = append(tables, d)
	}
	var macros []dictionaryObject
	for _, f := range sql.Macros() {
		macros = append(macros, dictionaryObject{f.Name, f.Doc})
	}
	return map[string]any{
		"warehouse_schema": schema.Version, "tables": tables, "views": dictionaryViews(sql.Views(), columns),
		"macros": macros, "answers": dictionaryAnswers(columns), "reports": dictionaryViews(sql.Reports(), columns),
	}
}

func printDictionary(w io.Writer, columns map[string][]reader.Column) {
	fmt.Fprintf(w, "# Data dictionary\n\nSchema version %d. NULL means \"not recorded\", never 0 and never ''. Times "+
		"are UTC. Tables whose names begin with an underscore are in the schema internal.\n\n"+
		"An impossible value is NULL, too: a count, position, size, duration or number of a tool that is negative or "+
		"above %d, a cost beyond %[2]d cents, a time before %[3]s or from %[4]s on.\n",
		schema.Version, schema.MaxCount, dayOf(schema.Earliest), dayOf(schema.Latest))
	for _, t := range append(schema.Tables(), schema.RawLayer()) {
		fmt.Fprintf(w, "\n## %s\n\n%s\n\n| column | type | key | meaning |\n| --- | --- | --- | --- |\n", t.Name, t.Doc)
		for _, c := range t.Columns {
			key := ""
			if c.Key {
				key = "key"
			}
			fmt.Fprintf(w, "| %s | %s | %s | %s |\n", c.Name, c.Type, key, strings.ReplaceAll(t.Meaning(c), "|", `\|`))
		}
	}
	for _, part := range []struct {
		title string
		files []sql.File
	}{{"Views", sql.Views()}, {"Table macros", sql.Macros()}} {
		fmt.Fprintf(w, "\n## %s\n\n| name | what it answers |\n| --- | --- |\n", part.title)
		for _, f := range part.files {
			fmt.Fprintf(w, "| %s | %s |\n", f.Name,
				strings.ReplaceAll(strings.Join(strings.Fields(f.Doc), " "), "|", `\|`))
		}
	}
	printAnswerDictionary(w, dictionaryAnswers(columns))
	printReportDictionary(w, dictionaryViews(sql.Reports(), columns))
}

func dayOf(ms int64) string { return time.UnixMilli(ms).UTC().Format(time.DateOnly) }

func printAnswerDictionary(w io.Writer, answers []dictionaryAnswer) {
	fmt.Fprint(w, "\n## Answers\n\nEach of these views answers a question: `pipeline answers NAME --detail`. The part "+
		"after \"Coverage:\" says how much of the data is recorded. "+
		"Beside each is its short form, which `pipeline answers NAME` prints: the view `answers.NAME_short`.\n")
	for _, a := range answers {
		doc := strings.TrimSpace(strings.TrimPrefix(strings.Join(strings.Fields(a.Doc), " "), a.Question))
		fmt.Fprintf(w, "\n### %s\n\n**%s** (question %d) %s\n\n%s\nIn short, `answers.%s`:\n\n%s", "answers."+a.Name,
			a.Question, a.Number, doc, columnTable(a.Columns), a.Short, columnTable(a.ShortColumns))
	}
}

func printReportDictionary(w io.Writer, reports []dictionaryView) {
	fmt.Fprint(w, "\n## Views of the report page\n\nEach part of the page that `pipeline report` writes is a query of "+
		"one of these views, which you can run yourself.\n")
	for _, r := range reports {
		fmt.Fprintf(w, "\n### %s\n\n%s\n\n%s", r.Name, strings.Join(strings.Fields(r.Doc), " "), columnTable(r.Columns))
	}
}

// columnTable is a table of columns with their types and meanings.
func columnTable(columns []reader.Column) string {
	var b strings.Builder
	b.WriteString("| column | type | meaning |\n| --- | --- | --- |\n")
	for _, c := range columns {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", c.Name, c.Type, strings.ReplaceAll(c.Doc, "|", `\|`))
	}
	return b.String()
}
