package rawlog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"reflect"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"pipeline/load/tool/atomicfile"
	"pipeline/sql/schema"
)

// This file merges several files of the raw layer into one.

// MaxBatch is how many rows are read at a time if none is large. The pages of each column that hold them are unpacked.
const MaxBatch = 64

// rowsOf yields the rows of a file in their order. It reads batch rows at a time. A row is valid until the next one.
func rowsOf(ctx context.Context, path string, batch int64) iter.Seq2[*schema.RawRow, error] {
	return func(yield func(*schema.RawRow, error) bool) {
		if err := eachRow(ctx, path, batch, func(row *schema.RawRow) bool { return yield(row, nil) }); err != nil {
			yield(nil, fmt.Errorf("read %s: %w", path, err))
		}
	}
}

func eachRow(ctx context.Context, path string, batch int64, f func(*schema.RawRow) bool) (err error) {
	in, err := file.OpenParquetFile(path, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	reader, err := pqarrow.NewFileReader(in, pqarrow.ArrowReadProperties{BatchSize: batch}, memory.DefaultAllocator)
	if err != nil {
		return err
	}
	records, err := reader.GetRecordReader(ctx, nil, nil)
	if err != nil {
		return err
	}
	defer records.Release()
	want := schema.RawLayer().Columns
	for {
		more, err := nextRecord(records)
		if err != nil {
			return err
		}
		if !more {
			break
		}
		record := records.Record()
		if record.NumCols() != int64(len(want)) {
			return fmt.Errorf("it has %d columns, a file of the raw layer %d", record.NumCols(), len(want))
		}
		for i := range int(record.NumRows()) {
			var row schema.RawRow
			v := reflect.ValueOf(&row).Elem()
			for c := range want {
				if record.ColumnName(c) != want[c].Name {
					return fmt.Errorf("its column %d is %s, not %s", c, record.ColumnName(c), want[c].Name)
				}
				if err := setValue(v.Field(c), record.Column(c), i); err != nil {
					return err
				}
			}
			if !f(&row) {
				return nil
			}
		}
	}
	if err := records.Err(); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return ctx.Err()
}

// nextRecord reads the next rows. Arrow panics if the data is damaged; nextRecord returns this as an error.
func nextRecord(records pqarrow.RecordReader) (more bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("it is damaged: %v; 'pipeline check --deep' says what to do", p)
		}
	}()
	return records.Next(), nil
}

// setValue sets a field to a value of a column.
func setValue(v reflect.Value, column arrow.Array, i int) error {
	if column.IsNull(i) {
		return nil
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch c := column.(type) {
	case *array.String:
		v.SetString(c.Value(i))
	case *array.Int64:
		v.SetInt(c.Value(i))
	case *array.Timestamp:
		v.SetInt(int64(c.Value(i)))
	case *array.Binary:
		v.SetBytes(append(make([]byte, 0, len(c.Value(i))), c.Value(i)...)) // an empty one is not NULL
	default:
		return fmt.Errorf("a column of type %s", column.DataType())
	}
	return nil
}

// A Merge is a file of the raw layer that holds the rows of several files of its source, in their order.
type Merge struct {
	Batch int64 // rows that are read at a time
	Of    []Found
	Final Path

	Parts   []Part         // what it says of itself, once it is written
	Scratch string         // where it is until it gets its name
	Row     schema.RawFile // its size and sum
}

// Write writes the file under a scratch name, syncs it to the disk, and compares it with the files that it was made of.
func (m *Merge) Write(ctx context.Context, dir string, group int64) (err error) {
	m.Scratch = filepath.Join(dir, m.Final.Source, fmt.Sprintf("%s%d", atomicfile.Scratch, m.Final.Seq))
	out, err := NewWriter(m.Scratch, group)
	if err != nil {
		return err
	}
	for _, f := range m.Of {
		m.Parts = append(m.Parts, f.Parts...)
	}
	m.Parts = located(m.Parts, m.Final)
	for row, err := range m.rows(ctx, dir) {
		if err == nil {
			err = out.Append(row)
		}
		if err != nil {
			out.Abandon()
			return err
		}
	}
	if err := out.end(metaParts, m.Parts); err != nil {
		out.Abandon()
		return err
	}
	if m.Row, err = out.Finish(); err == nil {
		err = m.check(ctx, dir)
	}
	if err != nil {
		out.Remove()
	}
	return err
}

// rows yields the rows of the files that it is made of.
func (m *Merge) rows(ctx context.Context, dir string) iter.Seq2[*schema.RawRow, error] {
	return func(yield func(*schema.RawRow, error) bool) {
		for _, f := range m.Of {
			for row, err := range rowsOf(ctx, f.In(dir), m.Batch) {
				if !yield(row, err) || err != nil {
					return
				}
			}
		}
	}
}

// check compares the new file with the old files, row by row.
func (m *Merge) check(ctx context.Context, dir string) error {
	got, stop := iter.Pull2(rowsOf(ctx, m.Scratch, m.Batch))
	defer stop()
	for want, err := range m.rows(ctx, dir) {
		if err != nil {
			return err
		}
		row, err, ok := got()
		if err != nil {
			return err
		}
		if !ok || !reflect.DeepEqual(row, want) {
			return fmt.Errorf("%s is not what was written into it: nothing was changed; look at the disk, and run it "+
				"again", m.Scratch)
		}
	}
	if _, err, more := got(); err != nil || more {
		return errors.Join(err, fmt.Errorf("%s holds more than was written into it", m.Scratch))
	}
	return nil
}
