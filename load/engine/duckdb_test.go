package engine_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"pipeline/load/engine"
)

// TestOpenNames: whatever a file is called, what two connections write is in it when it is opened again, and in groups
// of rows that the engine compresses while a run still writes. Nothing stays beside it.
func TestOpenNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"w.duckdb", "main.duckdb", "Memory.duckdb", "memory", "temp.db", "system",
		".hidden.duckdb", "a.b.c", `it's "so".duckdb`, "select"} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		exec := func(conn *sql.Conn, statement string) {
			_, err := conn.ExecContext(t.Context(), statement)
			must(t, err)
		}
		for range 2 {
			db, conn, err := engine.Open(t.Context(), path, false)
			must(t, err)
			second, err := db.Conn(t.Context())
			must(t, err)
			exec(conn, "CREATE TABLE IF NOT EXISTS t (i INTEGER)")
			exec(second, "INSERT INTO t FROM range(50000)")
			must(t, second.Close())
			must(t, conn.Close())
			must(t, db.Close())
		}
		db, conn, err := engine.Open(t.Context(), path, true)
		must(t, err)
		var rows, groups int
		must(t, conn.QueryRowContext(t.Context(),
			"SELECT count(*), (SELECT count(DISTINCT row_group_id) FROM pragma_storage_info('t')) FROM t").
			Scan(&rows, &groups))
		if rows != 100_000 || groups < 12 || groups > 15 {
			t.Errorf("%s: %d rows in %d groups; want 100000 in 12 to 15", name, rows, groups)
		}
		must(t, conn.Close())
		must(t, db.Close())
		var names []string
		entries, err := os.ReadDir(dir)
		must(t, err)
		for _, e := range entries {
			names = append(names, e.Name())
		}
		if !reflect.DeepEqual(names, []string{name}) {
			t.Errorf("files: %q; want %q alone", names, name)
		}
	}
}
