//go:build !windows

package extract

import (
	"io/fs"
	"os"
)

// OpenShared opens a file of a source for reading. Other programs may write to it, rename it and remove it meanwhile.
func OpenShared(path string) (*os.File, error) { return os.Open(path) }

// listFolder lists a folder of a source.
func listFolder(dir string) ([]fs.DirEntry, error) { return os.ReadDir(dir) }
