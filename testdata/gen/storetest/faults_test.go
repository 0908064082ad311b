package storetest

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestFileCases(t *testing.T) {
	for _, c := range FileCases() {
		path := filepath.Join(t.TempDir(), "folder", "state.vscdb")
		if err := c.Write(path); err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		var got any
		err := openRead(t, path).QueryRow(c.SQL).Scan(&got)
		switch {
		case c.Error == "" && (err != nil || fmt.Sprint(got) != c.Want):
			t.Errorf("%s: %v, %v; want %s", c.Name, got, err, c.Want)
		case c.Error != "" && (err == nil || !strings.Contains(err.Error(), c.Error)):
			t.Errorf("%s: %v, %v; want an error with %q", c.Name, got, err, c.Error)
		}
	}
}

// The rows of the torn page are lost, and only they: the index still names all.
func TestTornPageLosesItsRowsOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.vscdb")
	lost, err := WriteTornPage(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(lost) < 3 {
		t.Errorf("only %d rows are lost", len(lost))
	}
	db := openRead(t, path)
	rows, err := db.Query("SELECT key FROM cursorDiskKV INDEXED BY sqlite_autoindex_cursorDiskKV_1 WHERE key >= ''")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var keys, bad []string
	for rows.Next() {
		var k string
		if err := rows.Scan(&k); err != nil {
			t.Fatal(err)
		}
		keys = append(keys, k)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for _, k := range keys {
		var n int
		if err := db.QueryRow("SELECT octet_length(value) FROM cursorDiskKV WHERE key = ?", k).Scan(&n); err != nil {
			bad = append(bad, k)
		}
	}
	if len(keys) != 401 || !slices.Equal(bad, lost) {
		t.Errorf("%d keys, %d cannot be read, %d were said to be lost", len(keys), len(bad), len(lost))
	}
}

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.vscdb")
	if err := smallStore(path, 2); err != nil {
		t.Fatal(err)
	}
	unlock, err := Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	var n int
	db := openRead(t, path)
	if err := db.QueryRow("SELECT count(*) FROM cursorDiskKV").Scan(&n); err == nil ||
		!strings.Contains(err.Error(), "locked") {
		t.Errorf("read while locked: %v", err)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	if err := db.QueryRow("SELECT count(*) FROM cursorDiskKV").Scan(&n); err != nil || n != 3 {
		t.Errorf("read after the lock: %d, %v", n, err)
	}
}
