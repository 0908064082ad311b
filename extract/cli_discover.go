package extract

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// This file finds the homes of Cursor's command line.

// cliAt describes the folder .cursor at dir; ok is false if it has no chat of the command line.
func cliAt(dir, goos string) (src Source, ok bool) {
	dir, err := canonical(dir)
	if err != nil || !hasChats(dir) {
		return src, false
	}
	return Source{UserDir: dir, OS: osOfHome(dir, goos), App: AppCLI}, true
}

// hasChats reports whether a folder has a chat's store, or a folder of chats that cannot be listed.
func hasChats(dir string) bool {
	for _, folder := range []string{chatsFolder, acpFolder} {
		if _, err := readDir(filepath.Join(dir, folder)); err != nil {
			return true // reading it gives the error
		}
	}
	return CountChats(dir) > 0
}

// CountChats counts the chats of the command line in a folder .cursor: those that have a store. No file is opened.
func CountChats(dir string) int {
	return countFiles(dir, chatsFolder+"/*/*/store.db") + countFiles(dir, acpFolder+"/*/store.db")
}

// osOfHome returns the system that a .cursor belongs to, by its path: it may lie on a mounted Windows disk.
func osOfHome(dir, here string) string {
	path := filepath.ToSlash(dir)
	switch {
	case strings.HasPrefix(path, "/mnt/") && strings.Contains(path, "/Users/"):
		return "windows"
	case here == "linux" && strings.HasPrefix(path, "/Users/"):
		return "darwin"
	}
	return here
}

// discoverCLI finds the homes of the command line on a machine, each once.
func discoverCLI(env Env) (found []Source) {
	for _, dir := range env.DotFolders() {
		if src, ok := cliAt(dir, env.OS); ok {
			found = appendNew(found, []Source{src})
		}
	}
	return found
}

// homesOf are the homes of the command line that belong to user directories: a run that reads the one reads the other. It looks in the home directory around each.
func homesOf(sources []Source, goos string) (found []Source) {
	for _, s := range sources {
		slashed := filepath.ToSlash(s.UserDir)
		for _, way := range below {
			home, ok := strings.CutSuffix(slashed, "/"+way)
			if way == "" || !ok {
				continue
			}
			src, ok := cliAt(filepath.Join(filepath.FromSlash(home), ".cursor"), goos)
			if !ok {
				continue
			}
			if s.Name != "" {
				src.Name = s.Name + "." + AppCLI
			}
			found = appendNew(found, []Source{src})
		}
	}
	return found
}

// chatsAt are the homes of the command line at a folder that a user names: a .cursor, a folder in it, or a home.
func chatsAt(dir, goos string) []Source {
	if base := filepath.Base(dir); slices.Contains([]string{chatsFolder, acpFolder}, base) {
		dir = filepath.Dir(dir)
	}
	for _, dir := range []string{dir, filepath.Join(dir, ".cursor")} {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			continue
		}
		if src, ok := cliAt(dir, goos); ok {
			return []Source{src}
		}
	}
	return nil
}
