package sinks

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"pipeline/load/changes"
	"pipeline/load/tool/atomicfile"
	"pipeline/load/tool/outpath"
	"pipeline/sql/schema"
)

// manifestName is the file of a publication that lists the others. Readers of Parquet ignore files whose names begin
// with an underscore.
const manifestName = "_manifest.json"

// manifestFormat is the version of the list.
const manifestFormat = 1

// manifest lists the files of a publication. It has neither times nor absolute paths.
type manifest struct {
	Format int `json:"format"`
	changes.Mark
	SchemaVersion int    `json:"schema_version"`
	ToolVersion   string `json:"tool_version"`
	// files of equal rows by one writer are as good as each other
	Writer    string          `json:"writer"`
	Redaction int64           `json:"redaction,omitempty"` // version of what took secrets out; 0: nothing did
	Files     []publishedFile `json:"files"`

	due []due // what has to be written
}

// publishedFile is a file of a publication.
type publishedFile struct {
	Path  string `json:"path"` // from the publication's folder, with slashes
	Table string `json:"table"`
	changes.Place
	Rows  int64  `json:"rows"`
	Bytes int64  `json:"bytes"`
	XXH3  string `json:"xxh3"`
}

// problem says how a file differs from the file that was written. It returns "" if it does not.
func (f publishedFile) problem(folder string) string {
	path := filepath.Join(folder, filepath.FromSlash(f.Path))
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "it is gone"
	case err != nil:
		return fmt.Sprintf("it cannot be read: %v", err)
	case !info.Mode().IsRegular():
		return "it is no file"
	case info.Size() != f.Bytes:
		return fmt.Sprintf("it is not as it was written: %d bytes, was %d", info.Size(), f.Bytes)
	}
	sum, _, err := atomicfile.QuickSum(path)
	switch {
	case err != nil:
		return fmt.Sprintf("it cannot be read: %v", err)
	case sum != f.XXH3:
		return fmt.Sprintf("it is not as it was written: its sum is %.12s, was %.12s", sum, f.XXH3)
	}
	return ""
}

// seal syncs a file that was written to the disk, and notes its size and sum.
func (f *publishedFile) seal(path string) (err error) {
	if err := atomicfile.Sync(path); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if f.XXH3, f.Bytes, err = atomicfile.QuickSum(path); err != nil {
		return fmt.Errorf("read what was written: %w", err)
	}
	return nil
}

// readManifest reads the list of a publication's files.
func readManifest(folder string) (*manifest, error) {
	text, err := outpath.Read(filepath.Join(folder, manifestName), 1<<30)
	if err != nil {
		return nil, err
	}
	m := &manifest{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, fmt.Errorf("read %s: %w", filepath.Join(folder, manifestName), err)
	}
	outside := func(f publishedFile) bool { return !publishedPath.MatchString(f.Path) }
	if m.Format != manifestFormat || len(m.Files) == 0 || slices.ContainsFunc(m.Files, outside) {
		return nil, fmt.Errorf("%s is of another version, or was altered", filepath.Join(folder, manifestName))
	}
	return m, nil
}

// store writes the list into a publication's folder.
func (m *manifest) store(folder string) error {
	text, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return err
	}
	path := filepath.Join(folder, manifestName)
	if err := os.WriteFile(path, append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("write the list of published files: %w", err)
	}
	if err := atomicfile.Sync(path); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// bytes is what the files take.
func (m *manifest) bytes() (n int64) {
	for _, f := range m.Files {
		n += f.Bytes
	}
	return n
}

// isWhole reports whether the folder of the publication before is that of a plan, with all its files and no other file
// of ours.
func (p *publisher) isWhole(m *manifest) bool {
	if len(m.due) > 0 || p.before.Mark != m.Mark || p.folder != p.out.Folder {
		return false
	}
	found, _, err := p.lookInto(p.folder)
	return err == nil && len(found) == len(p.before.Files)
}

// link links a file of the publication before. If the file system cannot link it, link copies it.
func (p *publisher) link(f *publishedFile) error {
	to, err := p.folderOf(f.Path)
	if err != nil {
		return err
	}
	from := filepath.Join(p.folder, filepath.FromSlash(f.Path))
	err = os.Link(from, to)
	if err != nil && !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EIO) {
		// some file systems have no links, or not so many of one file
		if err = atomicfile.Copy(from, to); err == nil {
			err = atomicfile.Sync(to)
		}
	}
	if err != nil {
		return fmt.Errorf("take %s from %s: %w", f.Path, from, err)
	}
	return nil
}

// tableFiles returns a table's files.
func (m *manifest) tableFiles(t schema.Table) (files []publishedFile) {
	for _, f := range m.Files {
		if f.Table == t.Name {
			files = append(files, f)
		}
	}
	return files
}

// tablePaths returns where tableFiles are.
func (m *manifest) tablePaths(t schema.Table, folder string) (paths []string) {
	for _, f := range m.tableFiles(t) {
		paths = append(paths, filepath.Join(folder, filepath.FromSlash(f.Path)))
	}
	return paths
}
