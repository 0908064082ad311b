package extract

import (
	"path/filepath"
	"slices"
)

// Unread is a folder of Cursor with files that are named like transcripts of its agents, and lie where this version
// knows none. They are counted; no file is opened.
type Unread struct {
	Dir         string // such as ~/.cursor
	Transcripts int
}

// FindUnread counts the files on a machine that are found but not read. Folders that cannot be listed count as
// empty.
func FindUnread(env Env) (out []Unread) {
	var seen []string
	for _, dir := range env.DotFolders() {
		real, err := filepath.EvalSymlinks(dir)
		if err != nil || slices.Contains(seen, real) {
			continue
		}
		seen = append(seen, real)
		if _, unknown, err := transcriptsIn(dir); err == nil && unknown > 0 {
			out = append(out, Unread{Dir: dir, Transcripts: unknown})
		}
	}
	return out
}

// FolderVariables name the folder that the command line and the agents use in place of ~/.cursor: the first moves all
// of it. Each is one more place to look in.
var FolderVariables = []string{"CURSOR_DATA_DIR", "CURSOR_CONFIG_DIR"}

// DotFolders lists the folders, existing or not, in which the command line and the agents keep their files. It includes
// those of Windows users, seen from WSL, and of the remote server.
func (e Env) DotFolders() (out []string) {
	add := func(base, name string) {
		if base != "" {
			out = append(out, filepath.Join(e.at(base), name))
		}
	}
	for _, variable := range FolderVariables {
		add(e.get(variable), "")
	}
	add(e.Home, ".cursor")
	add(e.Home, ".cursor-server")
	if config := e.get("XDG_CONFIG_HOME"); filepath.IsAbs(config) {
		add(config, "cursor")
	}
	add(e.Home, ".config/cursor")
	if e.OS == "linux" {
		for _, roaming := range e.windowsBases() {
			add(filepath.Dir(filepath.Dir(roaming)), ".cursor")
		}
	}
	return out
}
