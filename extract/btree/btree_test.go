package btree

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // SQLite judges what is read without it
)

// made is a file that SQLite made.
type made struct {
	path         string
	bytes        []byte
	table, index uint32
}

// makeFile has SQLite write a table of keys and values: texts of many lengths, blobs, numbers, NULLs, and gaps where rows were deleted.
func makeFile(t *testing.T, page int, vacuum string, rows int, seed uint64) made {
	t.Helper()
	m := made{path: filepath.Join(t.TempDir(), "a.db")}
	db := open(t, m.path)
	defer db.Close()
	exec(t, db, fmt.Sprintf("PRAGMA page_size = %d", page), "PRAGMA auto_vacuum = "+vacuum, "CREATE TABLE kv (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")
	r := rand.New(rand.NewPCG(seed, 1))
	tx, err := db.Begin()
	check(t, err)
	for i := range rows {
		_, err := tx.Exec("INSERT INTO kv VALUES (?, ?)", someKey(r, i, page), someValue(r, i, page))
		check(t, err)
		if i%7 == 3 {
			_, err := tx.Exec("DELETE FROM kv WHERE rowid = ?", r.IntN(i+1))
			check(t, err)
		}
	}
	if rows > 0 {
		_, err = tx.Exec("INSERT INTO kv (rowid, key, value) VALUES (-5, 'before all', 'x'), (9007199254740993, 'after all', 'y'), (-9223372036854775808, 'the first', 'z'), (9223372036854775806, 'the last', '')")
		check(t, err)
	}
	check(t, tx.Commit())
	check(t, db.QueryRow("SELECT (SELECT rootpage FROM sqlite_master WHERE type = 'table'), (SELECT rootpage FROM sqlite_master WHERE type = 'index')").Scan(&m.table, &m.index))
	check(t, db.Close())
	m.bytes, err = os.ReadFile(m.path)
	check(t, err)
	return m
}

func someKey(r *rand.Rand, i, page int) any {
	switch {
	case i%50 == 1:
		return nil
	case i%50 == 2:
		return fmt.Appendf(nil, "blob %d", r.IntN(100))
	case i%50 == 3:
		return fmt.Sprint(r.IntN(1000), strings.Repeat("long", r.IntN(page)))
	case i%50 == 4:
		return fmt.Sprint("with\x00nul", r.IntN(100), "\xff")
	}
	return fmt.Sprintf("family:%d:%x", r.IntN(9), r.Uint64())
}

func someValue(r *rand.Rand, i, page int) any {
	text := strings.Repeat(fmt.Sprintf("<%d>", i), r.IntN(page))
	switch i % 11 {
	case 1:
		return nil
	case 2:
		return []int64{0, 1, -1, 200, -40000, 1 << 30, -1 << 40, 1 << 62}[r.IntN(8)]
	case 3:
		return r.NormFloat64()
	case 4:
		return []byte(text)
	case 5:
		return ""
	case 6:
		return []byte{}
	case 7:
		return strings.Repeat(text, 5)
	case 8:
		return text[:min(len(text), page-40+r.IntN(12))] // where a row stops to fit
	}
	return text[:r.IntN(len(text)+1)]
}

func TestFile(t *testing.T) {
	for _, page := range []int{512, 1024, 4096, 65536} {
		for _, vacuum := range []string{"NONE", "FULL"} {
			for _, rows := range []int{0, 1, 1500} {
				t.Run(fmt.Sprint(page, vacuum, rows), func(t *testing.T) {
					m := makeFile(t, page, vacuum, rows, uint64(page+rows))
					f, err := Open(bytes.NewReader(m.bytes), int64(len(m.bytes)), nil)
					check(t, err)
					compare(t, m, f)
				})
			}
		}
	}
}

// compare holds what a file's pages say against what SQLite says.
func compare(t *testing.T, m made, f *File) {
	t.Helper()
	db := open(t, m.path)
	defer db.Close()
	same(t, "entries", collectEntries(t, f.Index(m.index).All()), entriesOf(t, db, "SELECT key, rowid FROM kv ORDER BY key, rowid"))
	for _, span := range [][2]string{{"", "\xff\xff"}, {"family:3:", "family:3;"}, {"family:3:8", "family:7:8"}, {"a", "b"}, {"family:9", "z"}, {"zz", "zzz"}} {
		same(t, "entries of "+span[0], collectEntries(t, f.Index(m.index).Between(span[0], span[1])),
			entriesOf(t, db, "SELECT key, rowid FROM kv WHERE key >= ? AND key < ? ORDER BY key, rowid", span[0], span[1]))
	}
	want := rowsOf(t, db)
	var got, few []Row
	for r, err := range f.Table(m.table).Rows(func(Row) bool { return true }) {
		check(t, err)
		r.Key.Bytes = bytes.Clone(r.Key.Bytes)
		got = append(got, r)
	}
	same(t, "rows", got, want)
	for r, err := range f.Table(m.table).FewOf(func(r Row) bool { return r.Bytes == 3 }) {
		check(t, err)
		r.Key.Bytes = bytes.Clone(r.Key.Bytes)
		few = append(few, r)
	}
	apart := f.Apart().Table(m.table)
	for i, w := range want {
		one, found, err := f.Table(m.table).Row(w.RowID, 1<<40)
		if check(t, err); !found {
			t.Fatalf("row %d is not found", w.RowID)
		}
		same(t, "a row", one, w)
		alone, found, err := apart.Row(w.RowID, 1<<40)
		if check(t, err); !found {
			t.Fatalf("row %d is not found apart", w.RowID)
		}
		same(t, "a row apart", alone, w)
		if w.Bytes != 3 {
			w.Value = nil
		}
		same(t, "one of few", few[i], w)
		if next := w.RowID + 1; i+1 < len(want) && want[i+1].RowID != next {
			if _, found, err := f.Table(m.table).Row(next, 1<<40); found || err != nil {
				t.Fatalf("row %d: %v, %v, and there is none", next, found, err)
			}
		}
	}
	if one, _, err := f.Table(m.table).Row(9223372036854775806, 0); len(want) > 1 && (err != nil || one.Value == nil) {
		t.Errorf("an empty value that is not too large is nil: %v", err)
	}
}

func collectEntries(t *testing.T, all func(func(Entry, error) bool)) (out []Entry) {
	t.Helper()
	for e, err := range all {
		check(t, err)
		e.Key.Bytes = bytes.Clone(e.Key.Bytes)
		out = append(out, e)
	}
	return out
}

// keyOf is a key that the driver gave.
func keyOf(v any) Key {
	switch v := v.(type) {
	case nil:
		return Key{Type: Null}
	case string:
		return Key{Text, append([]byte{}, v...)}
	case []byte:
		return Key{Blob, append([]byte{}, v...)}
	}
	return Key{Type: Integer}
}

func entriesOf(t *testing.T, db *sql.DB, query string, args ...any) (out []Entry) {
	t.Helper()
	rows, err := db.Query(query, args...)
	check(t, err)
	defer rows.Close()
	for rows.Next() {
		var e Entry
		var key any
		check(t, rows.Scan(&key, &e.RowID))
		e.Key = keyOf(key)
		out = append(out, e)
	}
	check(t, rows.Err())
	return out
}

// rowsOf reads the rows by SQLite. The size of a number is what the record has, which SQLite does not say: it is taken from the number.
func rowsOf(t *testing.T, db *sql.DB) (out []Row) {
	t.Helper()
	rows, err := db.Query("SELECT rowid, key, typeof(value), octet_length(value), CASE WHEN typeof(value) IN ('text', 'blob') THEN CAST(value AS BLOB) END, value FROM kv ORDER BY rowid")
	check(t, err)
	defer rows.Close()
	for rows.Next() {
		var r Row
		var size sql.NullInt64
		var value any
		var key any
		check(t, rows.Scan(&r.RowID, &key, &r.Type, &size, &r.Value, &value))
		r.Key = keyOf(key)
		switch r.Type {
		case Text, Blob:
			if r.Bytes = size.Int64; r.Value == nil {
				r.Value = []byte{}
			}
		case Real:
			r.Bytes = 8
		case Integer:
			r.Bytes = integerBytes(value.(int64))
		}
		out = append(out, r)
	}
	check(t, rows.Err())
	return out
}

// integerBytes is how many bytes a record needs for a number, by the table of the file format.
func integerBytes(v int64) int64 {
	if v == 0 || v == 1 {
		return 0
	}
	for _, n := range []int64{1, 2, 3, 4, 6} {
		if limit := int64(1) << (8*n - 1); -limit <= v && v < limit {
			return n
		}
	}
	return 8
}

// TestDamaged changes bytes of a file. SQLite may find more or less of that than we do; but what both read is the same, and nothing panics or goes on for ever.
func TestDamaged(t *testing.T) {
	m := makeFile(t, 512, "NONE", 400, 5)
	r := rand.New(rand.NewPCG(6, 6))
	found, unseen := 0, 0
	count := 2_000
	if os.Getenv("PIPELINE_ENDURANCE") != "" {
		count = 200_000
	}
	for range count {
		changed := bytes.Clone(m.bytes)
		for range 1 + r.IntN(3) {
			hard := [...]byte{0, 1, 127, 128, 255, byte(r.Uint32())} // what sizes of one byte, the longest and the largest are made of
			changed[512+r.IntN(len(changed)-512)] = hard[r.IntN(len(hard))]
		}
		if r.IntN(4) == 0 {
			clear(changed[512*(1+r.IntN(len(changed)/512-1)):][:512])
		}
		check(t, os.WriteFile(m.path, changed, 0o600))
		f, err := Open(bytes.NewReader(changed), int64(len(changed)), nil)
		check(t, err)
		ours, absent, failed := readAll(f, m)
		if failed != nil && !errors.Is(failed, ErrDamaged) {
			t.Fatalf("another error: %v", failed)
		}
		theirs, refused := readBySQLite(t, m)
		switch {
		case failed != nil || absent > 0:
			found++
		case refused != nil:
			unseen++
			t.Logf("SQLite says %v, and the rows are the same as far as it reads", refused)
		}
		byID := map[int64]Row{}
		for _, r := range ours {
			byID[r.RowID] = r
		}
		for _, r := range theirs {
			if one, read := byID[r.RowID]; read {
				same(t, "a row of a damaged file", one, r)
			}
		}
		if failed == nil && absent == 0 && refused == nil {
			same(t, "the rows of a damaged file", len(ours), len(theirs))
		}
	}
	if found < 50 || unseen > 0 {
		t.Errorf("%d damaged files were found, and %d not that SQLite finds", found, unseen)
	}
}

func readAll(f *File, m made) (out []Row, absent int, err error) {
	for e, failed := range f.Index(m.index).All() {
		if failed != nil {
			return out, absent, failed
		}
		r, there, failed := f.Table(m.table).Row(e.RowID, 1<<40)
		if failed != nil {
			return out, absent, failed
		}
		if !there { // whoever reads counts the rows
			absent++
		} else if r.Type != Integer && r.Type != Real {
			out = append(out, r)
		}
	}
	return out, absent, nil
}

func readBySQLite(t *testing.T, m made) (out []Row, err error) {
	db := open(t, m.path)
	defer db.Close()
	rows, err := db.Query(`SELECT r.rowid, r.key, typeof(r.value), octet_length(r.value), CAST(r.value AS BLOB) FROM kv AS k INDEXED BY sqlite_autoindex_kv_1 CROSS JOIN kv AS r ON r.rowid = k.rowid ORDER BY k.key`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var r Row
		var size sql.NullInt64
		var key any
		if err := rows.Scan(&r.RowID, &key, &r.Type, &size, &r.Value); err != nil {
			return out, err
		}
		r.Key = keyOf(key)
		if r.Bytes = size.Int64; r.Value == nil && r.Type != Null {
			r.Value = []byte{}
		}
		if r.Type != Integer && r.Type != Real {
			out = append(out, r)
		}
	}
	return out, rows.Err()
}

// FuzzFile reads any bytes.
func FuzzFile(f *testing.F) {
	f.Fuzz(func(t *testing.T, content []byte, table, index uint32) {
		file, err := Open(bytes.NewReader(content), int64(len(content)), nil)
		if err != nil {
			return
		}
		_, _, _ = readAll(file, made{table: table, index: index})
		for _, err := range file.Table(table).Rows(func(Row) bool { return true }) {
			if err != nil && !errors.Is(err, ErrDamaged) {
				t.Fatal(err)
			}
		}
	})
}

func TestOtherFiles(t *testing.T) {
	for name, content := range map[string]string{"text": strings.Repeat("no database ", 100), "short": "SQLite format 3\x00"} {
		if _, err := Open(strings.NewReader(content), int64(len(content)), nil); err == nil {
			t.Errorf("%s is opened", name)
		}
	}
}

func open(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	check(t, err)
	db.SetMaxOpenConns(1)
	return db
}

func exec(t *testing.T, db *sql.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		_, err := db.Exec(s)
		check(t, err)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s: got %.300v, want %.300v", what, fmt.Sprint(got), fmt.Sprint(want))
	}
}
