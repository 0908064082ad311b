package warehouse_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"pipeline/load/tool/atomicfile"
	"pipeline/load/warehouse"
)

// What a run spares because nobody has written to the file, it does again as soon as anybody has: another program,
// however little it changed, and also if the file's time and size are set back. The engine itself says what the views
// are.
func TestUntouched(t *testing.T) {
	long(t)
	t.Parallel()
	path := filepath.Join(t.TempDir(), "warehouse.duckdb")
	by := func(statement string) func() error { // another program
		return func() error {
			db, err := sql.Open("duckdb", path)
			if err != nil {
				return err
			}
			_, err = db.Exec(statement)
			return errors.Join(err, db.Close())
		}
	}
	const view = `CREATE OR REPLACE VIEW live_messages AS SELECT 1 AS one`
	for _, step := range []struct {
		name  string
		do    func() error
		spare bool
	}{
		{"nothing, after a first load", nil, true},
		{"nothing, after another load", nil, true},
		{"another program only reads", by(`SELECT count(*) FROM messages`), true},
		{"a view is another", by(view), false},
		{"nothing, after it was made again", nil, true},
		{"a view is gone", by(`DROP VIEW answers.tool_usage`), false},
		{"a comment is gone", by(`COMMENT ON COLUMN messages.role IS NULL`), false},
		{"only a row is changed", by(`UPDATE loads SET tool_version = 'other'`), false},
		{"a view is another, and the times of the file are set back", func() error {
			info, err := os.Stat(path)
			return errors.Join(err, by(view)(), os.Chtimes(path, info.ModTime(), info.ModTime()))
		}, false},
		{"a copy is in the place of the file, with its time", func() error {
			info, err := os.Stat(path)
			return errors.Join(err, atomicfile.Copy(path, path+".copy"),
				os.Chtimes(path+".copy", info.ModTime(), info.ModTime()), os.Rename(path+".copy", path))
		}, false},
		{"the note is gone", func() error { return os.Remove(path + ".lock") }, false},
		{"nothing, after that", nil, true},
		{"the note is another program's", func() error {
			text, err := os.ReadFile(path + ".lock")
			return errors.Join(err, os.WriteFile(path+".lock", append([]byte("x"), text...), 0o600))
		}, false},
		{"nothing, in the end", nil, true},
	} {
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			mustLoad(t, path, nil)
		}
		if step.do != nil {
			time.Sleep(20 * time.Millisecond) // longer than the system's clock for files takes to go on
			if err := step.do(); err != nil {
				t.Fatalf("%s: %v", step.name, err)
			}
		}
		w := mustOpen(t, path)
		spare := warehouse.Untouched(w)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if spare != step.spare {
			t.Errorf("%s: the comparison is spared: %t; want %t", step.name, spare, step.spare)
		}
		mustLoad(t, path, nil)
		if differ, err := warehouse.ObjectsDiffer(t.Context(), path); err != nil || differ {
			t.Errorf("%s: after a load the views are not those of this version (%v)", step.name, err)
		}
		if n := cells(t, path,
			`SELECT count(*) FROM duckdb_columns() WHERE table_name = 'live_messages' AND column_name = 'message_id'`)[0][0]; n != "1" {
			t.Errorf("%s: after a load live_messages has no message_id", step.name)
		}
	}
}
