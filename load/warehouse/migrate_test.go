package warehouse_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pipeline/load"
	"pipeline/load/catalog"
	"pipeline/load/reader"
	"pipeline/load/warehouse"
	"pipeline/sql/schema"
)

// migrated opens a warehouse for a load and returns what that took.
func migrated(t *testing.T, path string) *load.Migration {
	t.Helper()
	w, err := warehouse.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	state, err := w.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if (state.Migration != nil) != state.Due() {
		t.Errorf("migrated: %v; everything is to be read again: %t", state.Migration, state.Due())
	}
	readAgain(t, state)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return state.Migration
}

// readAgain: what is known of stores and conversations does not count after an addition.
func readAgain(t *testing.T, state *load.State) {
	t.Helper()
	for key, known := range state.Stores {
		if state.Due() && known.TransformVersion != 0 {
			t.Errorf("%v counts as read by version %d, and everything is to be read again", key, known.TransformVersion)
		}
	}
}

// TestMigrationSameVersion: a warehouse that was made before a table was declared gets the table, with its comments,
// without another version.
func TestMigrationSameVersion(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "w.duckdb")
	mustLoad(t, path, nil)
	if m := migrated(t, path); m != nil {
		t.Errorf("a warehouse of this version was migrated: %v", m)
	}
	inEngine(t, path, `INSERT INTO internal._known_stores VALUES ('s', 'global', 'file', false, 9, 'state', '', NULL, 7)`)
	inEngine(t, path, `DROP TABLE scored_commits`)
	state, err := warehouse.ReadState(t.Context(), path)
	if readAgain(t, state); len(state.Stores) == 0 {
		t.Error("no store is known")
	}
	want := &load.Migration{CopyPath: path + ".before"}
	if err != nil || !cmp.Equal(want, state.Migration) {
		t.Errorf("a look at it says %v, %v; want %v", state.Migration, err, want)
	}
	if m := migrated(t, path); !cmp.Equal(want, m) {
		t.Errorf("opening it says %v, want %v", m, want)
	}
	answer, err := reader.Query(t.Context(), path,
		`SELECT comment FROM duckdb_tables() WHERE table_name = 'scored_commits'`)
	if table, _ := schema.Lookup("scored_commits"); err != nil || len(answer.Rows) != 1 ||
		answer.Rows[0][0] != table.Comment() {
		t.Errorf("the table: %v, %v", answer, err)
	}
	mustLoad(t, path, nil)
	if m := migrated(t, path); m != nil {
		t.Errorf("after a load it was migrated again: %v", m)
	}
}

// TestMigrationRefuses: a warehouse that lacks what may not be NULL, has a column of another type, or is of another
// version or from before the first release is left alone; the message says where, and what to do.
func TestMigrationRefuses(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ statement, want string }{
		"a column that may not be NULL": {`ALTER TABLE loads DROP COLUMN status`,
			"(loads.status): 'pipeline run' makes it anew"},
		"another type": {`ALTER TABLE messages ALTER COLUMN role TYPE BLOB`,
			"(messages.role): 'pipeline run' makes it anew"},
		"an earlier version": {`UPDATE internal._meta SET value = '0' WHERE key = 'warehouse_version'`,
			"has schema version 0, this tool writes 2: 'pipeline run' makes it anew"},
		"a later version": {`UPDATE internal._meta SET value = '3' WHERE key = 'warehouse_version'`,
			"use the version of the tool that wrote it"},
		"before the first release": {
			`UPDATE internal._meta SET key = 'schema_version', value = '7' WHERE key = 'warehouse_version'`,
			"from before the first release of this tool",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "w.duckdb")
			mustLoad(t, path, nil)
			inEngine(t, path, test.statement)
			before := readFile(t, path)
			_, looked := warehouse.ReadState(t.Context(), path)
			for what, err := range map[string]error{"opening": openFails(t, path), "a look": looked} {
				if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), test.want) {
					t.Errorf("%s says %v, want %q", what, err, test.want)
				}
			}
			if left, err := filepath.Glob(path + ".before*"); err != nil || len(left) > 0 ||
				readFile(t, path) != before {
				t.Errorf("it was changed, or copied: %v, %v", left, err)
			}
		})
	}
}

// TestMigrationEveryColumn: each column that may be NULL can be declared after a warehouse was made, in whichever place
// of its table, without another version. No copy takes the place of an earlier one, and a failure that comes again
// makes no further copy.
func TestMigrationEveryColumn(t *testing.T) {
	t.Parallel()
	long(t)
	path := filepath.Join(t.TempDir(), "w.duckdb")
	mustLoad(t, path, nil)
	const columns = `SELECT table_name, column_name, column_index, data_type, is_nullable, comment FROM duckdb_columns() WHERE NOT internal ORDER BY ALL`
	want := cells(t, path, columns)
	kept := map[string]string{}
	copied := path + ".before"
	for round, name := range []string{copied, copied + "-2", copied + "-3"} {
		var drops []string
		for _, table := range schema.Tables() {
			var optional []string
			for _, c := range table.Columns {
				if c.Nullable {
					optional = append(optional, c.Name)
				}
			}
			for i, column := range optional {
				if round == 0 || round == 1 && i == 0 || round == 2 && i == len(optional)-1 {
					drops = append(drops, fmt.Sprintf("ALTER TABLE %s DROP COLUMN %q", table.Object(), column))
				}
			}
		}
		inEngine(t, path, drops...)
		kept[name] = readFile(t, path)
		want := &load.Migration{CopyPath: name}
		if m := migrated(t, path); !cmp.Equal(want, m) {
			t.Errorf("opening it says %v, want %v", m, want)
		}
		mustLoad(t, path, nil)
	}
	if diff := cmp.Diff(want, cells(t, path, columns)); diff != "" {
		t.Errorf("columns differ (-want +got):\n%s", diff)
	}
	for _, view := range cells(t, path,
		`SELECT schema_name || '.' || view_name FROM duckdb_views() WHERE NOT internal`) {
		cells(t, path, "FROM "+view[0])
	}
	for name, bytes := range kept {
		if readFile(t, name) != bytes {
			t.Errorf("%s is not as the warehouse was", name)
		}
	}
}

// TestMigrationNewer: a warehouse with columns that only a newer version of the tool knows is left alone, though its
// schema has the same number.
func TestMigrationNewer(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "w.duckdb")
	mustLoad(t, path, nil)
	inEngine(t, path, `ALTER TABLE messages ADD COLUMN later INTEGER`)
	before := readFile(t, path)
	_, looked := warehouse.ReadState(t.Context(), path)
	for what, err := range map[string]error{"opening": openFails(t, path), "a look": looked} {
		if err == nil || !strings.Contains(err.Error(), "(messages.later)") ||
			!strings.Contains(err.Error(), "use the version that made them") {
			t.Errorf("%s says %v, want the column and what to do", what, err)
		}
	}
	if err := catalog.CheckFile(t.Context(), path); err != nil {
		t.Errorf("it cannot be read: %v", err)
	}
	if left, err := filepath.Glob(path + ".before*"); err != nil || len(left) > 0 || readFile(t, path) != before {
		t.Errorf("it was changed, or copied: %v, %v", left, err)
	}
}
