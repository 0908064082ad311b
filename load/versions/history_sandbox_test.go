package versions

import (
	"os"
	"path/filepath"
	"testing"

	"pipeline/load/rawlog"
	"pipeline/sql/schema"
)

// TestHistorySandbox: the engine that reads the raw layer reads nothing else, writes nothing and loads nothing.
func TestHistorySandbox(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"w.duckdb", "other.duckdb"} {
		dir := filepath.Join(rawlog.Dir(name), "s")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		f, err := rawlog.NewWriter(filepath.Join(dir, "00000001-1.parquet"), 8<<20)
		if err != nil {
			t.Fatal(err)
		}
		hash := "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
		if err := f.Append(&schema.RawRow{Key: "k", KeyType: "text", ValueType: "text", Hash: &hash}); err != nil {
			t.Fatal(err)
		}
		if err := f.End(rawlog.Load{LoadID: 1}); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Finish(); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(".tmp", 0o700); err != nil { // where the engine would spill
		t.Fatal(err)
	}
	h, err := OpenHistory(t.Context(), "w.duckdb")
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if rows, err := h.Rows(t.Context(), RowFilter{Name: "k"}); len(rows) != 1 || err != nil {
		t.Fatal(rows, err)
	}
	for _, query := range []string{
		`FROM read_parquet('other.duckdb.raw/s/00000001-1.parquet')`, `FROM read_text('/etc/hostname')`,
		`FROM glob('*')`, `ATTACH 'x.duckdb'`, `COPY (SELECT 1) TO 'x.parquet'`, `COPY (SELECT 1) TO '.tmp/x.parquet'`,
		`COPY (SELECT 1) TO 'w.duckdb.raw/s/00000002-2.parquet' (FORMAT parquet)`, `INSTALL httpfs`, `LOAD httpfs`,
		`LOAD sqlite_scanner`, `SET enable_external_access = true`, `SET allowed_directories = ['/']`,
		`SET autoload_known_extensions = true`,
	} {
		if _, err := h.conn.ExecContext(t.Context(), query); err == nil {
			t.Error(query, "was done")
		}
	}
	entries, err := os.ReadDir(".")
	if err != nil || len(entries) != 3 {
		t.Error(entries, err)
	}
}
