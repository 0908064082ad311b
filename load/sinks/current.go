package sinks

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"

	"pipeline/load/changes"
	"pipeline/load/engine"
	"pipeline/load/tool/atomicfile"
	"pipeline/load/tool/outpath"
	"pipeline/sql/schema"
)

// compare reports whether a folder has a publication of the latest load of this warehouse: both have the same loads.
// The number of the load is not enough: an earlier warehouse, which was thrown away, may have published a load with
// that number.
func (t Target) compare(ctx context.Context, warehouse, folder string) (latest bool) {
	from, ok := t.loadsIn(folder)
	if !ok {
		return false
	}
	compare := `WITH published AS (SELECT load_id, started_at FROM ` + from + `)
		SELECT count(*) FROM ((FROM (SELECT load_id, started_at FROM loads) EXCEPT FROM published) UNION ALL (FROM published EXCEPT SELECT load_id, started_at FROM loads))`
	differences := 1
	err := engine.Reading(ctx, warehouse, func(conn *sql.Conn) error {
		return conn.QueryRowContext(ctx, compare).Scan(&differences)
	})
	return err == nil && differences == 0
}

// loadsIn is the table of loads that a publication has, as the engine reads it. It reports false for a folder without
// one.
func (t Target) loadsIn(folder string) (from string, ok bool) {
	file := filepath.Join(folder, loadsTable+t.Sink.About().Extension)
	if _, err := os.Stat(file); err != nil {
		return "", false
	}
	table, _ := schema.Lookup(loadsTable)
	from, err := t.Sink.Scan(table, []string{file})
	return from, err == nil
}

// An OwnerError says that a folder has the publication of another warehouse.
type OwnerError struct{ message string }

func (e *OwnerError) Error() string { return e.message }

// CheckOwner returns an OwnerError if the current publication is another warehouse's than that of a connection, which
// has none of its loads. Their times stay through a copy of the file and a rebuild. A publication whose loads cannot be
// read is anybody's.
func (t Target) CheckOwner(ctx context.Context, conn *sql.Conn) error {
	folder, err := currentFolder(t.Dir)
	if err != nil {
		return nil
	}
	if m, err := readManifest(folder); err == nil && m.Warehouse != "" {
		if id, err := engine.Setting(ctx, conn, changes.MetaWarehouse); err == nil && id == m.Warehouse {
			return nil
		}
	}
	from, ok := t.loadsIn(folder)
	ours, common := 0, 1
	if !ok ||
		conn.QueryRowContext(ctx,
			`SELECT count(*), count(*) FILTER (EXISTS (SELECT 1 FROM loads l WHERE l.load_id = p.load_id AND l.started_at = p.started_at)) FROM `+from+` p`).Scan(&ours, &common) != nil ||
		ours == 0 || common > 0 {
		return nil
	}
	return &OwnerError{fmt.Sprintf("%s has the publication of another warehouse: name another folder for the %s, or, "+
		"if this warehouse is to take its place, remove %s first", t.Dir, t.title(),
		CurrentName(t.Dir))}
}

// A link names the current publication; where there are none, as on Windows and on some disks, a file does.
const (
	currentLink = "current"
	currentFile = "current.json"
)

// CurrentName is the path of the entry that names the current publication of a folder, or that will.
func CurrentName(dir string) string {
	_, noLink := os.Lstat(filepath.Join(dir, currentLink))
	_, noFile := os.Lstat(filepath.Join(dir, currentFile))
	if runtime.GOOS == "windows" || noLink != nil && noFile == nil {
		return filepath.Join(dir, currentFile)
	}
	return filepath.Join(dir, currentLink)
}

// inFile is the content of currentFile.
type inFile struct {
	Folder string `json:"folder"`
}

// currentFolder returns the folder of the publication that current names.
func currentFolder(dir string) (string, error) {
	name := CurrentName(dir)
	if filepath.Base(name) == currentLink {
		return filepath.EvalSymlinks(name)
	}
	return readCurrent(dir)
}

// readCurrent returns the folder that currentFile names.
func readCurrent(dir string) (string, error) {
	file := filepath.Join(dir, currentFile)
	text, err := outpath.Read(file, outpath.SmallFile)
	if err != nil {
		return "", err
	}
	var current inFile
	if err := json.Unmarshal(text, &current); err != nil || !publicationName.MatchString(current.Folder) {
		return "", errors.Join(fmt.Errorf("%s names no publication", file), err)
	}
	return filepath.Join(dir, current.Folder), nil
}

// writeCurrent has currentFile name a publication.
func writeCurrent(dir, name string) error {
	text, err := json.Marshal(inFile{name})
	if err != nil {
		return err
	}
	return atomicfile.Replace(filepath.Join(dir, currentFile), append(text, '\n'))
}

// switchTo makes current name a publication. Where no link can be made, as on Windows, where people may not, and on
// disks that have none, current.json names it.
func switchTo(dir, name string) error {
	link := filepath.Join(dir, linkPrefix+name)
	if err := atomicfile.Remove(link); err != nil {
		return fmt.Errorf("remove what an interrupted run left: %w", err)
	}
	err := errors.ErrUnsupported
	if runtime.GOOS != "windows" {
		err = os.Symlink(name, link)
	}
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) {
		return errors.Join(writeCurrent(dir, name), atomicfile.Remove(filepath.Join(dir, currentLink)))
	}
	if err = errors.Join(err, afterLink.Reach()); err == nil {
		err = atomicfile.Rename(link, filepath.Join(dir, currentLink))
	}
	if err == nil {
		err = atomicfile.Remove(filepath.Join(dir, currentFile)) // of a time without links
	}
	if err != nil {
		_ = os.Remove(link) // if it stays, the next run sweeps it
		return fmt.Errorf("switch %s/current: %w", dir, err)
	}
	return nil
}

// Publication is the current publication of a folder.
type Publication struct {
	Folder   string `json:"folder"`       // "" where there is none
	IsLatest bool   `json:"is_last_load"` // it has the loads that the warehouse has
	Err      error  `json:"-"`            // why current does not lead to one
}

// Current returns the current publication. If warehouse is "", it is not compared with the warehouse.
func (t Target) Current(ctx context.Context, warehouse string) *Publication {
	folder, err := currentFolder(t.Dir)
	if err == nil {
		_, err = os.Stat(folder)
	}
	if err != nil {
		if entries, none := os.ReadDir(t.Dir); errors.Is(none, fs.ErrNotExist) || none == nil && len(entries) == 0 {
			err = nil // nothing was published yet
		}
		return &Publication{Err: err}
	}
	out := &Publication{Folder: folder}
	if warehouse != "" {
		out.IsLatest = t.compare(ctx, warehouse, folder)
	}
	return out
}

// CheckCurrent returns an error if the folder has an entry named current that is not ours, or that names a publication
// of another sink. Publish would replace it.
func (t Target) CheckCurrent() error {
	if real, err := filepath.EvalSymlinks(t.Dir); err == nil {
		for dir := real; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			if _, err := os.Lstat(filepath.Join(dir, manifestName)); err == nil &&
				publicationName.MatchString(filepath.Base(dir)) {
				return fmt.Errorf("%s is in a publication (%s): name the folder above it, or another one for the %s",
					t.Dir, dir, t.title())
			}
		}
	}
	name := CurrentName(t.Dir)
	info, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at the %s folder: %w", t.title(), err)
	}
	if filepath.Base(name) == currentFile {
		if _, err := currentFolder(t.Dir); err == nil && info.Mode().IsRegular() {
			return t.checkKind()
		}
	} else if to, err := os.Readlink(name); err == nil && publicationName.MatchString(to) {
		return t.checkKind()
	}
	return fmt.Errorf("%s is not ours, and would be replaced: move it away, or name another folder for the %s", name,
		t.title())
}

// checkKind returns an error if another sink publishes in the folder.
func (t Target) checkKind() error {
	folder, err := currentFolder(t.Dir)
	if err != nil {
		return nil // it leads nowhere, and may be replaced
	}
	m, err := readManifest(folder)
	if err != nil || path.Ext(m.Files[0].Path) == t.Sink.About().Extension {
		return nil
	}
	return fmt.Errorf("%s has publications of another kind, *%s: name another folder for the %s", t.Dir,
		path.Ext(m.Files[0].Path), t.title())
}
