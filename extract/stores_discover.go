package extract

import (
	"bufio"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// The folder names of Cursor's builds (docs/formats.md, Builds and profiles), and of its remote server.
var apps = [...]string{"Cursor", "Cursor Nightly", "Cursor - Insiders"}

const (
	serverData = ".cursor-server/data"
	portable   = "data/user-data/User" // in the folder of a portable install
)

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
		for _, scoop := range []string{e.get("SCOOP"), home("scoop")} {
			if scoop != "" {
				places = append(places, filepath.Join(e.at(scoop), "persist", "cursor", filepath.FromSlash(portable)))
			}
		}
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
		if base := folderAt(filepath.Join(users, u.Name(), "AppData", "Roaming")); base != "" {
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
				if base := folderAt(filepath.Join(folder, program.Name(), below)); base != "" {
					bases = append(bases, base)
				}
			}
		}
	}
	return bases
}

// FolderVariables name the folder that the command line and the agents use in place of ~/.cursor: the first moves all
// of it. Each is one more place to look in.
var FolderVariables = []string{"CURSOR_DATA_DIR", "CURSOR_CONFIG_DIR"}

// DotFolders lists the folders, existing or not, in which the command line and the agents keep their files. It includes
// those of Windows users, seen from WSL, and of the remote server.
func (e Env) DotFolders() (out []string) {
	add := func(base, name string) {
		if base != "" {
			out = append(out, filepath.Join(e.at(base), name))
		}
	}
	for _, variable := range FolderVariables {
		add(e.get(variable), "")
	}
	add(e.Home, ".cursor")
	add(e.Home, ".cursor-server")
	if config := e.get("XDG_CONFIG_HOME"); filepath.IsAbs(config) {
		add(config, "cursor")
	}
	add(e.Home, ".config/cursor")
	if e.OS == "linux" {
		for _, roaming := range e.windowsBases() {
			add(filepath.Dir(filepath.Dir(roaming)), ".cursor")
		}
	}
	return out
}
