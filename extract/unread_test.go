package extract

import (
	"fmt"
	"path/filepath"
	"testing"
)

// TestFindUnread: chats of the command line and transcripts are found where Cursor keeps them, each folder once,
// whatever else lies there; what only looks like a transcript is counted.
func TestFindUnread(t *testing.T) {
	t.Parallel()
	root := tree(t,
		"home/u/.cursor/chats/46d4/a/store.db", "home/u/.cursor/chats/46d4/a/store.db-wal",
		// none of them is where a chat is
		"home/u/.cursor/chats/46d4/a/meta.json", "home/u/.cursor/chats/46d4/b/store.db",
		// a chat whose store cannot be read
		"home/u/.cursor/chats/store.db", "home/u/.cursor/chats/46d4/store.db", "home/u/.cursor/chats/46d4/c/store.db/",
		"home/u/.cursor/chats/again->46d4", "home/u/.cursor/chats/gone->nowhere",
		"home/u/.cursor/acp-sessions/x/store.db",
		// links are followed
		"disk/47e5/f/store.db", "disk/g/store.db", "home/u/.cursor/chats/47e5->../../../../disk/47e5",
		"home/u/.cursor/chats/46d4/g->../../../../../disk/g", "home/u/.cursor/projects/p/agent-transcripts/1/1.jsonl",
		"home/u/.cursor/projects/p/agent-transcripts/1/subagents/2.jsonl",
		"home/u/.cursor/projects/p/agent-transcripts/3.jsonl", "home/u/.cursor/projects/q/agent-transcripts/4.txt",
		"home/u/.cursor/projects/q/agent-transcripts/1/notes.md", "home/u/.cursor/projects/q/agent-transcripts/loop->.",
		"home/u/.cursor/projects/q/terminals/5.txt", "home/u/.cursor/projects/q/agent-transcripts/.hidden.jsonl",
		// where no transcript is known
		"home/u/.cursor/projects/q/agent-transcripts/1/8.jsonl",
		"home/u/.cursor/projects/q/agent-transcripts/9/subagents/9.jsonl",
		"home/u/.cursor-server/projects/r/agent-transcripts/6.jsonl",
		"home/u/.cursor-server/data/User/globalStorage/state.vscdb", "home/u/.config/cursor/chats/46d4/d/store.db",
		"elsewhere/chats/46d4/e/store.db", "more/chats/46d4/h/store.db", "mnt/c/Users/w/AppData/Roaming/",
		"mnt/c/Users/w/.cursor/projects/s/agent-transcripts/7.jsonl", "home/u/.cursor2->.cursor",
	)
	env := func(variables map[string]string) Env {
		return Env{OS: "linux", Home: "/home/u", Root: root,
			Getenv: func(name string) string { return variables[name] }}
	}
	told := func(e Env) (out []string) {
		found, _, err := Discover(e)
		if err != nil {
			t.Error(err)
		}
		for _, s := range found {
			if s.App == AppCLI {
				dir, _ := filepath.Rel(root, s.UserDir)
				out = append(out, fmt.Sprintf("%s: %d chats, %d transcripts", filepath.ToSlash(dir),
					LookAtHome(s.UserDir).Chats, LookAtHome(s.UserDir).Transcripts))
			}
		}
		for _, u := range FindUnread(e) {
			dir, _ := filepath.Rel(root, u.Dir)
			out = append(out, fmt.Sprintf("%s: %d unread", filepath.ToSlash(dir), u.Transcripts))
		}
		return out
	}
	usual := []string{"home/u/.cursor: 6 chats, 4 transcripts", "home/u/.cursor-server: 0 chats, 1 transcripts",
		"home/u/.config/cursor: 1 chats, 0 transcripts", "mnt/c/Users/w/.cursor: 0 chats, 1 transcripts",
		"home/u/.cursor: 2 unread"}
	for _, test := range []struct {
		what      string
		variables map[string]string
		want      []string
	}{
		{"as usual", nil, usual},
		{"a folder of the user's choice", map[string]string{"CURSOR_CONFIG_DIR": "/elsewhere"},
			append([]string{"elsewhere: 1 chats, 0 transcripts"}, usual...)},
		{"the command line's data are moved", map[string]string{"CURSOR_DATA_DIR": "/elsewhere"},
			append([]string{"elsewhere: 1 chats, 0 transcripts"}, usual...)},
		{"data and configuration", map[string]string{"CURSOR_DATA_DIR": "/elsewhere", "CURSOR_CONFIG_DIR": "/more"},
			append([]string{"elsewhere: 1 chats, 0 transcripts", "more: 1 chats, 0 transcripts"}, usual...)},
		{"the same folder by another name", map[string]string{"CURSOR_CONFIG_DIR": "/home/u/.cursor2"},
			append(usual[:4:4], "home/u/.cursor2: 2 unread")},
	} {
		if got := told(env(test.variables)); fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("%s:\n got %v\nwant %v", test.what, got, test.want)
		}
	}
	if got := FindUnread(Env{OS: "darwin", Home: "/home/nobody", Root: root}); got != nil {
		t.Errorf("nothing is there, and %v is found", got)
	}
}
