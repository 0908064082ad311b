package storetest

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"unicode/utf8"
)

// Encodings are those that SQLite may hold the TEXT of a file in.
var Encodings = []string{"UTF-8", "UTF-16le", "UTF-16be"}

// Recode writes the store at from anew, to another path, with all TEXT in another encoding. Rows keep their rowids.
// TEXT that is no UTF-8 becomes a BLOB, since no other encoding can hold it.
func Recode(from, to, encoding string) error {
	if err := os.Remove(to); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return withStore(from, func(in *store) error {
		return withStore(to, func(out *store) error {
			if err := out.exec(fmt.Sprintf("PRAGMA encoding = '%s'", encoding), "PRAGMA user_version = 1",
				"BEGIN"); err != nil {
				return err
			}
			rows, err := in.conn.QueryContext(in.ctx,
				`SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type = 'index'`)
			if err != nil {
				return err
			}
			defer rows.Close()
			for rows.Next() {
				var kind, name, ddl string
				if err := rows.Scan(&kind, &name, &ddl); err != nil {
					return err
				}
				if err := out.exec(ddl); err != nil {
					return err
				}
				if kind == "table" {
					if err := out.recode(in, name); err != nil {
						return err
					}
				}
			}
			return errors.Join(rows.Err(), out.exec("COMMIT"))
		})
	})
}

// recode copies a table's rows.
func (s *store) recode(in *store, table string) error {
	rows, err := in.conn.QueryContext(in.ctx, "SELECT rowid, * FROM "+quote(table))
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	names := []string{"rowid"}
	for _, c := range columns[1:] {
		names = append(names, quote(c))
	}
	insert := "INSERT INTO " + quote(table) + " (" + strings.Join(names, ", ") + ") VALUES (?" +
		strings.Repeat(", ?", len(names)-1) + ")"
	for rows.Next() {
		cells, refs := make([]any, len(columns)), make([]any, len(columns))
		for i := range cells {
			refs[i] = &cells[i]
		}
		if err := rows.Scan(refs...); err != nil {
			return err
		}
		for i, cell := range cells {
			if text, ok := cell.(string); ok && !utf8.ValidString(text) {
				cells[i] = []byte(text)
			}
		}
		if _, err := s.conn.ExecContext(s.ctx, insert, cells...); err != nil {
			return fmt.Errorf("copy a row of %s: %w", table, err)
		}
	}
	return rows.Err()
}
