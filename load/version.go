package load

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pipeline/load/engine"
	"pipeline/load/sqlrows"
	"pipeline/sql/schema"
)

// Names in _meta.
const (
	metaVersion = "schema_version"
	metaGap     = "session_gap_ms"
	metaWindow  = "commit_window_ms"
)

func metaInt(ctx context.Context, conn *sql.Conn, key string) (int64, error) {
	var text string
	if err := conn.QueryRowContext(ctx, `SELECT value FROM _meta WHERE key = ?`, key).Scan(&text); err != nil {
		return 0, err
	}
	return strconv.ParseInt(text, 10, 64)
}

// CheckVersion refuses a file that is no warehouse of this version.
func CheckVersion(ctx context.Context, path string) (err error) {
	db, conn, err := engine.Open(ctx, path, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	return checkVersion(ctx, conn, path)
}

// versionError is a warehouse whose tables are not those of this version.
type versionError struct {
	path    string
	version int64
	lacks   []string // tables and columns that it has not, though its version is this one
	unknown []string // columns that this version does not know, though it wrote that version of the schema
}

func (e *versionError) Error() string {
	switch {
	case e.version > schema.Version:
		return fmt.Sprintf("%s has schema version %d, this tool knows %d: use the version of the tool that wrote it, or another --warehouse", e.path, e.version, schema.Version)
	case len(e.unknown) > 0:
		return fmt.Sprintf("%s has columns that this version of the tool does not know (%s): use the version that made them, or another --warehouse; a column of your own you can move to a table of your own",
			e.path, few(e.unknown))
	case len(e.lacks) > 0:
		return fmt.Sprintf("%s was made before this version of the tool had %s: 'pipeline run' adds what is missing, and keeps the warehouse as it is in %s",
			e.path, few(e.lacks), copyOf(e.path, e.version))
	}
	return fmt.Sprintf("%s has schema version %d, this tool reads %d: 'pipeline run' brings it up to date, and keeps it as it is in %s",
		e.path, e.version, schema.Version, copyOf(e.path, e.version))
}

// few names the first of many.
func few(names []string) string {
	const most = 3
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

// checkVersion refuses a file that is no warehouse, one of a newer tool, and one that a load has to bring up to date first.
func checkVersion(ctx context.Context, conn *sql.Conn, path string) error {
	version, err := versionOf(ctx, conn, path)
	if err != nil {
		return err
	}
	if version < schema.Version {
		return &versionError{path: path, version: version}
	}
	have, err := readShape(ctx, conn)
	if err != nil {
		return err
	}
	if lacks := have.lacks(); len(lacks) > 0 {
		return &versionError{path: path, version: version, lacks: lacks}
	}
	return nil
}

// versionOf reads the version of a warehouse's schema. It refuses a file that is no warehouse, and one of a newer tool.
func versionOf(ctx context.Context, conn *sql.Conn, path string) (int64, error) {
	version, err := metaInt(ctx, conn, metaVersion)
	if err != nil {
		return 0, fmt.Errorf("%s is not a warehouse of this tool; move it away or name another with --warehouse: %w", path, err)
	}
	if version > schema.Version {
		return 0, &versionError{path: path, version: version}
	}
	return version, nil
}

// outdated reports a warehouse whose tables are not what is declared: its version is an earlier one, or a table or a column was declared since. One
// of this version with columns that are not declared is of a newer tool: this one could not fill them, so it is refused.
func outdated(ctx context.Context, conn *sql.Conn, path string, version int64) (bool, error) {
	if version < schema.Version {
		return true, nil
	}
	have, err := readShape(ctx, conn)
	if err != nil {
		return false, err
	}
	if unknown := have.unknown(); len(unknown) > 0 {
		return false, &versionError{path: path, version: version, unknown: unknown}
	}
	return slices.ContainsFunc(schema.Tables(), func(t schema.Table) bool { return !slices.Equal(have[t.Name], declared(t)) }), nil
}

// shape is what the engine's catalogue has of tables: the columns of each, as declaredAs has them.
type shape map[string][]string

func readShape(ctx context.Context, conn *sql.Conn) (shape, error) {
	have := shape{}
	err := sqlrows.Each(ctx, conn, `SELECT c.table_name, c.column_name, c.data_type, c.is_nullable FROM duckdb_columns() c
		SEMI JOIN (FROM duckdb_tables() WHERE database_name = current_database()) t ON t.table_oid = c.table_oid
		WHERE c.database_name = current_database() AND c.schema_name = 'main' ORDER BY c.table_name, c.column_index`, func(rows *sql.Rows) error {
		var table, name, typeName string
		var nullable bool
		err := rows.Scan(&table, &name, &typeName, &nullable)
		have[table] = append(have[table], declaredAs(schema.Column{Name: name, Type: typeName, Nullable: nullable}))
		return err
	})
	return have, err
}

// lacks are the tables, and the columns of the other tables, that are declared and not there.
func (s shape) lacks() (names []string) {
	for _, t := range schema.Tables() {
		if s[t.Name] == nil {
			names = append(names, t.Name)
			continue
		}
		for _, c := range t.Columns {
			if !slices.ContainsFunc(s[t.Name], func(have string) bool { return columnName(have) == c.Name }) {
				names = append(names, t.Name+"."+c.Name)
			}
		}
	}
	return names
}

// unknown are the columns of our tables that are there and not declared.
func (s shape) unknown() (names []string) {
	for _, t := range schema.Tables() {
		for _, have := range s[t.Name] {
			if name := columnName(have); !t.Has(name) {
				names = append(names, t.Name+"."+name)
			}
		}
	}
	return names
}

// declared are the columns of a table as they are to be.
func declared(t schema.Table) []string {
	columns := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		columns[i] = declaredAs(c)
	}
	return columns
}

// declaredAs is a column by its name and what else tells it from another one of that name.
func declaredAs(c schema.Column) string {
	null := "NOT NULL"
	if c.Nullable {
		null = "NULL"
	}
	if c.Type == "TIMESTAMPTZ" {
		c.Type = "TIMESTAMP WITH TIME ZONE" // the engine's own name of it
	}
	return strconv.Quote(c.Name) + " " + c.Type + " " + null
}

// columnName is the name in what declaredAs gives.
func columnName(declared string) string {
	name, _ := strconv.QuotedPrefix(declared) // declaredAs begins with one
	name, _ = strconv.Unquote(name)
	return name
}
