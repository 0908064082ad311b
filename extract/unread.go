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
