package pipelines_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pipeline/extract"
	"pipeline/pipelines"
	"pipeline/testdata/gen/clitest"
)

// TestCLITwoFolders: a chat whose folder is there twice, since a workspace was moved or copied, is told once, out of
// the newer folder. The other is one more place of it, and deleted only when it is gone. A rebuild gives the same.
func TestCLITwoFolders(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	dot := filepath.Join(l.dir, ".cursor")
	home := &clitest.Home{Chats: []*clitest.Chat{clitest.Cases().Chat("modern"), clitest.Cases().Chat("two_titles"),
		clitest.Cases().Chat("acp")}}
	must(t, home.Write(dot))
	found, err := filepath.Glob(filepath.Join(dot, "chats", "*", home.Chats[0].ID))
	must(t, err)
	first := found[0]
	second, third := filepath.Join(dot, "chats", "bb", home.Chats[0].ID),
		filepath.Join(dot, "chats", "aa", home.Chats[0].ID)
	aged := func(dir string, hours int) {
		at := time.Now().Add(-time.Duration(hours) * time.Hour)
		must(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			return errOf(err, os.Chtimes(path, at, at))
		}))
	}
	copied := func(to string, hours int) {
		must(t, os.MkdirAll(filepath.Dir(to), 0o700))
		must(t, os.CopyFS(to, os.DirFS(first)))
		aged(to, hours)
	}
	places := func() string {
		names := map[string]string{}
		for name, dir := range map[string]string{"first": first, "second": second, "third": third} {
			path, err := filepath.Rel(dot, dir)
			must(t, err)
			names[filepath.ToSlash(path)+"/store.db"] = name
		}
		var all []string
		for _, row := range l.ask(
			`SELECT path, is_primary, message_count, deleted_at FROM conversation_sources WHERE conversation_id = '` +
				home.Chats[0].ID + `'`) {
			row[0] = names[row[0]]
			all = append(all, strings.Join(row, " "))
		}
		slices.Sort(all)
		return strings.Join(all, "; ")
	}
	aged(dot, 9)
	from := cliSources(t, dot)
	for _, step := range []struct {
		what   string
		do     func()
		read   int64
		places string
	}{
		{"one", func() {}, 3, "first true 8 NULL"},
		{"a newer copy", func() { copied(second, 4) }, 1, "first false NULL NULL; second true 8 NULL"},
		{"nothing more", func() {}, 0, "first false NULL NULL; second true 8 NULL"},
		{"an older copy", func() { copied(third, 20) }, 1,
			"first false NULL NULL; second true 8 NULL; third false NULL NULL"},
		{"it is gone", func() { must(t, os.RemoveAll(third)) }, 1,
			"first false NULL NULL; second true 8 NULL; third false NULL " + clock(5)},
		{"the first is the newer one", func() { aged(first, 2) }, 1,
			"first true 8 NULL; second false NULL NULL; third false NULL " + clock(5)},
		{"the first is gone", func() { must(t, os.RemoveAll(first)) }, 1,
			"first true 8 " + clock(7) + "; second true 8 NULL; third false NULL " + clock(5)},
	} {
		step.do()
		r := l.run(nil, from)
		same(t, step.what+": chats read", step.read, int64(r.Read))
		check := func(what string) {
			same(t, step.what+what+": places", step.places, places())
			same(t, step.what+what+": the conversation", [][]string{{"NULL", "8"}},
				l.ask(
					`SELECT deleted_at, (SELECT count(*) FROM messages m WHERE m.conversation_id = c.conversation_id AND m.deleted_at IS NULL)
				FROM conversations c WHERE conversation_id = '`+home.Chats[0].ID+`'`))
		}
		check("")
		if step.what != "the first is gone" || testing.Short() {
			continue
		}
		_, err := pipelines.Rebuild(t.Context(), pipelines.Options{Warehouse: l.warehouse(), ToolVersion: "test"},
			false)
		must(t, err)
		check(", rebuilt")
	}
}

// TestCLINewerFolderAway: a chat whose newer folder lies on a disk that is not there stays as it is: the older one does
// not take its place.
func TestCLINewerFolderAway(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	dot, disk := filepath.Join(l.dir, ".cursor"), filepath.Join(l.dir, "disk")
	home := &clitest.Home{Chats: []*clitest.Chat{clitest.Cases().Chat("modern"), clitest.Cases().Chat("acp")}}
	must(t, home.Write(dot))
	found, err := filepath.Glob(filepath.Join(dot, "chats", "*", home.Chats[0].ID))
	must(t, err)
	must(t, os.CopyFS(filepath.Join(disk, home.Chats[0].ID), os.DirFS(found[0])))
	old := time.Now().Add(-time.Hour)
	must(t, os.Chtimes(filepath.Join(found[0], "store.db"), old, old))
	must(t, os.Symlink(disk, filepath.Join(dot, "chats", "newer")))
	from := cliSources(t, dot)
	l.run(nil, from)
	tables := append(slices.Clone(contentTables), "conversation_sources")
	before := l.dumpSources(tables...)
	must(t, os.Rename(disk, disk+".off"))
	same(t, "status", "partial", l.run(nil, from).Status)
	for name, rows := range l.dumpSources(tables...) {
		same(t, name, before[name], rows)
	}
	must(t, os.Rename(disk+".off", disk))
	same(t, "status when it is there again", "ok", l.run(nil, from).Status)
}

// TestChatsThatSayNothing: a chat whose store can be opened and has no message that can be read is told by its
// transcript, as long as that is so ([silent chats]), also where its store is in another folder ([split homes]).
func TestChatsThatSayNothing(t *testing.T) {
	t.Parallel()
	for what, change := range map[string]string{
		"no description":  `DELETE FROM meta`,
		"no root":         `UPDATE meta SET value = hex(json_remove(CAST(unhex(value) AS TEXT), '$.latestRootBlobId'))`,
		"the root is not": `DELETE FROM blobs`,
		"another folder":  `DELETE FROM meta`,
	} {
		t.Run(what, func(t *testing.T) {
			s, chat := newSpokenHome(t), clitest.Cases().Chat("modern")
			chats, isSplit := s.dot, what == "another folder"
			if isSplit {
				chats = filepath.Join(filepath.Dir(s.dot), ".config", "cursor")
			}
			must(t, (&clitest.Home{Chats: []*clitest.Chat{chat}}).Write(chats))
			found, err := filepath.Glob(filepath.Join(chats, "chats", "*", chat.ID, "store.db"))
			must(t, err)
			whole, err := os.ReadFile(found[0])
			must(t, err)
			said := filepath.Join(s.dot, "projects", "w", "agent-transcripts", chat.ID, chat.ID+".jsonl")
			must(t, os.MkdirAll(filepath.Dir(said), 0o700))
			must(t, os.WriteFile(said, []byte(`{"role":"user","message":{"content":[{"type":"text","text":"Why?"}]}}
{"role":"assistant","message":{"content":[{"type":"text","text":"Because."}]}}
`), 0o600))
			night := func(what, conversation string, messages [][]string) {
				t.Helper()
				for range 2 {
					r := s.run(nil, func(o *pipelines.Options) {
						found, _, err := extract.Discover(extract.Env{OS: "linux", Home: filepath.Dir(s.dot),
							Getenv: func(string) string { return "" }})
						must(t, err)
						o.Sources, o.AcceptDeletes = found, true
					})
					same(t, what+": failed checks", 0, len(r.Failures))
					same(t, what+": messages", messages,
						s.ask(`SELECT position, role, text FROM live_messages WHERE position < 2`))
					same(t, what+": the conversation", [][]string{{conversation}}, s.ask(`SELECT
						concat_ws(' ', store_kind, completeness, message_count) FROM live_conversations WHERE message_count > 0`))
				}
			}
			places := func(want ...[]string) {
				t.Helper()
				if !isSplit { // else each has its own source
					same(t, "places", want,
						s.ask(`SELECT store_kind, is_primary, message_count FROM conversation_sources ORDER BY ALL`))
				}
			}
			must(t, storeOf(change)(found[0]))
			night("nothing", "transcript lossy 2", [][]string{{"0", "user", "Why?"}, {"1", "assistant", "Because."}})
			places([]string{"cli_store", "false", "0"}, []string{"transcript", "true", "2"})
			must(t, os.WriteFile(found[0], whole, 0o600))
			night("all", "cli_store complete 8",
				[][]string{{"0", "user", chat.Graph.Turns[0].User.Text}, {"1", "assistant", "NULL"}})
			places([]string{"cli_store", "true", "8"}, []string{"transcript", "false", "2"})
		})
	}
}
