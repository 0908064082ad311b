package extract

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"

	"pipeline/load/sqlrows"
)

// salvageInto copies what can be read of a damaged database into a new one. They are two connections: an error of the one must not end the
// transaction of the other.
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
	g := &salvager{ctx: ctx, bad: bad, sound: sound, limit: readLimit(order), loss: &loss{rows: map[string]map[int64]bool{}}}
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
	bad, sound *sql.Conn // the sound one is in UTF-8 always
	limit      int64     // bytes of a value, as the damaged one counts them, past which it is not read
	loss       *loss
	headers    map[string]bool // columns of the header table
}

// soundError is an error of the new database: never one of the damaged store's.
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

// tables salvages every table that a store may have. Their definitions must be readable.
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
		default: // the others may do
			g.loss.keys = append(g.loss.keys, fmt.Sprintf("table %s (%v)", table, err))
		}
	}
	return g.exec("COMMIT")
}

// passOver passes over what a damaged page makes SQLite say; any other error stays.
func passOver(err error) error {
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
		return passOver(sqlrows.Each(g.ctx, g.bad, `SELECT * FROM `+headTable, g.copyHeader))
	case noRowID:
		return g.keyed(table)
	case table == headTable: // it is small, and its index names rowids alone
		if err := g.scan(table, "NULL"); err != nil {
			return err
		}
		return g.named(func(rid int64, _ any) error {
			err := sqlrows.Each(g.ctx, g.bad, `SELECT * FROM `+headTable+` WHERE rowid = ?`, g.copyHeader, rid)
			if err != nil {
				g.loss.keys = append(g.loss.keys, fmt.Sprintf("%s row %d", headTable, rid))
			}
			return passOver(err)
		})
	}
	for _, order := range []string{"key", "key DESC"} {
		err := g.names(`SELECT rowid, key FROM ` + table + ` ORDER BY ` + order)
		if err == nil {
			break // to its end: the other way round says the same
		}
		if passOver(err) != nil {
			return err
		}
	}
	if err := g.scan(table, "key"); err != nil {
		return err
	}
	return g.named(func(rid int64, key any) error { return g.copyRow(table, rid, key) })
}

// names notes the rowids and keys that a query gives, up to where it fails.
func (g *salvager) names(query string, args ...any) error {
	return sqlrows.Each(g.ctx, g.bad, query, func(rows *sql.Rows) error {
		var rid int64
		var key any
		if err := rows.Scan(&rid, &key); err != nil {
			return err
		}
		return g.name(rid, key)
	}, args...)
}

func (g *salvager) name(rid int64, key any) error {
	return g.exec(`INSERT OR IGNORE INTO temp.names VALUES (?, ?)`, rid, key)
}

// scan notes the rows that the table itself gives, past its bad pages: behind each it feels its way in steps that double, and then reads
// back to the page.
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
			return g.name(last, k)
		}, from)
		if step > 1 && (err == nil || last > from) {
			if err := g.names(query+`<= ? ORDER BY rowid DESC`, from); passOver(err) != nil {
				return err
			}
		}
		if err == nil || passOver(err) != nil {
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

// named calls copyOne for each row that was noted, the newest first, and forgets them: an old page may name a row that was replaced since, and
// the one that replaced it has the larger rowid.
func (g *salvager) named(copyOne func(rid int64, key any) error) error {
	err := sqlrows.Each(g.ctx, g.sound, `SELECT rid, key FROM temp.names ORDER BY rid DESC`, func(rows *sql.Rows) error {
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

// unwanted reports a row whose value may not be read, or need not be.
func unwanted(table string, key any) bool {
	if table == itemTable {
		return placeOfItem(text(key)).handling != Loaded
	}
	return placeOf(text(key)).handling == Refused
}

// fetch reads the row that a condition names; a value that is not wanted or too large is not read.
func (g *salvager) fetch(table string, wanted bool, where string, arg any) (key any, size sql.NullInt64, value any, err error) {
	if !wanted {
		err = g.bad.QueryRowContext(g.ctx, `SELECT key FROM `+table+` WHERE `+where, arg).Scan(&key)
		return key, size, nil, err
	}
	column := fmt.Sprintf("CASE WHEN octet_length(value) <= %d THEN value END", g.limit)
	err = g.bad.QueryRowContext(g.ctx, `SELECT key, octet_length(value), `+column+` FROM `+table+` WHERE `+where, arg).Scan(&key, &size, &value)
	if text, ok := value.(string); ok {
		size.Int64 = int64(len(text))
	}
	return key, size, value, err
}

// put writes a row, unless there is one of that key. Of a value that is too large it keeps the size.
func (g *salvager) put(table string, columns []string, cells []any, size int64, value any) (bool, error) {
	place := "?"
	if blob, ok := value.([]byte); size > MaxValueBytes || ok && len(blob) == 0 { // the driver would make NULL of an empty one
		place, value = "zeroblob(?)", size
	}
	return g.insert(`INSERT OR IGNORE INTO `+table+` (`+strings.Join(columns, ", ")+`, value) VALUES (`+strings.Repeat("?, ", len(columns))+place+`)`, append(cells, value)...)
}

// copyRow copies a row. One that cannot be read gets its place all the same: its key and rowid are known.
func (g *salvager) copyRow(table string, rid int64, key any) error {
	columns := []string{"rowid", "key"}
	found, size, value, err := g.fetch(table, !unwanted(table, key), "rowid = ?", rid)
	if err == nil && unwanted(table, key) && !unwanted(table, found) { // the index has another key, and is wrong
		found, size, value, err = g.fetch(table, true, "rowid = ?", rid)
	}
	switch {
	case err == nil:
		inserted, err := g.put(table, columns, []any{rid, found}, size.Int64, value)
		if inserted {
			g.loss.read++
		}
		if text(found) != text(key) { // the table's word counts
			g.loss.keys = append(g.loss.keys, text(key))
		}
		return err
	case errors.Is(err, sql.ErrNoRows): // the index names a row that is not there
	case passOver(err) != nil:
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
	return g.exec(`INSERT OR IGNORE INTO `+headTable+` (`+strings.Join(names, ", ")+`) VALUES (?`+strings.Repeat(", ?", len(names)-1)+`)`, values...)
}

// keyed copies a table without rowids from both its ends: it is its own index, so nothing names what lies between two bad pages.
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
		if passOver(scanned) != nil {
			return scanned
		}
		for _, key := range keys {
			if seen[text(key)] {
				continue
			}
			seen[text(key)] = true
			_, size, value, err := g.fetch(table, !unwanted(table, key), "key = ?", key)
			switch {
			case errors.Is(err, sql.ErrNoRows), err != nil && passOver(err) == nil:
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

func text(key any) string {
	switch k := key.(type) {
	case nil:
		return ""
	case string:
		return k
	case []byte:
		return string(k)
	}
	return fmt.Sprint(key)
}
