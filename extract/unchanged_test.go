package extract

import (
	"database/sql"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// markedRows are rows that no store of these tests has: a report with them was not read from a store.
const markedRows = 77

// workspaceFixture is a user directory whose workspaces' stores were read once.
type workspaceFixture struct {
	*testing.T
	user   string
	states map[string]string // of each store when it was read
}

// newWorkspaceFixture has a small store w with rows that conversations share, and one each that another reason keeps
// from being known.
func newWorkspaceFixture(t *testing.T) *workspaceFixture {
	root := tree(t, "User/workspaceStorage/w/", "User/workspaceStorage/large/", "User/workspaceStorage/talks/",
		"User/workspaceStorage/newer/", `User/workspaceStorage/w/workspace.json={"folder":"file:///a"}`)
	l := &workspaceFixture{t, filepath.Join(root, "User"), nil}
	for _, name := range []string{"w", "large", "talks", "newer"} {
		l.exec(name,
			`CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB); CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
			INSERT INTO ItemTable VALUES ('aiService.prompts', '[{"text":"one"}]'), ('secret://x', 's')`)
	}
	l.exec("large", `INSERT INTO ItemTable VALUES ('other', zeroblob(1100000))`)
	l.exec("talks", `INSERT INTO cursorDiskKV VALUES ('composerData:c', '{}')`)
	l.exec("newer", `CREATE TABLE chats (id)`)
	l.states = map[string]string{}
	for _, s := range l.open(OpenOptions{}) {
		if s.SharedOnly && s.State != "" {
			l.states[s.Store] = s.State
		}
	}
	return l
}

func (l *workspaceFixture) store(name string) string {
	return filepath.Join(l.user, "workspaceStorage", name, "state.vscdb")
}

func (l *workspaceFixture) exec(name, statement string) {
	l.Helper()
	db, err := sql.Open("sqlite", fileURI(l.store(name), false))
	if err == nil {
		_, err = db.Exec(statement)
	}
	l.must(err)
	l.must(db.Close())
}

func (l *workspaceFixture) must(err error) {
	l.Helper()
	if err != nil {
		l.Fatal(err)
	}
}

// open opens the source and returns what it says of its stores. What was read of them stands as known.
func (l *workspaceFixture) open(o OpenOptions) []StoreReport {
	l.Helper()
	sources, err := Resolve(l.user, Env{OS: "linux", Home: l.user})
	l.must(err)
	if l.states != nil {
		o.Known = func(store, state string) *StoreReport {
			if l.states[store] != state {
				return nil
			}
			return &StoreReport{RowsSeen: markedRows}
		}
	}
	snapshot, err := sources[0].Open(l.Context(), o)
	l.must(err)
	defer func() { l.must(snapshot.Close()) }()
	for _, s := range snapshot.Stores() {
		if s.AsBefore {
			l.must(snapshot.CheckIndex(l.Context(), s.Store)) // it can still be opened
		}
	}
	return snapshot.Stores()
}

// wasOpened reports whether the store w was read.
func (l *workspaceFixture) wasOpened(o OpenOptions) bool {
	l.Helper()
	for _, s := range l.open(o) {
		if s.Store == "workspace/w" {
			if s.AsBefore != (s.RowsSeen == markedRows) || s.Err != nil {
				l.Errorf("report %+v", s)
			}
			return !s.AsBefore
		}
	}
	l.Fatal("there is no report on it")
	return false
}

// keepTimes gives a file the times back that it had before a change.
func (l *workspaceFixture) keepTimes(file string, change func()) {
	l.Helper()
	before, err := os.Stat(file)
	l.must(err)
	change()
	l.must(os.Chtimes(file, before.ModTime(), before.ModTime()))
}

// TestUnchangedStores: a small store that holds only what conversations share is not opened again while every byte of
// it, its file, its workspace.json and what is asked for are the same, and nothing lies beside it. Times count for
// nothing.
func TestUnchangedStores(t *testing.T) {
	t.Parallel()
	l := newWorkspaceFixture(t)
	if known := slices.Sorted(maps.Keys(l.states)); !slices.Equal(known, []string{"workspace/w"}) {
		t.Fatalf("known are %q: a large store, one with a conversation and one with a table of a newer Cursor are to "+
			"be opened each time", known)
	}
	path := l.store("w")
	write := func(name, text string) func() {
		return func() { l.must(os.WriteFile(filepath.Join(filepath.Dir(path), name), []byte(text), 0o600)) }
	}
	remove := func(name string) func() {
		return func() { l.must(os.Remove(filepath.Join(filepath.Dir(path), name))) }
	}
	first := l.states["workspace/w"]
	data, err := os.ReadFile(path)
	l.must(err)
	steps := []struct {
		what   string
		change func()
		opened bool
		o      OpenOptions
	}{
		{what: "nothing"},
		{what: "a time", change: func() { l.must(os.Chtimes(path, time.Now(), time.Now().Add(time.Hour))) }},
		{what: "a value, in the bytes of the file, with the size and the times that it had", opened: true,
			change: func() {
				l.keepTimes(path, func() { write("state.vscdb", strings.Replace(string(data), `"one"`, `"two"`, 1))() })
			}},
		{what: "the value put back", change: write("state.vscdb", string(data))},
		{what: "a value, by a commit, with the times that it had", opened: true, change: func() {
			l.keepTimes(path,
				func() {
					l.exec("w", `UPDATE ItemTable SET value = '[{"text":"new"}]' WHERE key = 'aiService.prompts'`)
				})
		}},
		{what: "the file put back", change: write("state.vscdb", string(data))},
		{what: "an empty -wal", change: write("state.vscdb-wal", ""), opened: true},
		{what: "no -wal", change: remove("state.vscdb-wal")},
		{what: "a journal", change: write("state.vscdb-journal", ""), opened: true},
		{what: "no journal", change: remove("state.vscdb-journal")},
		{what: "another folder", change: write("workspace.json", `{"folder":"file:///b"}`), opened: true},
		{what: "no folder", change: remove("workspace.json"), opened: true},
		{what: "an empty workspace.json, after none", opened: true, change: func() {
			for _, s := range l.open(OpenOptions{}) {
				if s.Store == "workspace/w" {
					l.states[s.Store] = s.State
				}
			}
			write("workspace.json", "")()
		}},
		{what: "the folder", change: func() {
			l.states["workspace/w"] = first
			write("workspace.json", `{"folder":"file:///a"}`)()
		}},
		{what: "a private copy is asked for", o: OpenOptions{Copy: map[string]bool{"workspace/w": true}}, opened: true},
		{what: "nothing more"},
		{what: "a copy of the file in its place", opened: true, change: func() {
			write("copy", string(data))()
			l.keepTimes(path, func() { l.must(os.Rename(filepath.Join(filepath.Dir(path), "copy"), path)) })
		}},
	}
	if fileID(path) == "" { // this system does not tell one file from another
		steps = steps[:len(steps)-1]
	}
	for _, s := range steps {
		if s.change != nil {
			s.change()
		}
		if opened := l.wasOpened(s.o); opened != s.opened {
			t.Errorf("%s: opened is %v, want %v", s.what, opened, s.opened)
		}
	}
}
