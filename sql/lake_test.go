package sql

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pipeline/sql/schema"
)

// engines are those that the views over many machines are written for.
func engines(t *testing.T) (names []string) {
	t.Helper()
	entries, err := lake.ReadDir("lake")
	if err != nil || len(entries) == 0 {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestLakeUnshared: the views that no lake can have are those that cannot be made where only the tables are that machines send.
func TestLakeUnshared(t *testing.T) {
	t.Parallel()
	w, end, err := openWarehouse("")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = end() }()
	w.exec(t, schema.SchemasDDL()+searchPath)
	for _, table := range schema.Tables() {
		if table.IsShared() {
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

// madeFrom is the first line of a file of the lake.
var madeFrom = regexp.MustCompile(`^-- Made (?:by translate.py|by hand) from \S+, sha256 ([0-9a-f]{64})\n`)

// TestLakeIsUpToDate: no view has changed since it was written for the engines.
func TestLakeIsUpToDate(t *testing.T) {
	t.Parallel()
	unshared := Unshared()
	for _, engine := range engines(t) {
		wanted := map[string]bool{"settings.sql": true}
		for _, f := range slices.Concat(Views(), Answers()) {
			if unshared[f.Name] != nil {
				continue
			}
			wanted[path.Base(lakeFile(engine, f))] = true
			text, err := lake.ReadFile(lakeFile(engine, f))
			sum := sha256.Sum256([]byte(f.SQL))
			want := hex.EncodeToString(sum[:])
			if m := madeFrom.FindStringSubmatch(string(text)); err != nil || m == nil || m[1] != want {
				t.Errorf("sql/%s does not follow from %s as it is now. Run python3 sql/lake/translate.py (docs/CONTRIBUTING.md, A view over many machines). If the file is by hand, change it, and put this into its first line: sha256 %s",
					lakeFile(engine, f), f.Name, want)
			}
		}
		entries, err := lake.ReadDir(path.Join("lake", engine))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if !wanted[e.Name()] {
				t.Errorf("sql/lake/%s/%s is of no view that a lake can have", engine, e.Name())
			}
		}
	}
}
