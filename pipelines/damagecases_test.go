package pipelines_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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

// TestDamagedStores: of damaged stores, night after night, no row counts as gone, and what can be read is read. At the
// end a quiet run and a full one change no row.
func TestDamagedStores(t *testing.T) {
	t.Parallel()
	b := &storybook{fixture: newFixture(t), odd: true}
	b.add(map[string]func(*story){
		"first": damagedFirst, "shared": damagedShared, "utf-16": damagedUTF16, "garbage": damagedFingerprint,
		"item-byte": damagedItemByte, "item-twice": damagedItemTwice, "kept-garbage": damagedKeptGarbage,
		"global-unreadable": damagedGlobalUnreadable, "empty-index": damagedEmptyIndex, "vanished": damagedVanished,
		"kv-byte": damagedKVByte, "cut-off": damagedGlobal(cutOff), "removed": damagedGlobal(os.Remove),
		"unnamed": damagedUnnamed, "emptied": damagedEmptied,
	})
	b.tell(t)
}

// nothingDeleted checks that no row of the story counts as gone.
func (s *story) nothingDeleted() {
	s.t.Helper()
	same(s.t, "deleted rows", [][]string{{"0", "0"}}, s.ask(
		`SELECT (SELECT count(deleted_at) FROM conversations), (SELECT count(deleted_at) FROM messages)`))
}

// spoils changes the bytes of a file.
func (s *story) spoils(path string, change func(b []byte)) {
	s.t.Helper()
	b, err := os.ReadFile(path)
	must(s.t, err)
	change(b)
	must(s.t, os.WriteFile(path, b, 0o600))
}

// withInline is the store of damageUserDir, and a workspace's with a conversation of its own.
func withInline(id string, created int64) *userDir {
	return damageUserDir(0).withFolder("ws2", folder{json: `{"folder":"file:///src/two"}`,
		items: map[string]any{"composer.composerData": fmt.Sprintf(
			`{"allComposers":[{"composerId":%q,"name":"older","createdAt":%d,"conversation":[{"bubbleId":"m00","type":1,"text":"older"}]}]}`,
			id, created), "other": "1"}})
}

var (
	allNew  = pipelines.ConversationCount{New: damageConversations}
	allSame = pipelines.ConversationCount{Unchanged: damageConversations}
)

// spoilsTwice spoils the value with ENDMARK in its last overflow page, and a page of messages. It returns the sound
// file.
func (s *story) spoilsTwice() (sound []byte) {
	sound, err := os.ReadFile(globalFile(s.fixture))
	must(s.t, err)
	s.spoils(globalFile(s.fixture), func(b []byte) {
		copy(b[bytes.Index(b, []byte("ENDMARK")):], "EN\x00\x00\x00\x00\x00")
	})
	overwritePage(s.t, globalFile(s.fixture), "message 3 of 4 ")
	return sound
}

// A value whose last overflow page holds other bytes, in a store that is damaged elsewhere; then the sound file. With
// the raw layer.
func damagedFingerprint(s *story) {
	w := damageUserDir(0)
	w.rows["bubbleId:conv-07:big"] = fmt.Sprintf(`{"_v":3,"type":1,"bubbleId":"big","text":"%sENDMARK%s"}`,
		strings.Repeat("q", 9000), strings.Repeat("w", 30))
	w.write(s.t, s.user)
	sound := s.spoilsTwice()
	s.unreadable(1, 0)
	s.quarantines(2)
	s.run(nil, allNew)
	must(s.t, os.WriteFile(globalFile(s.fixture), sound, 0o600))
	s.unreadable(0, 0)
	s.run(nil, pipelines.ConversationCount{Changed: 2, Unchanged: damageConversations - 2})
	same(s.t, "the messages once the store is sound again", damageConversations*damageMessages+1,
		len(s.ask(liveMessages)))
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
func damagedItemByte(s *story) {
	s.run(withInline("inline-1", 1700000000000), pipelines.ConversationCount{New: damageConversations + 1})
	spoilIndexKey(s.t, filepath.Join(s.user, "workspaceStorage", "ws2", "state.vscdb"), "composer.composerData", 20)
	s.unreadable(1, 0)
	s.run(nil, pipelines.ConversationCount{Unchanged: damageConversations + 1})
	s.nothingDeleted()
}

// Twice the same damage over an item.
func damagedItemTwice(s *story) {
	w := damageUserDir(0)
	w.workspaces["ws2"] = folder{json: `{"folder":"file:///src/two"}`,
		items: map[string]any{"composer.composerData": `{"allComposers":[],"x":"` + strings.Repeat("x", 9000) +
			`MARK"}`, "aiService.prompts": `[{"text":"a prompt"}]`, "other": "1"}}
	w.write(s.t, s.user)
	cutChain(s.t, filepath.Join(s.user, "workspaceStorage", "ws2", "state.vscdb"))
	s.unreadable(1, 0)
	s.quarantines(1)
	for _, says := range []pipelines.ConversationCount{allNew, allSame, allSame} {
		s.run(nil, says)
		for _, row := range s.raw() {
			if row["value_type"] == "unreadable" {
				s.t.Errorf("%s: the raw layer has %v", s.clock(), row)
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
func damagedKeptGarbage(s *story) {
	w := damageUserDir(0)
	w.rows["composer.content.k"] = strings.Repeat("q", 9000) + "ENDMARK" + strings.Repeat("w", 30)
	s.run(w, allNew)
	sound := s.spoilsTwice()
	s.unreadable(1, 0)
	s.full(nil, pipelines.ConversationCount{Changed: damageConversations})
	must(s.t, os.WriteFile(globalFile(s.fixture), sound, 0o600))
	s.unreadable(0, 0)
	s.run(nil, allSame)
	n := 0
	for _, row := range s.raw() {
		if row["key"] == "composer.content.k" {
			n++
			s.t.Log(row["load_id"], row["value_type"], row["hash"])
		}
	}
	if n == 2 {
		s.t.Error("the present version in the raw layer is the overwritten one")
	}
}

// rowsOfWorkspace writes a workspace's store that has an older conversation in rows.
func (s *story) rowsOfWorkspace(id string) (path string) {
	path = filepath.Join(s.user, "workspaceStorage", "ws3", "state.vscdb")
	must(s.t, os.Remove(path))
	must(s.t, storetest.WriteStore(path, []storetest.Row{
		{Key: "composerData:" + id, Value: fmt.Sprintf(
			`{"_v":3,"composerId":%q,"name":"older","createdAt":1760000000000,"fullConversationHeadersOnly":[{"bubbleId":"m00","type":1}]}`, id)},
		{Key: "bubbleId:" + id + ":m00", Value: `{"_v":3,"type":1,"bubbleId":"m00","text":"older"}`}},
		storetest.StoreOptions{}))
	return path
}

// The global store is cut off; a workspace store has rows of the same conversation, older and fewer.
func damagedGlobalUnreadable(s *story) {
	damageUserDir(0).withFolder("ws3", folder{json: `{"folder":"file:///src/three"}`, items: map[string]any{"x": "1"}}).
		write(s.t, s.user)
	s.rowsOfWorkspace("conv-03")
	s.run(nil, allNew)
	before := s.ask(liveMessages)
	must(s.t, os.Truncate(globalFile(s.fixture), 5000))
	s.unreadable(1, damageConversations)
	s.run(nil, allSame)
	same(s.t, "live messages", before, s.ask(liveMessages))
	s.nothingDeleted()
}

// The index of a store without a conversation that it names is an empty leaf.
func damagedEmptyIndex(s *story) {
	damageUserDir(0).withFolder("ws3", folder{json: `{"folder":"file:///src/three"}`, items: map[string]any{"x": "1"}}).
		write(s.t, s.user)
	path := s.rowsOfWorkspace("old-03")
	s.run(nil, pipelines.ConversationCount{New: damageConversations + 1})
	s.spoils(path, func(b []byte) {
		for page := range slices.Chunk(b[4096:], 4096) {
			if page[0] == 0x0a && bytes.Contains(page, []byte("bubbleId:")) { // as the page was when the table was made
				copy(page, "\x0a\x00\x00\x00\x00\x10\x00\x00")
			}
		}
	})
	s.unreadable(1, 0)
	s.run(nil, pipelines.ConversationCount{Unchanged: damageConversations + 1})
	s.nothingDeleted()
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
func damagedVanished(s *story) {
	s.run(withInline("inline-1", 1700000000000), pipelines.ConversationCount{New: damageConversations + 1})
	path := filepath.Join(s.user, "workspaceStorage", "ws2", "state.vscdb")
	must(s.t, os.Rename(path, path+".backup"))
	s.unreadable(1, 1)
	s.run(nil, pipelines.ConversationCount{Unchanged: damageConversations + 1})
	s.nothingDeleted()
}

// A rebuild over a load of a damaged store.
func TestDamagedRebuild(t *testing.T) {
	long(t)
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
func damagedKVByte(s *story) {
	s.run(damageUserDir(0), allNew)
	spoilIndexKey(s.t, globalFile(s.fixture), "composerData:conv-11", 11) // composerDatc:
	s.unreadable(1, 0)
	s.run(nil, allSame)
	s.nothingDeleted()
}

func cutOff(path string) error { return os.Truncate(path, 5000) }

// The global store is not there, or cut off; a workspace store has an older inline copy of a conversation of it.
func damagedGlobal(spoil func(path string) error) func(*story) {
	return func(s *story) {
		s.run(withInline("conv-03", 1700000000000), allNew)
		before := s.ask(liveMessages)
		must(s.t, spoil(globalFile(s.fixture)))
		s.unreadable(1, damageConversations)
		s.run(nil, allSame)
		same(s.t, "live messages", before, s.ask(liveMessages))
		s.nothingDeleted()
	}
}

// A table without rowids is its own index: rows of a bad page have no name any more, and are not gone for that.
func damagedUnnamed(s *story) {
	w := damageUserDir(0)
	w.exec = []string{"ALTER TABLE cursorDiskKV RENAME TO old",
		"CREATE TABLE cursorDiskKV (key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID",
		"INSERT INTO cursorDiskKV SELECT * FROM old", "DROP TABLE old", "VACUUM"}
	s.run(w, allNew)
	before := s.ask(liveMessages)
	for _, key := range []string{"composer.content.conv-05", "bubbleId:conv-07:m0"} {
		overwritePage(s.t, globalFile(s.fixture), key)
	}
	s.unreadable(1, 0)
	s.full(nil, pipelines.ConversationCount{Changed: damageConversations})
	same(s.t, "the messages", before, s.ask(liveMessages))
	s.nothingDeleted()
	for _, row := range s.raw() {
		if row["value_type"] == "gone" {
			s.t.Errorf("the raw layer says that %s is gone", row.row())
		}
	}
}

// Rows that Cursor has emptied, in a store that is damaged elsewhere; then the sound file.
func damagedEmptied(s *story) {
	w := damageUserDir(0)
	s.run(w, allNew)
	w.with("composerData:conv-07", nil, "bubbleId:conv-08:m00", []byte{0}).write(s.t, s.user)
	sound, err := os.ReadFile(globalFile(s.fixture))
	must(s.t, err)
	overwritePage(s.t, globalFile(s.fixture), "message 3 of 4 ")
	for range 2 {
		s.unreadable(1, 0)
		s.run(nil, allSame)
		s.nothingDeleted()
	}
	must(s.t, os.WriteFile(globalFile(s.fixture), sound, 0o600))
	s.unreadable(0, 0)
	s.run(nil, pipelines.ConversationCount{Deleted: 1, Changed: 1, Unchanged: damageConversations - 2})
	same(s.t, "deleted in the sound store", [][]string{{"conv-07", "NULL"}, {"conv-08", "m00"}},
		s.ask(`SELECT conversation_id, NULL FROM conversations WHERE deleted_at IS NOT NULL
			UNION ALL SELECT conversation_id, message_id FROM messages WHERE deleted_at IS NOT NULL`))
}
