package warehouse

import (
	"cmp"
	"context"
	"crypto/sha256"
	dbsql "database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"pipeline/load/engine"
	"pipeline/load/tool/sqlrows"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// metaObjects is the setting that says which views, macros and comments a warehouse has. It holds two hashes: one of
// their definitions, and one of what the engine's catalogue had when they were made.
const metaObjects = "views_and_macros"

// objects returns the files that define the views and macros, in an order in which they can be made.
func objects() []sql.File {
	return slices.Concat(sql.Views(), sql.Answers(), sql.Shorts(), sql.Reports(), sql.Macros())
}

// makeObjects makes the views, the macros and the comments anew if one of them, or a table, differs from what this tool
// made. It does not trust the text of a view: the engine resolves a star when the view is made, so the same text over a
// table with one more column is another view.
func (t *Load) makeObjects(ctx context.Context) (err error) {
	defer func() { t.w.asDeclared = err == nil }()
	if t.w.templated || t.w.untouched {
		return nil
	}
	now := madeOf() + " "
	had, err := t.w.s.Setting(ctx, metaObjects)
	if err != nil {
		return err
	}
	if strings.HasPrefix(had, now) {
		there, err := catalogued(ctx, t.w.s.Conn)
		if err != nil || had == now+there {
			return err
		}
	}
	// what the engine takes to read definitions it does not count
	if err := t.exec(ctx, engine.SetMemory(t.settings.Memory.OrDefault().Engine)); err != nil {
		return err
	}
	if err := t.makeSchemas(ctx); err != nil { // a person may have dropped one
		return err
	}
	if !t.first { // tables that were made just now have their comments
		for _, table := range schema.Tables() {
			if err := t.exec(ctx, table.Comments()); err != nil {
				return err
			}
		}
	}
	for _, f := range objects() {
		if err := t.exec(ctx, f.SQL); err != nil {
			return fmt.Errorf("%s: %w", f.Object(), err)
		}
	}
	if err := t.commentViews(ctx); err != nil {
		return err
	}
	there, err := catalogued(ctx, t.w.s.Conn)
	if err != nil {
		return err
	}
	return cmp.Or(t.exec(ctx, engine.SetMemory(t.settings.Memory.OrDefault().Alone)),
		t.w.s.Keep(ctx, metaObjects, now+there))
}

// makeSchemas makes the schemas that are missing, and has names looked up in all of them.
func (t *Load) makeSchemas(ctx context.Context) error {
	return errors.Join(t.exec(ctx, schema.SchemasDDL()), engine.SearchSchemas(ctx, t.w.s.Conn))
}

// commentViews gives each column of the views a comment that says what it means, unless the view's file has given it
// one.
func (t *Load) commentViews(ctx context.Context) error {
	ours := map[string]sql.File{}
	for _, f := range objects() {
		ours[f.Schema+"."+f.Name] = f
	}
	var comments strings.Builder
	err := sqlrows.Each(ctx, t.w.s.Conn, `SELECT c.schema_name || '.' || c.table_name, c.column_name
		FROM duckdb_columns() c
		SEMI JOIN (FROM duckdb_views() WHERE NOT internal) v ON v.view_oid = c.table_oid AND v.database_oid = c.database_oid
		WHERE c.database_name = current_database() AND c.comment IS NULL ORDER BY c.table_oid, c.column_index`,
		func(rows *dbsql.Rows) error {
			var view, column string
			err := rows.Scan(&view, &column)
			if f, ok := ours[view]; ok && f.Meaning(column) != "" {
				fmt.Fprintf(&comments, "COMMENT ON COLUMN %s.%s IS %s;\n", view, engine.Identifier(column),
					engine.Literal(f.Meaning(column)))
			}
			return err
		})
	if err != nil || comments.Len() == 0 {
		return err
	}
	if err := t.exec(ctx, comments.String()); err != nil {
		return fmt.Errorf("comments of views: %w", err)
	}
	return nil
}

// madeOf returns a hash of all definitions of tables, views, macros and comments.
var madeOf = sync.OnceValue(func() string {
	sum := sha256.New()
	_, _ = io.WriteString(sum, schema.SchemasDDL()+sql.Glossary())
	for _, table := range schema.Tables() {
		_, _ = io.WriteString(sum, table.DDL())
	}
	for _, f := range objects() {
		_, _ = io.WriteString(sum, f.SQL)
	}
	return hex.EncodeToString(sum.Sum(nil))
})

// words is SQL for the words of a definition in the catalogue, in alphabetical order. The engine changes the text of a
// definition when it writes it to the file and reads it again: the names in EXCLUDE change places, and CROSS JOIN
// becomes a comma.
const words = `array_to_string(list_sort(list_filter(string_split_regex(%s, '[^A-Za-z0-9_]+'), lambda w: w NOT IN ('CROSS', 'JOIN'))), ' ')`

// catalogued returns a hash of what the engine's catalogue has of our tables, views and macros. A person or another
// version may have changed them.
func catalogued(ctx context.Context, conn *dbsql.Conn) (sum string, err error) {
	var tables, made []string
	for _, table := range schema.Tables() {
		tables = append(tables, engine.Literal(table.Object()))
	}
	for _, f := range objects() {
		made = append(made, engine.Literal(f.Object()))
	}
	const ours, object = `database_name = current_database()`, `if(schema_name = 'main', '', schema_name || '.') || `
	query := fmt.Sprintf(`SELECT md5(coalesce(string_agg(part, chr(10) ORDER BY part), '')) FROM (
		SELECT concat_ws('|', 'table', table_name, comment) AS part FROM duckdb_tables() WHERE %[1]s AND %[6]s table_name IN (%[2]s)
		UNION ALL SELECT concat_ws('|', 'column', table_name, column_index, column_name, data_type, is_nullable, comment) FROM duckdb_columns()
			WHERE %[1]s AND %[6]s table_name IN (%[2]s)
		UNION ALL SELECT concat_ws('|', 'view', schema_name, view_name, %[4]s, comment) FROM duckdb_views() WHERE %[1]s AND %[6]s view_name IN (%[3]s)
		UNION ALL SELECT concat_ws('|', 'macro', function_name, parameters, %[5]s) FROM duckdb_functions()
			WHERE NOT internal AND %[1]s AND %[6]s function_name IN (%[3]s))`, ours, strings.Join(tables, ", "),
		strings.Join(made, ", "), fmt.Sprintf(words, "sql"), fmt.Sprintf(words, "macro_definition"), object)
	err = conn.QueryRowContext(ctx, query).Scan(&sum)
	return sum, err
}
