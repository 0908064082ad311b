//go:build unix

package main

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pipeline/cmd/pipeline/internal/runlog"
	"pipeline/load/rawlog"
	"pipeline/sql/schema"
	"pipeline/testdata/gen/storetest"
)

// TestLogGone: a run is killed when it has committed to the log, and the log is lost: with it the load, and nothing
// else. What the load has put into the raw layer is named by verify and taken in by the next run.
func TestLogGone(t *testing.T) {
	long(t)
	w := newCLITest(t)
	w.store(talk("a", "a1", "a2"), storetest.StoreOptions{})
	w.run(0)
	w.exec(`REPLACE INTO cursorDiskKV VALUES ('filler', ''), ('bubbleId:a:a-a', '{"text":"changed"}')`)
	logged := w.killedWithLog()
	if !logged {
		t.Skip("no kill of some met a log: it lives for milliseconds only")
	}
	w.must(os.Remove(w.warehouse + ".wal"))
	w.same("the loads without the log", [][]string{{"1"}}, w.ask("SELECT load_id FROM loads"))
	printed, _ := w.does(0, "check", "--deep", "--warehouse", w.warehouse)
	if !strings.Contains(printed, "of a load that did not commit: the next run takes it in") {
		t.Errorf("verify prints %s", printed)
	}
	w.exec(`DELETE FROM cursorDiskKV WHERE key = 'bubbleId:a:a-a'`) // the version is nowhere else now
	w.run(0)
	w.same("the messages", "a:a2", w.living())
	shown, _ := w.does(0, "history", "--warehouse", w.warehouse, "bubbleId:a:a-a", "--show", "2")
	w.same("the version of the load that was lost", `{"text":"changed"}`, shown)
	printed, _ = w.does(0, "check", "--deep", "--warehouse", w.warehouse)
	if strings.Contains(printed, "did not commit") {
		t.Errorf("verify prints %s", printed)
	}
	w.sound()
}

// killedWithLog kills runs until one leaves its log beside the warehouse, with the load in it: a copy of both has the
// load, the file alone has not.
func (w *cliTest) killedWithLog() bool {
	w.t.Helper()
	for range 40 {
		c := start(w.t, exec.Command("pipeline", "run", "--quiet", "--full", "--source", "test="+w.user, "--warehouse",
			w.warehouse))
		c.await(merging)
		before, err := os.ReadFile(w.warehouse)
		w.must(err)
		for ended := false; !ended; {
			select {
			case <-c.ended:
				ended = true
			default:
				if info, err := os.Stat(w.warehouse + ".wal"); err == nil && info.Size() > 0 &&
					c.phase() >= committing {
					_ = c.cmd.Process.Kill()
					c.wait()
					ended = true
				}
			}
		}
		if _, err := os.Stat(w.warehouse + ".wal"); err == nil {
			now, err := os.ReadFile(w.warehouse)
			w.must(err)
			if bytes.Equal(before, now) {
				return true
			}
		}
		w.must(os.RemoveAll(rawlog.Dir(w.warehouse))) // begin anew
		w.must(os.RemoveAll(w.warehouse))
		w.must(os.RemoveAll(w.warehouse + ".wal"))
		text := w.storedText()
		w.exec(`REPLACE INTO cursorDiskKV VALUES ('filler', ''), ('bubbleId:a:a-a', '{"text":"a1"}')`)
		w.run(0)
		w.exec(`REPLACE INTO cursorDiskKV VALUES ('filler', ''), ('bubbleId:a:a-a', '` + text + `')`)
	}
	return false
}

func (w *cliTest) storedText() (text string) {
	w.t.Helper()
	db, err := sql.Open("sqlite", "file:"+w.global())
	w.must(err)
	defer db.Close()
	w.must(db.QueryRow(`SELECT value FROM cursorDiskKV WHERE key = 'bubbleId:a:a-a'`).Scan(&text))
	return text
}

// TestRestored: a warehouse that is put back from a backup knows less than its raw layer: verify says so, the next run
// takes it in, and what was loaded meanwhile is loaded once more.
func TestRestored(t *testing.T) {
	long(t)
	w := newCLITest(t)
	w.store(talk("a", "a1", "a2"), storetest.StoreOptions{})
	w.run(0)
	backup := filepath.Join(w.dir, "backup")
	w.copyOf(backup, w.warehouse)
	for _, text := range []string{"second", "third"} {
		w.exec(`REPLACE INTO cursorDiskKV VALUES ('filler', ''), ('bubbleId:a:a-a', '{"type":1,"text":"` + text +
			`"}')`)
		w.run(0)
	}
	w.copyOf(w.warehouse, backup)
	printed, _ := w.does(0, "check", "--deep", "--warehouse", w.warehouse)
	if strings.Count(printed, "did not commit: the next run takes it in") != 2 {
		t.Errorf("verify prints %s", printed)
	}
	w.run(0)
	w.same("the messages", "a:a2 a:third", w.living())
	for version, text := range map[string]string{"1": `{"text":"a1","type":1}`, "2": `{"type":1,"text":"second"}`,
		"3": `{"type":1,"text":"third"}`} {
		shown, _ := w.does(0, "history", "--warehouse", w.warehouse, "bubbleId:a:a-a", "--show", version)
		w.same("version "+version, text, shown)
	}
	w.same("the versions", "3", versionsOf(w, "bubbleId:a:a-a"))
	printed, _ = w.does(0, "check", "--deep", "--warehouse", w.warehouse)
	if strings.Contains(printed, "did not commit") {
		t.Errorf("verify prints %s", printed)
	}
	w.sound()
}

// TestOtherSchema: a warehouse of a later version is left alone, and so is one from before the first release; one of an
// earlier version too, until a rebuild makes it anew out of the raw layer. A rebuild that is killed leaves the old one.
func TestOtherSchema(t *testing.T) {
	long(t)
	w := newCLITest(t)
	w.store(append(talk("a", "a1", "a2"), talk("b", "b1")...), storetest.StoreOptions{})
	w.run(0)
	w.exec(`DELETE FROM cursorDiskKV WHERE key LIKE '%:b%'`)
	w.run(0)
	set := func(version string) {
		w.change("UPDATE internal._meta SET value = " + quoted(version) + " WHERE key = 'warehouse_version'")
	}
	refused := func(says string) {
		t.Helper()
		but := func() map[string]string {
			all := files(t, w.dir)
			delete(all, runlog.Path(w.warehouse)) // which notes each run
			return all
		}
		before := but()
		if _, said := w.run(1); !strings.Contains(said, says) {
			t.Errorf("it says %q", said)
		}
		w.same("the files", before, but())
	}
	set("99")
	refused("use the version of the tool that wrote it")
	w.change(`UPDATE internal._meta SET key = 'schema_version' WHERE key = 'warehouse_version'`)
	refused("is from before the first release of this tool, which does not read it: move ")
	w.change(`UPDATE internal._meta SET key = 'warehouse_version' WHERE key = 'schema_version'`)
	set(fmt.Sprint(schema.Version))

	for range 3 { // in the middle of it
		before := files(t, w.dir)[w.warehouse]
		cmd := exec.Command("pipeline", "rebuild", "--warehouse", w.warehouse)
		w.must(cmd.Start())
		time.Sleep(60 * time.Millisecond)
		_ = cmd.Process.Kill()
		if err := cmd.Wait(); err == nil {
			t.Log("the rebuild was done before it was killed")
			continue
		}
		w.same("the warehouse", before, files(t, w.dir)[w.warehouse])
	}
	w.runs(0, "rebuild", "--warehouse", w.warehouse)
	w.run(0)
	w.same("the messages", "a:a1 a:a2", w.living())
	w.same("what is kept", [][]string{{"b1"}}, w.ask("SELECT text FROM messages WHERE deleted_at IS NOT NULL"))
	w.sound()
}
