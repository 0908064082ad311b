package versions_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pipeline/load/rawlog"
	"pipeline/load/versions"
)

// Hashes of the values that the tests tell apart. What they are does not matter to a history.
const (
	hashA = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	hashB = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
)

// rawRows writes a file of a raw layer, by the engine and not by the writer of the layer. A row: key, key_type,
// key_bytes, value, value_type, value_bytes, hash.
func rawRows(t *testing.T, warehouse, source, name string, rows ...string) {
	t.Helper()
	rawRowsIn(t, warehouse, source, "global", name, rows...)
}

func rawRowsIn(t *testing.T, warehouse, source, store, name string, rows ...string) {
	t.Helper()
	file := filepath.Join(rawlog.Dir(warehouse), source, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	var loadID, n int64
	if _, err := fmt.Sscanf(name, "%d-%d.parquet", &loadID, &n); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	_, err = db.Exec(
		fmt.Sprintf(
			`COPY (SELECT '%s' AS source_id, '%s' AS store, 'cursorDiskKV' AS "table", split_part(key, ':', 1) AS family,
		split_part(key, ':', 2) AS conversation_id, key, key_type, key_bytes::BLOB AS key_bytes, 0::BIGINT AS "rowid", value::BLOB AS value, value_type,
		value_bytes::BIGINT AS value_bytes, hash::VARCHAR AS hash, %d::BIGINT AS load_id, to_timestamp(1700000000 + %d) AS observed_at
		FROM (VALUES %s) AS r(key, key_type, key_bytes, value, value_type, value_bytes, hash))
		TO '%s' (FORMAT parquet, KV_METADATA {'pipeline.load': '{}'})`, source, store, loadID, loadID,
			strings.Join(rows, ", "), strings.ReplaceAll(file, "'", "''")))
	if err != nil {
		t.Fatal(err)
	}
}

// rawText is a row whose key and value are text.
func rawText(key, value, hash string) string {
	return fmt.Sprintf(`('%s', 'text', NULL, '%s', 'text', %d, '%s')`, key, value, len(value), hash)
}

func openHistory(t *testing.T, warehouse string) *versions.History {
	t.Helper()
	h, err := versions.OpenHistory(t.Context(), warehouse)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// told is what a history says: each row with its name and place, each version with its event and value.
func told(t *testing.T, h *versions.History, f versions.RowFilter) (out []string) {
	t.Helper()
	rows, err := h.Rows(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		out = append(out, r.SourceID+" "+r.Store+" "+r.Name)
		for _, v := range r.Versions {
			value, err := h.Value(t.Context(), &r, &v)
			text := string(value)
			if err != nil {
				text = "(" + err.Error() + ")"
			}
			out = append(out, fmt.Sprintf("  %d load %d %s %d: %s %d %s", v.Version, v.LoadID, v.Event, v.Again,
				v.ValueType, v.ValueBytes, text))
		}
	}
	return out
}

func wantTold(t *testing.T, h *versions.History, f versions.RowFilter, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, told(t, h, f)); diff != "" {
		t.Errorf("%+v (-want +got):\n%s", f, diff)
	}
}

// TestHistoryOrder: files are read in the order of their numbers, whatever their folders, and a version that is back
// names the first such one.
func TestHistoryOrder(t *testing.T) {
	warehouse := filepath.Join(t.TempDir(), "w.duckdb")
	gone, back := `('k:c', 'text', NULL, NULL, 'gone', 0, NULL)`, `('k:c', 'text', NULL, NULL, 'gone', 2, '`+hashA+`')`
	rawRows(t, warehouse, "s", "00000001-1.parquet", rawText("k:other", "x", hashB), rawText("k:c", "v1", hashA))
	// loads are counted anew after a backup is put back
	rawRows(t, warehouse, "s", "00000007-9.parquet", rawText("k:c", "v2", hashB))
	rawRows(t, warehouse, "s", "00000003-10.parquet", gone)
	rawRows(t, warehouse, "s", "00000004-11.parquet", back)
	rawRows(t, warehouse, "another", "00000001-2.parquet", rawText("k:c", "v2", hashB))
	rawRowsIn(t, warehouse, "s", "workspace/w", "00000005-12.parquet", rawText("k:c", "v1", hashA))
	h := openHistory(t, warehouse)
	s := []string{"s global k:c", "  1 load 1 new 0: text 2 v1", "  2 load 7 changed 0: text 2 v2",
		"  3 load 3 gone 0: gone 0 (version 3 is no value: the row was gone)", "  4 load 4 again 1: text 2 v1"}
	another, workspace := []string{"another global k:c", "  1 load 1 new 0: text 2 v2"},
		[]string{"s workspace/w k:c", "  1 load 5 new 0: text 2 v1"}
	wantTold(t, h, versions.RowFilter{Name: "k:c"}, append(append(another, s...), workspace...)...)
	wantTold(t, h, versions.RowFilter{Name: "c", SourceID: "s", Store: "global"}, s...)
	wantTold(t, h, versions.RowFilter{Name: "c", Store: "workspace/w"}, workspace...)
	wantTold(t, h, versions.RowFilter{Name: "c", Table: "ItemTable"})
}

// TestHistoryOddKeys: keys that are NULL or no text have names of their own, and a mark of a row without a key is its
// end.
func TestHistoryOddKeys(t *testing.T) {
	warehouse := filepath.Join(t.TempDir(), "w.duckdb")
	none := func(value, hash string) string {
		return `('', 'null', NULL, '` + value + `', 'text', 2, '` + hash + `')`
	}
	rawRows(t, warehouse, "s", "00000001-1.parquet", none("v1", hashA), none("v2", hashB), rawText("k:c", "v3", hashA),
		`('k:c', 'blob', '\x6B\x3A\x63', 'v4', 'text', 2, '`+hashA+`')`,
		`('k:�', 'text', '\x6B\x3A\xFF', 'v5', 'text', 2, '`+hashB+`')`)
	rawRows(t, warehouse, "s", "00000002-2.parquet", `('', 'null', NULL, NULL, 'gone', 0, '`+hashA+`')`,
		none("v1", hashA))
	h := openHistory(t, warehouse)
	a := []string{"s global (no key):aaaaaaaaaaaa", "  1 load 1 new 0: text 2 v1",
		"  2 load 2 gone 0: gone 0 (version 2 is no value: the row was gone)", "  3 load 2 again 1: text 2 v1"}
	b := []string{"s global (no key):bbbbbbbbbbbb", "  1 load 1 new 0: text 2 v2"}
	wantTold(t, h, versions.RowFilter{Name: "(no key)"}, append(append([]string{}, a...), b...)...)
	wantTold(t, h, versions.RowFilter{Name: "(no key):aaaaaaaaaaaa"}, a...)
	wantTold(t, h, versions.RowFilter{Name: "(no key):b"}, b...)
	wantTold(t, h, versions.RowFilter{Name: "k:c"}, "s global k:c", "  1 load 1 new 0: text 2 v3")
	wantTold(t, h, versions.RowFilter{Name: "x'6b3a63'"}, "s global x'6b3a63'", "  1 load 1 new 0: text 2 v4")
	wantTold(t, h, versions.RowFilter{Name: "x'6B3AFF'"}, "s global x'6b3aff'", "  1 load 1 new 0: text 2 v5")
	wantTold(t, h, versions.RowFilter{Name: ""})
}

// TestHistoryDamage: what files that are gone or cut short held is said to be lost, and the rest is still told.
func TestHistoryDamage(t *testing.T) {
	// a folder that looks like a column, and what a pattern would be made of
	warehouse := filepath.Join(t.TempDir(), "key=1", "a[b]*'c.duckdb")
	if _, err := versions.OpenHistory(t.Context(), warehouse); !errors.Is(err, versions.ErrNoRaw) {
		t.Error("no folder:", err)
	}
	back := func(hash string) string { return `('k:c', 'text', NULL, NULL, 'gone', 2, '` + hash + `')` }
	rawRows(t, warehouse, "s", "00000001-1.parquet", rawText("k:c", "v1", hashA))
	rawRows(t, warehouse, "s", "00000002-2.parquet", rawText("k:c", "v2", hashB))
	rawRows(t, warehouse, "s", "00000003-3.parquet", back(hashA))
	rawRows(t, warehouse, "s", "00000004-4.parquet", back(hashB))
	rawRows(t, warehouse, "s", "00000005-5.parquet",
		`('k:c', 'text', NULL, NULL, 'text', 70000000, 'cccccccccccccccccccccccccccccccc')`,
		`('k:null', 'text', NULL, NULL, 'null', 0, 'dddddddddddddddddddddddddddddddd')`)
	cut := filepath.Join(rawlog.Dir(warehouse), "s", "00000002-2.parquet")
	if err := os.Truncate(cut, 100); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(rawlog.Dir(warehouse), "s", ".pipeline-tmp-6"), []byte("in the making"),
		0o600); err != nil {
		t.Fatal(err)
	}
	h := openHistory(t, warehouse)
	if len(h.Skipped) != 1 || !strings.Contains(h.Skipped[0].Error(), cut) {
		t.Error("skipped:", h.Skipped)
	}
	wantTold(t, h, versions.RowFilter{Name: "k:c"}, "s global k:c", "  1 load 1 new 0: text 2 v1",
		"  2 load 3 again 1: text 2 v1", "  3 load 4 again 0: lost 2 (the value of version 3 is lost: the file of the "+
			"raw layer that held it is no longer there)",
		"  4 load 5 changed 0: text 70000000 (the value of version 4 was not kept: at 70000000 bytes it is too large)")
	wantTold(t, h, versions.RowFilter{Name: "k:null"}, "s global k:null", "  1 load 5 new 0: null 0 ")
	if _, err := os.Stat(warehouse); !errors.Is(err, os.ErrNotExist) {
		t.Error("a warehouse was made:", err)
	}
}

// TestHistoryBytes: a value comes back byte for byte, also a large one, beside which the file has others.
func TestHistoryBytes(t *testing.T) {
	warehouse := filepath.Join(t.TempDir(), "w.duckdb")
	rawRows(t, warehouse, "s", "00000001-1.parquet", rawText("k:c", "v1", hashA),
		`('k:big', 'text', NULL, repeat('0123456789abcdef', 3750000), 'blob', 60000000, '`+hashA+`')`,
		`('k:odd', 'text', NULL, '\x00\xFF\x0A', 'blob', 3, '`+hashB+`')`)
	h := openHistory(t, warehouse)
	for name, want := range map[string][]byte{"k:big": bytes.Repeat([]byte("0123456789abcdef"), 3750000),
		"k:odd": {0, 0xff, '\n'}} {
		rows, err := h.Rows(t.Context(), versions.RowFilter{Name: name})
		if err != nil || len(rows) != 1 {
			t.Fatal(name, len(rows), err)
		}
		got, err := h.Value(t.Context(), &rows[0], rows[0].Last())
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, want %d: %v", name, len(got), len(want), err)
		}
	}
}
