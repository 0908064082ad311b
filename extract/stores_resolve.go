package extract

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// below are the paths to a user directory from a folder that a user may name.
var below = [...]string{
	"", "User", "user-data/User", "data/User", portable, serverData + "/User",
	"Cursor/User", "Cursor Nightly/User", "Cursor - Insiders/User",
	".config/Cursor/User", ".config/Cursor Nightly/User",
	"Library/Application Support/Cursor/User", "Library/Application Support/Cursor Nightly/User",
	"AppData/Roaming/Cursor/User", "AppData/Roaming/Cursor Nightly/User",
}

// homesAround are the home directories, with slashes, that a user directory may be in, by its path.
func homesAround(userDir string) (homes []string) {
	slashed := filepath.ToSlash(userDir)
	for _, way := range below {
		if home, ok := strings.CutSuffix(slashed, "/"+way); ok && way != "" {
			homes = append(homes, home)
		}
	}
	return homes
}

// Resolve finds the sources of one --source [NAME=]PATH: a user directory, a folder above one, its globalStorage or
// workspaceStorage folder (both mean the whole user directory, so that the same chats never come from two sources), a
// folder with a state.vscdb in it, or one SQLite file, which becomes Global whatever it holds. NAME is made of
// A-Za-z0-9._- and does not begin with a dot or a dash; a path that exists with its '=' goes before it.
// A profile of a named source gets NAME.profile. The error is a *StoreError, except where NAME would stand for several
// user directories.
func Resolve(arg string, env Env) ([]Source, error) {
	name, path := splitName(arg)
	if rest, ok := strings.CutPrefix(path, "~/"); ok && env.Home != "" { // a shell leaves NAME=~/... as it is
		path = filepath.Join(env.Home, rest)
	}
	if path == "" {
		return nil, &StoreError{Path: arg, Kind: KindMissing, Err: errors.New("the path is empty")}
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, missing(path, err)
	}
	var found []Source
	if info.IsDir() {
		found, err = resolveDir(path, env)
	} else {
		found, err = resolveFile(path, env)
	}
	if err != nil {
		return nil, err
	}
	if name != "" {
		if found, err = nameSources(name, found); err != nil {
			return nil, err
		}
	}
	return appendHomes(found, env.OS), nil
}

// namePattern is the form of a source's name. The source's folder in the raw layer has this name, so the name must not
// lead elsewhere (..), and the folder must not be swept as a temporary one (.pipeline-tmp-).
var namePattern = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]*$`)

// called is a source as an argument names it.
func (src Source) called() string {
	if src.Name == "" {
		return src.UserDir
	}
	return src.Name + "=" + src.UserDir
}

// CheckDistinct reports two sources that share a store, such as a user directory and its own state.vscdb. Reading both
// would load every chat twice. Also, one process cannot safely have one file open twice (see storeSnapshot).
func CheckDistinct(sources []Source) error {
	owner := map[string]Source{}
	for _, s := range sources {
		paths := []string{s.Global}
		for _, w := range s.Workspaces {
			paths = append(paths, w.DB)
		}
		for _, path := range paths {
			if path == "" {
				continue
			}
			path, err := canonical(path)
			if err != nil {
				continue // opening it gives the error
			}
			if other, ok := owner[path]; ok && (other.UserDir != s.UserDir || other.Name != s.Name) {
				return fmt.Errorf("the sources %s and %s both have the store %s: name only one of them", other.called(),
					s.called(), path)
			}
			owner[path] = s
		}
	}
	return nil
}

func splitName(arg string) (name, path string) {
	before, after, ok := strings.Cut(arg, "=")
	if !ok || !namePattern.MatchString(before) {
		return "", arg
	}
	if _, err := os.Lstat(arg); err == nil {
		return "", arg
	}
	return before, after
}

func nameSources(name string, found []Source) ([]Source, error) {
	main := found[0].UserDir
	for i := range found {
		switch rel, err := filepath.Rel(filepath.Join(main, "profiles"), found[i].UserDir); {
		case i == 0:
			found[i].Name = name
		case found[i].App == AppCLI:
			found[i].Name = name + "." + AppCLI
		case err == nil && !strings.HasPrefix(rel, ".."):
			found[i].Name = name + "." + strings.Map(nameRune, rel)
		default:
			return nil, fmt.Errorf("the name %s can stand for one user directory only, but there are more: name %s "+
				"and %s each by itself", name, main, found[i].UserDir)
		}
	}
	return found, nil
}

func nameRune(r rune) rune {
	if r == '.' || r == '-' || namePattern.MatchString(string(r)) {
		return r
	}
	return '_'
}

func resolveFile(path string, env Env) ([]Source, error) {
	path, err := canonical(path)
	if err != nil {
		return nil, newStoreError(path, err)
	}
	return []Source{{UserDir: path, OS: osOf(path, env.OS), App: AppFile, Global: path}}, nil
}

// resolveDir finds the user directories at, above or below a folder.
func resolveDir(dir string, env Env) ([]Source, error) {
	dir, err := canonical(dir)
	if err != nil {
		return nil, newStoreError(dir, err)
	}
	if base := filepath.Base(dir); base == "globalStorage" || base == "workspaceStorage" {
		if found, err := userDirAt(filepath.Dir(dir), env.OS); err == nil && len(found) > 0 {
			return found, nil
		}
	}
	if db := storeIn(dir); db != "" {
		found, err := resolveFile(db, env)
		return appendNew(found, homeAt(dir, env.OS, found)), err // chats of the command line may be beside it
	}
	var found []Source
	for _, way := range below {
		sources, err := userDirAt(filepath.Join(dir, filepath.FromSlash(way)), env.OS)
		if err != nil && !isMissing(err) {
			return nil, newStoreError(dir, err)
		}
		found = appendNew(found, sources)
	}
	if found = appendNew(found, homeAt(dir, env.OS, found)); len(found) == 0 {
		return nil, &StoreError{Path: dir, Kind: KindMissing,
			Err: errors.New(holds(dir, "no globalStorage/"+storeFile+" and no workspaceStorage in it or below it"))}
	}
	return found, nil
}

// missing is the error for a path that does not exist, with a hint of what is near it.
func missing(path string, err error) error {
	if !isMissing(err) {
		return newStoreError(path, err)
	}
	near, err := filepath.Abs(path)
	if err != nil {
		return newStoreError(path, err)
	}
	name := filepath.Base(near)
	for parent := filepath.Dir(near); parent != near; near, parent = parent, filepath.Dir(parent) {
		name = filepath.Base(near)
		if info, err := os.Stat(parent); err == nil && info.IsDir() {
			near = parent
			break
		}
	}
	hint := fmt.Sprintf("nothing of this name in %s", near)
	if alike := likest(name, near); alike != "" {
		hint = fmt.Sprintf("nothing of this name; did you mean %s?", filepath.Join(near, alike))
	} else {
		hint = holds(near, hint)
	}
	return &StoreError{Path: path, Kind: KindMissing, Err: fmt.Errorf("%s: %w", hint, fs.ErrNotExist)}
}

// holds adds the names of some folder entries to a sentence.
func holds(dir, sentence string) string {
	entries, err := listFolder(dir)
	if err != nil || len(entries) == 0 || dir == filepath.Dir(dir) { // what is at the root of a disk helps nobody
		return sentence
	}
	var names []string
	for _, e := range entries[:min(len(entries), 8)] {
		names = append(names, validName(e.Name()))
	}
	if len(entries) > 8 {
		names = append(names, "...")
	}
	return sentence + "; it holds " + strings.Join(names, ", ")
}

// likest returns the entry of a folder whose name is most like the given one, "" if none is alike.
func likest(name, dir string) string {
	entries, err := listFolder(dir)
	if err != nil {
		return ""
	}
	best, least := "", max(1, len(name)/3)+1
	for _, e := range entries {
		if d := Distance(name, e.Name()); d < least {
			best, least = e.Name(), d
		}
	}
	return best
}

// Distance is the edit distance of two names, in lower case. Two swapped letters count as one edit.
func Distance(a, b string) int {
	x, y := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	before, above, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		before, above, row = above, row, before
		row[0] = i + 1
		for j := range y {
			row[j+1] = min(above[j+1], row[j]) + 1
			switch {
			case x[i] == y[j]:
				row[j+1] = min(row[j+1], above[j])
			case i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j]:
				row[j+1] = min(row[j+1], before[j-1]+1)
			default:
				row[j+1] = min(row[j+1], above[j]+1)
			}
		}
	}
	return row[len(y)]
}

// userDirAt describes the user directory at dir and its profiles. It returns nothing if there is no store. It follows
// symlinks.
func userDirAt(dir, goos string) ([]Source, error) {
	dir, err := canonical(dir)
	if err != nil {
		return nil, err
	}
	src := Source{UserDir: dir, OS: osOf(dir, goos), App: appOf(dir)}
	src.Global = storeIn(filepath.Join(dir, "globalStorage"))
	src.Workspaces, src.Err = workspacesIn(filepath.Join(dir, "workspaceStorage"))
	src.Tracking = trackingOf(dir)
	profiles, err := profilesOf(src)
	src.Err = errors.Join(src.Err, err)
	if src.Global == "" && len(src.Workspaces) == 0 && src.Err == nil {
		return profiles, nil
	}
	return append([]Source{src}, profiles...), nil
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
