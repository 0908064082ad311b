package pipelines_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pipeline/extract"
	"pipeline/pipelines"
	"pipeline/testdata/gen/clitest"
)

// TestTranscriptsInAnotherFolder: CURSOR_CONFIG_DIR may lead to a folder that does not show whose it is. A transcript
// in it of a conversation that an editor has is a place of that conversation, and no other one, too.
func TestTranscriptsInAnotherFolder(t *testing.T) {
	t.Parallel()
	home, s := clitest.Spoken(), newSpokenHome(t)
	s.dot = filepath.Join(s.dir, "elsewhere")
	s.write(home)
	env := extract.Env{OS: "linux", Home: filepath.Join(s.dir, "home"), Getenv: func(name string) string {
		return map[string]string{"CURSOR_CONFIG_DIR": s.dot}[name]
	}}
	r := s.run(nil, func(o *pipelines.Options) {
		found, _, err := extract.Discover(env)
		must(t, err)
		o.Sources = found
	})
	same(t, "status", "ok", r.Status)
	same(t, "sources", 2, len(s.ask(`SELECT source_id FROM sources`)))
	wantCLI(t, s.fixture, home)
	same(t, "conversations that are told twice", [][]string(nil),
		s.ask(`SELECT conversation_id FROM conversations WHERE deleted_at IS NULL GROUP BY ALL HAVING count(*) > 1`))
}

// TestChatsBesideTheirTranscripts: on Linux the command line keeps its chats in ~/.config/cursor, and what is said in
// them, and which folders it was told to trust, in ~/.cursor ([split homes]). That is the same history as with both in
// one folder, in whatever order they are found: a transcript of a chat is a place of it, and no other conversation.
func TestChatsBesideTheirTranscripts(t *testing.T) {
	t.Parallel()
	history := func(t *testing.T, split, turned bool) [][]string {
		home, s := clitest.Spoken(), newSpokenHome(t)
		s.write(home)
		note := filepath.Join(s.dot, "projects", "noted", ".workspace-trusted")
		must(t, os.MkdirAll(filepath.Dir(note), 0o755))
		i := slices.IndexFunc(home.Chats, func(c *clitest.Chat) bool { return c.Name == "unknown_folder" })
		must(t, os.WriteFile(note, []byte(`{"workspacePath":"`+home.Chats[i].CWD+`"}`), 0o644))
		if config := filepath.Join(s.dir, "home", ".config", "cursor"); split {
			must(t, os.MkdirAll(config, 0o755))
			must(t, os.Rename(filepath.Join(s.dot, "chats"), filepath.Join(config, "chats")))
		}
		read := func(o *pipelines.Options) {
			found, _, err := extract.Discover(extract.Env{OS: "linux", Home: filepath.Join(s.dir, "home"),
				Getenv: func(string) string { return "" }})
			must(t, err)
			if turned {
				slices.Reverse(found)
			}
			o.Sources = found
		}
		same(t, "status", "ok", s.run(nil, read).Status)
		same(t, "changes of a second run", int64(0), s.run(nil, read).Conversations.Changed)
		return s.ask(`SELECT conversation_id, store_kind, title, mode, status, message_count, parent_conversation_id,
				CASE WHEN NOT is_subagent THEN project END -- a child inherits nothing from a parent in another source
			FROM conversations WHERE deleted_at IS NULL ORDER BY ALL`)
	}
	want := history(t, false, false)
	for _, turned := range []bool{false, true} {
		same(t, "conversations of both folders", want, history(t, true, turned))
	}
}
