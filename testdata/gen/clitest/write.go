package clitest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"pipeline/testdata/gen/graphtest"
)

// Write makes the folder agree with the description. It changes what is there as Cursor does: blobs are added and none
// is removed, row 0 of meta is replaced in place, and a chat that is no longer described goes with its folder. What
// agrees already is not touched.
func (h *Home) Write(dir string) error {
	described := map[string]bool{}
	for _, c := range h.Chats {
		described[c.dir()] = true
		if err := c.write(filepath.Join(dir, c.dir())); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	if err := removeOthers(dir, described); err != nil {
		return err
	}
	return h.writeTranscripts(dir)
}

// removeOthers removes the folders of chats that are not described.
func removeOthers(dir string, described map[string]bool) error {
	for _, pattern := range []string{"chats/*/*", "acp-sessions/*"} {
		found, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		if err != nil {
			return err
		}
		for _, folder := range found {
			name, err := filepath.Rel(dir, folder)
			if err != nil {
				return err
			}
			if described[name] {
				continue
			}
			if err := os.RemoveAll(folder); err != nil {
				return err
			}
		}
	}
	return nil
}

// write writes the folder of a chat.
func (c *Chat) write(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	err := replace(filepath.Join(dir, "meta.json"), c.fileJSON())
	if c.NoStore {
		for _, end := range []string{"", "-wal", "-shm"} {
			err = errors.Join(err, replace(filepath.Join(dir, "store.db"+end), nil))
		}
	}
	if err != nil || c.NoStore {
		return err
	}
	path := filepath.Join(dir, "store.db")
	if !c.WAL {
		return c.writeStore(path)
	}
	return c.writeWAL(path)
}

// writeStore writes a store and closes it, so that nothing is beside it.
func (c *Chat) writeStore(path string) error {
	s, err := openStore(path)
	if err != nil {
		return err
	}
	_, err = s.update(context.Background(), c)
	return errors.Join(err, s.Close())
}

// writeWAL leaves what is in the store in store.db-wal, as a process that was killed does.
func (c *Chat) writeWAL(path string) error {
	work, err := os.MkdirTemp("", "clitest")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	copied := filepath.Join(work, "store.db")
	for _, end := range []string{"", "-wal"} {
		if err := copyFile(copied+end, path+end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	s, err := openStore(copied)
	if err != nil {
		return err
	}
	changed, err := s.update(context.Background(), c)
	for _, end := range []string{"", "-wal"} {
		if err == nil && changed {
			err = copyFile(path+end, copied+end)
		}
	}
	return errors.Join(err, s.Close())
}

func copyFile(to, from string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o666)
}

// replace gives a file other bytes, or removes it; it does not touch one that has them.
func replace(path string, b []byte) error {
	was, err := os.ReadFile(path)
	switch {
	case b == nil && errors.Is(err, fs.ErrNotExist):
		return nil
	case b == nil:
		return os.Remove(path)
	case err == nil && bytes.Equal(was, b):
		return nil
	}
	return os.WriteFile(path, b, 0o666)
}

// fileJSON is the text of meta.json; nil for none.
func (c *Chat) fileJSON() []byte {
	f := c.File
	if f == nil {
		return nil
	}
	members := []string{"schemaVersion", "1"}
	if !c.ACP {
		members = append(members, "createdAtMs", graphtest.Set(f.Created), "updatedAtMs", fmt.Sprint(f.Updated),
			"hasConversation", fmt.Sprint(!f.Empty))
	}
	members = append(members, "cwd", graphtest.Quoted(f.CWD), "title", graphtest.Optional(f.Title), "isSubagent",
		graphtest.OptionalFlag(f.Subagent))
	return []byte(graphtest.Object(members...))
}

// metaValue is the value of row 0 of meta.
func (c *Chat) metaValue() string {
	m := c.Meta
	members := []string{"agentId", graphtest.Quoted(cmp.Or(m.AgentID, c.ID)), "latestRootBlobId",
		graphtest.Quoted(c.rootBlob()), "name", graphtest.Quoted(m.Title), "createdAt", graphtest.Set(m.Created),
		"mode", graphtest.Optional(m.Mode), "lastUsedModel", graphtest.Optional(m.Model)}
	for _, more := range m.More {
		members = append(members, more[0], more[1])
	}
	json := graphtest.Object(members...)
	if m.Plain {
		return json
	}
	return hex.EncodeToString([]byte(json))
}
