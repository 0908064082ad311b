package extract

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/windows"
)

// OpenShared opens a file of a source for reading. Other programs may write to it, rename it and remove it meanwhile:
// beside os.Open, SQLite could not remove its journal.
func OpenShared(path string) (*os.File, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	const shared = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	const folders = windows.FILE_FLAG_BACKUP_SEMANTICS // without it, a folder cannot be opened
	handle, err := windows.CreateFile(name, windows.GENERIC_READ, shared, nil, windows.OPEN_EXISTING,
		windows.FILE_ATTRIBUTE_NORMAL|folders, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(handle), path), nil
}

// listFolder lists a folder of a source, as os.ReadDir does. The folder may be renamed and removed meanwhile.
func listFolder(dir string) (entries []fs.DirEntry, err error) {
	f, err := OpenShared(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	entries, err = f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}
