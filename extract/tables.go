package extract

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"pipeline/load/tool/sqlrows"
)

// knownTable returns the usual spelling of a table's name, if the table is one that is read: SQLite ignores the case of
// names.
func knownTable(name string) string {
	for _, known := range []string{diskKV, itemTable, headTable} {
		if strings.EqualFold(name, known) {
			return known
		}
	}
	return name
}

// refuseViews reports a view that has the name of one of the tables. A view's rows have no rowids. If the store were
// read without the table, all its conversations would seem to be gone.
func (s *store) refuseViews(ctx context.Context) error {
	return sqlrows.Each(ctx, s.snap.Conn(),
		`SELECT name FROM sqlite_master WHERE type = 'view'`, func(rows *sql.Rows) error {
			var name string
			if err := rows.Scan(&name); err != nil {
				return err
			}
			switch knownTable(name) {
			case diskKV, itemTable, headTable:
				return &StoreError{Path: s.snap.Info().Path, Kind: KindStrange,
					Err: fmt.Errorf("%s is a view here, and no table", name)}
			}
			return nil
		})
}

// readTables finds out which of the known tables the store has, and warns of all others.
func (s *store) readTables(ctx context.Context) error {
	var unknown []string
	err := s.refuseViews(ctx)
	if err != nil {
		return err
	}
	err = eachTable(ctx, s.snap.Conn(), func(name, ddl string) {
		name = knownTable(name)
		s.tables[name] = true
		s.ddl += ddl + "\n"
		s.noRowID[name] = withoutRowID(ddl)
		if name != diskKV && name != itemTable && name != headTable && !strings.HasPrefix(name, "sqlite_") {
			unknown = append(unknown, name)
		}
	})
	if err != nil {
		return err
	}
	if len(unknown) > 0 { // a newer Cursor may store something there
		s.snap.info.Warnings = append(s.snap.info.Warnings,
			"it has tables that this version does not know and does not read: "+strings.Join(unknown, ", "))
	}
	if !s.tables[diskKV] && !s.tables[itemTable] && !s.tables[headTable] {
		return &StoreError{Path: s.snap.Info().Path, Kind: KindNoTable,
			Err: fmt.Errorf("it is a SQLite file with none of the tables %s, %s, %s", itemTable, diskKV, headTable)}
	}
	return nil
}

// eachTable calls f for the name and definition of each table.
func eachTable(ctx context.Context, conn *sql.Conn, f func(name, ddl string)) error {
	return sqlrows.Each(ctx, conn,
		`SELECT name, coalesce(sql, '') FROM sqlite_master WHERE type = 'table'`, func(rows *sql.Rows) error {
			var name, ddl string
			if err := rows.Scan(&name, &ddl); err != nil {
				return err
			}
			f(name, ddl)
			return nil
		})
}

func withoutRowID(ddl string) bool {
	return strings.Contains(strings.Join(strings.Fields(strings.ToUpper(ddl)), " "), "WITHOUT ROWID")
}
