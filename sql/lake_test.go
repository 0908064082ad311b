package sql

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pipeline/sql/schema"
)

// TestLakeUnshared: the views that no lake can have are those that cannot be made where only the tables are whose rows
// mean something beside those of other machines.
func TestLakeUnshared(t *testing.T) {
	t.Parallel()
	w, end, err := openWarehouse("")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = end() }()
	w.exec(t, schema.SchemasDDL()+searchPath)
	for _, table := range schema.Tables() {
		if isTogether(table) {
			create, _, _ := strings.Cut(table.DDL(), "COMMENT ON")
			w.exec(t, create)
		}
	}
	unshared := Unshared()
	for _, f := range slices.Concat(Views(), Answers()) {
		_, err := w.conn.ExecContext(context.Background(), f.SQL)
		if (err != nil) != (unshared[f.Name] != nil) {
			t.Errorf("%s is said to lack %v; the engine says: %v", f.Name, unshared[f.Name], err)
		}
	}
	if missing := strings.Join(unshared["commits_per_session"], " "); missing != "internal._meta" {
		t.Errorf("commits_per_session reads session_lengths, which reads _meta; it is said to lack %q", missing)
	}
}
