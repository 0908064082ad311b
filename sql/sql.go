// Package sql holds what the warehouse promises: the models that build its derived rows, the views and table macros
// that questions are asked of, a view for each question that people ask often and for each part of the report page, the
// checks that find rows which break a promise of the tables (docs/dictionary.md), and the statements with which a load
// merges, removes and reads rows.
//
// Each is one file of plain SQL, which also runs by hand in the duckdb command line; three checks, one view, and what
// statements say of each table, are made from package schema.
package sql

import (
	"cmp"
	"embed"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pipeline/sql/schema"
)

//go:embed models/*.sql views/*.sql answers/*.sql short/*.sql report/*.sql macros/*.sql
//go:embed checks/*.sql merge/*.sql rawlog/*.sql reading/*.sql
var files embed.FS

// File is one SQL file.
type File struct {
	// the number that the file's name begins with; 0: none. For an answer the question's number, for a report its order
	Number int
	Name   string // the file's name without its number and its extension; the name of the view or macro that it makes
	Schema string // the schema of the view or macro that it makes: main, answers or report
	Doc    string // the file's leading comment
	SQL    string // the whole text

	// PerConversation marks a check that looks at each conversation separately. A load runs it for the conversations
	// that it changed.
	PerConversation bool

	// ByConstruction marks a check of what a load ensures when it writes. It reads the largest columns, so it runs only
	// if all checks are asked for.
	ByConstruction bool

	// Parts are the parts that a check is the union of, if each reads one table only.
	Parts []Part

	// Screened marks a check that finds rows only in tables that the statement of Suspects lists.
	Screened bool

	// Totals are the columns of an answer that are summed up below its rows, in their order. "a unless b": a is only if
	// no row has b, which counts what several rows have in a.
	Totals []string

	// Needs is the table, or the query in parentheses, without whose rows a model has nothing to do; "" for none. A
	// load that finds it empty skips the model: to plan one costs as much as to load a small store.
	Needs string
}

// changes matches the name of a table that a statement changes.
var changes = regexp.MustCompile(`(?i)\b(?:UPDATE|INSERT\s+INTO|DELETE\s+FROM)\s+([a-z_]+)`)

// Changes returns the names of the tables that the statements of a model change.
func (f File) Changes() (tables []string) {
	for _, match := range changes.FindAllStringSubmatch(f.SQL, -1) {
		tables = append(tables, match[1])
	}
	return tables
}

// The last lines of the comments that mark such checks.
const (
	perConversation = "A load runs it for changed conversations only."
	byConstruction  = "It runs only if all checks are asked for."
	byTable         = "It reads each table by itself, and leaves out those without rows."
)

// needs is the end of the comment of a model that needs rows.
var needs = regexp.MustCompile(`(?s)A load skips it while ([a-z_]+|\(.*\)) is empty\.$`)

// Models returns the models in the order in which they run, inside the load's transaction, once the loader has written
// its rows.
//
// They read two temporary tables that the load makes and fills before them:
// _changed(source_id VARCHAR, conversation_id VARCHAR) with the conversations whose rows it replaced, added or marked
// deleted, and _changed_groups(source_id VARCHAR, project_uri VARCHAR) with the groups that these belonged to before.
// Models add to both. A model adds to _recalled(table_name VARCHAR, conversation_id VARCHAR) the conversations of which
// it changes rows of tables that are published by month: those of messages and tool_calls. _copied is empty before
// them: it hands on what one model finds to a later one (03_copied_messages.sql). With every conversation and every
// group in them, everything is built anew. Duplicates do no harm.
func Models() []File { return read("models") }

// Views returns the views in the order in which they can be made: a view may read an earlier one.
func Views() []File { return read("views") }

// Answers returns the views that answer questions, in the order of the questions. They read tables, views and earlier
// answers.
func Answers() []File { return read("answers") }

// Shorts returns the short form of each answer, in the order of the answers: the view <answer>_short beside it, with
// few columns and one row for each thing that people ask about, in hours, US dollars and percent. They read tables,
// views and answers.
func Shorts() []File {
	list := read("short")
	for i := range list {
		list[i].Schema, list[i].Name = answersSchema, list[i].Name+shortSuffix
	}
	return list
}

// Detail returns the name of the answer that a short form is of.
func (f File) Detail() string { return strings.TrimSuffix(f.Name, shortSuffix) }

// Short returns the name of an answer's short form.
func (f File) Short() string { return f.Detail() + shortSuffix }

// answersSchema is the schema of the answers and of their short forms, and shortSuffix the end of the names of these.
const (
	answersSchema = "answers"
	shortSuffix   = "_short"
)

// Reports returns the views behind the report page, in the order of the page. They read tables, views and answers. Most
// have a row for each day and project: the page filters by these and sums up the rest.
func Reports() []File {
	list := append(read("report"), reportTables())
	slices.SortStableFunc(list, func(a, b File) int { return cmp.Compare(a.Number, b.Number) })
	return list
}

// Macros returns the table macros. They read the views.
func Macros() []File { return read("macros") }

// Checks returns the checks, by name: those of the files, and those that are generated from the declaration of the
// tables. Each is one SELECT with the columns table_name, row_key and problem, all VARCHAR. Each row that it returns is
// a failure.
func Checks() []File {
	list := append(read("checks"), generatedChecks()...)
	slices.SortFunc(list, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// read returns the files of one folder in the order of their names.
func read(dir string) []File {
	entries, err := files.ReadDir(dir)
	if err != nil {
		panic(fmt.Sprintf("sql: embedded folder %s: %v", dir, err)) // the go:embed line above names it
	}
	list := make([]File, 0, len(entries))
	for _, e := range entries {
		text, err := files.ReadFile(path.Join(dir, e.Name()))
		if err != nil {
			panic(fmt.Sprintf("sql: embedded file %s/%s: %v", dir, e.Name(), err))
		}
		doc, per := strings.CutSuffix(leadingComment(string(text)), perConversation)
		doc, constructed := strings.CutSuffix(doc, byConstruction)
		doc, single := strings.CutSuffix(strings.TrimSpace(doc), byTable)
		var cut []Part
		if single {
			cut = parts(string(text))
		}
		table := ""
		if m := needs.FindStringSubmatch(doc); m != nil {
			doc, table = strings.TrimSuffix(doc, m[0]), m[1]
		}
		var totals []string
		if rest, list, found := strings.Cut(doc, "\nTotal: "); found {
			doc, totals = rest, strings.Split(strings.TrimSuffix(strings.TrimSpace(list), "."), ", ")
		}
		number, _, _ := strings.Cut(e.Name(), "_")
		n, _ := strconv.Atoi(number) // a word: 0
		list = append(list, File{Number: n, Name: objectName(e.Name()), Doc: strings.TrimSpace(doc), SQL: string(text),
			Schema: schemaOf(dir), PerConversation: per, ByConstruction: constructed, Parts: cut, Needs: table,
			Totals: totals})
	}
	return list
}

// schemaOf is the schema of what the files of a folder make. Outside of main, the files name the schema of all that
// they read: a file that is attached to another database is then read as well, although only its main schema is
// searched.
func schemaOf(dir string) string {
	if slices.Contains(schema.Schemas(), dir) {
		return dir
	}
	return schema.Main
}

// Object is the name by which SQL finds the view or macro, wherever it is asked from: a name in schema main needs no
// schema.
func (f File) Object() string {
	if f.Schema == schema.Main {
		return f.Name
	}
	return f.Schema + "." + f.Name
}

// Question is the question that a view answers: the first sentence of its comment, if it ends with a question mark.
func (f File) Question() string {
	question, _, found := strings.Cut(strings.Join(strings.Fields(f.Doc), " "), "?")
	if !found {
		return ""
	}
	return question + "?"
}

// Coverage is the part of a view's comment from "Coverage:" on: which share of the data the answer rests on. It is ""
// without such a part.
func (f File) Coverage() string {
	_, coverage, _ := strings.Cut(strings.Join(strings.Fields(f.Doc), " "), "Coverage: ")
	return coverage
}

// CutsDays reports whether a view, or one that it reads, cuts days out of times: it then depends on the reader's time
// zone.
func (f File) CutsDays() bool {
	query, _, _ := strings.Cut(lineComment.ReplaceAllString(f.SQL, ""), "COMMENT ON VIEW")
	if strings.Contains(query, " AS DATE)") {
		return true
	}
	for _, view := range slices.Concat(Views(), Answers()) {
		if view.Name != f.Name && slices.Contains(f.Reads(), view.Name) && view.CutsDays() {
			return true
		}
	}
	return false
}

// objectName cuts the order number and the extension from a file's name: 03_code_diffs.sql is code_diffs.
func objectName(file string) string {
	name := strings.TrimSuffix(file, ".sql")
	number, rest, found := strings.Cut(name, "_")
	if found && number != "" && strings.Trim(number, "0123456789") == "" {
		return rest
	}
	return name
}

// leadingComment returns the text of the -- lines that a file begins with, without the dashes.
func leadingComment(text string) string {
	var doc []string
	for line := range strings.Lines(text) {
		comment, ok := strings.CutPrefix(strings.TrimSpace(line), "--")
		if !ok {
			break
		}
		doc = append(doc, strings.TrimSpace(comment))
	}
	return strings.TrimSpace(strings.Join(doc, "\n"))
}
