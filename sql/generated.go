package sql

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pipeline/sql/schema"
)

// This file generates SQL from the declaration of the tables, so that an added column or table is included.

// generatedChecks are the checks that are generated.
func generatedChecks() []File {
	var unique, texts, figures []Part
	for _, t := range schema.Tables() {
		unique = append(unique, uniqueKey(t))
		texts = append(texts, emptyTexts(t)...)
		figures = append(figures, negativeFigures(t)...)
	}
	return []File{
		generated("keys_unique", unique, `The key of every table is unique.
The tables declare no PRIMARY KEY: it would double the cost of a load.
In the large ones a key is counted only where another has its hash: hashes take a fraction of the memory that keys do.`),
		generated("no_empty_texts", texts,
			`No column that may be NULL (not recorded) holds '' instead, but where the column says what '' means.
One column at a time: a block of which the least value is not '' is not read then, and these are the largest columns.`),
		generated("no_negative_figures", figures, `No count, place, size, duration or token figure is negative.`),
	}
}

func generated(name string, parts []Part, doc string) File {
	queries := make([]string, len(parts))
	for i, p := range parts {
		queries[i] = p.SQL
	}
	return File{Name: name, Doc: doc, PerConversation: true, Parts: parts, Screened: true,
		SQL: "-- " + strings.ReplaceAll(doc, "\n", "\n-- ") + "\n" + strings.Join(queries, union) + ";\n"}
}

// failures is one part of a check: a query for the failing rows of a table.
func failures(t schema.Table, problem, rest string) Part {
	return Part{Table: t.Name, SQL: fmt.Sprintf("SELECT '%s' AS table_name, %s AS row_key, %s AS problem\nFROM %s\n%s",
		t.Name, rowKey(t), problem, t.Name, rest)}
}

// uniqueKey finds keys that several rows have.
func uniqueKey(t schema.Table) Part {
	key := quoted(t.Key())
	where := ""
	if t.Scope == schema.ByConversation || t.Name == "_known_rows" { // tables that may be large
		where = fmt.Sprintf("WHERE hash(%[1]s) IN (SELECT hash(%[1]s) FROM %[2]s GROUP BY ALL HAVING count(*) > 1)\n",
			key, t.Name)
	}
	return failures(t, "CAST(count(*) AS VARCHAR) || ' rows'", where+"GROUP BY "+key+"\nHAVING count(*) > 1")
}

// emptyTexts finds rows with an empty text where the value should be NULL, one query a column.
func emptyTexts(t schema.Table) (queries []Part) {
	for _, c := range t.Columns {
		if neverEmpty(c) {
			queries = append(queries, failures(t, "''''' instead of NULL: "+c.Name+"'",
				"WHERE "+strconv.Quote(c.Name)+" = ''"))
		}
	}
	return queries
}

// neverEmpty reports whether a column may be NULL, and holds no empty text.
func neverEmpty(c schema.Column) bool { return c.Type == "VARCHAR" && c.Nullable && !c.MayBeEmpty }

// negativeFigures finds rows with figures below 0.
func negativeFigures(t schema.Table) []Part {
	names := figureColumns(t)
	if len(names) == 0 {
		return nil
	}
	which := make([]string, len(names))
	for i, name := range names {
		which[i] = fmt.Sprintf("CASE WHEN %q < 0 THEN '%s' END", name, name)
	}
	return []Part{failures(t, "'negative: ' || concat_ws(', ', "+strings.Join(which, ", ")+")",
		"WHERE least("+quoted(names)+") < 0")}
}

// figureColumns are the numbers of a table that are 0 at least.
func figureColumns(t schema.Table) (names []string) {
	for _, c := range t.Columns {
		if c.Type == "BIGINT" && !c.Signed {
			names = append(names, c.Name)
		}
	}
	return names
}

// reportTables is the view that counts the rows of each table.
func reportTables() File {
	var counts []string
	for _, t := range schema.Tables() {
		if t.Scope != schema.ByLoad && t.Scope != schema.Internal && !slices.Contains(notCounted, t.Name) {
			counts = append(counts, countRows(t))
		}
	}
	const doc = `How many rows does each table hold, and how many of them does Cursor have no longer?
One row per table of what was read, the rows of every source together, those of copies too: a conversation that two sources have has its rows twice.
live, orphaned and deleted are all its rows. deleted: the row has a deletion
time, or its conversation has one. orphaned: kept, though Cursor no longer lists the conversation (its row is gone or unusable, status 'orphaned'): of
table conversations those groups of rows themselves, of the others the rows in them.
Coverage: deleted and orphaned are NULL where a table keeps no deleted rows, or holds rows of no conversation.`
	return File{Number: 11, Name: "tables", Schema: "report", Doc: doc,
		SQL: "-- " + strings.ReplaceAll(doc, "\n", "\n-- ") + `
CREATE OR REPLACE VIEW report.tables AS
WITH away AS (
    SELECT source_id, conversation_id, status IS NOT DISTINCT FROM 'orphaned' AS is_orphan
    FROM main.conversations
    WHERE deleted_at IS NOT NULL OR status = 'orphaned'
), counted(table_name, rows, deleted, orphaned) AS (
    -- each table by itself: one without rows has a row here, too
    ` + strings.Join(counts, "\n    UNION ALL\n    ") + `
)
SELECT table_name,
       TRY_CAST(rows - coalesce(deleted, 0) - coalesce(orphaned, 0) AS BIGINT) AS live,
       TRY_CAST(deleted AS BIGINT) AS deleted,
       TRY_CAST(orphaned AS BIGINT) AS orphaned
FROM counted;
COMMENT ON VIEW report.tables IS 'Rows of each table: live, deleted, and orphaned (of conversations that Cursor no longer lists); NULL where it knows no such rows.';
`}
}

// notCounted are tables that are left out: they are derived from other tables, or describe rows of other tables.
var notCounted = []string{"activity_periods", "conversation_copies", "conversation_commits", "scored_commits",
	"ai_code_hashes", "conversation_notes", "plans", "plan_todos", "usage_records", "usage_events", "quarantine",
	"unknown_fields"}

// countRows counts the rows of a table: all rows, deleted ones, those of orphaned conversations.
func countRows(t schema.Table) string {
	deleted := "NULL"
	switch keeps := t.Has("deleted_at"); {
	case t.Name == "conversations":
		return "SELECT 'conversations', count(*), count(deleted_at), count(*) FILTER (WHERE deleted_at IS NULL AND " +
			"status = 'orphaned') FROM main.conversations"
	case t.Scope == schema.ByConversation && t.Has("conversation_id"):
		gone, there := "NOT c.is_orphan", "c.is_orphan"
		if keeps {
			gone, there = "t.deleted_at IS NOT NULL OR NOT c.is_orphan", "t.deleted_at IS NULL AND c.is_orphan"
		}
		return fmt.Sprintf("SELECT '%[1]s', count(*), count(*) FILTER (WHERE %s), count(*) FILTER (WHERE %s)\n"+
			"    FROM main.%[1]s t LEFT JOIN away c ON c.source_id = t.source_id AND c.conversation_id = "+
			"t.conversation_id", t.Name, gone, there)
	case keeps:
		deleted = "count(deleted_at)"
	}
	return fmt.Sprintf("SELECT '%[1]s', count(*), %s, NULL FROM main.%[1]s", t.Name, deleted)
}

// rowKey is an SQL expression for the key of a row as one text.
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

// quoted is a list of column names in SQL.
func quoted(names []string) string { return `"` + strings.Join(names, `", "`) + `"` }
