package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"

	"pipeline/load/tool/atomicfile"
)

// A changedFile writes a file only if its text differs from the existing file. While the texts are the same, nothing is
// written. From the first difference on, a new file is written, which replaces the old one once it is whole. Only the
// owner may read it, as with the warehouse.
type changedFile struct {
	root *os.Root
	name string

	had  *os.File // the existing file; nil: none
	rest *bufio.Reader
	same int64 // number of bytes that are the same in it

	file *os.File // the new file, once there is a difference
	out  *bufio.Writer
}

// openChangedFile begins a file. It replaces an existing file that cannot be read.
func openChangedFile(root *os.Root, name string) *changedFile {
	c := &changedFile{root: root, name: name}
	if info, err := root.Stat(name); err == nil && info.Mode().IsRegular() {
		if c.had, err = root.Open(name); err == nil {
			c.rest = bufio.NewReaderSize(c.had, 64<<10)
		}
	}
	return c
}

func (c *changedFile) temp() string { return path.Join(path.Dir(c.name), "."+path.Base(c.name)+".tmp") }

func (c *changedFile) Write(text []byte) (int, error) {
	if c.file == nil && c.holds(text) {
		c.same += int64(len(text))
		return len(text), nil
	}
	if err := c.differ(); err != nil {
		return 0, err
	}
	return c.out.Write(text)
}

// holds reports whether the existing file continues with a text.
func (c *changedFile) holds(text []byte) bool {
	if c.had == nil {
		return false
	}
	for part := text; len(part) > 0; {
		n := min(len(part), c.rest.Size())
		next, _ := c.rest.Peek(n) // less at the end of the file
		if !bytes.Equal(next, part[:n]) {
			return false
		}
		_, _ = c.rest.Discard(n) // Peek has buffered them
		part = part[n:]
	}
	return true
}

// differ begins the new file with the part that is the same.
func (c *changedFile) differ() (err error) {
	if c.file != nil {
		return nil
	}
	if err := c.root.Remove(c.temp()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		// left by an export that was killed
		return err
	}
	if c.file, err = c.root.OpenFile(c.temp(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
		return err
	}
	c.out = bufio.NewWriterSize(c.file, 64<<10)
	if c.same == 0 {
		return nil
	}
	_, err = io.Copy(c.out, io.NewSectionReader(c.had, 0, c.same))
	return err
}

// finish puts the new file in place, if it differs and is to be kept, and reports whether it did.
func (c *changedFile) finish(keep bool) (written bool, err error) {
	if keep && c.file == nil && !c.ended() {
		err = c.differ()
	}
	if c.had != nil {
		err = errors.Join(err, c.had.Close())
	}
	if c.file == nil {
		return false, err
	}
	err = errors.Join(err, c.out.Flush(), c.file.Close())
	if keep && err == nil {
		if err = atomicfile.Retry(func() error { return c.root.Rename(c.temp(), c.name) }); err == nil {
			return true, nil
		}
	}
	return false, errors.Join(err, c.root.Remove(c.temp()))
}

// ended reports whether the existing file ends here.
func (c *changedFile) ended() bool {
	if c.had == nil {
		return false
	}
	_, err := c.rest.Peek(1)
	return errors.Is(err, io.EOF)
}
