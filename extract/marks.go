package extract

import (
	"context"
	"database/sql"

	"pipeline/load/tool/sqlrows"
)

// Marks is what a store says of its own version: the number that its writer has set, and the tables and columns that it
// has.
type Marks struct {
	UserVersion int64
	Tables      []TableMarks // by name, without SQLite's own
}

// TableMarks are a table and its columns, in their order.
type TableMarks struct {
	Name    string
	Columns []string
}

// tellMarks tells a caller who asks for the marks of the store.
func (s *storeSnapshot) tellMarks(ctx context.Context, store string, tell func(string, Marks)) error {
	if tell == nil {
		return nil
	}
	var m Marks
	if err := s.Conn().QueryRowContext(ctx, `PRAGMA user_version`).Scan(&m.UserVersion); err != nil {
		return err
	}
	err := sqlrows.Each(ctx, s.Conn(), `SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c
		WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY t.name, c.cid`,
		func(rows *sql.Rows) error {
			var table, column string
			if err := rows.Scan(&table, &column); err != nil {
				return err
			}
			if n := len(m.Tables); n == 0 || m.Tables[n-1].Name != table {
				m.Tables = append(m.Tables, TableMarks{Name: table})
			}
			last := &m.Tables[len(m.Tables)-1]
			last.Columns = append(last.Columns, column)
			return nil
		})
	if err != nil {
		return err
	}
	for i := range m.Tables {
		m.Tables[i].Name = knownTable(m.Tables[i].Name)
	}
	tell(store, m)
	return nil
}
