package load

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// This file names the files that are made beside a warehouse, to be renamed when they are whole.

const newSuffix = ".new-"

// newEnds are the ends of their names: the process, what the file is for, and what the engine puts beside it.
var newEnds = regexp.MustCompile(`^[0-9]+(-raw|-schema|-small)?(\.wal|\.tmp)?$`)

// newFile is the path of a file that this process makes beside a warehouse.
func newFile(warehouse, use string) string {
	return warehouse + newSuffix + strconv.Itoa(os.Getpid()) + use
}

// NewFiles lists the files that are being made beside a warehouse, and those that killed processes left. Somebody's file whose name only begins so is
// none of them.
func NewFiles(warehouse string) (names []string) {
	entries, _ := os.ReadDir(filepath.Dir(warehouse)) // what cannot be listed cannot be swept
	for _, e := range entries {
		if end, ok := strings.CutPrefix(e.Name(), filepath.Base(warehouse)+newSuffix); ok && newEnds.MatchString(end) {
			names = append(names, warehouse+newSuffix+end)
		}
	}
	return names
}
