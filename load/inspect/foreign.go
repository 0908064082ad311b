package inspect

import (
	"context"
	dbsql "database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pipeline/load/engine"
	"pipeline/load/rawindex"
	"pipeline/load/rawlog"
	"pipeline/load/sqlrows"
	"pipeline/sql/schema"
)

// This file has what is asked before a warehouse is made anew in the place of another.

// ForeignTables lists the tables of a warehouse that this tool has not made: a person's own.
func ForeignTables(ctx context.Context, warehouse string) (names []string, err error) {
	db, conn, err := engine.Open(ctx, warehouse, true)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	var ours []string
	for _, table := range schema.Tables() {
		ours = append(ours, engine.Literal(table.Name))
	}
	query := fmt.Sprintf(`SELECT if(schema_name = 'main', '', schema_name || '.') || table_name FROM duckdb_tables()
		WHERE database_name = current_database() AND NOT temporary AND (schema_name <> 'main' OR table_name NOT IN (%s)) ORDER BY 1`, strings.Join(ours, ", "))
	err = sqlrows.Each(ctx, conn, query, func(rows *dbsql.Rows) error {
		var name string
		err := rows.Scan(&name)
		names = append(names, name)
		return err
	})
	return names, err
}

// RawMissing lists the files of the raw layer that a warehouse names and that are not there as they were written, nor one that holds what they held.
func RawMissing(ctx context.Context, warehouse string) (missing []string, err error) {
	db, conn, err := engine.Open(ctx, warehouse, true)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	replaced, err := rawlog.Replaced(rawlog.Dir(warehouse))
	if err != nil {
		return nil, err
	}
	named, err := rawindex.Named(ctx, conn)
	if err != nil {
		return nil, err
	}
	for path, bytes := range named {
		file := filepath.Join(rawlog.Dir(warehouse), filepath.FromSlash(path))
		if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) && !replaced(path) || rawlog.Resized(file, bytes) != "" {
			missing = append(missing, path)
		}
	}
	slices.Sort(missing)
	return missing, nil
}
