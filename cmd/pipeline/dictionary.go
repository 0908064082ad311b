package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"pipeline/load/reader"
	"pipeline/sql"
	"pipeline/sql/schema"
)

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
