package warehouse

import (
	"context"
	dbsql "database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"pipeline/load/engine"
	"pipeline/load/sqlrows"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// This file moves what versions up to 6 had in schema main into the schemas of today. There, the internal tables and the views of answers and of the report were
// among the tables that people ask, and a view of the report was called report_NAME.

// metaOldNames is the setting with the old names of views that a warehouse keeps for one version, separated by commas. People have queries with them.
const metaOldNames = "old_names"

// makeSchemas makes the schemas that are missing, and has names looked up in all of them.
func (t *Load) makeSchemas(ctx context.Context) error {
	return errors.Join(t.exec(ctx, schema.SchemasDDL()), engine.SearchSchemas(ctx, t.w.s.Conn))
}

// intoSchemas makes the schemas, and moves the internal tables. The engine cannot move a table: it is made anew.
func (t *Load) intoSchemas(ctx context.Context) error {
	if err := t.makeSchemas(ctx); err != nil {
		return err
	}
	const inMain = `database_name = current_database() AND schema_name = 'main' AND NOT temporary`
	tables, err := t.names(ctx, `SELECT table_name FROM duckdb_tables() WHERE `+inMain)
	if err != nil {
		return err
	}
	for _, table := range schema.Tables() {
		if table.Scope != schema.Internal || !slices.Contains(tables, table.Name) {
			continue
		}
		if err := t.exec(ctx, fmt.Sprintf(`CREATE TABLE %[1]s AS FROM main.%[2]s; DROP TABLE main.%[2]s`, table.Object(), table.Name)); err != nil {
			return fmt.Errorf("table %s: %w", table.Name, err)
		}
	}
	views, err := t.names(ctx, `SELECT view_name FROM duckdb_views() WHERE NOT internal AND `+inMain)
	if err != nil {
		return err
	}
	var old []string
	for name := range renamed() {
		if slices.Contains(views, name) {
			old = append(old, name)
		}
	}
	if len(old) == 0 {
		return nil
	}
	slices.Sort(old)
	return t.w.s.Keep(ctx, metaOldNames, strings.Join(old, ","))
}

// names returns the values of a query with one column of texts.
func (t *Load) names(ctx context.Context, query string) (names []string, err error) {
	err = sqlrows.Each(ctx, t.w.s.Conn, query, func(rows *dbsql.Rows) error {
		var name string
		err := rows.Scan(&name)
		names = append(names, name)
		return err
	})
	return names, err
}

// renamed returns today's name of each view that was in schema main, by its name there.
func renamed() map[string]string {
	out := map[string]string{}
	for _, f := range sql.Answers() {
		out[f.Name] = f.Object()
	}
	for _, f := range sql.Reports() {
		out["report_"+f.Name] = f.Object()
	}
	return out
}

// makeOldNames makes a view for each old name that the warehouse keeps.
func (t *Load) makeOldNames(ctx context.Context) error {
	old, err := t.w.s.Setting(ctx, metaOldNames)
	if err != nil || old == "" {
		return err
	}
	today := renamed()
	for name := range strings.SplitSeq(old, ",") {
		object, ok := today[name]
		if !ok {
			continue
		}
		if err := t.exec(ctx, fmt.Sprintf(`CREATE OR REPLACE VIEW main.%[1]s AS FROM %[2]s; COMMENT ON VIEW main.%[1]s IS %[3]s`, name, object,
			engine.Literal("Old name of "+object+", kept for one version."))); err != nil {
			return fmt.Errorf("view %s: %w", name, err)
		}
	}
	return nil
}
