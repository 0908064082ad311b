package warehouse

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"pipeline/load/catalog"
	"pipeline/load/engine"
	"pipeline/load/session"
	"pipeline/load/tool/sqlrows"
	"pipeline/sql/schema"
)

// This file takes along into a new warehouse what only the one has whose place it takes.

// A LackError says that a warehouse cannot take the place of another: it lacks rows of it.
type LackError struct{ Rows string } // how many of which tables, as in "messages: 2"

func (e *LackError) Error() string {
	return "the raw layer lacks what the warehouse holds (" + e.Rows + ")"
}

// Lacks returns a LackError if another warehouse has rows whose key is not in this one. It compares the tables whose
// rows stay when Cursor deletes them. Another version may make fewer messages and calls of the same store: those that
// say nothing, or that another of the conversation repeats, are not missing.
func (w *Warehouse) Lacks(ctx context.Context, other string) (err error) {
	detach, has, err := w.attach(ctx, other)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, detach()) }()
	var missing []string
	for _, table := range schema.Tables() {
		if !table.Has("deleted_at") || has[table.Object()] == nil {
			continue
		}
		var n int64
		query := `SELECT count(*) FROM ` + attached + `.` + table.Object() + ` AS h ANTI JOIN ` + table.Object() +
			` AS l USING (` + strings.Join(table.Key(), ", ") + `)`
		if says := saysMore[table.Name]; says != "" {
			query += ` WHERE ` + strings.ReplaceAll(says, "{have}", attached+".")
		}
		if err := w.s.Conn.QueryRowContext(ctx, query).Scan(&n); err != nil {
			return err
		}
		if n > 0 {
			missing = append(missing, fmt.Sprintf("%s: %d", table.Name, n))
		}
	}
	if missing == nil {
		return nil
	}
	return &LackError{strings.Join(missing, ", ")}
}

// saysMore are the conditions, by table, on which a row h of one database says what no row of its conversation says in
// another.
var saysMore = map[string]string{
	"messages": `trim(h.text) <> '' AND NOT EXISTS (FROM messages o WHERE o.source_id = h.source_id AND o.conversation_id = h.conversation_id AND o.text = h.text)
		OR trim(h.thinking) <> '' AND NOT EXISTS (FROM messages o WHERE o.source_id = h.source_id AND o.conversation_id = h.conversation_id AND o.thinking = h.thinking)
		OR EXISTS (FROM {have}attachments a WHERE a.source_id = h.source_id AND a.conversation_id = h.conversation_id AND a.message_id = h.message_id)`,
	"tool_calls": `coalesce(h.tool_call_id, h.params::VARCHAR, h.result::VARCHAR) IS NOT NULL
		AND NOT EXISTS (FROM tool_calls o WHERE o.source_id = h.source_id AND o.conversation_id = h.conversation_id AND o.tool_call_id = h.tool_call_id)`,
}

// KeepRuns takes along what another warehouse says of the stores in the loads that this one has, in place of what this
// one says of these loads.
func (w *Warehouse) KeepRuns(ctx context.Context, other string) (err error) {
	detach, has, err := w.attach(ctx, other)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, detach()) }()
	if err := w.s.Begin(ctx); err != nil {
		return err
	}
	defer func() { err = w.s.Undo(ctx, err) }()
	for _, name := range []string{"load_stores", "key_families"} {
		table, _ := schema.Lookup(name)
		var columns []string
		for _, c := range has[table.Object()] {
			if table.Has(c) {
				columns = append(columns, engine.Identifier(c))
			}
		}
		if columns == nil {
			continue
		}
		from := attached + ".main." + name
		for _, query := range []string{`DELETE FROM main.` + name + ` WHERE load_id IN (SELECT load_id FROM ` + from +
			`)`,
			`INSERT INTO main.` + name + ` BY NAME SELECT ` + strings.Join(columns, ", ") + ` FROM ` + from +
				` SEMI JOIN main.loads USING (load_id)`} {
			if err := w.s.Exec(ctx, query); err != nil {
				return err
			}
		}
	}
	return w.s.Exec(ctx, `COMMIT`)
}

// KeepOwn takes along the tables and views that a person made in another warehouse. It returns the names of those that
// cannot be made in this one.
func (w *Warehouse) KeepOwn(ctx context.Context, other string) (left []string, err error) {
	detach, has, err := w.attach(ctx, other)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, detach()) }()
	ours, views := map[string]bool{}, map[string]bool{}
	for _, t := range schema.Tables() {
		ours[t.Object()] = true
	}
	for _, f := range objects() {
		views[f.Object()] = true
	}
	earlier := schema.Table{Scope: schema.Internal, Name: "_"}.Object() // begins those that another version has
	own := map[string]string{}                                          // the statements that make them
	for name := range has {
		if !ours[name] && !strings.HasPrefix(name, earlier) {
			own[name] = `CREATE TABLE ` + quotedObject(name) + ` AS FROM ` + attached + `.` + quotedObject(name)
		}
	}
	if err := sqlrows.EachAs(ctx, w.s.Conn, `SELECT `+objectName("view_name")+
		`, sql FROM duckdb_views() WHERE database_name = ? AND NOT internal`, func(v struct{ name, text string }) {
		if !views[v.name] {
			own[v.name] = v.text
		}
	}, attached); err != nil {
		return nil, err
	}
	schemas, err := sqlrows.All[string](ctx, w.s.Conn,
		`SELECT schema_name FROM duckdb_schemas() WHERE database_name = ? AND NOT internal`, attached)
	if err != nil {
		return nil, err
	}
	for _, name := range schemas {
		if _, err := w.s.Conn.ExecContext(ctx, `CREATE SCHEMA IF NOT EXISTS `+engine.Identifier(name)); err != nil {
			return nil, err
		}
	}
	names := slices.Sorted(maps.Keys(own))
	slices.SortStableFunc(names, func(a, b string) int { // tables first: views read them
		return min(len(has[b]), 1) - min(len(has[a]), 1)
	})
	for more := true; more; { // a view may read others: once more, until nothing can be made
		left = nil
		for _, name := range names {
			if _, err := w.s.Conn.ExecContext(ctx, own[name]); err != nil {
				left = append(left, name)
			}
		}
		more, names = len(left) < len(names), left
	}
	return left, ctx.Err()
}

// attached is the name of another warehouse in statements.
const attached = "_other"

// attach opens another warehouse beside this one, for reading. has are the columns of its tables, by their names in
// SQL.
func (w *Warehouse) attach(ctx context.Context, file string) (detach func() error, has map[string][]string, err error) {
	if w.s.Conn == nil {
		return nil, nil, session.ErrClosed
	}
	if _, err := w.s.Conn.ExecContext(ctx, `ATTACH `+engine.Literal(file)+` AS `+attached+` (READ_ONLY)`); err != nil {
		return nil, nil, err
	}
	detach = func() error {
		_, err := w.s.Conn.ExecContext(context.WithoutCancel(ctx), `DETACH `+attached)
		return err
	}
	has = map[string][]string{}
	query := `SELECT ` + objectName("c.table_name") +
		`, c.column_name FROM duckdb_columns() c SEMI JOIN duckdb_tables() t ON t.table_oid = c.table_oid AND t.database_name = c.database_name
		WHERE c.database_name = ? ORDER BY ALL`
	err = sqlrows.EachAs(ctx, w.s.Conn, query, func(c struct{ table, name string }) {
		has[c.table] = append(has[c.table], c.name)
	}, attached)
	if err != nil {
		return nil, nil, errors.Join(err, detach())
	}
	return detach, has, nil
}

// objectName is SQL for the name of a table or view, with its schema if that is not main.
func objectName(column string) string {
	return `if(schema_name = 'main', '', schema_name || '.') || ` + column
}

// quotedObject quotes such a name.
func quotedObject(name string) string {
	schemaName, table, ok := strings.Cut(name, ".")
	if !ok {
		return "main." + engine.Identifier(name)
	}
	return engine.Identifier(schemaName) + "." + engine.Identifier(table)
}

// KeepOld keeps the file whose place this one is to take, under the name that it returns.
func (w *Warehouse) KeepOld() (string, error) {
	to := catalog.CopyOf(w.path)
	err := os.Link(Followed(w.path), to)
	if err != nil { // a file system without links
		err = copyStill(w.path, to)
	}
	if err != nil {
		return "", engine.WithRemedy(fmt.Errorf("keep %s as it is, in %s: %w", w.path, to, err))
	}
	return to, nil
}
