package extract

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// What is read of a store in use is its state at the opening, from the index to the last value: commits between any two
// queries do not show.
func TestOneState(t *testing.T) {
	t.Parallel()
	user := filepath.Join(t.TempDir(), "User")
	path := filepath.Join(user, "globalStorage", "state.vscdb")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", fileURI(path, false)+"?_pragma=journal_mode(wal)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	n := 0
	commit := func() {
		t.Helper()
		n++
		_, err := db.Exec(
			fmt.Sprintf(
				`CREATE TABLE IF NOT EXISTS cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB); BEGIN;
			INSERT INTO cursorDiskKV VALUES ('composerData:c', '%[1]d'), ('bubbleId:c:b', '%[1]d'), ('checkpointId:c:k', '%[1]d'), ('bubbleId:c:n%[1]d', '%[1]d'); COMMIT`, n))
		if err != nil {
			t.Fatal(err)
		}
	}
	commit()
	sources, err := Resolve(user, Env{OS: "linux", Home: user})
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := sources[0].Open(t.Context(), OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer snapshot.Close()
	commit()
	var got []string
	for conv, err := range snapshot.Conversations(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if err := conv.LoadHead(); err != nil {
			t.Fatal(err)
		}
		got = append(got, conv.Head.Key+"="+string(conv.Head.Value))
		commit()
		for d, err := range conv.Parts {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, d.Key+"="+string(d.Value))
			commit()
		}
	}
	if want := []string{"composerData:c=1", "bubbleId:c:b=1", "bubbleId:c:n1=1",
		"checkpointId:c:k=1"}; !slices.Equal(got, want) {
		t.Errorf("read %q, want the state of the opening: %q", got, want)
	}
}
