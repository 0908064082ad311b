package inspect

import (
	"context"
	dbsql "database/sql"
	"errors"
	"fmt"
	"strings"

	"pipeline/load/engine"
	"pipeline/load/rawindex"
	"pipeline/load/tool/sqlrows"
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
		ours = append(ours, engine.Literal(table.Object()))
	}
	query := fmt.Sprintf(`SELECT if(schema_name = 'main', '', schema_name || '.') || table_name AS object FROM duckdb_tables()
		WHERE database_name = current_database() AND NOT temporary AND object NOT IN (%s) ORDER BY 1`, strings.Join(ours, ", "))
	err = sqlrows.Each(ctx, conn, query, func(rows *dbsql.Rows) error {
		var name string
		err := rows.Scan(&name)
		names = append(names, name)
		return err
	})
	return names, err
}

// RawMissing is rawindex.Missing of a warehouse that is not open.
func RawMissing(ctx context.Context, warehouse string) (missing []string, err error) {
	db, conn, err := engine.Open(ctx, warehouse, true)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	return rawindex.Missing(ctx, conn, warehouse)
}
