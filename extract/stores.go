package extract

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"
)

// storeFile is the file name of every store (docs/formats.md, Where the stores lie).
const storeFile = "state.vscdb"

// AppFile is the App of a Source that is one SQLite file and no user directory.
const AppFile = "file"

// Source is one Cursor user directory: its global store and its workspace stores, each of which may be missing.
type Source struct {
	Name    string // from --source NAME=PATH, else ""
	UserDir string // absolute, symlinks resolved; for a bare file, the file
	OS      string // system of the Cursor that wrote it: linux, darwin, windows
	// Cursor, Cursor Nightly, Cursor - Insiders, cursor-server; AppFile for a bare file; AppCLI for a folder .cursor
	// with chats of the command line; "" if the path does not show it
	App        string
	Global     string      // path of the global store, "" where there is none
	Workspaces []Workspace // by ID
	Tracking   string      // path of the database in which Cursor attributes lines and commits, "" if there is none
	// Err is why a part of the user directory could not be listed: nothing of that part may count as gone.
	Err error
}

// GlobalStore is the name of a source's global store; a workspace's is "workspace/" and the folder's name.
const GlobalStore = "global"

// WorkspaceStore names the store of a workspaceStorage folder.
func WorkspaceStore(workspaceID string) string { return "workspace/" + workspaceID }

// Env describes the machine to look at. It has all inputs, so that a test can describe any machine.
type Env struct {
	OS          string                   // a value of runtime.GOOS
	Home        string                   // the user's home directory, "" if unknown
	Root        string                   // prefix of every absolute path that is not below it already; "" outside tests
	Getenv      func(name string) string // nil: no variable is set
	UserDataDir string                   // Cursor's own option --user-data-dir: the folder above User
}

// HostEnv describes this machine.
func HostEnv(userDataDir string) Env {
	home, err := os.UserHomeDir()
	if err != nil {
		home = "" // paths that do not depend on the home directory are still looked at
	}
	return Env{OS: runtime.GOOS, Home: home, Getenv: os.Getenv, UserDataDir: userDataDir}
}

// WorktreesRoot is the folder in which Cursor makes git worktrees here, if it is not below the home directory; "" else.
func WorktreesRoot() string { return os.Getenv("CURSOR_WORKTREES_ROOT") }

func (e Env) get(name string) string {
	if e.Getenv == nil {
		return ""
	}
	return e.Getenv(name)
}

// at puts the root in front of an absolute path.
func (e Env) at(path string) string {
	if e.Root == "" || path == e.Root || strings.HasPrefix(path,
		strings.TrimSuffix(e.Root, string(filepath.Separator))+string(filepath.Separator)) {
		return path
	}
	return filepath.Join(e.Root, path)
}

// Workspace is a folder of workspaceStorage.
type Workspace struct {
	ID      string // the folder's name; invalid UTF-8 as %XX
	Dir     string
	DB      string // path of its store, "" if it has none
	JSON    []byte // content of workspace.json, nil if there is none
	JSONErr error  // why workspace.json could not be read
}

// maxWorkspaceJSON is far above the size of any real workspace.json, which holds one URI.
const maxWorkspaceJSON = 1 << 20

func (s Source) isFile() bool { return s.App == AppFile }

// StorePath is where the file of a store is: the source's own path, but for the stores in an editor's user directory.
func (s Source) StorePath(store string) string {
	if id, ok := strings.CutPrefix(store, WorkspaceStore("")); ok && !s.isFile() {
		return filepath.Join(s.UserDir, "workspaceStorage", id, "state.vscdb")
	}
	if store == GlobalStore && !s.isFile() {
		return filepath.Join(s.UserDir, "globalStorage", "state.vscdb")
	}
	return s.UserDir
}

// profilesOf finds the profiles of a user directory that have a store of their own (docs/formats.md, Builds and
// profiles). Each is a source of its own. All profiles share the workspace stores, which belong to the user directory.
func profilesOf(src Source) ([]Source, error) {
	root := filepath.Join(src.UserDir, "profiles")
	entries, err := readDir(root)
	var found []Source
	for _, e := range entries {
		dir := filepath.Join(root, e.Name())
		if db := storeIn(filepath.Join(dir, "globalStorage")); db != "" {
			found = append(found, Source{UserDir: dir, OS: src.OS, App: src.App, Global: db})
		}
	}
	return found, err
}

// storeIn returns the path of the store in a folder, "" if there is none. A store that this user may not look at
// counts: opening it gives the error.
func storeIn(dir string) string {
	path := filepath.Join(dir, storeFile)
	if info, err := os.Stat(path); err == nil && info.IsDir() || isMissing(err) {
		return ""
	}
	return path
}

// isMissing reports that nothing is at a path, or that a part of the path is no folder.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// workspacesIn lists a workspaceStorage folder. A missing folder has no workspaces.
func workspacesIn(root string) ([]Workspace, error) {
	entries, err := readDir(root)
	if err != nil {
		return nil, newStoreError(root, err)
	}
	var found []Workspace
	for _, e := range entries {
		dir := filepath.Join(root, e.Name())
		if !e.IsDir() {
			if e.Type()&fs.ModeSymlink == 0 {
				continue
			}
			if info, err := os.Stat(dir); err != nil || !info.IsDir() { // or a loop of symlinks
				continue
			}
		}
		found = append(found, workspaceAt(dir))
	}
	slices.SortFunc(found, func(a, b Workspace) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Dir, b.Dir))
	})
	return found, nil
}

// workspaceAt describes one folder of workspaceStorage.
func workspaceAt(dir string) Workspace {
	w := Workspace{ID: validName(filepath.Base(dir)), Dir: dir, DB: storeIn(dir)}
	w.JSON, w.JSONErr = readSmall(filepath.Join(dir, "workspace.json"))
	return w
}

// bareWorkspace is the workspace for a workspace store that was given as a file.
func bareWorkspace(db string) Workspace {
	w := workspaceAt(filepath.Dir(db))
	w.DB = db
	return w
}

// readSmall reads a file of at most maxWorkspaceJSON bytes; nil if there is none.
func readSmall(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case isMissing(err):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is a %s", path, typeName(info.Mode()))
	case info.Size() > maxWorkspaceJSON:
		return nil, fmt.Errorf("%s has %d bytes, more than the %d that are read", path, info.Size(), maxWorkspaceJSON)
	}
	return readUpTo(path, maxWorkspaceJSON) // an empty file is not nil
}

// readDir lists a folder. A missing folder has no entries.
func readDir(dir string) ([]fs.DirEntry, error) {
	entries, err := listFolder(dir)
	if isMissing(err) {
		return nil, nil
	}
	return entries, err
}

// validName makes valid text of a file name.
func validName(name string) string {
	if utf8.ValidString(name) {
		return name
	}
	var b strings.Builder
	for len(name) > 0 {
		r, n := utf8.DecodeRuneInString(name)
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, "%%%02X", name[0])
		} else {
			b.WriteString(name[:n])
		}
		name = name[n:]
	}
	return b.String()
}

// appOf returns the application whose user directory this is, by its path.
func appOf(userDir string) string {
	for _, part := range slices.Backward(strings.Split(filepath.ToSlash(userDir), "/")) {
		switch {
		case strings.HasPrefix(part, ".cursor-server"):
			return part[1:]
		case strings.HasPrefix(part, "Cursor"):
			return part
		}
	}
	return ""
}

// osOf returns the system whose Cursor wrote a user directory, by its path: it may lie on a mounted Windows disk.
func osOf(userDir, here string) string {
	path := filepath.ToSlash(userDir)
	switch {
	case strings.Contains(path, "/AppData/Roaming/"):
		return "windows"
	case strings.Contains(path, "/Library/Application Support/"):
		return "darwin"
	case strings.Contains(path, "/.config/") || strings.Contains(path, "/.cursor-server/"):
		return "linux"
	}
	return here
}
