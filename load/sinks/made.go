package sinks

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pipeline/load/atomicfile"
)

// Made is what this program has made in a folder of publications.
type Made struct {
	Publications []string // their folders
	Foreign      []string // what else is in the folder, and publications to which somebody has added something; they stay
	Bytes        int64    // of the publications
}

// Made looks for what this program has made in the target's folder. A folder without a publication that has its list has nothing of ours. A missing folder has nothing.
func (t Target) Made() (out Made, err error) {
	entries, err := os.ReadDir(t.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	for _, e := range entries {
		path := filepath.Join(t.Dir, e.Name())
		switch {
		case e.IsDir() && publicationName.MatchString(e.Name()) && t.isPublication(path):
			out.Publications = append(out.Publications, path)
			if m, err := readManifest(path); err == nil {
				out.Bytes += m.bytes()
			}
		case e.Name() == "current" || e.Name() == "current.json":
			if t.CheckCurrent() != nil {
				out.Foreign = append(out.Foreign, path)
			}
		case e.Name() != lockName && !isUnfinished(e):
			out.Foreign = append(out.Foreign, path)
		}
	}
	if len(out.Publications) == 0 {
		out.Foreign = nil
	}
	return out, nil
}

// isUnfinished reports an entry that a killed run left.
func isUnfinished(e os.DirEntry) bool {
	return strings.HasPrefix(e.Name(), atomicfile.Scratch) || strings.HasPrefix(e.Name(), linkPrefix) && e.Type() == os.ModeSymlink
}

// Remove removes what this program has made in the target's folder, and the folder if nothing else is in it.
func (t Target) Remove(ctx context.Context) (err error) {
	made, err := t.Made()
	if err != nil || len(made.Publications) == 0 {
		return err
	}
	if err := t.CheckCurrent(); err != nil {
		return err
	}
	unlock, err := t.lock(ctx)
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, unlock())
		if err == nil && len(made.Foreign) == 0 {
			err = errors.Join(os.Remove(filepath.Join(t.Dir, lockName)), os.Remove(t.Dir))
		}
	}()
	if err := t.sweep(nil); err != nil {
		return err
	}
	for _, name := range []string{"current", "current.json"} { // first: a reader finds no half removed publication
		if err := os.Remove(filepath.Join(t.Dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	for _, folder := range made.Publications {
		if err := remove(folder, filepath.Join(t.Dir, atomicfile.Scratch+filepath.Base(folder))); err != nil {
			return err
		}
	}
	return nil
}
