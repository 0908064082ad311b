package extract

import (
	"encoding/binary"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
)

// This file counts what a home of the command line has, and what of it a run does not read. It reads names, the first
// bytes of stores, and each chat's meta.json. This process must not have a store open: the look would drop its locks.

// The newest versions that are known: that of meta.json, and user_version of a chat's store.
const (
	knownMetaVersion  = 1
	knownStoreVersion = 1
)

// HomeLook counts what a folder .cursor has.
type HomeLook struct {
	Chats       int `json:"chats"` // with a store; those that other editors have started are among them
	ACPChats    int `json:"acp_chats"`
	Transcripts int `json:"transcripts"`

	// What a run does not read, or not all of it.
	NoStore int `json:"without_a_store"` // folders of chats
	// stores of chats that are no SQLite files: encrypted, damaged, or of another kind
	NoDatabase int `json:"no_database"`
	// chats of a version that is not known: what is known of them is read
	Newer              int `json:"newer"`
	OtherFiles         int `json:"other_files"`         // in the folders of chats, of kinds that are not known
	UnknownTranscripts int `json:"unknown_transcripts"` // files that are named like transcripts, where none is known
}

// LookAtHome counts what a folder .cursor has. What cannot be listed counts as empty: reading it gives the error.
func LookAtHome(dir string) (l HomeLook) {
	found, unknown, _ := transcriptsIn(dir)
	l.Transcripts, l.UnknownTranscripts = len(found), unknown
	s, _ := chatsIn(dir)
	ids := map[string]bool{}
	for _, c := range s.chats {
		l.lookAtChat(c.dir)
		if ids[c.id] {
			continue // it is in two folders
		}
		ids[c.id] = true
		l.Chats++
		if IsACPStore(c.store) {
			l.ACPChats++
		}
	}
	l.NoStore = int(s.empty)
	return l
}

// lookAtChat counts what is odd in the folder of a chat.
func (l *HomeLook) lookAtChat(dir string) {
	entries, _ := readDir(dir) // entries that could be listed
	for _, e := range entries {
		if name := e.Name(); name[0] != '.' && !slices.Contains(chatFiles, name) && name != "store.db"+shmEnd {
			l.OtherFiles++
		}
	}
	version, ok := headerOf(filepath.Join(dir, "store.db"))
	switch {
	case !ok:
		l.NoDatabase++
	case version > knownStoreVersion || metaVersion(dir) > knownMetaVersion:
		l.Newer++
	}
}

// headerOf returns the user_version in the header of a SQLite file. ok is false if it is no such file; an empty one is,
// and so is one that cannot be read: reading it gives the error.
func headerOf(path string) (version uint32, ok bool) {
	const versionAt = 60
	f, err := lookAtFile(path)
	switch {
	case err != nil || len(f.head) == 0:
		return 0, true
	case !strings.HasPrefix(string(f.head), SQLiteMagic):
		return 0, false
	case len(f.head) < versionAt+4:
		return 0, true
	}
	return binary.BigEndian.Uint32(f.head[versionAt:]), true
}

// metaVersion returns the version of a chat's meta.json; 0 if it has none.
func metaVersion(dir string) float64 {
	var file struct {
		Version float64 `json:"schemaVersion"`
	}
	text, err := readSmall(filepath.Join(dir, "meta.json"))
	if err != nil || json.Unmarshal(text, &file) != nil {
		return 0
	}
	return file.Version
}
