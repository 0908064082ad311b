package extract

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"

	"pipeline/load/tool/sqlrows"
)

// A scan of a damaged table stops at the first bad page. Its unique index still names the rows, and each row can be
// read by its rowid: only rows on bad pages are lost then. So a damaged store is copied into a new one, row by row, and
// the new one is read like any other store.

// salvageInto copies the readable rows of a damaged database into a new one. It uses two connections: an error of one
// must not end the transaction of the other.
func salvageInto(ctx context.Context, damaged, to string) (_ *loss, err error) {
	bad, closeBad, err := connectTo(ctx, damaged, "mode=rw")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeBad()) }()
	sound, closeSound, err := connectTo(ctx, to, "_pragma=synchronous(0)&_pragma=journal_mode(memory)")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeSound()) }()
	order, err := textOrder(ctx, bad)
	if err != nil {
		return nil, err
	}
	g := &salvager{ctx: ctx, bad: bad, sound: sound, limit: readLimit(order),
		loss: &loss{rows: map[string]map[int64]bool{}}}
	return g.loss, g.tables()
}

// connectTo opens a private file; end closes it.
func connectTo(ctx context.Context, path, params string) (conn *sql.Conn, end func() error, err error) {
	db, err := sql.Open("sqlite", fileURI(path, runtime.GOOS == "windows")+"?"+params)
	if err != nil {
		return nil, nil, err
	}
	if conn, err = db.Conn(ctx); err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	return conn, func() error { return errors.Join(conn.Close(), db.Close()) }, nil
}

// salvager reads bad, the damaged database, into sound.
type salvager struct {
	ctx        context.Context
	bad, sound *sql.Conn // the sound one is always in UTF-8
	limit      int64     // size limit of a value, in the damaged one's encoding: a larger value is not read
	loss       *loss
	headers    map[string]bool // columns of the header table
}

// soundError is an error of the new database, not of the damaged one.
type soundError struct{ error }

func (e soundError) Unwrap() error { return e.error }

func (g *salvager) exec(query string, args ...any) error {
	_, err := g.insert(query, args...)
	return err
}

// insert reports whether a row was inserted.
func (g *salvager) insert(query string, args ...any) (bool, error) {
	result, err := g.sound.ExecContext(g.ctx, query, args...)
	if err != nil {
		return false, soundError{err}
	}
	n, err := result.RowsAffected()
	return n > 0, err
}

// tables salvages the three tables that a store may have. Their definitions must be readable.
func (g *salvager) tables() error {
	definitions := map[string]string{}
	if err := eachTable(g.ctx, g.bad, func(name, ddl string) { definitions[name] = ddl }); err != nil {
		return err
	}
	if err := g.exec("BEGIN; CREATE TEMP TABLE names (rid INTEGER PRIMARY KEY, key)"); err != nil {
		return err
	}
	for _, table := range []string{diskKV, itemTable, headTable} {
		ddl, ok := definitions[table]
		if !ok {
			continue
		}
		err := g.exec(ddl)
		if err == nil {
			err = g.table(table, withoutRowID(ddl))
		}
		switch {
		case err == nil:
		case g.ctx.Err() != nil || sqliteCode(err) == sqliteFull:
			return fmt.Errorf("salvage the table %s: %w", table, err)
		default: // the other tables may still be readable
			g.loss.keys = append(g.loss.keys, fmt.Sprintf("table %s (%v)", table, err))
		}
	}
	return g.exec("COMMIT")
}

// ignoreDamage returns nil for an error that SQLite gives for a damaged page, and any other error as it is.
func ignoreDamage(err error) error {
	var sound soundError
	if errors.As(err, &sound) {
		return err
	}
	switch sqliteCode(err) {
	case sqliteCorrupt, sqliteIOErr, sqliteNotADB:
		return nil
	}
	return err
}

func (g *salvager) table(table string, noRowID bool) error {
	switch {
	case noRowID && table == headTable:
		return ignoreDamage(sqlrows.Each(g.ctx, g.bad, `SELECT * FROM `+headTable, g.copyHeader))
	case noRowID:
		return g.keyed(table)
	case table == headTable: // the table is small, and its index has no keys to note
		if err := g.scan(table, "NULL"); err != nil {
			return err
		}
		return g.eachNoted(func(rid int64, _ any) error {
			err := sqlrows.Each(g.ctx, g.bad, `SELECT * FROM `+headTable+` WHERE rowid = ?`, g.copyHeader, rid)
			if err != nil {
				g.loss.keys = append(g.loss.keys, fmt.Sprintf("%s row %d", headTable, rid))
			}
			return ignoreDamage(err)
		})
	}
	for _, order := range []string{"key", "key DESC"} {
		err := g.noteRows(`SELECT rowid, key FROM ` + table + ` ORDER BY ` + order)
		if err == nil {
			break // the index was read to its end: the reverse order adds nothing
		}
		if ignoreDamage(err) != nil {
			return err
		}
	}
	if err := g.scan(table, "key"); err != nil {
		return err
	}
	return g.eachNoted(func(rid int64, key any) error { return g.copyRow(table, rid, key) })
}

// noteRows notes the rowids and keys that a query returns before it ends or fails.
func (g *salvager) noteRows(query string, args ...any) error {
	return sqlrows.Each(g.ctx, g.bad, query, func(rows *sql.Rows) error {
		var rid int64
		var key any
		if err := rows.Scan(&rid, &key); err != nil {
			return err
		}
		return g.noteRow(rid, key)
	}, args...)
}

func (g *salvager) noteRow(rid int64, key any) error {
	return g.exec(`INSERT OR IGNORE INTO temp.names VALUES (?, ?)`, rid, key)
}

// scan notes the rows that it finds in the table itself, past bad pages. Behind a bad page it goes forward in steps
// that double until a row can be read, and then reads backwards to the page.
func (g *salvager) scan(table, key string) error {
	query := `SELECT rowid, ` + key + ` FROM ` + table + ` NOT INDEXED WHERE rowid `
	from, step := int64(math.MinInt64), int64(1)
	for {
		last := from
		err := sqlrows.Each(g.ctx, g.bad, query+`> ? ORDER BY rowid`, func(rows *sql.Rows) error {
			var k any
			if err := rows.Scan(&last, &k); err != nil {
				return err
			}
			return g.noteRow(last, k)
		}, from)
		if step > 1 && (err == nil || last > from) {
			if err := g.noteRows(query+`<= ? ORDER BY rowid DESC`, from); ignoreDamage(err) != nil {
				return err
			}
		}
		if err == nil || ignoreDamage(err) != nil {
			return err
		}
		if last > from {
			step = 1
		}
		if last = max(last, 0); last > math.MaxInt64-step { // SQLite makes no rowids below 1
			return nil
		}
		from, step = last+step, 2*step
	}
}

// eachNoted calls copyOne for each noted row, the newest first, and clears the notes. An old page may still name a row
// that was replaced since. The newer row has the larger rowid, so it is copied first.
func (g *salvager) eachNoted(copyOne func(rid int64, key any) error) error {
	err := sqlrows.Each(g.ctx, g.sound,
		`SELECT rid, key FROM temp.names ORDER BY rid DESC`, func(rows *sql.Rows) error {
			var rid int64
			var key any
			if err := rows.Scan(&rid, &key); err != nil {
				return err
			}
			return copyOne(rid, key)
		})
	if err != nil {
		return err
	}
	return g.exec(`DELETE FROM temp.names`)
}

// unwanted reports a row whose value must not or need not be read.
func unwanted(table string, key any) bool {
	if table == itemTable {
		return classifyItemKey(text(key)).handling != Loaded
	}
	return classifyKey(text(key)).handling == Refused
}

// fetch reads the row that matches a condition. It does not read a value that is not wanted or too large.
func (g *salvager) fetch(table string, wanted bool, where string, arg any) (key any, size sql.NullInt64, value any,
	err error) {
	if !wanted {
		err = g.bad.QueryRowContext(g.ctx, `SELECT key FROM `+table+` WHERE `+where, arg).Scan(&key)
		return key, size, nil, err
	}
	column := fmt.Sprintf("CASE WHEN octet_length(value) <= %d THEN value END", g.limit)
	err = g.bad.QueryRowContext(g.ctx, `SELECT key, octet_length(value), `+column+` FROM `+table+` WHERE `+where, arg).
		Scan(&key, &size, &value)
	if text, ok := value.(string); ok {
		size.Int64 = int64(len(text))
	}
	return key, size, value, err
}

// put writes a row, unless there is one with that key. In place of a value that is too large, it writes zeros of the
// same size.
func (g *salvager) put(table string, columns []string, cells []any, size int64, value any) (bool, error) {
	slot := "?"
	if blob, ok := value.([]byte); size > MaxValueBytes || ok && len(blob) == 0 {
		// the driver would write NULL for an empty value
		slot, value = "zeroblob(?)", size
	}
	return g.insert(`INSERT OR IGNORE INTO `+table+` (`+strings.Join(columns, ", ")+`, value) VALUES (`+
		strings.Repeat("?, ", len(columns))+slot+`)`, append(cells, value)...)
}

// copyRow copies a row. A row that cannot be read is written without its value: its key and rowid are known.
func (g *salvager) copyRow(table string, rid int64, key any) error {
	columns := []string{"rowid", "key"}
	found, size, value, err := g.fetch(table, !unwanted(table, key), "rowid = ?", rid)
	if err == nil && unwanted(table, key) && !unwanted(table, found) { // the index names another key, wrongly
		found, size, value, err = g.fetch(table, true, "rowid = ?", rid)
	}
	switch {
	case err == nil:
		inserted, err := g.put(table, columns, []any{rid, found}, size.Int64, value)
		if inserted {
			g.loss.read++
		}
		if text(found) != text(key) { // the key in the table counts
			g.loss.keys = append(g.loss.keys, text(key))
		}
		return err
	case errors.Is(err, sql.ErrNoRows): // the index names a row that does not exist
	case ignoreDamage(err) != nil:
		return err
	}
	inserted, err := g.put(table, columns, []any{rid, key}, 0, nil)
	if inserted {
		g.loss.add(table, text(key), rid)
	}
	return err
}

// copyHeader copies a row of the header table. Columns that are computed from others cannot be written.
func (g *salvager) copyHeader(rows *sql.Rows) error {
	if g.headers == nil {
		g.headers = map[string]bool{}
		if err := sqlrows.Each(g.ctx, g.sound, `SELECT name FROM pragma_table_info(?)`, func(rows *sql.Rows) error {
			var name string
			err := rows.Scan(&name)
			g.headers[name] = true
			return err
		}, headTable); err != nil {
			return soundError{err}
		}
	}
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	cells, refs := receivers(len(columns))
	if err := rows.Scan(refs...); err != nil {
		return err
	}
	var names []string
	var values []any
	for i, name := range columns {
		if g.headers[name] {
			names, values = append(names, `"`+strings.ReplaceAll(name, `"`, `""`)+`"`), append(values, cells[i])
		}
	}
	g.loss.read++
	return g.exec(`INSERT OR IGNORE INTO `+headTable+` (`+strings.Join(names, ", ")+`) VALUES (?`+
		strings.Repeat(", ?", len(names)-1)+`)`, values...)
}

// keyed copies a table without rowids, reading from both ends. Such a table is its own index, so no other source names
// the rows between two bad pages.
func (g *salvager) keyed(table string) error {
	seen := map[string]bool{}
	for _, order := range []string{"key", "key DESC"} {
		var keys []any
		scanned := sqlrows.Each(g.ctx, g.bad, `SELECT key FROM `+table+` ORDER BY `+order, func(rows *sql.Rows) error {
			var key any
			err := rows.Scan(&key)
			keys = append(keys, key)
			return err
		})
		if ignoreDamage(scanned) != nil {
			return scanned
		}
		for _, key := range keys {
			if seen[text(key)] {
				continue
			}
			seen[text(key)] = true
			_, size, value, err := g.fetch(table, !unwanted(table, key), "key = ?", key)
			switch {
			case errors.Is(err, sql.ErrNoRows), err != nil && ignoreDamage(err) == nil:
				g.loss.keys = append(g.loss.keys, text(key))
				continue
			case err != nil:
				return err
			}
			g.loss.read++
			if _, err := g.put(table, []string{"key"}, []any{key}, size.Int64, value); err != nil {
				return err
			}
		}
		if scanned == nil {
			return nil
		}
	}
	return nil
}
