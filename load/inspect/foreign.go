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

// This file has the questions that are asked before a new warehouse replaces another.

// ForeignTables lists the tables of a warehouse that this tool did not make. A person did.
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

// RawMissing lists the files of the raw layer that a warehouse names and that are missing or have another size. A missing file does not count if a rewritten
// file has its rows.
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
