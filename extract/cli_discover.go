package extract

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// This file finds the homes of Cursor's command line.

// cliAt describes the folder .cursor at dir; ok is false if there is nothing to read: no chat of the command line, no
// transcript, and no tracking database and no plan but those that a source of found reads, as the editor of the same
// home does.
func cliAt(dir, goos string, found []Source) (src Source, ok bool) {
	dir, err := canonical(dir)
	if err != nil {
		return src, false
	}
	src = Source{UserDir: dir, OS: osOfHome(dir, goos), App: AppCLI,
		Tracking: fileAt(filepath.Join(dir, filepath.FromSlash(trackingFile)))}
	isNew := func(path string, of func(Source) string) bool {
		return path != "" && !slices.ContainsFunc(found, func(f Source) bool { return SameFolder(of(f), path) })
	}
	return src, hasChats(dir) || isNew(src.Tracking, TrackingOf) || isNew(PlansOf(src), PlansOf)
}

// hasChats reports whether a folder has a chat's store or a transcript, or a folder of these that cannot be listed.
func hasChats(dir string) bool {
	s, err := chatsIn(dir)
	if err != nil || len(s.chats)+len(s.failed) > 0 {
		return true // reading it gives the error
	}
	found, _, err := transcriptsIn(dir)
	return err != nil || len(found) > 0
}

// chatsIn lists the chats of the command line in a folder .cursor, as openCLI does.
func chatsIn(dir string) (*cliSnapshot, error) {
	s := &cliSnapshot{src: Source{UserDir: dir}, failed: map[string]error{}}
	return s, s.listChats(context.Background())
}

// SameFolder reports whether two paths lead to one folder.
func SameFolder(a, b string) bool {
	one, err := canonical(a)
	if err != nil || a == "" || b == "" {
		return false
	}
	two, err := canonical(b)
	return err == nil && one == two
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

// appendCLI adds the homes of the command line on a machine to sources that were found, each once.
func appendCLI(found []Source, env Env) []Source {
	for _, dir := range env.DotFolders() {
		if src, ok := cliAt(dir, env.OS, found); ok {
			found = appendNew(found, []Source{src})
		}
	}
	return found
}

// appendHomes adds the homes of the command line that belong to user directories: a run that reads the one reads the
// other. It looks in the home directory around each.
func appendHomes(found []Source, goos string) []Source {
	for _, s := range found {
		for _, home := range homesAround(s.UserDir) {
			src, ok := cliAt(filepath.Join(filepath.FromSlash(home), ".cursor"), goos, found)
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

// HomeOf returns the home directory that a source belongs to, by its path, with slashes; "" if the path does not show
// it.
func HomeOf(src Source) string {
	path := filepath.ToSlash(src.UserDir)
	if src.App == AppCLI {
		for _, way := range []string{"/.cursor", "/.cursor-server", "/.config/cursor"} {
			if home, ok := strings.CutSuffix(path, way); ok {
				return home
			}
		}
		return ""
	}
	path = strings.TrimSuffix(path, "/globalStorage/"+storeFile)
	if user, profile, ok := strings.Cut(path, "/User/profiles/"); ok && !strings.Contains(profile, "/") {
		path = user + "/User"
	}
	homes := homesAround(path)
	if len(homes) == 0 {
		return ""
	}
	return slices.MinFunc(homes, func(a, b string) int { return len(a) - len(b) })
}

// homeAt are the homes of the command line at a folder that a user names: a .cursor, a folder in it, or a home.
func homeAt(dir, goos string, found []Source) []Source {
	if base := filepath.Base(dir); slices.Contains([]string{chatsFolder, acpFolder, projectsFolder}, base) {
		dir = filepath.Dir(dir)
	}
	for _, dir := range []string{dir, filepath.Join(dir, ".cursor")} {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			continue
		}
		if src, ok := cliAt(dir, goos, found); ok {
			return []Source{src}
		}
	}
	return nil
}

// OnlyCLI reports whether there are sources, and none is of the editor.
func OnlyCLI(sources []Source) bool {
	return len(sources) > 0 && !slices.ContainsFunc(sources, func(s Source) bool { return s.App != AppCLI })
}
