// Package rawlog reads and writes the files of the raw layer: <folder>/<source_id>/<load_id>-<n>.parquet. These Parquet
// files hold every version of every row that a load has seen, and each has metadata about the loads that wrote it. A
// file is written once; several may be merged into one, 00000000-<first>-<last>.parquet. It gets its name when it is
// complete and was read again. From then on a file whose numbers lie within those of another is not looked at, and is
// removed later.
//
// It reads these files with Arrow, and writes them with package parquetfile. It must never know the warehouse's tables,
// nor which files the warehouse names.
package rawlog

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pipeline/load/tool/outpath"
	"pipeline/sql/schema"
)

var fileName = regexp.MustCompile(`^([0-9]{8,})-([0-9]+)(?:-([0-9]+))?\.parquet$`)

// Load is the metadata of a file that a load wrote. A rebuild needs only this and the rows.
type Load struct {
	LoadID           int64         `json:"load_id"`
	StartedAt        schema.Millis `json:"started_at"`
	SessionGapMs     int64         `json:"session_gap_ms"`
	CommitWindowMs   int64         `json:"commit_window_ms"`
	Full             bool          `json:"full"`
	Limits           Limits        `json:"limits"`
	TransformVersion int64         `json:"transform_version"`
	ToolVersion      string        `json:"tool_version"`
	Changed          bool          `json:"changed"` // rows of tables; else only rows that no table is built from
	Source           schema.Source `json:"source"`
}

// Limits are the conversations that a load was for: those of a period, of some projects.
type Limits struct {
	Since    *schema.Millis `json:"since_ms,omitempty"`
	Until    *schema.Millis `json:"until_ms,omitempty"`
	Projects []string       `json:"projects,omitempty"`
}

// Path is the path of a file of the layer.
type Path struct {
	Source, Name string
	Load         int64 // number of the load that wrote it; 0: it was merged
	First        int64 // the smallest number of the files in it; Seq for a file that a load wrote
	Seq          int64 // of the file, or of the last in it: one with a larger number holds later versions
}

// MergedPath returns the path of the file that holds the rows of all files of a source from a number to another.
func MergedPath(source string, first, last int64) Path {
	return Path{source, fmt.Sprintf("%08d-%d-%d.parquet", 0, first, last), 0, first, last}
}

// LoadPath returns the path of a file that a load writes.
func LoadPath(source string, load, seq int64) Path {
	return Path{source, fmt.Sprintf("%08d-%d.parquet", load, seq), load, seq, seq}
}

// parse returns the path of a file with this name.
func parse(source, name string) (_ Path, ok bool) {
	m := fileName.FindStringSubmatch(name)
	if m == nil {
		return Path{}, false
	}
	var numbers [3]int64
	for i, digits := range m[1:] {
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil && digits != "" {
			return Path{}, false
		}
		numbers[i] = n
	}
	switch isMerged := m[3] != ""; {
	case isMerged != (numbers[0] == 0):
		return Path{}, false
	case isMerged:
		return Path{source, name, 0, numbers[1], numbers[2]}, numbers[1] <= numbers[2]
	}
	return Path{source, name, numbers[0], numbers[1], numbers[1]}, true
}

// String returns the path within the layer's folder. The warehouse names the file by it.
func (p Path) String() string { return p.Source + "/" + p.Name }

// IsMerged reports whether the file holds the rows of others.
func (p Path) IsMerged() bool { return p.Load == 0 }

// covers reports whether a file holds the rows of another.
func (p Path) covers(other Path) bool {
	return p.IsMerged() && p.Source == other.Source && p.First <= other.First && other.Seq <= p.Seq &&
		p.Name != other.Name
}

// In returns the file's path on the disk.
func (p Path) In(dir string) string { return filepath.Join(dir, p.Source, p.Name) }

// List lists the layer's files in their order. If the folder is missing, the list is empty. It leaves out what is not a
// regular file, such as a pipe.
func List(dir string) (out []Path, err error) {
	sources, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look into the raw layer: %w", err)
	}
	for _, source := range sources {
		if !source.IsDir() {
			continue
		}
		entries, err := os.ReadDir(filepath.Join(dir, source.Name()))
		if err != nil {
			return nil, fmt.Errorf("look into the raw layer: %w", err)
		}
		for _, e := range entries {
			if path, ok := parse(source.Name(), e.Name()); ok && outpath.File(path.In(dir)) == nil {
				out = append(out, path)
			}
		}
	}
	slices.SortFunc(out, func(a, b Path) int { return int(a.Seq - b.Seq) })
	return out, nil
}

// Split tells the files that count from those that a merged file covers.
func Split(files []Path) (counting, covered []Path) {
	isCovered := coveredBy(files)
	for _, f := range files {
		if isCovered(f) {
			covered = append(covered, f)
		} else {
			counting = append(counting, f)
		}
	}
	return counting, covered
}

// Covered returns a function that reports whether one of some files covers the file at a path of the layer.
func Covered(files []Path) func(path string) bool {
	isCovered := coveredBy(files)
	return func(path string) bool {
		f, ok := Parse(path)
		return ok && isCovered(f)
	}
}

// Parse returns the file at a path of the layer, as Path.String has it.
func Parse(path string) (Path, bool) {
	source, name, _ := strings.Cut(filepath.ToSlash(path), "/")
	return parse(source, name)
}

func coveredBy(files []Path) func(Path) bool {
	merged := slices.DeleteFunc(slices.Clone(files), func(f Path) bool { return !f.IsMerged() })
	return func(f Path) bool {
		return slices.ContainsFunc(merged, func(other Path) bool { return other.covers(f) })
	}
}
