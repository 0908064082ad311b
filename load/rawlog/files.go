// Package rawlog reads and writes the files of the raw layer: <folder>/<source_id>/<load_id>-<n>.parquet. These Parquet files hold every version of every row
// that a load has seen, and each has metadata about the loads that wrote it. A file is written once; several may be written anew as one.
//
// It reads these files with Arrow, and writes them with package parquetfile. It must never know the warehouse's tables, nor which files the warehouse names.
package rawlog

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"pipeline/load/tool/outpath"
	"pipeline/sql/schema"
)

var fileName = regexp.MustCompile(`^([0-9]{8,})-([0-9]+)\.parquet$`)

// Load is the metadata of a file that a load wrote. A rebuild needs only this and the rows.
type Load struct {
	LoadID           int64         `json:"load_id"`
	StartedAt        schema.Millis `json:"started_at"`
	GapMs            int64         `json:"session_gap_ms"`
	WindowMs         int64         `json:"commit_window_ms"`
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
	Load         int64 // number of the load that wrote it; 0: it was rewritten
	Seq          int64 // of the file: one with a larger number holds later versions
}

// RewrittenPath returns the path of a rewritten file.
func RewrittenPath(source string, seq int64) Path { return newPath(source, 0, seq) }

// LoadPath returns the path of a file that a load writes.
func LoadPath(source string, load, seq int64) Path { return newPath(source, load, seq) }

func newPath(source string, load, seq int64) Path {
	return Path{source, fmt.Sprintf("%08d-%d.parquet", load, seq), load, seq}
}

// String returns the path within the layer's folder. The warehouse names the file by it.
func (p Path) String() string { return p.Source + "/" + p.Name }

// IsRewritten reports whether maintenance wrote the file, and not a load.
func (p Path) IsRewritten() bool { return p.Load == 0 }

// In returns the file's path on the disk.
func (p Path) In(dir string) string { return filepath.Join(dir, p.Source, p.Name) }

// List lists the layer's files in their order. If the folder is missing, the list is empty. It leaves out what is not a regular file, such as a pipe.
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
			if m := fileName.FindStringSubmatch(e.Name()); m != nil && outpath.File(filepath.Join(dir, source.Name(), e.Name())) == nil {
				load, err1 := strconv.ParseInt(m[1], 10, 64)
				seq, err2 := strconv.ParseInt(m[2], 10, 64)
				if errors.Join(err1, err2) == nil {
					out = append(out, Path{source.Name(), e.Name(), load, seq})
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b Path) int { return int(a.Seq - b.Seq) })
	return out, nil
}
