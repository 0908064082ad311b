package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pipeline/load/rawlog"
	"pipeline/testdata/gen/storetest"
)

// stayFailing are the states over which a run fails although it loads, and could take a second run for one that has
// nothing to do. What ends with 75, and most deletions at once, TestBusyRun and TestReplacedStore run twice.
var stayFailing = []struct {
	name string
	code int
	says string
	args []string
	do   func(w *cliTest) (mend func() error)
}{
	{"a page of the store is damaged", exitSource, "damaged", nil, damagePage},
	{"a store beside is no database", exitSource, "not a SQLite database", nil, func(w *cliTest) func() error {
		file := filepath.Join(w.user, "workspaceStorage", "ws", "state.vscdb")
		w.must(os.MkdirAll(filepath.Dir(file), 0o700))
		w.must(storetest.WriteNotADatabase(file))
		return func() error { return os.RemoveAll(filepath.Dir(file)) }
	}},
	{"the store is no database", exitSource, "not a SQLite database", nil, func(w *cliTest) func() error {
		w.must(os.Rename(w.global(), w.global()+".aside"))
		w.must(storetest.WriteNotADatabase(w.global()))
		return func() error { return os.Rename(w.global()+".aside", w.global()) }
	}},
	{"rows are quarantined", exitCheck, "rows are quarantined (--strict)",
		[]string{"--strict"}, func(w *cliTest) func() error {
			w.exec(`INSERT INTO cursorDiskKV VALUES ('bubbleId:one:broken', '{')`)
			return func() error { w.exec(`DELETE FROM cursorDiskKV WHERE key = 'bubbleId:one:broken'`); return nil }
		}},
	{"a check fails", exitCheck, "CHECK FAILED", nil, func(w *cliTest) func() error {
		w.must(execDuckDB(w.warehouse, `INSERT INTO messages SELECT * FROM messages WHERE conversation_id = 'two'`))
		w.must(execDuckDB(w.warehouse, `UPDATE loads SET status = 'check_failed'`)) // else only what changes is checked
		return func() error {
			return execDuckDB(w.warehouse,
				`DELETE FROM messages WHERE conversation_id = 'two' AND rowid > (SELECT min(rowid) FROM messages WHERE conversation_id = 'two')`)
		}
	}},
	{"the Parquet cannot be published", exitFailed, "its Parquet is not published",
		[]string{"--parquet", "out"}, func(w *cliTest) func() error {
			w.must(os.Symlink("nowhere/else", filepath.Join(w.dir, "out")))
			return func() error { return os.Remove(filepath.Join(w.dir, "out")) }
		}},
	{"the raw layer cannot be written", exitFailed, ".raw", nil, func(w *cliTest) func() error {
		w.must(os.Rename(rawlog.Dir(w.warehouse), w.warehouse+".aside"))
		w.must(os.Symlink("nowhere/else", rawlog.Dir(w.warehouse)))
		w.exec(`INSERT INTO cursorDiskKV VALUES ('bubbleId:one:new', '{"type":1,"text":"new"}')`)
		return func() error {
			return errors.Join(os.Remove(rawlog.Dir(w.warehouse)),
				os.Rename(w.warehouse+".aside", rawlog.Dir(w.warehouse)))
		}
	}},
	{"the Parquet's folder is a file", exitUsage, "out is a file",
		[]string{"--parquet", "out"}, func(w *cliTest) func() error {
			w.must(os.WriteFile(filepath.Join(w.dir, "out"), nil, 0o600))
			return func() error { return os.Remove(filepath.Join(w.dir, "out")) }
		}},
	{"the raw layer's folder is a file", exitUsage, ".raw is a file", nil, func(w *cliTest) func() error {
		w.must(os.Rename(rawlog.Dir(w.warehouse), w.warehouse+".aside"))
		w.must(os.WriteFile(rawlog.Dir(w.warehouse), nil, 0o600))
		w.exec(`INSERT INTO cursorDiskKV VALUES ('bubbleId:one:new', '{"type":1,"text":"new"}')`)
		return func() error {
			return errors.Join(os.Remove(rawlog.Dir(w.warehouse)),
				os.Rename(w.warehouse+".aside", rawlog.Dir(w.warehouse)))
		}
	}},
}

// TestFailingStaysFailing: a second run over a state that made the first fail ends as it did, and says the same, though
// there is nothing new to load; and once the state is mended the next run goes well.
func TestFailingStaysFailing(t *testing.T) {
	long(t)
	base := newCLITest(t)
	base.store(append(talk("one", "question "+strings.Repeat("q", 3000), "answer "+strings.Repeat("a", 9000)),
		talk("two", "hello")...), storetest.StoreOptions{})
	run := func(w *cliTest, code int, more ...string) string {
		_, said := w.does(code,
			append([]string{"run", "--quiet", "--source", "test=" + w.user, "--warehouse", w.warehouse}, more...)...)
		return said
	}
	run(base, 0)
	for _, c := range stayFailing {
		t.Run(c.name, func(t *testing.T) {
			w := newCLITest(t)
			w.must(os.CopyFS(w.dir, os.DirFS(base.dir)))
			t.Chdir(w.dir)
			mend := c.do(w)
			for range 2 {
				if said := run(w, c.code, c.args...); !strings.Contains(said, c.says) {
					t.Errorf("it says %q, want %q", said, c.says)
				}
			}
			runs, err := readRuns(w.warehouse)
			w.must(err)
			if len(runs.failing()) != 1 || runs.failing()[0].Runs != 2 { // so it is where a place is refused
				t.Errorf("failing: %+v", runs.failing())
			}
			w.must(mend())
			run(w, 0, c.args...)
			runs, err = readRuns(w.warehouse)
			if w.must(err); len(runs.failing()) > 0 {
				t.Errorf("when it is fixed: %+v", runs.failing())
			}
		})
	}
}

// damagePage overwrites a page with a part of a long text.
func damagePage(w *cliTest) func() error {
	sound, err := os.ReadFile(w.global())
	w.must(err)
	damaged := bytes.Clone(sound)
	at := bytes.Index(damaged, bytes.Repeat([]byte("a"), 4000))
	if at < 0 {
		w.t.Fatal("no page has only the text")
	}
	copy(damaged[at/4096*4096:], bytes.Repeat([]byte{0xa5}, 4096))
	w.must(os.WriteFile(w.global(), damaged, 0o600))
	return func() error { return os.WriteFile(w.global(), sound, 0o600) }
}
