package sql

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/template"

	"pipeline/sql/schema"
)

// This file provides the statements that the packages below load run: those of a merge, of the raw layer, and
// those that read a warehouse. Each file holds one statement, or several that belong together. It begins with a comment
// that says what they do, and to which tables.
//
// Values come from variables of the connection (getvariable('load_id')) or from parameters ($until). Table and column
// names come only from package schema, in templates that are filled for each table: {{.Name}} is a method or a field of
// schema.Table, {{.Table}} the whole of it, {{.Database}} its database, and the functions below are the
// only others. An unknown name ends the program; TestStatements fills every template.

// statementFolders are the folders with these files.
var statementFolders = []string{"merge", "rawlog", "reading"}

// statements are all statements, by folder and name, such as merge/replace. They are parsed once.
var statements = sync.OnceValue(func() *template.Template {
	all := template.New("").Funcs(template.FuncMap{"same": same, "sum": sum, "deletable": deletable, "month": Month,
		"placed": Placed})
	for _, dir := range statementFolders {
		for _, f := range read(dir) {
			template.Must(all.New(path.Join(dir, f.Name)).Parse(withoutComment(f.SQL)))
		}
	}
	return all
})

// Statement returns a statement by its name.
func Statement(name string) string { return fill(name, nil) }

// StatementFor returns a statement that is a template for all tables, filled for one of them.
func StatementFor(name string, table schema.Table) string { return fill(name, ofTable{Table: table}) }

// StatementIn is StatementFor for a table of a database, for statements that say its name: an identifier of SQL.
func StatementIn(name, database string, table schema.Table) string {
	return fill(name, ofTable{table, database})
}

// ofTable is what a template is filled with.
type ofTable struct {
	schema.Table
	Database string
}

func fill(name string, data any) string {
	var b strings.Builder
	if err := statements().ExecuteTemplate(&b, name, data); err != nil {
		panic(fmt.Sprintf("sql: statement %s: %v", name, err))
	}
	return b.String()
}

// same is the condition that rows a and b of a table have the same key.
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

// sum is a hash of all cells of a row of a table.
func sum(t schema.Table) string {
	cells := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		cells[i] = strconv.Quote(c.Name)
	}
	return "hash(" + strings.Join(cells, ", ") + ")"
}

// NoMonth is the month of rows without a time. It is not Hive's own name for it, because pandas cannot read that.
const NoMonth = "unknown"

// Month is the month, in UTC, of a row of messages that is called so.
func Month(message string) string {
	return fmt.Sprintf("coalesce(strftime(make_timestamp(epoch_us(%s.created_at)), '%%Y-%%m'), '%s')", message, NoMonth)
}

// Placed is a query of the rows of a table that is published by month: the place of each in the table, its source, its
// conversation, its month, and about how many bytes it has.
func Placed(t schema.Table) string {
	from, of, size := t.Name+" t", "t", "1024"
	if t.Is(schema.MessageMonth) {
		from, of = from+" LEFT JOIN messages m ON m.source_id = t.source_id AND m.conversation_id = t.conversation_id "+
			"AND m.message_id = t.message_id", "m"
	}
	if t.Has("result_bytes") {
		size = "2048 + coalesce(t.result_bytes, 0)"
	}
	return fmt.Sprintf("SELECT t.rowid AS place, t.source_id, t.conversation_id, %s AS month, %s AS bytes FROM %s",
		Month(of), size, from)
}

// deletable lists the tables whose rows are marked as deleted when the store no longer has them.
func deletable() []schema.Table {
	return slices.DeleteFunc(schema.Tables(),
		func(t schema.Table) bool { return t.Scope != schema.ByConversation || !t.Has("deleted_at") })
}

// withoutComment removes the leading comment of a file.
func withoutComment(text string) string {
	for strings.HasPrefix(text, "--") {
		_, text, _ = strings.Cut(text, "\n")
	}
	return strings.TrimSpace(text)
}
