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
	"sync/atomic"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"pipeline/load/engine"
	"pipeline/sql/schema"
)

// A Writer writes a file of the raw layer. It compresses and writes rows while it takes the next ones.
type Writer struct {
	Path    string // where it is written
	out     *os.File
	sink    *sink
	columns *arrow.Schema
	builder []array.Builder // nil for the column of the values
	values  *byteColumn
	group   int64 // bytes that are held before they are compressed and written as one row group
	held    int64 // bytes in the builder and the values, about
	rows    int64
	bytes   int64
	groups  chan rowGroup
	free    chan *byteColumn
	written sync.WaitGroup // of groups
	about   [2]string      // name and JSON of what it says of itself, before groups is closed
	done    chan error
}

// rowGroup is a row group on its way to the file, with the buffers of its values.
type rowGroup struct {
	arrow.Record
	values *byteColumn
}

// pageBatch is how many values the Parquet writer takes before it looks whether a page is full. Its own number is 1024: then pages of values become several
// times as large as intended, and the buffers for them are a quarter of the layer's cost.
const pageBatch = 64

// NewWriter begins a file.
func NewWriter(path string, group int64) (*Writer, error) {
	if err := registerCodec(); err != nil {
		return nil, err
	}
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, engine.WithRemedy(fmt.Errorf("begin a file of the raw layer: %w", err))
	}
	f := &Writer{Path: path, out: out, sink: &sink{out: out, sum: sha256.New()}, columns: arrowSchema(schema.RawLayer()), group: group,
		groups: make(chan rowGroup, 1), done: make(chan error, 1),
		values: &byteColumn{}, free: make(chan *byteColumn, 1)}
	f.free <- &byteColumn{}
	for _, field := range f.columns.Fields() {
		var b array.Builder
		if field.Name != "value" {
			b = array.NewBuilder(memory.DefaultAllocator, field.Type)
		}
		f.builder = append(f.builder, b)
	}
	options := []parquet.WriterProperty{parquet.WithCompression(compress.Codecs.Zstd), parquet.WithCompressionLevel(fastest)}
	for _, name := range []string{"key", "key_bytes", "value", "hash", "rowid", "value_bytes"} { // hardly two are equal
		options = append(options, parquet.WithDictionaryFor(name, false))
	}
	options = append(options, parquet.WithStatsFor("value", false), parquet.WithBatchSize(pageBatch))
	w, err := pqarrow.NewFileWriter(f.columns, f.sink, parquet.NewWriterProperties(options...), pqarrow.DefaultWriterProps())
	if err != nil {
		return nil, errors.Join(err, out.Close())
	}
	go f.write(w)
	return f, nil
}

// sink is a file whose Write never returns an error; failure does. The Parquet writer panics when the disk is full, and would close the file before it is
// synced.
type sink struct {
	out io.Writer
	sum hash.Hash
	err atomic.Pointer[error] // the first; nothing is written after it
}

func (s *sink) Write(b []byte) (int, error) {
	if s.err.Load() == nil {
		_, _ = s.sum.Write(b)
		if _, err := s.out.Write(b); err != nil {
			s.err.Store(&err)
		}
	}
	return len(b), nil
}

// unwritten adds to an error that a file of the raw layer could not be written.
func unwritten(err error) error {
	if engine.Remedy(err) != "" { // it says so already
		return err
	}
	return engine.WithRemedy(fmt.Errorf("write a file of the raw layer: %w", err))
}

// failure returns the first error of writing.
func (s *sink) failure() error {
	if err := s.err.Load(); err != nil {
		return unwritten(*err)
	}
	return nil
}

// write compresses and writes the row groups, until there are no more.
func (f *Writer) write(w *pqarrow.FileWriter) {
	var failed error
	for group := range f.groups {
		if failed == nil {
			failed = w.Write(group.Record)
		}
		group.Release()
		group.values.reset(f.group)
		f.free <- group.values
		f.written.Done()
	}
	f.done <- errors.Join(failed, w.AppendKeyValueMetadata(f.about[0], f.about[1]), w.Close())
}

// Append adds a row.
func (f *Writer) Append(row *schema.RawRow) error {
	alone := int64(len(row.Value)) > f.group // the writer holds such a value several times over: nothing else is on its way then
	if alone {
		f.flush()
		f.written.Wait()
	}
	v := reflect.ValueOf(row).Elem()
	for i, b := range f.builder {
		if b == nil {
			f.values.append(row.Value)
			continue
		}
		appendValue(b, v.Field(i))
	}
	f.rows++
	if f.held += int64(len(row.Value) + len(row.Key) + 200); f.held > f.group {
		f.flush()
	}
	if alone {
		f.written.Wait()
	}
	return f.sink.failure()
}

func (f *Writer) flush() {
	if f.held == 0 {
		return
	}
	f.written.Add(1)
	f.bytes += f.held
	f.held = 0
	columns, rows := make([]arrow.Array, len(f.builder)), f.values.len()
	for i, b := range f.builder {
		if b == nil {
			columns[i] = f.values.array(f.columns.Field(i).Type)
			continue
		}
		columns[i] = b.NewArray()
	}
	f.groups <- rowGroup{array.NewRecord(f.columns, columns, int64(rows)), f.values}
	for _, c := range columns {
		c.Release() // the record holds it
	}
	f.values = <-f.free
}

// Finish ends the file of a load and syncs it to the disk.
func (f *Writer) Finish(load Load) (schema.RawFile, error) { return f.finish(metaLoad, load) }

// finish ends the file with its metadata and syncs it to the disk.
func (f *Writer) finish(name string, about any) (schema.RawFile, error) {
	f.flush()
	text, err := json.Marshal(about)
	if err != nil {
		return schema.RawFile{}, err
	}
	f.about = [2]string{name, string(text)}
	close(f.groups)
	err = <-f.done
	if failed := f.sink.failure(); failed != nil { // whatever else failed, that is why
		err = failed
	}
	info, statErr := f.out.Stat()
	if err = errors.Join(err, f.out.Sync(), statErr, f.out.Close()); err != nil {
		return schema.RawFile{}, unwritten(err)
	}
	return schema.RawFile{Rows: f.rows, Bytes: info.Size(), SHA256: hex.EncodeToString(f.sink.sum.Sum(nil))}, nil
}

// Abandon closes and removes a file that is no longer wanted.
func (f *Writer) Abandon() {
	close(f.groups)
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

// arrowTypes maps the column types to Arrow's.
var arrowTypes = map[string]arrow.DataType{
	"VARCHAR": arrow.BinaryTypes.String, "BIGINT": arrow.PrimitiveTypes.Int64, "BLOB": arrow.BinaryTypes.Binary,
	"TIMESTAMPTZ": &arrow.TimestampType{Unit: arrow.Millisecond, TimeZone: "UTC"},
}

func arrowSchema(t schema.Table) *arrow.Schema {
	fields := make([]arrow.Field, len(t.Columns))
	for i, c := range t.Columns {
		fields[i] = arrow.Field{Name: c.Name, Type: arrowTypes[c.Type], Nullable: c.Nullable}
	}
	return arrow.NewSchema(fields, nil)
}

func appendValue(b array.Builder, v reflect.Value) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			b.AppendNull()
			return
		}
		v = v.Elem()
	}
	switch b := b.(type) {
	case *array.StringBuilder:
		b.Append(schema.CleanText(v.String()))
	case *array.Int64Builder:
		b.Append(v.Int())
	case *array.TimestampBuilder:
		b.Append(arrow.Timestamp(v.Int()))
	case *array.BinaryBuilder:
		if v.IsNil() {
			b.AppendNull()
			return
		}
		b.Append(v.Bytes())
	default:
		panic(fmt.Sprintf("load: a raw column of type %T has no builder", b))
	}
}
