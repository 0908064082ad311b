package extract

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// AppCLI is the application of the folders of Cursor's command line.
const AppCLI = "cursor-cli"

// Unread is a folder of Cursor with conversations that no reader of this version knows: those of its command line, and transcripts of its agents.
// They are counted by the names of files; none is opened.
type Unread struct {
	Dir         string // such as ~/.cursor
	Chats       int    // store.db files: a conversation each
	Transcripts int    // files of transcripts: a conversation or a part of one each, often of one that is in state.vscdb too
}

// FindUnread counts what is seen on a machine and not read. Folders that cannot be listed count as empty.
func FindUnread(env Env) (out []Unread) {
	var seen []string
	for _, dir := range env.DotFolders() {
		real, err := filepath.EvalSymlinks(dir)
		if err != nil || slices.Contains(seen, real) {
			continue
		}
		seen = append(seen, real)
		u := Unread{Dir: dir, Chats: countFiles(dir, "chats/*/*/store.db") + countFiles(dir, "acp-sessions/*/store.db")}
		for _, pattern := range []string{"*.jsonl", "*.txt", "*/*.jsonl", "*/subagents/*.jsonl"} {
			u.Transcripts += countFiles(dir, "projects/*/agent-transcripts/"+pattern)
		}
		if u.Chats+u.Transcripts > 0 {
			out = append(out, u)
		}
	}
	return out
}

// DotFolders are the folders, whether there or not, in which the command line and the agents keep their files: also those of Windows users, seen from WSL, and of the
// remote server.
func (e Env) DotFolders() (out []string) {
	add := func(base, name string) {
		if base != "" {
			out = append(out, filepath.Join(e.at(base), name))
		}
	}
	add(e.get("CURSOR_CONFIG_DIR"), "")
	add(e.Home, ".cursor")
	add(e.Home, ".cursor-server")
	add(e.get("XDG_CONFIG_HOME"), "cursor")
	add(e.Home, ".config/cursor")
	if e.OS == "linux" {
		for _, roaming := range e.windowsBases() {
			add(filepath.Dir(filepath.Dir(roaming)), ".cursor")
		}
	}
	return out
}

// countFiles counts the files below a folder whose path fits a pattern of names, each of which is a whole name, * or *.extension. Links
// in the place of a * are left out.
func countFiles(dir, pattern string) (n int) {
	first, rest, deeper := strings.Cut(pattern, "/")
	if deeper && first != "*" {
		return countFiles(filepath.Join(dir, first), rest)
	}
	entries, _ := os.ReadDir(dir) // those that could be listed
	for _, entry := range entries {
		fits, _ := filepath.Match(first, entry.Name())
		switch {
		case fits && deeper && entry.IsDir():
			n += countFiles(filepath.Join(dir, entry.Name()), rest)
		case fits && !deeper && entry.Type().IsRegular():
			n++
		}
	}
	return n
}
