package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
)

// A changedFile takes the text of a file that may be there already. As long as it is what the file holds, nothing is written; from the first difference
// on a new file is, which takes the place of the other when it is whole. Nobody else may read it, as nobody may read the warehouse.
type changedFile struct {
	root *os.Root
	name string

	had  *os.File // what is there; nil: nothing
	rest *bufio.Reader
	same int64 // bytes that are as they are there

	file *os.File // the new one, once there is a difference
	out  *bufio.Writer
}

// openChangedFile begins with a file. One that cannot be read is replaced.
func openChangedFile(root *os.Root, name string) *changedFile {
	c := &changedFile{root: root, name: name}
	if info, err := root.Stat(name); err == nil && info.Mode().IsRegular() {
		if c.had, err = root.Open(name); err == nil {
			c.rest = bufio.NewReaderSize(c.had, 64<<10)
		}
	}
	return c
}

func (c *changedFile) temp() string { return "." + c.name + ".tmp" }

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

// holds reports that the file goes on with a text.
func (c *changedFile) holds(text []byte) bool {
	if c.had == nil {
		return false
	}
	for part := text; len(part) > 0; {
		n := min(len(part), c.rest.Size())
		next, _ := c.rest.Peek(n) // less where the file ends
		if !bytes.Equal(next, part[:n]) {
			return false
		}
		_, _ = c.rest.Discard(n) // they are there
		part = part[n:]
	}
	return true
}

// differ begins the new file with what is as it was.
func (c *changedFile) differ() (err error) {
	if c.file != nil {
		return nil
	}
	if err := c.root.Remove(c.temp()); err != nil && !errors.Is(err, fs.ErrNotExist) { // of an export that was killed
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

// finish puts the new file in place, where it is to be kept and differs, and says whether it does.
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
		if err = c.root.Rename(c.temp(), c.name); err == nil {
			return true, nil
		}
	}
	return false, errors.Join(err, c.root.Remove(c.temp()))
}

// ended reports that the file that is there ends here.
func (c *changedFile) ended() bool {
	if c.had == nil {
		return false
	}
	_, err := c.rest.Peek(1)
	return errors.Is(err, io.EOF)
}
