package sinks

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"pipeline/load/changes"
	"pipeline/load/tool/atomicfile"
	"pipeline/sql"
)

// publicationName matches the names of publications.
var publicationName = regexp.MustCompile(`^v-[0-9]{8,}$`)

// retire removes the publications that have not been current for as long as they are kept. If it cannot remove one, it
// does not fail: the new one is published, and the next publication tries again.
func (p *publisher) retire() {
	entries, err := os.ReadDir(p.Dir)
	if err != nil {
		p.leave(p.Dir, err)
		return
	}
	for _, e := range entries {
		folder := filepath.Join(p.Dir, e.Name())
		if !e.IsDir() || e.Name() == p.name || !publicationName.MatchString(e.Name()) || !p.isDue(e) ||
			!p.isPublication(folder) {
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

// isDue reports whether a publication has to be removed. The time of its folder is when another publication became
// current.
func (p *publisher) isDue(e os.DirEntry) bool {
	info, err := e.Info()
	return err == nil && (p.Keep < 0 || p.options.Now.Sub(info.ModTime()) >= cmp.Or(p.Keep, DefaultKeep))
}

// isPublication reports whether we made a folder, and nobody has added anything to it.
func (t Target) isPublication(folder string) bool {
	if _, err := readManifest(folder); err != nil {
		return false
	}
	_, foreign, err := t.lookInto(folder)
	return err == nil && len(foreign) == 0
}

// remove renames a folder before it removes it. So a half removed folder has no publication's name, and sweep removes
// the rest.
func remove(folder, scratch string) error {
	if err := atomicfile.Move(folder, scratch); err != nil {
		return err
	}
	return os.RemoveAll(scratch)
}

// replaceable returns an error if a folder with a publication's name has anything that is not ours.
func (t Target) replaceable(folder string) error {
	_, foreign, err := t.lookInto(folder)
	if err == nil && len(foreign) > 0 {
		err = fmt.Errorf("%s is in the way of a publication and holds %s, which is not ours: move it, or name another "+
			"folder for the %s", folder, foreign[0], t.title())
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// publishedPath matches the paths of files in a publication: one for a table, or some for each month in a folder with
// the table's name.
var publishedPath = regexp.MustCompile(`^([a-z_]+)(/month=([0-9]{4}-[0-9]{2}|` + sql.NoMonth +
	`)/part-[0-9]+)?(\.[a-z]+)$`)

// lookInto lists the files of a publication's folder: ours by their paths, and what is foreign.
func (t Target) lookInto(folder string) (files, foreign []string, err error) {
	isOwn, extension := t.ownPaths(folder), t.Sink.About().Extension
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(folder, path)
		name = filepath.ToSlash(name)
		switch {
		case err != nil || name == "." || name == manifestName || d.Name() == ".DS_Store":
			// the last is put there by who only looks
		case isOwn(name): // an empty folder, too: what is in one is not ours
			files = append(files, name)
		case d.IsDir() && (isOwn(monthPath(name, changes.Place{Month: sql.NoMonth}, extension)) ||
			isOwn(name+"/part-0"+extension)):
		default:
			foreign = append(foreign, name)
		}
		return err
	})
	return files, foreign, err
}

// ownPaths returns a function that reports whether a publication's folder may have a path: it is in the folder's list,
// or it is the path of a table of this version.
func (t Target) ownPaths(folder string) func(path string) bool {
	own := map[string]bool{}
	if m, err := readManifest(folder); err == nil {
		for _, f := range m.Files {
			own[f.Path] = true
		}
	}
	partitioned, extension := map[string]bool{}, t.Sink.About().Extension
	for _, table := range publishedTables() {
		own[table.Name+extension] = true
		partitioned[table.Name] = table.ByMonth()
	}
	return func(path string) bool {
		match := publishedPath.FindStringSubmatch(path)
		return own[path] || match != nil && match[2] != "" && partitioned[match[1]] && match[4] == extension
	}
}
