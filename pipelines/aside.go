package pipelines

import (
	"os"
	"path/filepath"

	"pipeline/load/warehouse"
	"pipeline/transform"
)

// aside is a file for the rows of one conversation. Nobody finds it by its name, if the system can remove a file that
// is open; else it is removed in the end.
type aside struct{ *os.File }

// newAside makes a private file beside the warehouse, whose disk has room for these rows in any case. What a killed run
// leaves is swept like its other files. A dry run, which may write nothing there, has it in the folder for temporary
// files.
func (r *run) newAside() (transform.Aside, error) {
	dir, pattern := "", "pipeline-rows-*"
	if !r.dry {
		dir, pattern = filepath.Split(warehouse.NewFile(r.opt.Warehouse, warehouse.AsideEnd) + "*")
	}
	return NewAside(dir, pattern)
}

// NewAside makes a private file with a name of such a pattern.
func NewAside(dir, pattern string) (transform.Aside, error) {
	f, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return nil, err
	}
	_ = os.Remove(f.Name())
	return aside{f}, nil
}

func (a aside) Close() error {
	err := a.File.Close()
	_ = os.Remove(a.Name()) // of a system that keeps open files; what stays is swept
	return err
}
