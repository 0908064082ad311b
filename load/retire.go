package load

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
)

// publicationName matches the names of publications.
var publicationName = regexp.MustCompile(`^v-[0-9]{8,}$`)

// retire removes publications that readers have not been led to for as long as they are kept. One that it cannot remove is no reason to fail: the
// new one is published, and the next tries again.
func (p *publisher) retire() {
	entries, err := os.ReadDir(p.dir)
	if err != nil {
		p.leave(p.dir, err)
		return
	}
	for _, e := range entries {
		folder := filepath.Join(p.dir, e.Name())
		if !e.IsDir() || e.Name() == p.name || !publicationName.MatchString(e.Name()) || !p.isDue(e) || !isPublication(folder) {
			continue
		}
		if err := remove(folder, p.scratch+"-"+e.Name()); err != nil {
			p.leave(folder, err)
			continue
		}
		p.out.Removed++
	}
}

func (p *publisher) leave(folder string, err error) {
	p.out.Left = append(p.out.Left, fmt.Sprintf("%s: %v", folder, err))
}

// isDue: a folder's time is that at which another publication took its place.
func (p *publisher) isDue(e os.DirEntry) bool {
	info, err := e.Info()
	return err == nil && (p.options.Keep <= 0 || p.options.Now.Sub(info.ModTime()) >= p.options.Keep)
}

// isPublication reports that a folder is one that we made, and that nobody has put anything into.
func isPublication(folder string) bool {
	if _, err := readManifest(folder); err != nil {
		return false
	}
	_, foreign, err := lookInto(folder)
	return err == nil && len(foreign) == 0
}

// remove takes a folder's name away first: what is half removed is nobody's publication, and swept.
func remove(folder, scratch string) error {
	if err := os.Rename(folder, scratch); err != nil {
		return err
	}
	return os.RemoveAll(scratch)
}

// replaceable refuses a folder of a publication's name that holds anything that is not ours.
func replaceable(folder string) error {
	_, foreign, err := lookInto(folder)
	if err == nil && len(foreign) > 0 {
		err = fmt.Errorf("%s is in the way of a publication and holds %s, which is not ours: move it, or name another folder for the Parquet", folder, foreign[0])
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// CheckCurrent refuses a folder for publications in which something that is not ours has the name that leads to the present one: it would be replaced.
func CheckCurrent(dir string) error {
	name := filepath.Join(dir, "current")
	if runtime.GOOS == "windows" {
		name += ".json"
	}
	info, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at the Parquet folder: %w", err)
	}
	if runtime.GOOS == "windows" {
		if _, err := currentFolder(dir); err == nil && info.Mode().IsRegular() {
			return nil
		}
	} else if to, err := os.Readlink(name); err == nil && publicationName.MatchString(to) {
		return nil
	}
	return fmt.Errorf("%s is not ours, and would be replaced: move it away, or name another folder for the Parquet", name)
}

// publishedPath matches the paths of files in a publication: one for a table, or one for each month in a folder of the table's name.
var publishedPath = regexp.MustCompile(`^([a-z_]+)(/month=([0-9]{4}-[0-9]{2}|` + noMonth + `)/part-0)?\.parquet$`)

// lookInto lists the files of a publication's folder: ours, by their paths, and what is not ours.
func lookInto(folder string) (files, foreign []string, err error) {
	isOwn := ownPaths(folder)
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(folder, path)
		name = filepath.ToSlash(name)
		switch {
		case err != nil || name == "." || name == manifestName || d.Name() == ".DS_Store": // the last is put there by who only looks
		case isOwn(name): // an empty folder, too: what is in one is not ours
			files = append(files, name)
		case d.IsDir() && (isOwn(partitionPath(name, noMonth)) || isOwn(name+"/part-0.parquet")):
		default:
			foreign = append(foreign, name)
		}
		return err
	})
	return files, foreign, err
}

// ownPaths tells the paths that a publication's folder may hold: those that it lists, and those of the tables that are known today.
func ownPaths(folder string) func(path string) bool {
	own := map[string]bool{}
	if m, err := readManifest(folder); err == nil {
		for _, f := range m.Files {
			own[f.Path] = true
		}
	}
	partitioned := map[string]bool{}
	for _, t := range publishedTables() {
		own[t.Name+".parquet"] = true
		partitioned[t.Name] = isPartitioned(t)
	}
	return func(path string) bool {
		match := publishedPath.FindStringSubmatch(path)
		return own[path] || match != nil && match[2] != "" && partitioned[match[1]]
	}
}
