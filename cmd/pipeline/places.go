package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/pipelines"
	"pipeline/pipelines/file"
)

// This file says where nothing that this program writes may be: among Cursor's own files, and among those of the raw layer. It looks at paths alone,
// before anything is read or made.

// A forbidden folder is one in which no output is made.
type forbidden struct{ dir, what string }

// forbiddenFolders are Cursor's folders, those that are found here and those of the sources, and the raw layer of a warehouse.
func forbiddenFolders(env extract.Env, sources []extract.Source, warehouse string) []forbidden {
	out := []forbidden{{load.RawDir(warehouse), "the raw layer of the warehouse"}}
	found, looked, _ := extract.Discover(env) // whoever reads the stores tells of what cannot be looked at
	for _, s := range slices.Concat(found, sources) {
		out = append(out, forbidden{s.UserDir, "a folder of Cursor"})
	}
	for _, dir := range looked { // also where nothing is there yet
		out = append(out, forbidden{dir, "a folder of Cursor"})
	}
	return out
}

// checkPlace refuses an output in a forbidden folder. flag is what the person called it.
func checkPlace(path, flag string, never []forbidden) error {
	path, err := settled(path)
	if err != nil {
		return err
	}
	for _, f := range never {
		dir, err := settled(f.dir)
		if err != nil {
			return err
		}
		if isWithin(path, dir) {
			return inForbidden(path, f, flag)
		}
	}
	if dir := cursorsAbove(path, dotFolders()); dir != "" {
		return inForbidden(path, forbidden{dir, "a folder of Cursor"}, flag)
	}
	return nil
}

func inForbidden(path string, f forbidden, flag string) error {
	return &placeError{pipelines.UsageError{Message: fmt.Sprintf("%s is in %s (%s), in which nothing is written: name another place with %s", path, f.what, f.dir, flag)}}
}

// checkWarehousePlace refuses a warehouse among Cursor's files, since a lock, notes and the raw layer would be made beside it, and a SQLite file, which
// may be a store, in its place.
func checkWarehousePlace(path string) error {
	dots := dotFolders()
	for _, end := range []string{"", ".raw", ".search"} { // the latter two may be links
		real, err := settled(path + end)
		if err != nil {
			return err
		}
		if dir := cursorsAbove(real, dots); dir != "" {
			return inForbidden(path+end, forbidden{dir, "a folder of Cursor"}, "--warehouse; a warehouse that is there already can be moved, with all files beside it whose names begin alike")
		}
	}
	if isSQLite(path) {
		return &placeError{pipelines.UsageError{Message: path + " is a SQLite database, and no warehouse: name another file with --warehouse"}}
	}
	return nil
}

// dotFolders are the folders of Cursor's command line, settled.
func dotFolders() (dots []string) {
	for _, dir := range extract.HostEnv("").DotFolders() {
		if real, err := settled(dir); err == nil {
			dots = append(dots, real)
		}
	}
	return dots
}

// cursorsAbove is the folder of Cursor that a path is in, told by what folders hold, whoever made them, and by the names of those of its command line
// (dots); "" for none. The path is one that is settled.
func cursorsAbove(path string, dots []string) string {
	for dir, below := path, ""; dir != below; dir, below = filepath.Dir(dir), dir {
		for _, name := range []string{filepath.Join("globalStorage", "state.vscdb"), "workspaceStorage"} {
			if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
				return dir
			}
		}
		if slices.Contains(dots, dir) {
			return dir
		}
	}
	return ""
}

// isSQLite reports a file that begins as SQLite's do.
func isSQLite(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false // whoever opens it tells of it
	}
	head := make([]byte, len(extract.SQLiteMagic))
	_, err = io.ReadFull(f, head)
	return errors.Join(err, f.Close()) == nil && string(head) == extract.SQLiteMagic
}

// settled is where a path leads: links of what is there of it are followed.
func settled(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	rest := ""
	for at := path; ; at = filepath.Dir(at) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest), nil
		} else if at == filepath.Dir(at) {
			return path, nil
		}
		if to, err := os.Readlink(at); err == nil && filepath.IsAbs(to) { // to what is not there yet
			return filepath.Join(to, rest), nil
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}

// isWithin reports that a path is a folder, or below it.
func isWithin(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// checkParquetPlace refuses a folder for Parquet that is forbidden, or that has a current which is not ours.
func checkParquetPlace(dir, flag string, never []forbidden) error {
	if err := checkPlace(dir, flag, never); err != nil {
		return err
	}
	if err := load.CheckCurrent(dir); err != nil {
		return &placeError{pipelines.UsageError{Message: err.Error()}}
	}
	return nil
}

// checkOutputs refuses what a run may not write to. Nothing is looked for where a run writes nothing but its warehouse.
func checkOutputs(c *cli.Context, opt pipelines.Options) error {
	if log := c.Path("log"); opt.Parquet == "" && c.Path("report") == "" && (log == "" || log == file.LogNone) {
		return nil
	}
	var named []extract.Source
	if len(namedSources(c)) > 0 { // those that are found by themselves are forbidden anyway
		var err error
		named, _, err = sources(c)
		if usage := (*pipelines.UsageError)(nil); errors.As(err, &usage) {
			return nil // it is told where the sources are read
		}
	}
	never := forbiddenFolders(env(c), named, opt.Warehouse)
	for _, flag := range []string{"report", "log"} {
		if path := c.Path(flag); path != "" && path != file.LogNone {
			if err := checkPlace(path, "--"+flag, never); err != nil {
				return err
			}
		}
	}
	if opt.Parquet == "" {
		return nil
	}
	return checkParquetPlace(opt.Parquet, "--parquet", never)
}

// checkExportPlace is checkPlace for commands that read the warehouse alone.
func checkExportPlace(path, flag, warehouse string) error {
	if info, err := os.Stat(path); path == "" || err == nil && info.Mode()&(fs.ModeDevice|fs.ModeNamedPipe) != 0 {
		return nil
	}
	return checkPlace(path, flag, forbiddenFolders(extract.HostEnv(""), nil, warehouse))
}
