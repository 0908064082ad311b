// Package places says where this program must not write: among Cursor's own files, and among those of the raw layer. It
// looks at paths and at the files there, before anything is read or made. It must never know what is to be written.
package places

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"pipeline/extract"
	"pipeline/load/rawlog"
	"pipeline/load/sinks"
	"pipeline/load/tool/outpath"
	"pipeline/pipelines"
)

// A Forbidden folder is a folder in which no output may be made.
type Forbidden struct{ dir, what string }

// ForbiddenFolders are the folders of Cursor, found here or part of the sources, and the raw layer of a warehouse.
func ForbiddenFolders(env extract.Env, sources []extract.Source, warehouse string) []Forbidden {
	out := []Forbidden{{rawlog.Dir(warehouse), "the raw layer of the warehouse"}}
	found, looked, _ := extract.Discover(env) // a folder that cannot be read is reported when the stores are read
	for _, s := range slices.Concat(found, sources) {
		out = append(out, Forbidden{s.UserDir, "a folder of Cursor"})
	}
	for _, dir := range looked { // even if nothing exists there yet
		out = append(out, Forbidden{dir, "a folder of Cursor"})
	}
	return out
}

// Check refuses an output in a forbidden folder. flag is the option to name in the error.
func Check(path, flag string, never []Forbidden) error {
	path, err := realPath(path)
	if err != nil {
		return err
	}
	for _, f := range never {
		dir, err := realPath(f.dir)
		if err != nil {
			return err
		}
		if isWithin(path, dir, runtime.GOOS) {
			return inForbidden(path, f, flag)
		}
	}
	if dir := cursorsAbove(path, dotFolders()); dir != "" {
		return inForbidden(path, Forbidden{dir, "a folder of Cursor"}, flag)
	}
	return nil
}

// CheckWarehouse refuses a warehouse among Cursor's files, since its lock, notes and raw layer would be beside it. It
// also refuses the path of a SQLite file, which may be a store.
func CheckWarehouse(path string) error {
	dots := dotFolders()
	for _, end := range []string{"", ".raw", ".search"} { // the last two may be symlinks
		real, err := realPath(path + end)
		if err != nil {
			return err
		}
		if dir := cursorsAbove(real, dots); dir != "" {
			return inForbidden(path+end, Forbidden{dir, "a folder of Cursor"},
				"--warehouse; a warehouse that is there already can be moved, with all files beside it whose names "+
					"begin alike")
		}
	}
	if isSQLite(path) {
		return &Error{pipelines.UsageError{Message: path +
			" is a SQLite database, and no warehouse: name another file with --warehouse"}}
	}
	return nil
}

// CheckTarget returns an error if a folder for publications is forbidden, or has an entry named current that this
// program did not make.
func CheckTarget(target sinks.Target, flag string, never []Forbidden) error {
	if err := Check(target.Dir, flag, never); err != nil {
		return err
	}
	if err := target.CheckCurrent(); err != nil {
		return &Error{pipelines.UsageError{Message: err.Error()}}
	}
	return nil
}

// CheckExport is Check for commands that only read the warehouse.
func CheckExport(path, flag, warehouse string) error {
	if info, err := os.Stat(path); path == "" || err == nil && info.Mode()&(fs.ModeDevice|fs.ModeNamedPipe) != 0 {
		return nil
	}
	return Check(path, flag, ForbiddenFolders(extract.HostEnv(""), nil, warehouse))
}

// An Error refuses a place because of what is there or who owns it, not because of a mistake in the arguments.
type Error struct{ pipelines.UsageError }

func (e *Error) Unwrap() error { return &e.UsageError }

// IsDatabase reports whether a file is a SQLite or DuckDB database, which an output must never replace.
func IsDatabase(path string) bool {
	head := firstBytes(path)
	return bytes.HasPrefix(head, []byte(extract.SQLiteMagic)) || len(head) >= 12 && string(head[8:12]) == "DUCK"
}

func inForbidden(path string, f Forbidden, flag string) error {
	return &Error{
		pipelines.UsageError{Message: fmt.Sprintf(
			"%s is in %s (%s), where pipeline never writes: name another place with %s", path, f.what, f.dir, flag)},
	}
}

// dotFolders are the folders of Cursor's command line, without symlinks.
func dotFolders() (dots []string) {
	for _, dir := range extract.HostEnv("").DotFolders() {
		if real, err := realPath(dir); err == nil {
			dots = append(dots, real)
		}
	}
	return dots
}

// cursorsAbove returns the folder of Cursor that contains a path, "" for none. It recognises Cursor's folders by their
// content, and those of its command line by their names (dots). The path must have no symlinks.
func cursorsAbove(path string, dots []string) string {
	for dir, below := path, ""; dir != below; dir, below = filepath.Dir(dir), dir {
		for _, name := range []string{filepath.Join("globalStorage", "state.vscdb"), "workspaceStorage"} {
			if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
				return dir
			}
		}
		if slices.ContainsFunc(dots, func(dot string) bool { return isSame(dot, dir, runtime.GOOS) }) {
			return dir
		}
	}
	return ""
}

// isSQLite reports whether a file begins like a SQLite database.
func isSQLite(path string) bool {
	return bytes.HasPrefix(firstBytes(path), []byte(extract.SQLiteMagic))
}

// firstBytes are the first bytes of a file, enough to recognise a database. There are none if the file cannot be read:
// whoever opens it reports that.
func firstBytes(path string) []byte {
	if outpath.File(path) != nil {
		return nil
	}
	f, err := extract.OpenShared(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	head := make([]byte, len(extract.SQLiteMagic))
	n, _ := io.ReadFull(f, head)
	return head[:n]
}

// realPath resolves symlinks in the existing part of a path.
func realPath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	rest := ""
	for at := path; ; at = filepath.Dir(at) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest), nil
		} else if at == filepath.Dir(at) {
			return path, nil
		}
		if to, err := os.Readlink(at); err == nil && filepath.IsAbs(to) { // the target does not exist yet
			return filepath.Join(to, rest), nil
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}

// isWithin reports whether a path is a folder or below it.
func isWithin(path, dir, goos string) bool {
	rel, err := filepath.Rel(spelling(dir, goos), spelling(path, goos))
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// isSame reports whether two paths are the same.
func isSame(a, b, goos string) bool { return spelling(a, goos) == spelling(b, goos) }

// spelling returns the same for all spellings of a path. On Windows and macOS most file systems take capital letters
// for small ones, and on macOS a letter with an accent for the letter and the accent. Where one does not, a place is
// refused that need not be.
func spelling(path, goos string) string {
	if goos != "windows" && goos != "darwin" {
		return path
	}
	return strings.ToLower(norm.NFC.String(path))
}
