package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pipeline/testdata/gen/storetest"
)

// living are the conversations and texts that are live.
func (w *cliTest) living() string {
	w.t.Helper()
	var all []string
	for _, row := range w.ask("SELECT conversation_id, text FROM live_messages ORDER BY ALL") {
		all = append(all, strings.Join(row, ":"))
	}
	return strings.Join(all, " ")
}

// copyOf copies a file.
func (w *cliTest) copyOf(to, from string) {
	w.t.Helper()
	in, err := os.Open(from)
	w.must(err)
	defer in.Close()
	out, err := os.Create(to)
	w.must(err)
	_, err = io.Copy(out, in)
	w.must(err)
	w.must(out.Close())
}

// TestReplacedStore: a store that is put back from its own backup, moved, emptied by half or away is read in full;
// every version that was seen stays, and many deletions at once are believed only where somebody says so.
func TestReplacedStore(t *testing.T) {
	long(t)
	w := newCLITest(t)
	older := append(append(talk("a", "a1"), talk("b", "b1")...), talk("c", "c1")...)
	newer := append(append(append(append(talk("a", "A1", "a2"), talk("b", "b1")...), talk("c", "c1")...),
		talk("d", "d1")...), talk("e", "e1")...)
	w.store(older, storetest.StoreOptions{})
	w.copyOf(w.global()+".backup", w.global())
	w.run(0)
	w.store(newer, storetest.StoreOptions{})
	w.run(0)
	const all = "a:A1 a:a2 b:b1 c:c1 d:d1 e:e1"
	w.same("the messages", all, w.living())

	w.must(os.Rename(w.global(), w.global()+".aside")) // it vanishes
	w.run(3)
	w.same("the messages without the store", all, w.living())
	w.copyOf(w.global(), w.global()+".aside") // another inode, the same content
	w.run(0)
	w.same("the messages of a copy", all, w.living())
	w.same("what a copy changes", [][]string{{"0", "0"}},
		w.ask("SELECT conversations_new + conversations_changed, conversations_deleted FROM loads ORDER BY load_id "+
			"DESC LIMIT 1"))

	w.copyOf(w.global(), w.global()+".backup") // two of five are gone, one is as it was
	w.run(0)
	w.same("the messages of the backup", "a:a1 b:b1 c:c1", w.living())
	w.same("what is kept of the others", [][]string{{"a2"}, {"d1"}, {"e1"}},
		w.ask("SELECT text FROM messages WHERE deleted_at IS NOT NULL ORDER BY text"))
	w.same("the versions of a row", "2", versionsOf(w, "bubbleId:a:a-a"))

	w.copyOf(w.global(), w.global()+".aside")
	w.run(0)
	w.same("the messages when it is back", all, w.living())

	w.store(newer[:3], storetest.StoreOptions{}) // the same file name, four of five conversations gone
	for range 2 {
		if _, said := w.run(4, "--quiet"); !strings.Contains(said, "--accept-deletes") {
			t.Errorf("it says %q", said)
		}
		w.same("the messages", all, w.living())
	}
	w.run(0, "--accept-deletes")
	w.same("the messages", "a:A1 a:a2", w.living())
	w.same("what is kept", [][]string{{"b1"}, {"c1"}, {"d1"}, {"e1"}},
		w.ask("SELECT text FROM messages WHERE deleted_at IS NOT NULL ORDER BY text"))
	w.sound()
}

// versionsOf counts the versions that the history of a row has, each content once.
func versionsOf(w *cliTest, key string) string {
	w.t.Helper()
	printed, _ := w.does(0, "history", "--warehouse", w.warehouse, key, "--json")
	return fmt.Sprint(strings.Count(printed, `"event": "new"`) + strings.Count(printed, `"event": "changed"`))
}

// TestSourceMoves: the same user directory under another path is another source unless it is named; under its name it
// goes on.
func TestSourceMoves(t *testing.T) {
	w := newCLITest(t)
	w.store(append(talk("a", "a1"), talk("b", "b1")...), storetest.StoreOptions{})
	w.run(0)
	moved := filepath.Join(w.dir, "elsewhere")
	w.must(os.Rename(w.user, moved))
	w.run(3) // it is not where it was
	w.user = moved
	w.run(0)
	w.same("the messages", "a:a1 b:b1", w.living())
	w.same("the sources", [][]string{{"test"}}, w.ask("SELECT source_id FROM sources"))
	w.same("what the move changes", [][]string{{"0", "0"}},
		w.ask("SELECT conversations_new + conversations_changed, conversations_deleted FROM loads ORDER BY load_id "+
			"DESC LIMIT 1"))
}

// TestClock: what came first is known by the numbers of the loads, not by the clock: that is set back, stands still, or
// is in another zone.
func TestClock(t *testing.T) {
	long(t)
	w := newCLITest(t)
	w.t.Setenv("TZ", "Europe/Berlin")
	w.store(talk("a", "v0"), storetest.StoreOptions{})
	future := time.Now().Add(48 * time.Hour)
	w.must(os.Chtimes(w.global(), future, future))
	const key = "bubbleId:a:a-a"
	for i, text := range []string{"v0", "v1", "v2", "v1"} {
		w.exec(fmt.Sprintf(`REPLACE INTO cursorDiskKV VALUES ('filler%d', ''), ('%s', '{"type":1,"text":"%s"}')`, i,
			key, text))
		w.must(os.Chtimes(w.global(), future, future)) // the same for each
		w.run(0)
		w.same("the message", "a:"+text, w.living())
	}
	w.same("the numbers", [][]string{{"1"}, {"2"}, {"3"}, {"4"}}, w.ask("SELECT load_id FROM loads ORDER BY load_id"))
	for version, text := range map[string]string{"1": "v0", "2": "v1", "3": "v2", "4": "v1"} {
		printed, _ := w.does(0, "history", "--warehouse", w.warehouse, key, "--show", version)
		w.same("version "+version, `{"type":1,"text":"`+text+`"}`, printed)
	}
	w.sound()
}
