package extract

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// This file reads files that say what Cursor has counted and billed, which people hand over (docs/formats.md, Usage
// exports and hooks). Their rows belong to no conversation.

// AppUsage is the App of the source that a folder of such files is.
const AppUsage = "usage"

// UsageStore is the one store of such a source.
const UsageStore = "usage"

// Families of its rows: an event, a line that could not be read, and what else a file says of itself.
const (
	FamilyUsageEvent   = "usage.event"
	FamilyUsageProblem = "usage.problem"
	FamilyUsageFile    = "usage.file"
)

// maxUsageFile is the largest file that is read.
const maxUsageFile = 64 << 20

// UsageFiles are files of one folder.
type UsageFiles struct {
	Dir   string   // absolute
	Names []string // sorted, without the folder
}

// UsageRow is what a file says in one place: of a family, under a key that is the file's own, a value that becomes
// JSON.
type UsageRow struct {
	Family, Key string
	Value       any
}

// FindUsage finds the files of some paths: of a file itself, of a folder all that are in it but hidden ones, of a
// pattern those that match. A path may begin with ~/: a shell leaves it in quotes, which a pattern needs. failed has an
// error of each path that leads nowhere; the others are found all the same.
func FindUsage(paths []string, home string) (found []UsageFiles, failed []error) {
	add := func(path string) {
		dir, name := filepath.Split(path)
		i := slices.IndexFunc(found, func(f UsageFiles) bool { return f.Dir == filepath.Clean(dir) })
		if i < 0 {
			i, found = len(found), append(found, UsageFiles{Dir: filepath.Clean(dir)})
		}
		if !slices.Contains(found[i].Names, name) {
			found[i].Names = append(found[i].Names, name)
		}
	}
	for _, path := range paths {
		if rest, ok := strings.CutPrefix(path, "~/"); ok && home != "" {
			path = filepath.Join(home, rest)
		}
		files, err := usageAt(path)
		if err != nil {
			failed = append(failed, err)
		}
		for _, file := range files {
			if real, err := canonical(file); err != nil {
				failed = append(failed, fmt.Errorf("usage %s: %w", file, err))
			} else {
				add(real)
			}
		}
	}
	for _, f := range found {
		slices.Sort(f.Names)
	}
	return found, failed
}

// usageAt are the files that a path means.
func usageAt(path string) (files []string, err error) {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.Mode().IsRegular():
		return []string{path}, nil
	case err == nil && !info.IsDir():
		return nil, fmt.Errorf("usage %s is neither a file nor a folder", path)
	case err == nil:
		entries, err := listFolder(path)
		if err != nil {
			return nil, fmt.Errorf("usage %s: %w", path, err)
		}
		for _, e := range entries {
			if e.Type().IsRegular() && !strings.HasPrefix(e.Name(), ".") {
				files = append(files, filepath.Join(path, e.Name()))
			}
		}
		return files, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("usage %s: %w", path, err)
	}
	matches, bad := filepath.Glob(path)
	if bad != nil || len(matches) == 0 {
		return nil, fmt.Errorf("usage %s: there is no such file, and as a pattern it matches none", path)
	}
	for _, match := range matches {
		if info, err := os.Stat(match); err == nil && info.Mode().IsRegular() {
			files = append(files, match)
		}
	}
	return files, nil
}

// UsageParser says what is in a file that was written at a time.
type UsageParser func(name string, written time.Time, text []byte) []UsageRow

// OpenUsage is a snapshot of some files. It reads none. What is in a file parse says: its text is not kept, since it
// names people.
func OpenUsage(files UsageFiles, parse UsageParser) Snapshot {
	rows := func(name string, written time.Time, text []byte) (docs []*Document, err error) {
		for _, row := range parse(name, written, text) {
			d, err := jsonRow(UsageStore, UsageStore, row.Family, validName(row.Key), row.Value)
			if err != nil {
				return nil, err
			}
			docs = append(docs, d)
		}
		return docs, nil
	}
	return &folderSnapshot{dir: files.Dir, names: files.Names, most: maxUsageFile, rows: rows,
		report: StoreReport{Store: UsageStore, Info: StoreInfo{Path: files.Dir}, RowsSeen: int64(len(files.Names))}}
}
