package storetest

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// openRead opens a store as a reader would.
func openRead(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", fileURI(path)+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// value is the single value that a query gives, as text.
func value(t *testing.T, db *sql.DB, query string) string {
	t.Helper()
	var v any
	if err := db.QueryRowContext(context.Background(), query).Scan(&v); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	if b, ok := v.([]byte); ok {
		v = string(b)
	}
	return fmt.Sprint(v)
}

func TestWriteStore(t *testing.T) {
	rows := []Row{
		{Key: "text", Value: "a\x00b"},
		{Key: "blob", Value: []byte{0}},
		{Key: "null", Value: nil},
		{Key: nil, Value: "no key"},
		{Key: "twice", Value: "1"}, {Key: "twice", Value: "2"},
		{Table: ItemTable, Key: "item", Value: "x"},
	}
	for _, o := range []StoreOptions{{}, {PrimaryKey: true}, {WAL: true},
		{WAL: true, WALRows: []Row{{Key: "wal", Value: "w"}}},
		{HeaderColumns: HeaderColumns10, HeaderRows: []map[string]any{{"composerId": "c", "value": "{}"}}}} {
		path := filepath.Join(t.TempDir(), "a b#c?d%20", "state.vscdb")
		if err := WriteStore(path, rows, o); err != nil {
			t.Fatal(err)
		}
		_, err := os.Stat(path + "-wal")
		if got := err == nil; got != o.WAL {
			t.Errorf("%+v: -wal beside the file: %v", o, got)
		}
		if _, err := os.Stat(path + "-shm"); err == nil {
			t.Errorf("%+v: a -shm was left", o)
		}
		db := openRead(t, path)
		for query, want := range map[string]string{
			"SELECT count(*) FROM cursorDiskKV": fmt.Sprint(5 +
				len(o.WALRows)),
			"SELECT typeof(value)||octet_length(value) FROM cursorDiskKV WHERE key='text'": "text3",
			"SELECT typeof(value)||length(value) FROM cursorDiskKV WHERE key='blob'":       "blob1",
			"SELECT typeof(value) FROM cursorDiskKV WHERE key='null'":                      "null",
			"SELECT value FROM cursorDiskKV WHERE key IS NULL":                             "no key",
			"SELECT value FROM cursorDiskKV WHERE key='twice'":                             "2",
			"SELECT value FROM ItemTable":                                                  "x",
			"SELECT user_version FROM pragma_user_version":                                 "1",
		} {
			if got := value(t, db, query); got != want {
				t.Errorf("%+v: %s = %s, want %s", o, query, got, want)
			}
		}
	}
}
