package sql

import (
	"fmt"
	"regexp"
	"strings"

	"pipeline/sql/schema"
)

// This file leaves out of checks what need not be asked. To plan a check of every table takes longer than to run it, in
// small warehouses and large ones alike.

// Part is the part of a check that reads one table, and only this: without a row there it finds nothing.
type Part struct {
	Table string
	SQL   string
}

const union = "\nUNION ALL\n"

// partTable matches the table that a part of a check in a file reads.
var partTable = regexp.MustCompile(`(?m)^FROM ([a-z_]+)$`)

// parts cuts a check that is marked so into the parts for its tables.
func parts(text string) (list []Part) {
	for _, part := range strings.Split(strings.TrimSuffix(withoutComment(text), ";"), union) {
		list = append(list, Part{Table: partTable.FindStringSubmatch(part)[1], SQL: part})
	}
	return list
}

// Over returns the statement of a check for the named tables: the whole one if it has no parts, "" if it has no part
// for any of them.
func (f File) Over(tables map[string]bool) string {
	if f.Parts == nil {
		return f.SQL
	}
	var queries []string
	for _, p := range f.Parts {
		if tables[p.Table] {
			queries = append(queries, p.SQL)
		}
	}
	return strings.Join(queries, union)
}

// TablesWithRows returns a statement that lists the names of tables with rows.
func TablesWithRows() string {
	var queries []string
	for _, t := range schema.Tables() {
		queries = append(queries, fmt.Sprintf("(SELECT '%[1]s' AS table_name FROM %[1]s LIMIT 1)", t.Name))
	}
	return strings.Join(queries, union)
}

// Suspects returns a statement that lists, of the tables that the map names, those in which a generated check finds
// rows, and no other but by a chance of hashes. It asks everything of a table in one scan, but for each text that may
// be long by itself, for the reason that no_empty_texts does.
func Suspects(tables map[string]bool) string {
	var queries []string
	for _, t := range schema.Tables() {
		if !tables[t.Name] {
			continue
		}
		doubts := []string{fmt.Sprintf("count(*) <> count(DISTINCT hash(%s))", quoted(t.Key()))}
		if names := figureColumns(t); len(names) > 0 {
			doubts = append(doubts, fmt.Sprintf("min(least(%s)) < 0", quoted(names)))
		}
		var short []string
		for _, c := range t.Columns {
			switch {
			case !neverEmpty(c):
			case c.Discloses == schema.Texts: // of any length
				queries = append(queries,
					fmt.Sprintf("(SELECT '%[1]s' AS table_name FROM %[1]s WHERE %[2]q = '' LIMIT 1)", t.Name, c.Name))
			default:
				short = append(short, c.Name)
			}
		}
		if len(short) > 0 {
			doubts = append(doubts, fmt.Sprintf("bool_or('' IN (%s))", quoted(short)))
		}
		queries = append(queries, fmt.Sprintf("SELECT '%[1]s' AS table_name FROM %[1]s HAVING %[2]s", t.Name,
			strings.Join(doubts, " OR ")))
	}
	return strings.Join(queries, union)
}
