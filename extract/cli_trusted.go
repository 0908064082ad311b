package extract

import (
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// This file reads which folder a project is: projects/SLUG/.workspace-trusted names the path that SLUG was made of,
// else worker.log does, which nothing else may say (docs/formats.md, Places of transcripts). Nothing else of them is
// kept.

// FamilyTrusted is the family of the row that names the folder of a conversation so.
const FamilyTrusted = "cli.trusted"

// trustedFile names the folder that the command line was told to trust, workerLog the one whose files Cursor lists.
const (
	trustedFile = ".workspace-trusted"
	workerLog   = "worker.log"
)

// logBegin is how much of a log is read, in bytes: what it says of the folder is near its beginning.
const logBegin = 128 << 10

// wholeName is how many letters of a longer name of a project's folder are of its path: a hash is behind them.
const wholeName = 84

// trusted is such a file.
type trusted struct {
	key       string // path below the source's folder, with slashes
	Workspace string `json:"workspacePath"`
}

// trustedAround lists the trusted folders of a source and of the .cursor of its home: the command line's chats may lie
// in another folder than what it notes of projects.
func trustedAround(src Source) map[string]*trusted {
	found := trustedIn(src.UserDir)
	dot := filepath.Join(filepath.FromSlash(HomeOf(src)), ".cursor")
	if HomeOf(src) != "" && dot != src.UserDir {
		for name, t := range trustedIn(dot) {
			if found[name] == nil {
				found[name] = t
			}
		}
	}
	return found
}

// trustedIn lists the trusted folders of a .cursor by the names that stand for them: SLUG, and that of the folder of
// the command line's chats. A file that cannot be read says nothing.
func trustedIn(dir string) map[string]*trusted {
	found := map[string]*trusted{}
	slugs, _ := readDir(filepath.Join(dir, projectsFolder)) // whoever lists the transcripts gives the error
	for _, slug := range slugs {
		if !slug.IsDir() || !isPlainName(slug.Name()) {
			continue
		}
		t := folderNamed(dir, slug.Name())
		if t == nil {
			continue
		}
		sum := md5.Sum([]byte(t.Workspace))
		found[slug.Name()], found[hex.EncodeToString(sum[:])] = t, t
	}
	return found
}

// folderNamed is what the files in a project's folder say of it, nil for nothing. A log may name another folder, more
// than a path, or a part of one: the project's folder is not named after these.
func folderNamed(dir, slug string) *trusted {
	project := projectsFolder + "/" + slug + "/"
	t := &trusted{key: project + trustedFile}
	text, err := readSmall(filepath.Join(dir, filepath.FromSlash(t.key)))
	if err == nil && json.Unmarshal(text, t) == nil && t.Workspace != "" {
		return t
	}
	t = &trusted{key: project + workerLog}
	path := filepath.Join(dir, filepath.FromSlash(t.key))
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	text, _ = readUpTo(path, logBegin) // what cannot be read says nothing
	for line := range bytes.Lines(text) {
		_, named, _ := bytes.Cut(line, []byte(" workspacePath="))
		if t.Workspace = string(bytes.TrimSpace(named)); utf8.Valid(named) && isMadeOf(slug, t.Workspace) {
			return t
		}
	}
	return nil
}

// isMadeOf reports whether the name of a project's folder is made of a path.
func isMadeOf(slug, path string) bool {
	hyphens := func(s string) string {
		return strings.Join(strings.FieldsFunc(s, func(c rune) bool { return alphanumeric(string(c)) == 0 }), "-")
	}
	if slug, path = hyphens(slug), hyphens(path); len(path) > wholeName {
		slug, path = slug[:min(len(slug), wholeName)], path[:wholeName]
	}
	return path != "" && strings.EqualFold(slug, path)
}

// trust gives a conversation the file that names its folder: it counts for its state.
func (c *chat) trust(found map[string]*trusted) {
	places := []string{c.store} // chats/MD5/ID, or projects/SLUG/agent-transcripts/FILE
	for _, t := range c.transcripts {
		places = append(places, t.path)
	}
	for _, place := range places {
		if c.trusted == nil {
			c.trusted = found[strings.Split(place, "/")[1]]
		}
	}
	if c.trusted != nil {
		c.dependOn(c.trusted.Workspace)
	}
}

// trustedRows are the row that names the folder of a conversation, or none.
func (c *chat) trustedRows() ([]*Document, error) {
	if c.trusted == nil {
		return nil, nil
	}
	d, err := jsonRow(c.store, FileTable, FamilyTrusted, c.trusted.key, c.trusted)
	return []*Document{d}, err
}
