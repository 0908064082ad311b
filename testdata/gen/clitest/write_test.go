package clitest_test

import (
	"crypto/md5"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pipeline/testdata/gen/clitest"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// written is what a store has, read by plain statements.
type written struct {
	blobs   map[string]string
	meta    map[string]string
	version int
	mode    string
}

func open(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	return db
}

// pairs reads a table of two columns.
func pairs(t *testing.T, db *sql.DB, query string) map[string]string {
	t.Helper()
	rows, err := db.Query(query)
	must(t, err)
	defer rows.Close()
	all := map[string]string{}
	for rows.Next() {
		var key, value string
		must(t, rows.Scan(&key, &value))
		all[key] = value
	}
	must(t, rows.Err())
	return all
}

// read reads a store, from a copy, so that the store stays as it is.
func read(t *testing.T, path string) written {
	t.Helper()
	dir := t.TempDir()
	for _, end := range []string{"", "-wal"} {
		if b, err := os.ReadFile(path + end); err == nil {
			must(t, os.WriteFile(filepath.Join(dir, "store.db"+end), b, 0o600))
		}
	}
	db := open(t, filepath.Join(dir, "store.db"))
	w := written{blobs: pairs(t, db, "SELECT id, hex(data) FROM blobs"),
		meta: pairs(t, db, "SELECT key, value FROM meta")}
	must(t, db.QueryRow("PRAGMA user_version").Scan(&w.version))
	must(t, db.QueryRow("PRAGMA journal_mode").Scan(&w.mode))
	return w
}

// head decodes row 0 of meta.
func head(t *testing.T, w written) (m map[string]any) {
	t.Helper()
	value := []byte(w.meta["0"])
	if decoded, err := hex.DecodeString(string(value)); err == nil {
		value = decoded
	}
	must(t, json.Unmarshal(value, &m))
	return m
}

// folder is where the chat of a case is.
func folder(dir string, c *clitest.Chat) string {
	if c.ACP {
		return filepath.Join(dir, "acp-sessions", c.ID)
	}
	sum := md5.Sum([]byte(c.CWD))
	return filepath.Join(dir, "chats", hex.EncodeToString(sum[:]), c.ID)
}

// TestWrite: stores of all cases can be read by SQLite, and are what they are named for.
func TestWrite(t *testing.T) {
	t.Parallel()
	dir, h := t.TempDir(), clitest.Cases()
	must(t, h.Write(dir))
	for _, c := range h.Chats {
		path := filepath.Join(folder(dir, c), "store.db")
		if c.NoStore {
			if _, err := os.Stat(path); err == nil {
				t.Errorf("%s has a store", c.Name)
			}
			continue
		}
		w := read(t, path)
		if w.version != 1 || w.mode != "wal" || len(w.meta) != 1+len(c.Meta.OtherRows) {
			t.Errorf("%s: version %d, mode %s, meta %v", c.Name, w.version, w.mode, w.meta)
		}
		m, sound := head(t, w), 0
		for name, data := range w.blobs {
			b, err := hex.DecodeString(data)
			must(t, err)
			if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) == name {
				sound++
			}
		}
		root, _ := m["latestRootBlobId"].(string)
		switch _, there := w.blobs[root]; {
		case c.Sealed && sound > 0:
			t.Errorf("%s: %d blobs are what their names say", c.Name, sound)
		case !c.Sealed && sound != len(w.blobs):
			t.Errorf("%s: of %d blobs %d are what their names say", c.Name, len(w.blobs), sound)
		case there == c.NoRoot:
			t.Errorf("%s: root %q, is there: %v", c.Name, root, there)
		}
		if whole := len(c.Graph.Build().Blobs) - len(c.Lost); !c.Sealed && !c.NoRoot && c.Stale == nil &&
			c.Loose == nil && len(w.blobs) != whole {
			t.Errorf("%s: %d blobs, want %d", c.Name, len(w.blobs), whole)
		}
		if (m["agentId"] == c.ID) == (c.Name == "another_agent_id") {
			t.Errorf("%s: agentId %v", c.Name, m["agentId"])
		}
	}
}

// TestWriteWAL: nothing is in the file itself, and of other stores nothing is beside it.
func TestWriteWAL(t *testing.T) {
	t.Parallel()
	dir, h := t.TempDir(), clitest.Cases()
	must(t, h.Write(dir))
	for _, c := range h.Chats {
		if c.NoStore {
			continue
		}
		path := filepath.Join(folder(dir, c), "store.db")
		_, err := os.Stat(path + "-wal")
		if (err == nil) != c.WAL {
			t.Errorf("%s: a -wal is beside the store: %v", c.Name, err)
		}
		if !c.WAL {
			continue
		}
		alone := filepath.Join(t.TempDir(), "store.db")
		b, err := os.ReadFile(path)
		must(t, err)
		must(t, os.WriteFile(alone, b, 0o600))
		var tables int
		must(t, open(t, alone).QueryRow("SELECT count(*) FROM sqlite_schema").Scan(&tables))
		if tables != 0 {
			t.Errorf("%s: %d tables and indexes are in the file", c.Name, tables)
		}
	}
}

// files are all files below a folder, with what is in them.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		all[strings.TrimPrefix(path, dir)] = string(b)
		return err
	}))
	return all
}

// TestWriteTwice: what agrees already is not touched.
func TestWriteTwice(t *testing.T) {
	t.Parallel()
	for name, h := range map[string]*clitest.Home{"cases": clitest.Cases(), "random": clitest.Random(1)} {
		dir := t.TempDir()
		must(t, h.Write(dir))
		before := files(t, dir)
		must(t, h.Write(dir))
		for path, now := range files(t, dir) {
			if before[path] != now {
				t.Errorf("%s: %s has changed", name, path)
			}
		}
	}
}

// TestNights: after each night the folder agrees with the description, and blobs of earlier states are still there.
func TestNights(t *testing.T) {
	t.Parallel()
	t.Run("random", func(t *testing.T) { t.Parallel(); nights(t, clitest.Random(3), 6) })
	t.Run("cases", func(t *testing.T) {
		if testing.Short() {
			t.Skip("writes some 250 stores")
		}
		t.Parallel()
		nights(t, clitest.Cases(), 2)
	})
}

func nights(t *testing.T, h *clitest.Home, n int) {
	t.Helper()
	dir, r := t.TempDir(), rand.New(rand.NewPCG(1, 1))
	must(t, h.Write(dir))
	stores := func(dir string) map[string]written {
		all := map[string]written{}
		for _, c := range h.Chats {
			if !c.NoStore {
				all[c.ID] = read(t, filepath.Join(folder(dir, c), "store.db"))
			}
		}
		return all
	}
	names := func(dir string) []string { return slices.Sorted(maps.Keys(files(t, dir))) }
	for night := range n {
		before, was, old := names(dir), h.Want(), stores(dir)
		h.Night(r)
		must(t, h.Write(dir))
		fresh := t.TempDir()
		must(t, h.Write(fresh))
		now, anew := stores(dir), stores(fresh)
		if diff := cmp.Diff(anew, now, cmp.AllowUnexported(written{})); diff != "" {
			t.Fatalf("night %d: stores that are written at once (-) and that have grown (+) differ:\n%s", night, diff)
		}
		for id, store := range now {
			for name := range old[id].blobs {
				if _, ok := store.blobs[name]; !ok {
					t.Errorf("night %d: %s has lost a blob", night, id)
				}
			}
		}
		if diff := cmp.Diff(names(fresh), names(dir)); diff != "" {
			t.Errorf("night %d: files that are described (-) and that are there (+) differ:\n%s", night, diff)
		}
		gone := 0
		for id := range old {
			if _, ok := now[id]; !ok {
				gone++
			}
		}
		if gone != 1 || len(now) != len(old) {
			t.Errorf("night %d: %d chats are gone, and of %d there are %d", night, gone, len(old), len(now))
		}
		if cmp.Equal(before, names(dir)) || cmp.Equal(was, h.Want()) {
			t.Errorf("night %d changed nothing", night)
		}
	}
}

// TestSecret: the key is in the chats that have one, and nowhere else.
func TestSecret(t *testing.T) {
	t.Parallel()
	dir, h := t.TempDir(), clitest.Cases()
	must(t, h.Write(dir))
	for _, c := range h.Chats {
		has := slices.ContainsFunc(c.Meta.More, func(m [2]string) bool { return m[0] == "blobEncryptionKey" })
		found := false
		for _, text := range files(t, folder(dir, c)) {
			found = found || strings.Contains(text, clitest.Secret) ||
				strings.Contains(text, hex.EncodeToString([]byte(clitest.Secret)))
		}
		if found != has {
			t.Errorf("%s: the key is there: %v, want %v", c.Name, found, has)
		}
	}
}
