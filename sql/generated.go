package sql

import (
	"fmt"
	"strconv"
	"strings"

	"pipeline/sql/schema"
)

// This file makes the checks that follow from the declaration of the tables: whoever adds a column or a table has them.

// generatedChecks are those checks.
func generatedChecks() []File {
	var unique, texts, figures []string
	for _, t := range schema.Tables() {
		unique = append(unique, uniqueKey(t))
		texts = append(texts, emptyTexts(t)...)
		figures = append(figures, negativeFigures(t)...)
	}
	return []File{
		generated("keys_unique", unique, `The key of every table is unique.
The tables declare no PRIMARY KEY: it would double the cost of a load.
In the large ones a key is counted only where another has its hash: hashes take a fraction of the memory that keys do.`),
		generated("no_empty_texts", texts, `No column that may be NULL (not recorded) holds '' instead, but where the column says what '' means.
One column at a time: a block of which the least value is not '' is not read then, and these are the largest columns.`),
		generated("no_negative_figures", figures, `No count, place, size, duration or token figure is negative.`),
	}
}

func generated(name string, queries []string, doc string) File {
	return File{Name: name, Doc: doc, PerConversation: true,
		SQL: "-- " + strings.ReplaceAll(doc, "\n", "\n-- ") + "\n" + strings.Join(queries, "\nUNION ALL\n") + ";\n"}
}

// failures is one part of a check: the rows of a table of which something holds.
func failures(t schema.Table, problem, rest string) string {
	return fmt.Sprintf("SELECT '%s' AS table_name, %s AS row_key, %s AS problem\nFROM %s\n%s", t.Name, rowKey(t), problem, t.Name, rest)
}

// uniqueKey finds keys that several rows have.
func uniqueKey(t schema.Table) string {
	key := quoted(t.Key())
	where := ""
	if t.Scope == schema.ByConversation || t.Name == "_known_rows" { // those that may be large
		where = fmt.Sprintf("WHERE hash(%[1]s) IN (SELECT hash(%[1]s) FROM %[2]s GROUP BY ALL HAVING count(*) > 1)\n", key, t.Name)
	}
	return failures(t, "CAST(count(*) AS VARCHAR) || ' rows'", where+"GROUP BY "+key+"\nHAVING count(*) > 1")
}

// emptyTexts finds the rows that have ” where nothing is recorded, column by column.
func emptyTexts(t schema.Table) (queries []string) {
	for _, c := range t.Columns {
		if c.Type == "VARCHAR" && c.Nullable && !c.MayBeEmpty {
			queries = append(queries, failures(t, "''''' instead of NULL: "+c.Name+"'", "WHERE "+strconv.Quote(c.Name)+" = ''"))
		}
	}
	return queries
}

// negativeFigures finds the rows that have figures below 0.
func negativeFigures(t schema.Table) []string {
	var names, which []string
	for _, c := range t.Columns {
		if c.Type == "BIGINT" && !c.Signed {
			names = append(names, c.Name)
			which = append(which, fmt.Sprintf("CASE WHEN %q < 0 THEN '%s' END", c.Name, c.Name))
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{failures(t, "'negative: ' || concat_ws(', ', "+strings.Join(which, ", ")+")", "WHERE least("+quoted(names)+") < 0")}
}

// rowKey is the key of a row as one text.
func rowKey(t schema.Table) string {
	var parts []string
	for _, c := range t.Columns {
		if !c.Key {
			continue
		}
		part := strconv.Quote(c.Name)
		if c.Type != "VARCHAR" {
			part = "CAST(" + part + " AS VARCHAR)"
		}
		if c.Nullable {
			part = "coalesce(" + part + ", '(none)')"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " || '/' || ")
}

// quoted are names as a list of SQL.
func quoted(names []string) string { return `"` + strings.Join(names, `", "`) + `"` }
