package btree

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLog has SQLite write a -wal: commits, a transaction that is under way, checkpoints, new rounds. After each step, and with the -wal cut at any byte or a byte of it changed, the
// pages say what SQLite says of a copy of both files.
func TestLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	db := open(t, path)
	defer db.Close()
	exec(t, db, "PRAGMA page_size = 1024", "PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 0", "PRAGMA cache_size = 10", "CREATE TABLE kv (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")
	r := rand.New(rand.NewPCG(3, 9))
	logged, cut := 0, 0
	for step := range 120 {
		exec(t, db, "BEGIN")
		for range 1 + r.IntN(30) {
			_, err := db.Exec("INSERT INTO kv VALUES (?, ?)", fmt.Sprint("key ", r.IntN(300)), strings.Repeat(fmt.Sprint(step), r.IntN(1500)))
			check(t, err)
		}
		if step%3 == 0 { // the small cache has written pages of it by now
			before := logOf(t, path).State()
			exec(t, db, "ROLLBACK")
			if !bytes.Equal(logOf(t, path).State(), before) {
				t.Error("a transaction that was not committed counts")
			}
		} else {
			exec(t, db, "COMMIT")
		}
		switch r.IntN(9) {
		case 0:
			exec(t, db, "PRAGMA wal_checkpoint(PASSIVE)")
		case 1:
			exec(t, db, "PRAGMA wal_checkpoint(RESTART)")
		case 2:
			exec(t, db, "PRAGMA wal_checkpoint(TRUNCATE)")
		}
		file, wal := read(t, path), read(t, path+"-wal")
		logged += len(ReadLog(wal).pages)
		asSQLite(t, file, wal)
		if len(wal) > 0 {
			cut++
			asSQLite(t, file, wal[:r.IntN(len(wal))])
			changed := bytes.Clone(wal)
			changed[r.IntN(len(wal))] ^= 1 << r.IntN(8)
			asSQLite(t, file, changed)
		}
	}
	if logged < 1000 || cut < 50 {
		t.Errorf("%d pages were in a -wal, %d of them were cut", logged, cut)
	}
}

func logOf(t *testing.T, path string) *Log {
	t.Helper()
	return ReadLog(read(t, path+"-wal"))
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	check(t, err)
	return content
}

// asSQLite holds what a database and its -wal say against what SQLite says of a copy of both. Where the -wal was cut, pages that a checkpoint had written can be newer than it: SQLite then
// reads what is no state of the table either, so only what both read is compared.
func asSQLite(t *testing.T, file, wal []byte) {
	t.Helper()
	m := made{path: filepath.Join(t.TempDir(), "b.db")}
	check(t, os.WriteFile(m.path, file, 0o600))
	check(t, os.WriteFile(m.path+"-wal", wal, 0o600))
	f, err := Open(bytes.NewReader(file), int64(len(file)), ReadLog(wal))
	check(t, err)
	db := open(t, m.path)
	err = db.QueryRow("SELECT (SELECT rootpage FROM sqlite_master WHERE type = 'table'), (SELECT rootpage FROM sqlite_master WHERE type = 'index')").Scan(&m.table, &m.index)
	check(t, db.Close())
	if err != nil { // the -wal was cut before the table was made
		return
	}
	check(t, os.WriteFile(m.path, file, 0o600))
	check(t, os.WriteFile(m.path+"-wal", wal, 0o600))
	ours, _, failed := readAll(f, m)
	theirs, refused := readBySQLite(t, m)
	if failed != nil || refused != nil {
		if failed == nil || refused == nil {
			t.Fatalf("SQLite says %v, and the pages %v", refused, failed)
		}
		return
	}
	same(t, "rows with a -wal", ours, theirs)
}
