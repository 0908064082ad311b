package result

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"pipeline/cmd/pipeline/internal/places"
	"pipeline/load/tool/atomicfile"
	"pipeline/load/tool/outpath"
	"pipeline/pipelines"
)

// Deliver writes a text to the destination of the result.
func (o *Writer) Deliver(warehouse string, text func(w io.Writer) error) error {
	return o.write(warehouse, func(w io.Writer, _ string) error { return text(w) })
}

// Check returns an error if the destination cannot be written to.
func (o *Writer) Check(warehouse string) error {
	_, err := o.target(warehouse)
	return err
}

// write writes a result to its destination. A file has another name until it is whole. The engine itself writes
// Parquet, to that file.
func (o *Writer) write(warehouse string, write func(w io.Writer, file string) error) (err error) {
	target, err := o.target(warehouse)
	if err != nil {
		return err
	}
	w := o.Stdout
	if target == nil && o.File != "" {
		f, err := outpath.OpenStream(o.File)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		w = f
	}
	if target == nil && o.Format != Parquet {
		return write(w, "")
	}
	dir, name := "", "result"
	if target != nil {
		dir, name = filepath.Split(*target)
	}
	temp, err := os.CreateTemp(filepath.Clean(dir), "."+name+".*")
	if err != nil {
		return fmt.Errorf("write the result: %w; name a folder that is there and that you may write to", err)
	}
	defer func() {
		_ = temp.Close()
		if target == nil || err != nil {
			err = errors.Join(err, os.Remove(temp.Name()))
		}
	}()
	if err := write(temp, temp.Name()); err != nil {
		return err
	}
	if target == nil {
		_, err = io.Copy(w, temp)
		return err
	}
	if err := errors.Join(temp.Sync(), temp.Close()); err != nil {
		return fmt.Errorf("write %s: %w", o.File, err)
	}
	return atomicfile.Move(temp.Name(), *target)
}

// target is the file that is replaced; nil if the result goes to standard output or another stream.
func (o *Writer) target(warehouse string) (*string, error) {
	if o.File == "" {
		return nil, nil
	}
	path, err := filepath.Abs(o.File)
	if err != nil {
		return nil, err
	}
	if err := places.CheckExport(path, "--output", warehouse); err != nil {
		return nil, err
	}
	if followed, err := filepath.EvalSymlinks(path); err == nil {
		path = followed
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return &path, nil
	case err != nil:
		return nil, err
	}
	if err := outpath.Result(o.File); err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil
	}
	if of, err := os.Stat(warehouse); err == nil && os.SameFile(of, info) {
		return nil, &pipelines.UsageError{Message: o.File + " is the warehouse: name another file with --output"}
	}
	if places.IsDatabase(path) { // for example a store of the editor
		return nil, &pipelines.UsageError{Message: o.File +
			" is a database, which would be lost: name another file with --output"}
	}
	return &path, nil
}
