// Package outpath says what may lie at a path that this program writes to.
//
// It knows kinds of files, and must never know what is in them. A pipe that is opened waits for its other end, a device takes or gives bytes without
// end, and a folder is no file: each is refused before it is opened. A path can become another thing between the look and the opening: whoever opens a
// file of its own does it by Open, which does not wait and looks at what it has opened.
package outpath

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Refused is a path at which something lies that is not written to.
type Refused struct {
	Path string
	Is   string // what lies there
	Want string // what may
}

func (e *Refused) Error() string {
	return e.Path + " is " + e.Is + ", and must be " + e.Want + ": nothing was changed. Move it away, or name another place"
}

const (
	wantFile   = "a regular file, or not there yet"
	wantFolder = "a folder, or not there yet"
	wantStream = "a regular file, not there yet, " + os.DevNull + ", or a stream of this process such as /dev/stdout"
)

// kinds are the words for what is no regular file.
var kinds = []struct {
	mode fs.FileMode
	word string
}{
	{fs.ModeDir, "a folder"}, {fs.ModeNamedPipe, "a named pipe"}, {fs.ModeSocket, "a socket"}, {fs.ModeDevice, "a device"}, {fs.ModeSymlink, "a link"},
}

// kind is the word for a mode; "" for a regular file.
func kind(mode fs.FileMode) string {
	for _, k := range kinds {
		if mode&k.mode != 0 {
			return k.word
		}
	}
	if !mode.IsRegular() {
		return "no regular file"
	}
	return ""
}

// File allows a regular file, and nothing at all. Links are followed. What cannot be looked at is for who opens it to say.
func File(path string) error { return allow(os.Stat, path, "", wantFile) }

// Own is File for a file that only this program has a use for: a link is refused too, since what it leads to is somebody else's.
func Own(path string) error { return allow(os.Lstat, path, "", wantFile) }

// Folder allows a folder, and nothing at all.
func Folder(path string) error { return allow(os.Stat, path, kinds[0].word, wantFolder) }

// Result allows what File does, and a stream.
func Result(path string) error {
	if IsStream(path) {
		return nil
	}
	return allow(os.Stat, path, "", wantStream)
}

// allow looks at a path.
func allow(look func(string) (fs.FileInfo, error), path, allowed, want string) error {
	info, err := look(path)
	if err != nil {
		return nil
	}
	is := kind(info.Mode())
	switch {
	case is == allowed:
		return nil
	case is == "":
		is = "a file"
	}
	return &Refused{path, is, want}
}

// IsStream tells the places that take a result as it comes: nowhere, the terminal, and what this process was given when it was started.
func IsStream(path string) bool {
	path = filepath.Clean(path)
	return slices.Contains([]string{os.DevNull, "/dev/tty", "/dev/stdout", "/dev/stderr"}, path) || strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/self/fd/")
}

// beside is what lies beside a warehouse: the end of its path, and what it may be.
type beside struct {
	end   string
	check func(string) error
}

// besides are all of them. A link to the layer of raw rows, or to the search index, is followed: people put what is large on another disk.
var besides = []beside{
	{"", File}, {".wal", File}, {".lock", File}, {".runs", Own}, {".runs.1", Own}, {".search", File}, {".search-wal", File}, {".search-journal", File}, {".search.lock", File}, {".raw", Folder},
}

// Warehouse looks at a warehouse and at everything that lies beside it.
func Warehouse(path string) error {
	for _, b := range besides {
		if err := b.check(path + b.end); err != nil {
			return err
		}
	}
	return nil
}

// Open opens a file of this program's own. It waits for nobody, follows no link, and gives a regular file or an error.
func Open(path string, flag int, mode fs.FileMode) (*os.File, error) {
	if err := Own(path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, flag|Unwaiting|unfollowing, mode)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && kind(info.Mode()) != "" {
		err = &Refused{path, kind(info.Mode()), wantFile}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// OpenStream opens a stream to write to it.
func OpenStream(path string) (*os.File, error) { return os.OpenFile(path, os.O_WRONLY|Unwaiting, 0) }
