package main

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pipeline/testdata/gen/night"
	"pipeline/testdata/gen/storetest"
)

// TestLockPage: a store of more than 1 GiB, where SQLite leaves out the page that it locks, is read whole in each way
// that a store is read.
func TestLockPage(t *testing.T) {
	if !night.On() {
		t.Skip("it writes some gigabytes: set PIPELINE_ENDURANCE")
	}
	const messages = 40_000 // of 30 KB: some are on both sides of the page
	w := newCLITest(t)
	w.store(talk("a"), storetest.StoreOptions{})
	w.exec(fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		INSERT INTO cursorDiskKV SELECT printf('bubbleId:c%%02d:m%%05d', i / 1000, i), json_object('type', 1, 'text', printf('%%d %%030000d', i, i)) FROM n`, messages))
	if info, err := os.Stat(w.global()); err != nil || info.Size() < 1<<30+1<<20 {
		t.Fatalf("the store has only %d bytes: %v", info.Size(), err)
	}
	check := func(methods ...string) {
		t.Helper()
		w.run(0, "--quiet")
		w.same("the messages",
			[][]string{{fmt.Sprint(messages), fmt.Sprint(messages), fmt.Sprint(messages * (messages + 1) / 2)}},
			w.ask("SELECT count(*), count(DISTINCT message_id) FILTER (strlen(text) > 30000), "+
				"sum(CAST(split_part(text, ' ', 1) AS BIGINT))::BIGINT FROM messages"))
		if method := w.ask("SELECT snapshot_method FROM load_stores")[0][0]; !slices.Contains(methods, method) {
			t.Errorf("it was read by %s, want %v", method, methods)
		}
		w.must(os.Remove(w.warehouse))
	}
	check("in_place")
	db, err := sql.Open("sqlite", "file:"+w.global()) // an editor that has it open
	w.must(err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, statement := range []string{"PRAGMA journal_mode = WAL", "INSERT INTO ItemTable VALUES ('k', 'v')"} {
		_, err := db.Exec(statement)
		w.must(err)
	}
	check("wal", "copy") // on a slow machine the read takes longer than a transaction may
	moved := filepath.Join(w.dir, "moved")
	w.must(os.MkdirAll(filepath.Join(moved, "globalStorage"), 0o700))
	w.copyOf(filepath.Join(moved, "globalStorage", "state.vscdb"), w.global())
	w.copyOf(filepath.Join(moved, "globalStorage", "state.vscdb-wal"), w.global()+"-wal")
	w.user = moved // a backup: the log is there, its index is not
	check("copy")
}
