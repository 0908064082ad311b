package rawlog

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"sync"

	"pipeline/load/engine"
	"pipeline/load/parquetfile"
	"pipeline/sql/schema"
)

// A Writer writes a file of the raw layer. It compresses and writes rows while it takes the next ones.
type Writer struct {
	Path    string // where it is written
	out     *os.File
	file    *parquetfile.Writer
	sum     hash.Hash // of what was written
	group   int64     // bytes that are held before they are compressed and written as one row group
	held    int64     // bytes in taking, about
	rows    int64
	taking  *parquetfile.Group
	groups  chan *parquetfile.Group
	free    chan *parquetfile.Group
	written sync.WaitGroup // of groups
	// name and JSON of what it says of itself, before groups is closed; empty: the file is not wanted
	about [2]string
	ended bool // groups is closed
	done  chan error
}

// NewWriter begins a file.
func NewWriter(path string, group int64) (*Writer, error) {
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, engine.WithRemedy(fmt.Errorf("begin a file of the raw layer: %w", err))
	}
	table := schema.RawLayer()
	options := parquetfile.Options{NoStatistics: []string{"value"}}
	f := &Writer{Path: path, out: out, sum: sha256.New(), group: group, taking: parquetfile.NewGroup(table, options),
		groups: make(chan *parquetfile.Group, 1), free: make(chan *parquetfile.Group, 1), done: make(chan error, 1)}
	f.free <- parquetfile.NewGroup(table, options)
	if f.file, err = parquetfile.NewWriter(io.MultiWriter(f.sum, out), table, options); err != nil {
		return nil, errors.Join(err, out.Close())
	}
	go f.write()
	return f, nil
}

// unwritten adds to an error that a file of the raw layer could not be written.
func unwritten(err error) error {
	if engine.Remedy(err) != "" { // it says so already
		return err
	}
	return engine.WithRemedy(fmt.Errorf("write a file of the raw layer: %w", err))
}

// failure returns the first error of writing.
func (f *Writer) failure() error {
	if err := f.file.Failure(); err != nil {
		return unwritten(err)
	}
	return nil
}

// write compresses and writes the row groups, until there are no more.
func (f *Writer) write() {
	var failed error
	for group := range f.groups {
		if failed == nil {
			failed = f.file.Write(group)
		}
		group.Reset()
		f.free <- group
		f.written.Done()
	}
	if failed == nil && f.about[0] != "" {
		if failed = f.file.Close(f.about); failed == nil {
			failed = f.out.Sync()
		}
	}
	f.done <- failed
}

// Append adds a row. Its value must not change any more.
func (f *Writer) Append(row *schema.RawRow) error {
	// the writer holds such a value several times over: nothing else is on its way then
	alone := int64(len(row.Value)) > f.group
	if alone {
		f.flush()
		f.written.Wait()
	}
	f.taking.Append(reflect.ValueOf(row))
	f.rows++
	if f.held += int64(len(row.Value) + len(row.Key) + 200); f.held > f.group {
		f.flush()
	}
	if alone {
		f.written.Wait()
	}
	return f.failure()
}

// flush passes the rows on to be written.
func (f *Writer) flush() {
	if f.held == 0 {
		return
	}
	f.written.Add(1)
	f.held = 0
	f.groups <- f.taking
	f.taking = <-f.free
}

// End ends the file of a load. What is left of it is written and synced to the disk while the caller goes on, until
// Finish.
func (f *Writer) End(load Load) error { return f.end(metaLoad, load) }

// end ends the file with its metadata.
func (f *Writer) end(name string, about any) error {
	text, err := json.Marshal(about)
	if err != nil {
		return err
	}
	f.flush()
	f.about = [2]string{name, string(text)}
	f.close()
	return nil
}

func (f *Writer) close() {
	if !f.ended {
		f.ended = true
		close(f.groups)
	}
}

// Finish waits until a file that was ended is on the disk.
func (f *Writer) Finish() (schema.RawFile, error) {
	err := <-f.done
	if failed := f.failure(); failed != nil { // whatever else failed, that is why
		err = failed
	}
	info, statErr := f.out.Stat()
	if err = errors.Join(err, statErr, f.out.Close()); err != nil {
		return schema.RawFile{}, unwritten(err)
	}
	return schema.RawFile{Rows: f.rows, Bytes: info.Size(), SHA256: hex.EncodeToString(f.sum.Sum(nil))}, nil
}

// Abandon closes and removes a file that is no longer wanted.
func (f *Writer) Abandon() {
	f.close()
	<-f.done
	_ = f.out.Close()
	f.Remove()
}

// Remove removes a file that does not have its name yet, and its folders if they are empty.
func (f *Writer) Remove() {
	_ = os.Remove(f.Path)               // if it stays, the next load sweeps it
	_ = os.Remove(filepath.Dir(f.Path)) // empty folders of a first load
	_ = os.Remove(filepath.Dir(filepath.Dir(f.Path)))
}
