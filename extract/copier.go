package extract

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime"

	"pipeline/load/tool/atomicfile"
	"pipeline/load/tool/scratch"
)

// scratchPrefix begins the names of private folders for copies of stores.
const scratchPrefix = "pipeline-snapshot-"

// unlinksFirst says whether the name of a copy can be removed before the copy is filled. On macOS it cannot: clonefile
// makes a whole file under a name.
const unlinksFirst = scratch.RemovesOpen && runtime.GOOS != "darwin"

// copier copies files into a private folder.
type copier struct {
	ctx      context.Context
	tolerant bool         // leave out what cannot be read
	holes    int64        // number of bytes that were left out
	to       string       // path of the database's copy
	file     *os.File     // the copy of the database, once its name is removed
	open     func() error // opens the copy and removes its name; nil if the copy keeps its name until it is whole
}

// createUnlinked creates the database's copy, with its final length and no content, has it opened, and removes its
// name. SQLite notes the length, and reads nothing else before the copy is filled.
func (c *copier) createUnlinked(from *os.File) error {
	info, err := from.Stat()
	if err != nil {
		return err
	}
	if c.file, err = os.OpenFile(c.to, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
		return err
	}
	if err := c.file.Truncate(info.Size()); err != nil {
		return err
	}
	return c.open()
}

// copyOne copies a file of the store to the copy's file with that ending.
func (c *copier) copyOne(from, end string) (err error) {
	f, err := OpenShared(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return c.put(f, end)
}

// clone makes the copy share the blocks of the database, if the file system can.
func (c *copier) clone(from *os.File) error {
	if c.open == nil {
		return cloneOpen(from, c.to)
	}
	if err := c.createUnlinked(from); err != nil {
		return err
	}
	return cloneInto(from, c.file)
}

// tryClone returns the error that clone would return.
func (c *copier) tryClone(from *os.File) (err error) {
	probe := c.to + ".probe"
	if !unlinksFirst {
		return errors.Join(cloneOpen(from, probe), removeIfThere(probe))
	}
	f, err := os.OpenFile(probe, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := os.Remove(probe); err != nil {
		return err
	}
	return cloneInto(from, f)
}

// copyPart is how many bytes are copied before a sync: the editor's own syncs have to wait for bytes that are not
// written yet. readPart is how many bytes are left out where a read fails.
const (
	copyPart = 8 << 20
	readPart = 4096
)

// put copies a file to the copy's file with that ending. It shares the blocks instead if the file system can.
func (c *copier) put(from *os.File, end string) (err error) {
	if c.open != nil {
		if err := c.createUnlinked(from); err != nil {
			return err
		}
		if cloneInto(from, c.file) == nil {
			return nil
		}
		return c.copyAll(from, c.file)
	}
	if !c.tolerant && cloneOpen(from, c.to+end) == nil {
		return nil
	}
	f, err := os.OpenFile(c.to+end, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if c.tolerant {
		return c.copyReadable(from, f)
	}
	return c.copyAll(from, f)
}

func (c *copier) copyAll(from, to *os.File) error {
	for {
		switch _, err := io.CopyN(to, from, copyPart); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case c.ctx.Err() != nil:
			return c.ctx.Err()
		}
		if err := atomicfile.Flush(to); err != nil {
			return err
		}
	}
}

// copyReadable copies the readable parts of a file to the same offsets.
func (c *copier) copyReadable(from, to *os.File) error {
	info, err := from.Stat()
	if err != nil {
		return err
	}
	buf := make([]byte, 1<<20)
	for at := int64(0); at < info.Size(); {
		n, failed := from.ReadAt(buf[:min(int64(len(buf)), info.Size()-at)], at)
		if _, err := to.WriteAt(buf[:n], at); err != nil {
			return err
		}
		at += int64(n)
		switch {
		case c.ctx.Err() != nil:
			return c.ctx.Err()
		case errors.Is(failed, io.EOF):
			return nil
		case failed != nil && at == 0:
			return failed
		case failed != nil:
			next := min(at/readPart*readPart+readPart, info.Size())
			c.holes += next - at
			at = next
		}
	}
	return to.Truncate(info.Size())
}

func removeIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
