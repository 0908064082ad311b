package pipelines_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pipeline/extract"
	"pipeline/pipelines"
	"pipeline/testdata/gen/storetest"
)

func globalFile(l *fixture) string { return filepath.Join(l.user, "globalStorage", "state.vscdb") }

// a page of the table with this needle is overwritten
func overwritePage(t *testing.T, file string, needle string) {
	b, err := os.ReadFile(file)
	must(t, err)
	at := strings.Index(string(b), needle)
	if at < 0 {
		t.Fatal("no ", needle)
	}
	copy(b[at/4096*4096:][:4096], strings.Repeat("\xa5", 4096))
	must(t, os.WriteFile(file, b, 0o600))
}

// A value whose last overflow page holds other bytes, in a store that is damaged elsewhere; then the sound file. With
// the raw layer.
func TestDamagedFingerprintGarbage(t *testing.T) {
	l := newFixture(t)
	w := damageUserDir(0)
	w.rows["bubbleId:conv-07:big"] = fmt.Sprintf(`{"_v":3,"type":1,"bubbleId":"big","text":"%sENDMARK%s"}`,
		strings.Repeat("q", 9000), strings.Repeat("w", 30))
	w.write(t, l.user)
	sound, err := os.ReadFile(globalFile(l))
	must(t, err)
	b := bytes.Clone(sound)
	at := bytes.Index(b, []byte("ENDMARK"))
	copy(b[at:], "EN\x00\x00\x00\x00\x00")
	must(t, os.WriteFile(globalFile(l), b, 0o600))
	overwritePage(t, globalFile(l), "message 3 of 4 ")
	l.run(nil)
	must(t, os.WriteFile(globalFile(l), sound, 0o600))
	l.run(nil)
	later := newFixture(t)
	same(t, "the messages once the store is sound again", len(later.live(w)), len(l.ask(liveMessages)))
}

// spoilIndexKey changes one byte of a key where an index has it: in the table its value, a JSON object, follows the
// key.
func spoilIndexKey(t *testing.T, path, key string, at int) {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	spoiled := false
	for from := 0; ; from += len(key) {
		i := bytes.Index(b[from:], []byte(key))
		if i < 0 {
			break
		}
		from += i
		if after := from + len(key); after == len(b) || b[after] != '{' {
			b[from+at] ^= 2
			spoiled = true
		}
	}
	if !spoiled {
		t.Fatalf("no index has %s", key)
	}
	must(t, os.WriteFile(path, b, 0o600))
}

// One byte of the index of a workspace store's ItemTable.
func TestDamagedItemByte(t *testing.T) {
	l := newFixture(t)
	w := damageUserDir(0)
	w.workspaces["ws2"] = folder{json: `{"folder":"file:///src/two"}`,
		items: map[string]any{
			"composer.composerData": `{"allComposers":[{"composerId":"inline-1","name":"inline","createdAt":1700000000000,"conversation":[{"bubbleId":"i1","type":1,"text":"hello inline"}]}]}`, "other": "1",
		}}
	l.run(w)
	path := filepath.Join(l.user, "workspaceStorage", "ws2", "state.vscdb")
	spoilIndexKey(t, path, "composer.composerData", 20)
	l.run(nil)
	same(t, "deleted", [][]string{{"0"}}, l.ask(`SELECT count(deleted_at) FROM conversations`))
}

// Twice the same damage over an item.
func TestDamagedItemTwice(t *testing.T) {
	l := newFixture(t)
	w := damageUserDir(0)
	w.workspaces["ws2"] = folder{json: `{"folder":"file:///src/two"}`,
		items: map[string]any{"composer.composerData": `{"allComposers":[],"x":"` + strings.Repeat("x", 9000) +
			`MARK"}`, "aiService.prompts": `[{"text":"a prompt"}]`, "other": "1"}}
	w.write(t, l.user)
	path := filepath.Join(l.user, "workspaceStorage", "ws2", "state.vscdb")
	cutChain(t, path)
	for run := range 3 {
		l.run(nil)
		for _, row := range l.raw() {
			if row["value_type"] == "unreadable" {
				t.Errorf("run %d: the raw layer has %v", run, row)
			}
		}
	}
}

// the first overflow page of the long value: its chain is cut
func cutChain(t *testing.T, path string) {
	b, err := os.ReadFile(path)
	must(t, err)
	at := bytes.Index(b, []byte("xxxxMARK"))
	// find a page that is all x and point it out of the file
	for p := 0; p+4096 <= len(b); p += 4096 {
		if bytes.Count(b[p:p+4096], []byte("x")) > 4080 {
			copy(b[p:], "\xff\xff\xff\xff")
			must(t, os.WriteFile(path, b, 0o600))
			return
		}
	}
	t.Fatal("no overflow page ", at)
}

// A workspace store named as a file; a page of a loose row's value is bad.
func TestDamagedBareWorkspace(t *testing.T) {
	l := newFixture(t)
	w := damageUserDir(0)
	w.write(t, l.user)
	dir := filepath.Join(l.dir, "W", "ws9")
	must(t, os.MkdirAll(dir, 0o700))
	path := filepath.Join(dir, "state.vscdb")
	must(t, storetest.WriteStore(path, []storetest.Row{
		{Table: storetest.ItemTable, Key: "composer.composerData",
			Value: `{"allComposers":[{"composerId":"inline-1","name":"inline","createdAt":1700000000000,"conversation":[{"bubbleId":"i1","type":1,"text":"hello inline"}]}]}`},
		{Key: "codeBlockDiff:d1", Value: `{"x":"` + strings.Repeat("x", 9000) + `MARK"}`},
		{Key: "codeBlockDiff:d2", Value: `{}`}}, storetest.StoreOptions{}))
	cutChain(t, path)
	src, err := extract.Resolve(path, extract.Env{})
	must(t, err)
	o := l.options(func(o *pipelines.Options) { o.Sources = src })
	var warned []string
	o.Warn = func(f string, a ...any) { warned = append(warned, fmt.Sprintf(f, a...)) }
	r, err := pipelines.Run(t.Context(), o)
	if err != nil {
		t.Fatalf("not salvaged: %v", err)
	}
	if r.Conversations.New == 0 {
		t.Error("nothing loaded")
	}
}

// A kept value that was overwritten in a store that is damaged elsewhere; then the sound file.
func TestDamagedKeptGarbage(t *testing.T) {
	l := newFixture(t)
	w := damageUserDir(0)
	w.rows["composer.content.k"] = strings.Repeat("q", 9000) + "ENDMARK" + strings.Repeat("w", 30)
	l.run(w)
	sound, err := os.ReadFile(globalFile(l))
	must(t, err)
	b := bytes.Clone(sound)
	copy(b[bytes.Index(b, []byte("ENDMARK")):], "EN\x00\x00\x00\x00\x00")
	must(t, os.WriteFile(globalFile(l), b, 0o600))
	overwritePage(t, globalFile(l), "message 3 of 4 ")
	l.run(nil, full)
	must(t, os.WriteFile(globalFile(l), sound, 0o600))
	l.run(nil)
	n := 0
	for _, row := range l.raw() {
		if row["key"] == "composer.content.k" {
			n++
			t.Log(row["load_id"], row["value_type"], row["hash"])
		}
	}
	if n == 2 {
		t.Error("the present version in the raw layer is the overwritten one")
	}
}

// The global store is cut off; a workspace store has rows of the same conversation, older and fewer.
func TestDamagedGlobalUnreadable(t *testing.T) {
	l := newFixture(t)
	w := damageUserDir(0)
	w.workspaces["ws3"] = folder{json: `{"folder":"file:///src/three"}`, items: map[string]any{"x": "1"}}
	wsStore := func() {
		must(t, os.Remove(filepath.Join(l.user, "workspaceStorage", "ws3", "state.vscdb")))
		must(t, storetest.WriteStore(filepath.Join(l.user, "workspaceStorage", "ws3", "state.vscdb"), []storetest.Row{
			{Key: "composerData:conv-03",
				Value: `{"_v":3,"composerId":"conv-03","name":"older","createdAt":1760000000000,"fullConversationHeadersOnly":[{"bubbleId":"m00","type":1}]}`},
			{Key: "bubbleId:conv-03:m00", Value: `{"_v":3,"type":1,"bubbleId":"m00","text":"older"}`}},
			storetest.StoreOptions{}))
	}
	w.write(t, l.user)
	wsStore()
	l.run(nil)
	before := l.ask(liveMessages)
	must(t, os.Truncate(globalFile(l), 5000))
	l.run(nil)
	same(t, "live messages", len(before), len(l.ask(liveMessages)))
	same(t, "deleted", [][]string{{"0"}}, l.ask(`SELECT count(deleted_at) FROM messages`))
}

// The index of a store without a conversation that it names is an empty leaf.
func TestDamagedEmptyIndex(t *testing.T) {
	l := newFixture(t)
	w := damageUserDir(0)
	w.workspaces["ws3"] = folder{json: `{"folder":"file:///src/three"}`, items: map[string]any{"x": "1"}}
	w.write(t, l.user)
	path := filepath.Join(l.user, "workspaceStorage", "ws3", "state.vscdb")
	must(t, os.Remove(path))
	must(t, storetest.WriteStore(path, []storetest.Row{
		{Key: "composerData:old-03",
			Value: `{"_v":3,"composerId":"old-03","name":"older","createdAt":1760000000000,"fullConversationHeadersOnly":[{"bubbleId":"m00","type":1}]}`},
		{Key: "bubbleId:old-03:m00", Value: `{"_v":3,"type":1,"bubbleId":"m00","text":"older"}`}},
		storetest.StoreOptions{}))
	l.run(nil)
	b, err := os.ReadFile(path)
	must(t, err)
	for p := 4096; p+4096 <= len(b); p += 4096 {
		if b[p] == 0x0a && bytes.Contains(b[p:p+4096], []byte("bubbleId:")) { // as the page was when the table was made
			copy(b[p:], "\x0a\x00\x00\x00\x00\x10\x00\x00")
		}
	}
	must(t, os.WriteFile(path, b, 0o600))
	l.run(nil)
	same(t, "deleted", [][]string{{"0"}}, l.ask(`SELECT count(deleted_at) FROM conversations`))
}

// A file of the raw layer is damaged too.
func TestDamagedRawFileBad(t *testing.T) {
	l := newFixture(t)
	l.run(damageUserDir(0))
	files, _ := filepath.Glob(filepath.Join(l.warehouse()+".raw", "*", "*.parquet"))
	b, err := os.ReadFile(files[0])
	must(t, err)
	clear(b[4 : len(b)/2])
	must(t, os.WriteFile(files[0], b, 0o600))
	overwritePage(t, globalFile(l), "message 3 of 4 ")
	_, err = pipelines.Run(t.Context(), l.options(full))
	if err != nil {
		t.Fatalf("the whole run fails: %v", err)
	}
}

// A workspace's state.vscdb is not there for a moment: VS Code removes it before it puts the backup in its place.
func TestDamagedVanished(t *testing.T) {
	l := newFixture(t)
	w := damageUserDir(0)
	w.workspaces["ws2"] = folder{json: `{"folder":"file:///src/two"}`,
		items: map[string]any{
			"composer.composerData": `{"allComposers":[{"composerId":"inline-1","name":"inline","createdAt":1700000000000,"conversation":[{"bubbleId":"i1","type":1,"text":"hello inline"}]}]}`, "other": "1",
		}}
	l.run(w)
	path := filepath.Join(l.user, "workspaceStorage", "ws2", "state.vscdb")
	must(t, os.Rename(path, path+".backup"))
	l.run(nil)
	same(t, "deleted", [][]string{{"0"}}, l.ask(`SELECT count(deleted_at) FROM conversations`))
}

// A rebuild over a load of a damaged store.
func TestDamagedRebuild(t *testing.T) {
	l := newFixture(t)
	l.run(damageUserDir(0))
	damageUserDir(1).write(t, l.user)
	overwritePage(t, globalFile(l), "message 3 of 4 ")
	l.run(nil)
	q := []string{
		`SELECT conversation_id, changed_at, message_count, missing_message_count, deleted_at FROM conversations ORDER BY ALL`, `SELECT key, reason, load_id, resolved_load_id FROM quarantine ORDER BY ALL`, liveMessages,
	}
	var before [][][]string
	for _, s := range q {
		before = append(before, l.ask(s))
	}
	_, err := pipelines.Rebuild(t.Context(), l.options(), false)
	must(t, err)
	for i, s := range q {
		same(t, s, before[i], l.ask(s))
	}
}

// One byte of the index of cursorDiskKV, in the last key of a family: the order of the keys stays.
func TestDamagedKVByte(t *testing.T) {
	l := newFixture(t)
	l.run(damageUserDir(0))
	spoilIndexKey(t, globalFile(l), "composerData:conv-11", 11) // composerDatc:
	l.run(nil)
	same(t, "deleted", [][]string{{"0"}}, l.ask(`SELECT count(deleted_at) FROM conversations`))
}

// The global store is not there; a workspace store has an older inline copy of a conversation of it. And: it is cut
// off.
func TestDamagedGlobalVanished(t *testing.T) {
	for _, how := range []string{"cut off", "removed"} {
		t.Run(how, func(t *testing.T) {
			l := newFixture(t)
			w := damageUserDir(0)
			w.workspaces["ws2"] = folder{json: `{"folder":"file:///src/two"}`,
				items: map[string]any{
					"composer.composerData": `{"allComposers":[{"composerId":"conv-03","name":"older","createdAt":1700000000000,"conversation":[{"bubbleId":"m00","type":1,"text":"older"}]}]}`, "other": "1",
				}}
			l.run(w)
			before := l.ask(liveMessages)
			if how == "removed" {
				must(t, os.Remove(globalFile(l)))
			} else {
				must(t, os.Truncate(globalFile(l), 5000))
			}
			l.run(nil)
			same(t, "live messages", len(before), len(l.ask(liveMessages)))
			same(t, "deleted", [][]string{{"0"}}, l.ask(`SELECT count(deleted_at) FROM messages`))
			if how == "removed" { // and again, with something new in the workspace
				l.run(nil, full)
				same(t, "deleted", [][]string{{"0"}}, l.ask(`SELECT count(deleted_at) FROM messages`))
			}
		})
	}
}

// A table without rowids is its own index: rows of a bad page have no name any more, and are not gone for that.
func TestDamagedUnnamed(t *testing.T) {
	l := newFixture(t)
	w := damageUserDir(0)
	w.exec = []string{"ALTER TABLE cursorDiskKV RENAME TO old",
		"CREATE TABLE cursorDiskKV (key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID",
		"INSERT INTO cursorDiskKV SELECT * FROM old", "DROP TABLE old", "VACUUM"}
	l.run(w)
	before := l.ask(liveMessages)
	for _, key := range []string{"composer.content.conv-05", "bubbleId:conv-07:m0"} {
		overwritePage(t, globalFile(l), key)
	}
	if r := l.run(nil, full); len(r.Errors()) != 1 || r.Conversations.Deleted != 0 {
		t.Errorf("%+v, errors %v", r.Conversations, r.Errors())
	}
	same(t, "the messages", before, l.ask(liveMessages))
	for _, row := range l.raw() {
		if row["value_type"] == "gone" {
			t.Errorf("the raw layer says that %s is gone", row.row())
		}
	}
}

// Rows that Cursor has emptied, in a store that is damaged elsewhere; then the sound file.
func TestDamagedEmptied(t *testing.T) {
	l := newFixture(t)
	w := damageUserDir(0)
	l.run(w)
	w.with("composerData:conv-07", nil, "bubbleId:conv-08:m00", []byte{0}).write(t, l.user)
	sound, err := os.ReadFile(globalFile(l))
	must(t, err)
	overwritePage(t, globalFile(l), "message 3 of 4 ")
	deleted := `SELECT conversation_id, NULL FROM conversations WHERE deleted_at IS NOT NULL
		UNION ALL SELECT conversation_id, message_id FROM messages WHERE deleted_at IS NOT NULL`
	for range 2 {
		l.run(nil)
		same(t, "deleted", nil, l.ask(deleted))
	}
	l.rebuilt()
	must(t, os.WriteFile(globalFile(l), sound, 0o600))
	l.run(nil)
	same(t, "deleted in the sound store", [][]string{{"conv-07", "NULL"}, {"conv-08", "m00"}}, l.ask(deleted))
}
