package extract

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// The folder names of Cursor's builds (docs/formats.md, Builds and profiles), and of its remote server.
var apps = [...]string{"Cursor", "Cursor Nightly"}

const serverData = ".cursor-server/data"

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

// Discover finds every Cursor user directory of a machine that holds a store, profiles included, each once. looked
// lists every path that was looked at. The error names a missing folder that the user asked for, or paths that could
// not be looked at; the other sources are returned all the same.
func Discover(env Env) (found []Source, looked []string, err error) {
	var errs []error
	for _, place := range env.userDirs() {
		if slices.Contains(looked, place) {
			continue
		}
		looked = append(looked, place)
		sources, err := userDirAt(place, env.OS)
		if err != nil && !isMissing(err) {
			errs = append(errs, newStoreError(place, err))
		}
		found = appendNew(found, sources)
	}
	if env.UserDataDir != "" {
		sources, err := resolveDir(env.at(env.UserDataDir), env)
		if err != nil {
			errs = append(errs, err)
		}
		looked = append(looked, filepath.Join(env.at(env.UserDataDir), "User"))
		found = appendNew(found, sources)
	}
	for _, dir := range env.DotFolders() {
		if !slices.Contains(looked, dir) {
			looked = append(looked, dir)
		}
	}
	return appendCLI(found, env), looked, errors.Join(errs...)
}

// appendNew adds the sources whose user directory is not in found: a symlink may lead to the same one twice.
func appendNew(found, more []Source) []Source {
	for _, m := range more {
		if !slices.ContainsFunc(found, func(f Source) bool { return f.UserDir == m.UserDir }) {
			found = append(found, m)
		}
	}
	return found
}

// userDirs lists the user directories that this machine may have (docs/formats.md, On each system), the most likely
// first.
func (e Env) userDirs() []string {
	var bases []string // folders that hold one folder per application
	add := func(base string) {
		if base != "" && (filepath.IsAbs(base) || e.OS == "windows") {
			bases = append(bases, e.at(base))
		}
	}
	home := func(rest string) string {
		if e.Home == "" {
			return ""
		}
		return filepath.Join(e.Home, filepath.FromSlash(rest))
	}
	var places []string
	if dir := e.get("CURSOR_USER_DATA_DIR"); dir != "" {
		places = append(places, filepath.Join(e.at(dir), "User"))
	}
	switch e.OS {
	case "darwin":
		add(home("Library/Application Support"))
	case "windows":
		add(e.get("APPDATA"))
		add(home("AppData/Roaming"))
	default:
		// Both: a cron job does not have the variable that the desktop session has.
		add(e.get("XDG_CONFIG_HOME"))
		add(home(".config"))
	}
	if e.OS == "linux" {
		bases = slices.Concat(bases, e.windowsBases(), e.sandboxBases())
	}
	for _, base := range bases {
		for _, app := range apps {
			places = append(places, filepath.Join(base, app, "User"))
		}
	}
	if e.Home != "" {
		places = append(places, filepath.Join(e.at(home(serverData)), "User"))
	}
	return places
}

// windowsBases are the roaming folders of the Windows users whose disk WSL mounts, without the accounts that Windows
// creates for itself (docs/formats.md, On each system).
func (e Env) windowsBases() []string {
	users := e.at(path.Join(e.mountRoot(), "c/Users"))
	entries, err := listFolder(users)
	if err != nil {
		if e.get("WSL_DISTRO_NAME") != "" || !errors.Is(err, fs.ErrNotExist) {
			return []string{filepath.Join(users, "*", "AppData", "Roaming")} // for the list of paths looked at
		}
		return nil
	}
	var bases []string
	for _, u := range entries {
		if slices.Contains([]string{"Public", "Default", "Default User", "All Users", "defaultuser0",
			"WDAGUtilityAccount"}, u.Name()) {
			continue
		}
		base := filepath.Join(users, u.Name(), "AppData", "Roaming")
		if info, err := os.Stat(base); err == nil && info.IsDir() {
			bases = append(bases, base)
		}
	}
	return bases
}

// mountRoot is where WSL mounts the disks of Windows: root of the section automount in wsl.conf, if that is there
// (docs/formats.md, On each system).
func (e Env) mountRoot() string {
	root, section := "/mnt", ""
	file, err := OpenShared(e.at("/etc/wsl.conf"))
	if err != nil {
		return root
	}
	defer func() { _ = file.Close() }() // nothing was written
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			section = strings.ToLower(strings.Trim(line, "[] "))
		}
		name, value, _ := strings.Cut(line, "=")
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		if section == "automount" && strings.TrimSpace(name) == "root" && path.IsAbs(value) {
			root = value
		}
	}
	return root
}

// sandboxBases are the folders that Flatpak and Snap give programs in the place of .config (docs/formats.md, On each
// system).
func (e Env) sandboxBases() (bases []string) {
	if e.Home == "" {
		return nil
	}
	for _, kind := range []struct {
		folder string
		below  []string
	}{{".var/app", []string{"config"}}, {"snap", []string{"current/.config", "common/.config"}}} {
		folder := e.at(filepath.Join(e.Home, kind.folder))
		programs, err := listFolder(folder)
		if err != nil {
			continue // there are none of this kind
		}
		for _, program := range programs {
			for _, below := range kind.below {
				base := filepath.Join(folder, program.Name(), below)
				if info, err := os.Stat(base); err == nil && info.IsDir() {
					bases = append(bases, base)
				}
			}
		}
	}
	return bases
}
