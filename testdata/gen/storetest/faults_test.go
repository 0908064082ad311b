package storetest

import (
	"path/filepath"
	"slices"
	"testing"
)

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
