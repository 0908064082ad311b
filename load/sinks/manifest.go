package sinks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"pipeline/load/digest"
	"pipeline/load/tool/atomicfile"
	"pipeline/load/tool/outpath"
	"pipeline/sql/schema"
)

// manifestName is the file of a publication that lists the others. Readers of Parquet ignore files whose names begin with an underscore.
const manifestName = "_manifest.json"

// manifestFormat is the version of the list.
const manifestFormat = 1

// manifest lists the files of a publication. It has neither times nor absolute paths.
type manifest struct {
	Format        int             `json:"format"`
	LoadID        int64           `json:"load_id"`
	SchemaVersion int             `json:"schema_version"`
	ToolVersion   string          `json:"tool_version"`
	State         string          `json:"state,omitempty"`     // of the warehouse when it was published (engine.MetaLineage)
	Redaction     int64           `json:"redaction,omitempty"` // version of what took secrets out; 0: nothing did
	Files         []publishedFile `json:"files"`
}

// publishedFile is a file of a publication.
type publishedFile struct {
	Path    string `json:"path"` // from the publication's folder, with slashes
	Table   string `json:"table"`
	Month   string `json:"month,omitempty"`   // of a partitioned table; of a further part of a month with its number, see partLabel
	First   string `json:"first,omitempty"`   // of a further part of a month: see bound
	Members string `json:"members,omitempty"` // a hash over the ids of the month's conversations
	Live    string `json:"live,omitempty"`    // of a file of live rows: a hash over the ids of the live conversations; its Content is that of the file of all rows
	Rows    int64  `json:"rows"`
	Content string `json:"content"` // a hash over all rows, whatever their order; or unhashed, and the state of the warehouse with these rows
	Writer  string `json:"writer"`  // two files of equal rows and one writer are as good as each other
	Bytes   int64  `json:"bytes"`
	XXH3    string `json:"xxh3"`
}

// unhashed begins the Content of a file that was written without a look at what the rows were before.
const unhashed = "rows of state "

// holds reports whether two files have the same rows in the same form.
func (f publishedFile) holds(other publishedFile) bool {
	return f.Path == other.Path && f.Rows == other.Rows && f.Content == other.Content && f.Writer == other.Writer && f.Live == other.Live
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

// bytes is what the files take. A file of live rows that is a link takes nothing.
func (m *manifest) bytes() (n int64) {
	for _, f := range m.Files {
		if f.Live == "" || f.Rows != m.file(f.allRows()).Rows {
			n += f.Bytes
		}
	}
	return n
}

// file returns the file with a path; an empty one if the list has none.
func (m *manifest) file(path string) publishedFile {
	if i := slices.IndexFunc(m.Files, func(f publishedFile) bool { return f.Path == path }); i >= 0 {
		return m.Files[i]
	}
	return publishedFile{}
}

// isWhole reports whether a folder has the files of a plan, unchanged since they were written, and no other file of ours. If so, it also sets the sizes and
// sums of the plan's files.
func (t Target) isWhole(m *manifest, folder string) bool {
	was, err := readManifest(folder)
	if err != nil || was.LoadID != m.LoadID || !slices.EqualFunc(was.Files, m.Files, publishedFile.holds) {
		return false
	}
	found, _, err := t.lookInto(folder)
	if err != nil || len(found) != len(was.Files) {
		return false
	}
	for _, f := range was.Files {
		if f.problem(folder) != "" {
			return false
		}
	}
	m.Files = was.Files
	return true
}

// earlierFiles maps paths to the files of earlier publications.
type earlierFiles map[string]earlierFile

type earlierFile struct {
	publishedFile
	folder string
}

// earlier lists the files that may be used again: those of the folder of this publication, if it exists and is damaged, and those of the current publication.
func (p *publisher) earlier() earlierFiles {
	out := earlierFiles{}
	folders := []string{p.out.Folder}
	if current, err := currentFolder(p.Dir); err == nil {
		folders = append([]string{current}, folders...)
	}
	for _, folder := range folders {
		if m, err := readManifest(folder); err == nil {
			for _, f := range m.Files {
				out[f.Path] = earlierFile{f, folder}
			}
		}
	}
	return out
}

// take puts a file that exists already into its place, and reports whether there is one.
func (p *publisher) take(ctx context.Context, m *manifest, f *publishedFile, to string) (linked bool, err error) {
	if f.Live != "" {
		return p.takeLive(m.file(f.allRows()), f, to)
	}
	linked, err = p.reuse(ctx, f, to)
	if linked {
		p.reused[f.Path] = true
	}
	return linked, err
}

// reuse links a file of an earlier publication, unless it was altered since.
func (p *publisher) reuse(ctx context.Context, f *publishedFile, to string) (bool, error) {
	was, ok := p.before[f.Path]
	if ok && strings.HasPrefix(was.Content, unhashed) && !strings.HasPrefix(f.Content, unhashed) && was.Rows == f.Rows && was.Writer == f.Writer {
		was.Content = p.contentOf(ctx, was)
	}
	if !ok || !was.holds(*f) || was.problem(was.folder) != "" {
		return false, nil
	}
	return true, f.link(was.publishedFile, was.folder, to)
}

// link links a file of a folder that has the rows of f. If the file system cannot link it, link copies it.
func (f *publishedFile) link(was publishedFile, folder, to string) error {
	from := filepath.Join(folder, filepath.FromSlash(was.Path))
	err := os.Link(from, to)
	if err != nil && !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EIO) { // some file systems have no links, or not so many of one file
		if err = atomicfile.Copy(from, to); err == nil {
			err = atomicfile.Sync(to)
		}
	}
	if err != nil {
		return fmt.Errorf("take %s from %s: %w", f.Path, from, err)
	}
	f.Bytes, f.XXH3 = was.Bytes, was.XXH3
	return nil
}

// contentOf reads the hash of a file that has none yet, because nobody needed it; "" if the file cannot be read.
func (p *publisher) contentOf(ctx context.Context, f earlierFile) string {
	table, _ := schema.Lookup(f.Table)
	from, err := p.Sink.Scan(table, []string{filepath.Join(f.folder, filepath.FromSlash(f.Path))})
	var d digest.Digest
	if err != nil || p.conn.QueryRowContext(ctx, digest.Query(table, from)).Scan(&d.Rows, &d.Hash) != nil {
		return ""
	}
	return d.Hash
}

// tableFiles returns a table's files: those of all rows, or those of live rows.
func (m *manifest) tableFiles(t schema.Table, live bool) (files []publishedFile) {
	for _, f := range m.Files {
		if f.Table == t.Name && (f.Live != "") == live {
			files = append(files, f)
		}
	}
	return files
}

// tablePaths returns where tableFiles are.
func (m *manifest) tablePaths(t schema.Table, live bool, folder string) (paths []string) {
	for _, f := range m.tableFiles(t, live) {
		paths = append(paths, filepath.Join(folder, filepath.FromSlash(f.Path)))
	}
	return paths
}
