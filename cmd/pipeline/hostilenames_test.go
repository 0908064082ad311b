package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pipeline/load/engine"
	"pipeline/load/push"
	"pipeline/testdata/gen/storetest"
)

// hostileIDs are ids that a store may name a conversation by, and whether it is loaded. One that is not is quarantined,
// with its rows.
var hostileIDs = map[string]bool{
	"": false, "(shared)": false, "(rows)": false, "(file)": false, "(kept:agentKv)": false, "(global)": false,
	"(x)": false, "(": false, "x)": true, "..": true, "../../etc": true, "-rf": true, "--": true, "*": true, "%": true,
	"_": true, "'": true, `"`: true, `\`: true, "$HOME": true, "a b": true, "a;DROP TABLE messages": true, "\n": true,
	"\x1b[31m": true, "NULL": true, "true": true, "0": true, "7b7d": true, "{}": true, "[]": true, "#": true, "ü": true,
	"u\u0308": true, "\u202e": true, "CON": true, "__proto__": true, "listed ": true, strings.Repeat("x", 3000): true,
}

// namedChat is a chat whose texts end with a word.
func namedChat(t *testing.T, id, word string) []storetest.Row {
	t.Helper()
	value := func(v any) string {
		b, err := json.Marshal(v)
		must(t, err)
		return string(b)
	}
	head := map[string]any{"_v": 13, "composerId": id, "name": "named " + id, "createdAt": 1760000000000,
		"fullConversationHeadersOnly": []any{map[string]any{"bubbleId": "m", "type": 1}}}
	return []storetest.Row{{Key: "composerData:" + id, Value: value(head)},
		{Key: "bubbleId:" + id + ":m", Value: value(map[string]any{"type": 1, "text": "I am " + id + word})}}
}

// TestHostileNames: whatever a conversation is called, in rows, in the table of heads and in the lists of a workspace,
// every command does as before, and the other chats are right. make test has the runs that differ most.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	w := newCLITest(t)
	store := func(word string) {
		t.Helper()
		rows := namedChat(t, "good", word)
		var heads []map[string]any
		var list []any
		for id := range hostileIDs {
			rows = append(rows, namedChat(t, id, word)...)
			heads = append(heads, map[string]any{"composerId": id, "createdAt": 1760000000000,
				"value": `{"name":"head"}`})
			list = append(list, map[string]any{"composerId": id, "name": "listed"})
		}
		composers, err := json.Marshal(map[string]any{"allComposers": list})
		w.must(err)
		for _, both := range []string{"composer.composerData", "mcpService.knownServerIds", "aiService.prompts",
			"bubbleId", "composerData", "(rows)"} {
			// keys that are in both tables, and bare ones
			rows = append(rows, storetest.Row{Key: both, Value: string(composers)},
				storetest.Row{Table: "ItemTable", Key: both, Value: string(composers)})
		}
		w.must(os.RemoveAll(w.user))
		w.store(rows, storetest.StoreOptions{HeaderColumns: storetest.HeaderColumns9, HeaderRows: heads})
	}
	right := func(when, word string) {
		t.Helper()
		count := func(query string) map[string]int {
			n := map[string]int{}
			for _, row := range w.ask(query) {
				n[row[0]]++
			}
			return n
		}
		texts := count(`SELECT text FROM live_messages WHERE conversation_id <> 'good'`)
		bad := count(`SELECT key FROM quarantine WHERE reason = 'bad_key' AND resolved_load_id IS NULL`)
		for id, isLoaded := range hostileIDs {
			want := 1
			if !isLoaded {
				want = 0
			}
			w.same(fmt.Sprintf("%s: messages with the text of %.40q", when, id), want, texts["I am "+id+word])
			w.same(fmt.Sprintf("%s: quarantined of %.40q", when, id), 1-want, bad["composerData:"+id])
		}
		w.same(when+": the good chat", [][]string{{"I am good" + word}},
			w.ask(`SELECT text FROM live_messages WHERE conversation_id = 'good'`))
	}
	store("")
	w.run(0)
	right("the first run", "")
	store(" again")
	w.run(0)
	right("the next run", " again")
	if !testing.Short() {
		w.run(0)
		w.run(0, "--full")
		right("--full", " again")
		first := newCLITest(t)
		first.user = w.user
		first.run(0)
		count := `SELECT count(*) FROM live_conversations`
		w.same("conversations of a first load", first.ask(count), w.ask(count))
	}
	w.does(0, "rebuild", "--warehouse", w.warehouse)
	right("a rebuild", " again")
	if !testing.Short() {
		w.run(0)
		store(" at last")
		w.run(0)
		right("a run after the rebuild", " at last")
	}
	w.sound()
	w.does(0, "sql", "--warehouse", w.warehouse, "SELECT * FROM conversations")
	if !testing.Short() {
		w.does(0, "answers", "--warehouse", w.warehouse)
		w.does(0, "report", "--warehouse", w.warehouse, "--output", filepath.Join(w.dir, "report.html"))
	}
	lake := filepath.Join(w.dir, "lake")
	w.must(os.Mkdir(lake, 0o700))
	w.does(0, "push", "--warehouse", w.warehouse, "--to", lake)
	formats := []string{"markdown", "html", "jsonl"}
	for _, format := range formats {
		w.does(0, "export", "conversations", "--warehouse", w.warehouse, "--format", format, "--out",
			filepath.Join(w.dir, format))
	}
	var outside []string
	entries, err := os.ReadDir(w.dir)
	w.must(err)
	for _, e := range entries {
		if name := e.Name(); !slices.Contains(append(formats, "User", "lake", "report.html"), name) &&
			!strings.HasPrefix(name, "w.duckdb") {
			outside = append(outside, name)
		}
	}
	w.same("files that nobody asked for", []string(nil), outside)
	shown := 0
	for id, isLoaded := range hostileIDs {
		if isLoaded && !strings.HasPrefix(id, "-") && (shown < 8 || !testing.Short()) {
			shown++
			w.does(0, "show", "--warehouse", w.warehouse, id)
		}
	}
}

// TestWarehouseByLink: a warehouse is the same by a link's name, with its raw layer, its lock and its history; a link
// that leads nowhere is refused.
func TestWarehouseByLink(t *testing.T) {
	t.Parallel()
	w := newCLITest(t)
	w.store(talk("a", "hello"), storetest.StoreOptions{})
	w.run(0)
	own, link := w.warehouse, filepath.Join(t.TempDir(), "answers.duckdb")
	w.must(os.Symlink(own, link))
	w.store(talk("a", "hello", "again"), storetest.StoreOptions{})
	w.warehouse = link
	w.run(0)
	w.sound()
	w.warehouse = own
	w.sound()
	w.same("texts", [][]string{{"again"}, {"hello"}}, w.ask(`SELECT text FROM live_messages ORDER BY text`))
	entries, err := os.ReadDir(filepath.Dir(link))
	w.must(err)
	w.same("files beside the link", 1, len(entries))
	w.must(os.Remove(own))
	w.warehouse = link
	_, said := w.does(exitUsage, "run", "--source", "test="+w.user, "--warehouse", link)
	if !strings.Contains(said, "leads nowhere") {
		t.Error(said)
	}
}

// TestFoldersLikePatterns: what stands in folders whose names are patterns for the engine is read alone, and not with
// what stands in the folders that they match.
func TestFoldersLikePatterns(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no folder has such a name here")
	}
	top := t.TempDir()
	folders := []string{"ab", "a*"}
	if !testing.Short() {
		folders = []string{"ab", "a[b]", "a*"}
	}
	lake := func(folder string) string { return filepath.Join(top, folder, "lake") }
	for _, folder := range folders {
		w := newCLITest(t)
		w.warehouse = filepath.Join(top, folder, "w.duckdb")
		w.must(os.MkdirAll(lake(folder), 0o700))
		tables := filepath.Join(top, folder, "tables")
		for _, texts := range [][]string{{folder}, {folder, "again"}} {
			w.store(talk("chat", texts...), storetest.StoreOptions{})
			w.run(0)
		}
		w.run(0, "--parquet", tables, "--push", lake(folder))
		w.does(0, "check", "--deep", "--warehouse", w.warehouse, "--parquet", tables)
		printed, _ := w.does(0, "history", "--warehouse", w.warehouse, "composerData:chat", "--json")
		w.same("versions in "+folder, 2, strings.Count(printed, `"version":`))
		w.does(0, "history", "--warehouse", w.warehouse, "composerData:chat", "--show", "1")
		w.does(0, "rebuild", "--warehouse", w.warehouse)
		w.same("texts in "+folder, [][]string{{folder}, {"again"}},
			w.ask(`SELECT text FROM live_messages ORDER BY position`))
	}
	for _, folder := range folders {
		views, err := push.Views("duckdb", push.Place{Target: lake(folder)})
		must(t, err)
		must(t, engine.Reading(t.Context(), "", func(conn *sql.Conn) error {
			_, err := conn.ExecContext(t.Context(), views)
			must(t, err)
			var texts string
			must(t, conn.QueryRowContext(t.Context(),
				`SELECT string_agg(text ORDER BY position) FROM messages`).Scan(&texts))
			if texts != folder+",again" {
				t.Errorf("pushed to %s: %s", folder, texts)
			}
			return nil
		}))
	}
}
