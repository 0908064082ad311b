// Package outpath says what may lie at a path that this program writes to.
//
// It knows kinds of files, and must never know their content. A pipe that is opened waits for its other end, a device
// takes or gives bytes without end, and a folder is not a file: each is refused before it is opened. A path may change
// between the check and the opening. So a package that opens a file of its own calls Open, which does not wait, and
// checks the open file.
package outpath

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Refused is the error for a path that this program does not write to, because of what lies there.
type Refused struct {
	Path string
	Is   string // what lies there
	Want string // what may
}

func (e *Refused) Error() string {
	return e.Path + " is " + e.Is + ", but must be " + e.Want +
		": nothing was changed. Move it away, or name another place"
}

// What an error says after "but must be".
const (
	mustBeFile   = "a regular file, or a new name"
	mustBeFolder = "a folder, or a new name"
	mustBeStream = "a regular file, a new name, " + os.DevNull + ", or a stream of this process such as /dev/stdout"
)

// kinds are the words for files that are not regular.
var kinds = []struct {
	mode fs.FileMode
	word string
}{
	{fs.ModeDir, "a folder"}, {fs.ModeNamedPipe, "a named pipe"}, {fs.ModeSocket, "a socket"},
	{fs.ModeDevice, "a device"}, {fs.ModeSymlink, "a link"},
}

// kind returns the word for a mode, or "" for a regular file.
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

// File returns an error unless a path is a regular file or does not exist. It follows links. If it cannot look at the
// path, it returns nil: whoever opens the file gets the error.
func File(path string) error { return allow(os.Stat, path, "", mustBeFile) }

// Own does the same as File, for a file that only this program uses. It refuses a link, too, because a link leads to
// somebody else's file.
func Own(path string) error { return allow(os.Lstat, path, "", mustBeFile) }

// Folder returns an error unless a path is a folder or does not exist.
func Folder(path string) error { return allow(os.Stat, path, kinds[0].word, mustBeFolder) }

// Result allows what File allows, and a stream.
func Result(path string) error {
	if IsStream(path) {
		return nil
	}
	return allow(os.Stat, path, "", mustBeStream)
}

// allow returns an error if something else than the allowed kind lies at a path.
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

// IsStream reports whether a path is a stream: the null device, the terminal, or a file descriptor that this process
// was started with.
func IsStream(path string) bool {
	path = filepath.Clean(path)
	return slices.Contains([]string{os.DevNull, "/dev/tty", "/dev/stdout", "/dev/stderr"}, path) ||
		strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/self/fd/")
}

// beside is a file beside a warehouse: the end of its path, and the check for it.
type beside struct {
	end   string
	check func(string) error
}

// besides are all files beside a warehouse, and the warehouse. A link to the raw layer or to the search index is
// followed: people put large files on another disk.
var besides = []beside{
	{"", File}, {".wal", Own}, {".lock", Own}, {".runs", Own}, {".runs.1", Own}, {".search", File},
	{".search-wal", File}, {".search-journal", File}, {".search.lock", Own}, {".token", Own}, {".raw", Folder},
}

// Warehouse checks a warehouse and all files beside it.
func Warehouse(path string) error {
	for _, b := range besides {
		if err := b.check(path + b.end); err != nil {
			return err
		}
	}
	return nil
}

// Open opens a file of this program's own. It does not wait, follows no link, and returns a regular file or an error.
func Open(path string, flag int, mode fs.FileMode) (*os.File, error) {
	if err := Own(path); err != nil {
		return nil, err
	}
	return openRegular(path, flag|unfollowing, mode)
}

// openRegular opens a file without waiting, and returns a regular one or an error: what lay there when it was looked at
// may have been replaced.
func openRegular(path string, flag int, mode fs.FileMode) (*os.File, error) {
	f, err := os.OpenFile(path, flag|Unwaiting, mode)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && kind(info.Mode()) != "" {
		err = &Refused{path, kind(info.Mode()), mustBeFile}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// OpenStream opens a stream for writing.
func OpenStream(path string) (*os.File, error) { return os.OpenFile(path, os.O_WRONLY|Unwaiting, 0) }

// Read reads a file whole, if it is a regular one or a link to one, and not larger than a limit. It does not wait.
func Read(path string, limit int64) (_ []byte, err error) {
	if err := File(path); err != nil {
		return nil, err
	}
	f, err := openRegular(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		return nil, fmt.Errorf("%s has more than %d bytes, and is not read", path, limit)
	}
	return text, err
}

// SmallFile is the limit for files that people or programs write by hand: settings, timers, notes.
const SmallFile = 16 << 20
