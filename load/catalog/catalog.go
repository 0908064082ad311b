// Package catalog knows which tables a warehouse's file has, and whether they are those that this version of the tool declares.
//
// It must never know what is in the tables, but for the settings in _meta, nor how a warehouse of an earlier version is brought up to date.
package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"pipeline/load/engine"
	"pipeline/load/sqlrows"
	"pipeline/sql/schema"
)

// VersionKey is the setting that has the version of the schema.
const VersionKey = "schema_version"

// RemovedNewKey is the setting that has how many conversations the loads added that retention has removed: with the other loads they add up.
const RemovedNewKey = "loads_removed_new"

// Setting is a number in _meta.
func Setting(ctx context.Context, conn *sql.Conn, key string) (int64, error) {
	var text string
	if err := conn.QueryRowContext(ctx, `SELECT value FROM _meta WHERE key = ?`, key).Scan(&text); err != nil {
		return 0, err
	}
	return strconv.ParseInt(text, 10, 64)
}

// CheckFile refuses a file that is no warehouse of this version.
func CheckFile(ctx context.Context, path string) (err error) {
	db, conn, err := engine.Open(ctx, path, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	return Check(ctx, conn, path)
}

// OtherVersion is a warehouse whose tables are not those of this version.
type OtherVersion struct {
	path    string
	version int64
	lacks   Names // tables and columns that it has not, though its version is this one
	unknown Names // columns that this version does not know, though it wrote that version of the schema
}

func (e *OtherVersion) Error() string {
	switch {
	case e.version > schema.Version:
		return fmt.Sprintf("%s has schema version %d, this tool knows %d: use the version of the tool that wrote it, or another --warehouse", e.path, e.version, schema.Version)
	case len(e.unknown) > 0:
		return fmt.Sprintf("%s has columns that this version of the tool does not know (%s): use the version that made them, or another --warehouse; a column of your own you can move to a table of your own",
			e.path, e.unknown)
	case len(e.lacks) > 0:
		return fmt.Sprintf("%s was made before this version of the tool had %s: 'pipeline run' adds what is missing, and keeps the warehouse as it is in %s",
			e.path, e.lacks, CopyOf(e.path, e.version))
	}
	return fmt.Sprintf("%s has schema version %d, this tool reads %d: 'pipeline run' brings it up to date, and keeps it as it is in %s",
		e.path, e.version, schema.Version, CopyOf(e.path, e.version))
}

// Names are names of tables and columns. As a text they are the first of them.
type Names []string

func (names Names) String() string {
	const most = 3
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

// Check refuses a file that is no warehouse, one of a newer tool, and one that a load has to bring up to date first.
func Check(ctx context.Context, conn *sql.Conn, path string) error {
	version, err := Version(ctx, conn, path)
	if err != nil {
		return err
	}
	if version < schema.Version {
		return &OtherVersion{path: path, version: version}
	}
	have, err := Read(ctx, conn)
	if err != nil {
		return err
	}
	if lacks := have.lacks(); len(lacks) > 0 {
		return &OtherVersion{path: path, version: version, lacks: lacks}
	}
	return nil
}

// Version reads the version of a warehouse's schema. It refuses a file that is no warehouse, and one of a newer tool.
func Version(ctx context.Context, conn *sql.Conn, path string) (int64, error) {
	version, err := Setting(ctx, conn, VersionKey)
	if err != nil {
		return 0, fmt.Errorf("%s is not a warehouse of this tool; move it away or name another with --warehouse: %w", path, err)
	}
	if version > schema.Version {
		return 0, &OtherVersion{path: path, version: version}
	}
	return version, nil
}

// Outdated reports a warehouse whose tables are not what is declared: its version is an earlier one, or a table or a column was declared since. One
// of this version with columns that are not declared is of a newer tool: this one could not fill them, so it is refused.
func Outdated(ctx context.Context, conn *sql.Conn, path string, version int64) (bool, error) {
	if version < schema.Version {
		return true, nil
	}
	have, err := Read(ctx, conn)
	if err != nil {
		return false, err
	}
	if unknown := have.Unknown(); len(unknown) > 0 {
		return false, &OtherVersion{path: path, version: version, unknown: unknown}
	}
	return slices.ContainsFunc(schema.Tables(), func(t schema.Table) bool { return !slices.Equal(have[t.Name], Declared(t)) }), nil
}

// Tables are the tables that the engine's catalogue has: the columns of each, as Declared writes them.
type Tables map[string][]string

// Read asks the engine for the tables.
func Read(ctx context.Context, conn *sql.Conn) (Tables, error) {
	have := Tables{}
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
func (have Tables) lacks() (names Names) {
	for _, t := range schema.Tables() {
		if have[t.Name] == nil {
			names = append(names, t.Name)
			continue
		}
		for _, c := range t.Columns {
			if !slices.ContainsFunc(have[t.Name], func(column string) bool { return ColumnName(column) == c.Name }) {
				names = append(names, t.Name+"."+c.Name)
			}
		}
	}
	return names
}

// Unknown are the columns of our tables that are there and not declared.
func (have Tables) Unknown() (names Names) {
	for _, t := range schema.Tables() {
		for _, column := range have[t.Name] {
			if name := ColumnName(column); !t.Has(name) {
				names = append(names, t.Name+"."+name)
			}
		}
	}
	return names
}

// Declared are the columns of a table as they are to be.
func Declared(t schema.Table) []string {
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

// ColumnName is the name in what declaredAs gives.
func ColumnName(declared string) string {
	name, _ := strconv.QuotedPrefix(declared) // declaredAs begins with one
	name, _ = strconv.Unquote(name)
	return name
}

// CopyOf is where a warehouse is to be kept as it is before its migration: a name that is free, as an earlier copy may be of another time.
func CopyOf(path string, version int64) string {
	names := Copies(path, version)
	return names[len(names)-1]
}

// Copies are the names of the copies of that version that are there, and the next one.
func Copies(path string, version int64) (names []string) {
	for n := 1; ; n++ {
		name := path + ".schema-" + strconv.FormatInt(version, 10)
		if n > 1 {
			name += "-" + strconv.Itoa(n)
		}
		names = append(names, name)
		if _, err := os.Lstat(name); err != nil {
			return names
		}
	}
}
