package sql

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"text/template"

	"pipeline/sql/schema"
)

// This file gives out the statements that package load runs: those of a merge, of the raw layer and its retention, and those that read a warehouse. Each file holds one statement, or
// several that belong together, and begins with a comment that says what they do, over which tables.
//
// Values come as variables of the connection (getvariable('load_id')) or as parameters ($until). Names come from package schema alone, in files that
// are the same for each table: {{.Name}} is a method or a field of schema.Table, and the functions below are all that there are besides. A name that
// is unknown ends the program; TestStatements fills every file.

// statementFolders are the folders of these files.
var statementFolders = []string{"merge", "rawlog", "reading", "retention"}

// statements are all of them, by folder and name, such as merge/replace. They are parsed once.
var statements = sync.OnceValue(func() *template.Template {
	all := template.New("").Funcs(template.FuncMap{"same": same, "deletable": deletable})
	for _, dir := range statementFolders {
		for _, f := range read(dir) {
			template.Must(all.New(path.Join(dir, f.Name)).Parse(withoutComment(f.SQL)))
		}
	}
	return all
})

// Statement returns a statement.
func Statement(name string) string { return fill(name, nil) }

// StatementFor returns a statement that is the same for each table, for one of them.
func StatementFor(name string, table schema.Table) string { return fill(name, table) }

func fill(name string, data any) string {
	var b strings.Builder
	if err := statements().ExecuteTemplate(&b, name, data); err != nil {
		panic(fmt.Sprintf("sql: statement %s: %v", name, err))
	}
	return b.String()
}

// same is the condition that two rows of a table have the same key.
func same(a, b string, t schema.Table) string {
	var terms []string
	for _, c := range t.Columns {
		switch {
		case c.Key && c.Nullable:
			terms = append(terms, fmt.Sprintf("%s.%q IS NOT DISTINCT FROM %s.%q", a, c.Name, b, c.Name))
		case c.Key:
			terms = append(terms, fmt.Sprintf("%s.%q = %s.%q", a, c.Name, b, c.Name))
		}
	}
	return strings.Join(terms, " AND ")
}

// deletable are the tables of conversations whose rows are marked when the store no longer has them.
func deletable() []schema.Table {
	return slices.DeleteFunc(schema.Tables(), func(t schema.Table) bool { return t.Scope != schema.ByConversation || !t.Has("deleted_at") })
}

// withoutComment cuts the comment that a file begins with.
func withoutComment(text string) string {
	for strings.HasPrefix(text, "--") {
		_, text, _ = strings.Cut(text, "\n")
	}
	return strings.TrimSpace(text)
}
