// Package catalog knows which tables a warehouse's file has, and whether they are those that this version of the tool
// declares.
//
// It must never know the rows of the tables, but for the settings in _meta, nor how a warehouse of an earlier version
// is brought up to date.
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
	"pipeline/load/tool/sqlrows"
	"pipeline/sql/schema"
)

// VersionKey is the setting with the version of the tables. Warehouses from before the first release have none.
const VersionKey = "warehouse_version"

// Setting returns a number in _meta.
func Setting(ctx context.Context, conn *sql.Conn, key string) (int64, error) {
	var text string
	if err := conn.QueryRowContext(ctx, `SELECT value FROM _meta WHERE key = ?`, key).Scan(&text); err != nil {
		return 0, err
	}
	return strconv.ParseInt(text, 10, 64)
}

// CheckFile returns an error if a file is not a warehouse of this version. See Check.
func CheckFile(ctx context.Context, path string) error {
	return engine.Reading(ctx, path, func(conn *sql.Conn) error { return Check(ctx, conn, path) })
}

// OtherVersion is the error for a warehouse whose tables are not those of this version.
type OtherVersion struct {
	path    string
	version int64
	lacks   Names // tables and columns that it has not, though its version is this one
	unknown Names // columns that this version does not know, though it wrote that version of the schema
	other   Names // columns that are declared in another way, or that it lacks and that may not be NULL
}

// IsOlder reports whether the warehouse is to be made anew from its raw layer: its tables are those of an earlier
// version, or differ in more than what can be added.
func (e *OtherVersion) IsOlder() bool { return e.version < schema.Version || len(e.other) > 0 }

// Difference says how the tables of such a warehouse differ.
func (e *OtherVersion) Difference() string {
	if len(e.other) > 0 {
		return fmt.Sprintf("%s has other columns than this version of the tool (%s)", e.path, e.other)
	}
	return fmt.Sprintf("%s has schema version %d, this tool writes %d", e.path, e.version, schema.Version)
}

func (e *OtherVersion) Error() string {
	switch {
	case e.IsOlder():
		return fmt.Sprintf("%s: 'pipeline run' makes it anew from its raw layer, and keeps the old one in %s",
			e.Difference(), CopyOf(e.path))
	case e.version > schema.Version:
		return fmt.Sprintf("%s has schema version %d, this tool knows %d: use the version of the tool that wrote it, "+
			"or another --warehouse", e.path, e.version, schema.Version)
	case len(e.unknown) > 0:
		return fmt.Sprintf("%s has columns that this version of the tool does not know (%s): use the version that "+
			"made them, or another --warehouse; a column of your own you can move to a table of your own",
			e.path, e.unknown)
	}
	return fmt.Sprintf("%s was made before this version of the tool had %s: 'pipeline run' adds what is missing, and "+
		"keeps the warehouse as it is in %s",
		e.path, e.lacks, CopyOf(e.path))
}

// Names are names of tables and columns. As text, only the first few are shown.
type Names []string

func (names Names) String() string {
	const most = 3
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

// Check returns an error if a file is not a warehouse, is of a newer version of the tool, or has to be brought up to
// date by a load first.
func Check(ctx context.Context, conn *sql.Conn, path string) error {
	if err := CheckVersion(ctx, conn, path); err != nil {
		return err
	}
	if as, err := asDeclared(ctx, conn); as || err != nil {
		return err
	}
	have, err := Read(ctx, conn)
	if err != nil {
		return err
	}
	if lacks, _, _ := have.differ(); len(lacks) > 0 {
		return &OtherVersion{path: path, version: schema.Version, lacks: lacks}
	}
	return nil
}

// CheckVersion returns an error if a file is not a warehouse, or has another version of the tables.
func CheckVersion(ctx context.Context, conn *sql.Conn, path string) error {
	switch version, err := Setting(ctx, conn, VersionKey); {
	case errors.Is(err, sql.ErrNoRows):
		return fmt.Errorf("%[1]s is from before the first release of this tool, which does not read it: move %[1]s "+
			"and %[1]s.raw away, or name another with --warehouse", path)
	case err != nil:
		return fmt.Errorf("%s is not a warehouse of this tool; move it away or name another with --warehouse: %w", path,
			err)
	case version != schema.Version:
		return &OtherVersion{path: path, version: version}
	}
	return nil
}

// Outdated reports whether a warehouse lacks tables or columns that this version declares. It returns an error if the
// warehouse differs in another way: if it has columns that are not declared, a newer tool made it, and this one could
// not fill them.
func Outdated(ctx context.Context, conn *sql.Conn, path string) (bool, error) {
	if err := CheckVersion(ctx, conn, path); err != nil {
		return false, err
	}
	if as, err := asDeclared(ctx, conn); as || err != nil {
		return false, err
	}
	have, err := Read(ctx, conn)
	if err != nil {
		return false, err
	}
	_, unknown, other := have.differ()
	if len(unknown) > 0 {
		return false, &OtherVersion{path: path, version: schema.Version, unknown: unknown}
	}
	if len(other) > 0 {
		return false, &OtherVersion{path: path, version: schema.Version, other: other}
	}
	return slices.ContainsFunc(schema.Tables(),
		func(t schema.Table) bool { return !slices.Equal(have[t.Object()], Declared(t)) }), nil
}

// asDeclared reports whether every table is as it is declared, by the text that the engine has of each. It is quick,
// and does not say what differs: that is for Read.
func asDeclared(ctx context.Context, conn *sql.Conn) (bool, error) {
	texts, err := sqlrows.Map[string, bool](ctx, conn,
		`SELECT replace(sql, '"', ''), true FROM duckdb_tables() WHERE database_name = current_database()`)
	return err == nil && !slices.ContainsFunc(schema.Tables(),
		func(t schema.Table) bool { return !texts[textOf(t)] }), err
}

// textOf returns the text that the engine has of a table as declared, without quotes.
func textOf(t schema.Table) string {
	columns := make([]string, len(t.Columns))
	for i, text := range Declared(t) {
		if t.Columns[i].Nullable {
			text = strings.TrimSuffix(text, " NULL") // it goes without saying
		}
		columns[i] = strings.ReplaceAll(text, `"`, "")
	}
	return "CREATE TABLE " + t.Object() + "(" + strings.Join(columns, ", ") + ");"
}

// Tables has the columns of each table in the engine's catalogue. A table has the name that schema.Table.Object
// returns; a column is text as Declared writes it: name, type, and whether it may be NULL.
type Tables map[string][]string

// Read reads the tables from the engine's catalogue.
func Read(ctx context.Context, conn *sql.Conn) (Tables, error) {
	have := Tables{}
	err := sqlrows.Each(ctx, conn,
		`SELECT if(c.schema_name = 'main', '', c.schema_name || '.') || c.table_name AS object, c.column_name, c.data_type, c.is_nullable FROM duckdb_columns() c
		SEMI JOIN (FROM duckdb_tables() WHERE database_name = current_database()) t ON t.table_oid = c.table_oid
		WHERE c.database_name = current_database() ORDER BY object, c.column_index`, func(rows *sql.Rows) error {
			var table, name, typeName string
			var nullable bool
			err := rows.Scan(&table, &name, &typeName, &nullable)
			have[table] = append(have[table], declaredAs(schema.Column{Name: name, Type: typeName, Nullable: nullable}))
			return err
		})
	return have, err
}

// differ says how tables differ from the declared ones. lacks are the tables, and the columns of other tables, that do
// not exist; unknown are the columns of our tables that are not declared; other are those that are not as declared, and
// those that do not exist and may not be NULL.
func (have Tables) differ() (lacks, unknown, other Names) {
	for _, t := range schema.Tables() {
		if have[t.Object()] == nil {
			lacks = append(lacks, t.Object())
			continue
		}
		columns := map[string]string{}
		for _, column := range have[t.Object()] {
			name := ColumnName(column)
			if columns[name] = column; !t.Has(name) {
				unknown = append(unknown, t.Object()+"."+name)
			}
		}
		for i, declared := range Declared(t) {
			c := t.Columns[i]
			column, name := columns[c.Name], t.Object()+"."+c.Name
			if column == "" {
				lacks = append(lacks, name)
			}
			if column != declared && (column != "" || !c.Nullable) {
				other = append(other, name)
			}
		}
	}
	return lacks, unknown, other
}

// Declared returns the columns of a table as they are declared.
func Declared(t schema.Table) []string {
	columns := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		columns[i] = declaredAs(c)
	}
	return columns
}

// declaredAs returns a column as text: its name, its type, and whether it may be NULL.
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

// ColumnName returns the name of a column from the text that declaredAs returns.
func ColumnName(declared string) string {
	name, _ := strconv.QuotedPrefix(declared) // declaredAs begins with one
	name, _ = strconv.Unquote(name)
	return name
}

// CopyOf returns the path of the copy that is made before a migration. The name is free: an earlier copy may be of
// another time.
func CopyOf(path string) string {
	names := Copies(path)
	return names[len(names)-1]
}

// Copies returns the paths of the existing copies of a warehouse, and the next free one.
func Copies(path string) (names []string) {
	for n := 1; ; n++ {
		name := path + ".before"
		if n > 1 {
			name += "-" + strconv.Itoa(n)
		}
		names = append(names, name)
		if _, err := os.Lstat(name); err != nil {
			return names
		}
	}
}
