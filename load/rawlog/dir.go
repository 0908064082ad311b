package rawlog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pipeline/load/tool/atomicfile"
)

// This file knows the layer's folder, and the names and sizes of its files.

// Dir returns the folder of a warehouse's raw layer.
func Dir(warehouse string) string { return warehouse + ".raw" }

// Sweep removes unfinished files that killed runs left.
func Sweep(dir string) error {
	sources, _ := os.ReadDir(dir) // what cannot be listed cannot be swept
	for _, source := range sources {
		files, _ := os.ReadDir(filepath.Join(dir, source.Name()))
		for _, f := range files {
			if !strings.HasPrefix(f.Name(), atomicfile.Scratch) {
				continue
			}
			if err := os.Remove(filepath.Join(dir, source.Name(), f.Name())); err != nil {
				return fmt.Errorf("remove what an interrupted run left: %w", err)
			}
		}
	}
	return nil
}

// Remedy is what to do about a damaged file.
const Remedy = "put it back from a backup, or move it away"

// Resized says how a file's size differs from the size that it was written with. It returns "" if the size is the same,
// or if the file is gone: a missing file is lost, not damaged.
func Resized(path string, bytes int64) string {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ""
	case err != nil:
		return err.Error()
	case !info.Mode().IsRegular():
		return "it is no regular file"
	case info.Size() != bytes:
		return fmt.Sprintf("it has %d bytes and was written with %d", info.Size(), bytes)
	}
	return ""
}
