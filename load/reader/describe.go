package reader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"pipeline/load/engine"
	"pipeline/load/tool/sqlrows"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// ViewColumns returns the columns of each view with their meanings, by the view's name as SQL finds it. It makes an
// empty warehouse in memory to find them.
func ViewColumns(ctx context.Context) (_ map[string][]Column, err error) {
	db, conn, err := engine.Open(ctx, "", false)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	create := []string{schema.SchemasDDL()}
	for _, t := range schema.Tables() {
		table, _, _ := strings.Cut(t.DDL(), "COMMENT ON") // the comments are most of the time
		create = append(create, table)
	}
	for _, f := range slices.Concat(sql.Views(), sql.Answers(), sql.Shorts(), sql.Reports()) {
		create = append(create, f.SQL)
	}
	for _, statements := range create {
		if _, err := conn.ExecContext(ctx, statements); err != nil {
			return nil, fmt.Errorf("make an empty warehouse: %w", err)
		}
	}
	out := map[string][]Column{}
	for _, f := range slices.Concat(sql.Views(), sql.Answers(), sql.Shorts(), sql.Reports()) {
		columns, err := sqlrows.All[struct{ name, typeName, comment string }](ctx, conn,
			`SELECT column_name, data_type, coalesce(comment, '') FROM duckdb_columns() WHERE schema_name = ? AND table_name = ? ORDER BY column_index`,
			f.Schema, f.Name)
		if err != nil {
			return nil, err
		}
		for _, column := range columns {
			c := columnOf(column.name, column.typeName)
			c.Doc = cmp.Or(column.comment, f.Meaning(column.name))
			out[f.Object()] = append(out[f.Object()], c)
		}
	}
	return out, nil
}
