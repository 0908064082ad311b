package extract

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/zeebo/xxh3"
)

// This file reads the transcripts of the agent (docs/formats.md, Places of transcripts). They belong to the
// conversation that the file is named after, and are rows of it: one a file. Where its chat has a store, the store's
// rows come before them; else the transcript stands for a store.

// LocateTranscript reads the path of a transcript below a folder .cursor, with slashes: the conversation that it is of,
// and the one whose agent started that, "" for none. It reports false for a file that is no transcript. In
// projects/SLUG/agent-transcripts the layouts are, each with .jsonl and .txt: ID.jsonl, ID/ID.jsonl,
// ID/transcript.jsonl, PARENT/subagents/ID.jsonl; and ID.json, whose ID is a UUID, as other files may be named so.
// Where there is no workspace, there may be no SLUG.
func LocateTranscript(path string) (id, parent string, ok bool) {
	names := strings.Split(path, "/")
	if slices.ContainsFunc(names, func(name string) bool { return name == "" || !isPlainName(name) }) {
		return "", "", false
	}
	if len(names) > 2 && names[1] == transcriptsFolder && names[2] != transcriptsFolder {
		names = slices.Insert(names, 1, "")
	}
	if len(names) < 4 || names[0] != projectsFolder || names[2] != transcriptsFolder {
		return "", "", false
	}
	last := len(names) - 1
	if name, isArray := strings.CutSuffix(names[last], arrayEnd); isArray && last == 3 {
		if kind, n := idAt(name); kind == "<uuid>" && n == len(name) {
			return name, "", true
		}
	}
	if id, ok = transcriptName(names[last]); !ok {
		return "", "", false
	}
	switch {
	case last == 3:
		return id, "", true
	case last == 4 && (id == names[3] || id == "transcript"):
		return names[3], "", true
	case last == 5 && names[4] == subagentsFolder && id != names[3]:
		return id, names[3], true
	}
	return "", "", false
}

// arrayEnd is the ending of a transcript that is one array.
const arrayEnd = ".json"

// transcriptName is the name of a file without its ending, if that is one of transcripts.
func transcriptName(name string) (id string, ok bool) {
	if id, ok = strings.CutSuffix(name, ".jsonl"); !ok {
		id, ok = strings.CutSuffix(name, ".txt")
	}
	return id, ok
}

// GoesWithItsFolder reports whether a store is that of one conversation, and no sign that something is wrong if it is
// no longer there.
func GoesWithItsFolder(store string) bool { return IsChatStore(store) || IsTranscript(store) }

// MayHaveTranscripts reports whether a source has the folder in which transcripts are.
func MayHaveTranscripts(src Source) bool {
	info, err := os.Stat(filepath.Join(src.UserDir, projectsFolder))
	return err == nil && info.IsDir()
}

// transcriptFile is a transcript as it was listed.
type transcriptFile struct {
	path    string // below the source's folder, with slashes
	id      string
	size    int64
	changed time.Time
}

// transcriptsIn lists the transcripts in a folder .cursor, by conversation and path. unknown is
// how many files beside them are named like transcripts. No file is opened. A folder that cannot be listed is an error:
// its transcripts must not count as gone.
func transcriptsIn(dir string) (found []*transcriptFile, unknown int, err error) {
	l := transcriptLister{dir: dir}
	slugs, err := readDir(filepath.Join(dir, projectsFolder))
	if err != nil {
		return nil, 0, newStoreError(filepath.Join(dir, projectsFolder), err)
	}
	for _, slug := range slugs {
		if !slug.IsDir() || !isPlainName(slug.Name()) {
			continue
		}
		folder := projectsFolder + "/" + slug.Name()
		if slug.Name() != transcriptsFolder {
			folder += "/" + transcriptsFolder
		}
		if err := l.list(folder, 0); err != nil {
			return nil, 0, err
		}
	}
	slices.SortFunc(l.found, func(a, b *transcriptFile) int {
		return cmp.Or(strings.Compare(a.id, b.id), strings.Compare(a.path, b.path))
	})
	return l.found, l.unknown, nil
}

type transcriptLister struct {
	dir     string
	found   []*transcriptFile
	unknown int
}

// list lists the folder of transcripts, that of one conversation in it (at depth 1), or that of its subagents.
func (l *transcriptLister) list(folder string, depth int) error {
	entries, err := readDir(filepath.Join(l.dir, filepath.FromSlash(folder)))
	if err != nil {
		return newStoreError(filepath.Join(l.dir, filepath.FromSlash(folder)), err)
	}
	for _, e := range entries {
		name := e.Name()
		switch {
		case !isPlainName(name):
		case e.IsDir() && depth == 0 && name == transcriptsFolder: // of a workspace /agent-transcripts
			err = l.list(folder+"/"+name, 0)
		case e.IsDir() && (depth == 0 || depth == 1 && name == subagentsFolder):
			err = l.list(folder+"/"+name, depth+1)
		case e.Type().IsRegular():
			err = l.add(folder + "/" + name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// add adds a file if it is a transcript that may be in its folder.
func (l *transcriptLister) add(path string) error {
	id, _, ok := LocateTranscript(path)
	if !ok || !IsConversationID(id) {
		if _, isNamed := transcriptName(path); isNamed {
			l.unknown++
		}
		return nil
	}
	info, err := os.Stat(filepath.Join(l.dir, filepath.FromSlash(path)))
	switch {
	case isMissing(err):
		return nil
	case err != nil:
		return newStoreError(filepath.Join(l.dir, filepath.FromSlash(path)), err)
	}
	l.found = append(l.found, &transcriptFile{path, id, info.Size(), info.ModTime()})
	return nil
}

// listTranscripts gives each chat its transcripts, and adds conversations that have nothing else. Those of a chat whose
// folder cannot be read stay as they are, as it does.
func (s *cliSnapshot) listTranscripts() (err error) {
	var found []*transcriptFile
	var unknown int
	if found, unknown, err = transcriptsIn(s.src.UserDir); err != nil {
		return err
	}
	s.odd = int64(unknown)
	stores := map[string]*chat{}
	for _, c := range slices.Backward(s.chats) {
		stores[c.id] = c
	}
	failed := map[string]bool{}
	for store := range s.failed {
		failed[path.Base(store)] = true
	}
	now := time.Now()
	for len(found) > 0 {
		id, n := found[0].id, 1
		for n < len(found) && found[n].id == id {
			n++
		}
		c := stores[id]
		if c == nil && !failed[id] {
			c = &chat{store: found[0].path, id: id} // whichever is the best of them: that changes
			s.chats = append(s.chats, c)
		}
		if c != nil {
			c.take(found[:n:n], now)
		}
		found = found[n:]
	}
	return nil
}

// take gives a conversation its transcripts: they count for its state.
func (c *chat) take(files []*transcriptFile, now time.Time) {
	c.transcripts = files
	h := xxh3.New()
	hashText(h, c.state)
	certain := c.dir == "" || c.state != ""
	for _, f := range files {
		certain = certain && now.Sub(f.changed) >= minAge
		hashText(h, f.path)
		hashFile(h, f.size, f.changed)
	}
	if c.state = ""; certain {
		c.state = sumOf(h)
	}
}

// readTranscripts reads the transcripts of a conversation.
func (s *cliSnapshot) readTranscripts(c *chat) (rows []*Document, err error) {
	for _, f := range c.transcripts {
		d := &Document{Store: c.store, Table: transcriptTable, Family: FamilyTranscript, Key: f.path, KeyType: KeyText,
			ID: f.path, Type: "text"}
		path := filepath.Join(s.src.UserDir, filepath.FromSlash(f.path))
		text, size, err := readFileOnce(path)
		switch {
		case isMissing(err):
			continue
		case err != nil:
			return nil, newStoreError(path, err)
		case size > MaxValueBytes:
			d.Bytes, d.Problem = size, ProblemTooLarge
		default:
			d.Bytes = size
			_, d.Raw = decodeValue(text)
			d.Value = d.Raw
		}
		rows = append(rows, d)
	}
	return rows, nil
}

// readFileOnce reads a file as it was at one moment, if it can: it tries again if the file changes meanwhile. Of one
// that is too large it says the size.
func readFileOnce(path string) (text []byte, size int64, err error) {
	for try := 1; ; try++ {
		var before, after fs.FileInfo
		if before, err = os.Stat(path); err != nil || before.Size() > MaxValueBytes {
			if err == nil {
				size = before.Size()
			}
			return nil, size, err
		}
		if text, err = readUpTo(path, MaxValueBytes+1); err != nil {
			return nil, 0, err
		}
		after, err = os.Stat(path)
		same := err == nil && after.Size() == before.Size() && after.ModTime().Equal(before.ModTime()) &&
			int64(len(text)) == after.Size()
		if same || try == snapshotTries {
			return text, int64(len(text)), err
		}
	}
}

// readUpTo reads a file, but no more than a limit.
func readUpTo(path string, limit int64) (_ []byte, err error) {
	f, err := OpenShared(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return io.ReadAll(io.LimitReader(f, limit))
}
