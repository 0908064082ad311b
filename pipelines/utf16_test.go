package pipelines_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pipeline/pipelines"
	"pipeline/testdata/gen/storetest"
)

// recoded writes every store below a folder to another one, its TEXT in an encoding; all other files as they are.
func recoded(t *testing.T, from, to, encoding string) {
	t.Helper()
	must(t, os.RemoveAll(to))
	must(t, filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(from, path)
		target := filepath.Join(to, name)
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return os.MkdirAll(target, 0o700)
		case d.Name() == "state.vscdb":
			return storetest.Recode(path, target, encoding)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o600)
	}))
}

// TestUTF16: a store whose TEXT is UTF-16 gives the rows that it would in UTF-8, also when it goes from one to the
// other.
func TestUTF16(t *testing.T) {
	t.Parallel()
	long(t)
	origin := newFixture(t)
	must(t, storetest.New(storetest.Options{Seed: 5, Messages: 120}).Write(origin.user))
	for key, value := range map[string]any{
		"composerData:c":          `{"name":"Ĺ ünïcode 🙂","createdAt":1760000000000,"fullConversationHeadersOnly":[{"bubbleId":"x"}]}`,
		"bubbleId:c:x":            `{"type":1,"text":"żółw 🐢","note":{"blobEncryptionKey":"CANARY-in-text"}}`,
		"composerData:cĺz":        `{"name":"its key lies between two of c in UTF-16"}`,
		"bubbleId:cĺz:x":          `{"type":2,"text":"between"}`,
		"bubbleId:c:hex":          "7b2274797065223a327d",
		"bubbleId:c:empty":        "",
		"bubbleId:c:blob":         []byte(`{"type":2,"text":"a blob is what it is: ü"}`),
		"bubbleId:c:bad":          []byte("\xff\xfe{\x00"),
		"composer.content.ł":      "before",
		"composer.content.z":      "before",
		"composer.content.ÿ":      "before",
		"composer.content.🙂":      "before",
		"composer.content.\ue000": "before",
	} {
		origin.exec(replaceRowSQL, key, value)
	}
	tables := slices.DeleteFunc(allTables(), func(name string) bool {
		return strings.HasPrefix(name, "_known") || name == "_owners" || name == "raw_files"
	})
	load := func(l *fixture, encoding string, deleted int64) {
		t.Helper()
		recoded(t, origin.user, l.user, encoding)
		same(t, encoding+": deleted conversations", deleted, l.run(nil).Conversations.Deleted)
	}
	versions := func(l *fixture) (out []string) {
		for _, r := range l.raw() {
			if r["family"] == "bubbleId" || strings.HasPrefix(r.text("key"), "composer") {
				out = append(out, strings.Join([]string{r.text("key"), r.text("value_type"), r.text("hash")}, " "))
			}
			if value, _ := r["value"].(string); strings.Contains(strings.ReplaceAll(value, "\x00", ""), "CANARY") {
				t.Errorf("the raw layer has a secret of %s", r.text("key"))
			}
		}
		slices.Sort(out)
		return out
	}
	plain := newFixture(t)
	load(plain, "UTF-8", 0)
	want, raw := plain.dump(tables...).drop("user_dir"), versions(plain)
	if want["messages[c x].text"] != "żółw 🐢" {
		t.Fatalf("the text is %q", want["messages[c x].text"])
	}
	for _, encoding := range storetest.Encodings[1:] {
		l := newFixture(t)
		load(l, encoding, 0)
		same(t, encoding+": the rows", want, l.dump(tables...).drop("user_dir"))
		same(t, encoding+": the raw layer", raw, versions(l))
		load(l, "UTF-8", 0)
		load(l, encoding, 0)
		same(t, encoding+": the rows after going to and fro", want.drop("last_seen_at", "changed_at"),
			l.dump(tables...).drop("last_seen_at", "changed_at", "user_dir"))
		same(t, encoding+": the raw layer after that", raw, versions(l))
		l.exec(replaceRowSQL, "bubbleId:c:new", `{"type":2,"text":"nowość"}`)
		l.exec(`DELETE FROM cursorDiskKV WHERE key = 'bubbleId:c:blob'`)
		l.run(nil)
		same(t, encoding+": what went and came",
			[][]string{{"blob", "true"}, {"hex", "false"}, {"new", "false"}, {"x", "false"}},
			l.ask(`SELECT message_id, deleted_at IS NOT NULL FROM messages WHERE conversation_id = 'c'`))
	}
}

// Of a damaged store in UTF-16 what can be read is read, and no row counts as gone.
func damagedUTF16(s *story) {
	origin := newFixture(s.t)
	damageUserDir(0).write(s.t, origin.user)
	recoded(s.t, origin.user, s.user, "UTF-16le")
	s.run(nil, allNew)
	before := s.dump("messages")
	s.spoils(globalFile(s.fixture), func(b []byte) {
		for page := range slices.Chunk(b, 4096) {
			if page[0] == 13 && strings.Contains(string(page), "b\x00u\x00b\x00b\x00l\x00e\x00I\x00d\x00") {
				// a leaf of the table
				clear(page)
				break
			}
		}
	})
	s.unreadable(1, 0)
	s.full(nil, pipelines.ConversationCount{Changed: damageConversations})
	same(s.t, "the messages", before, s.dump("messages")) // those of the page out of the raw layer
}
