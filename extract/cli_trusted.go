package extract

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"strings"
)

// This file reads which folders the command line trusts: projects/SLUG/.workspace-trusted names the path that SLUG was
// made of, which nothing else may say. Nothing else of the file is kept.

// FamilyTrusted is the family of the row that names the folder of a conversation so.
const FamilyTrusted = "cli.trusted"

// trustedFile is the file's name.
const trustedFile = ".workspace-trusted"

// trusted is such a file.
type trusted struct {
	key       string // path below the source's folder, with slashes
	Workspace string `json:"workspacePath"`
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
		text, err := readSmall(filepath.Join(dir, projectsFolder, slug.Name(), trustedFile))
		t := &trusted{key: projectsFolder + "/" + slug.Name() + "/" + trustedFile}
		if err != nil || json.Unmarshal(text, t) != nil || t.Workspace == "" {
			continue
		}
		sum := md5.Sum([]byte(t.Workspace))
		found[slug.Name()], found[hex.EncodeToString(sum[:])] = t, t
	}
	return found
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
