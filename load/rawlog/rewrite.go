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

// This file writes files of the raw layer anew: several as one, and some versions without their values.

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

// VersionID names, within a source, a version of a row that a load wrote.
type VersionID struct {
	Store, Table, Owner, KeyType, Key, Hash string
	Seq                                     int64 // of the part that it was written with
}

// A Rewrite is a file of the raw layer that replaces other files of its source.
type Rewrite struct {
	Batch  int64 // rows that are read at a time
	Of     []Found
	Remove map[VersionID]bool // versions that lose their values
	Final  Path

	About   About          // what it says of itself, once it is written
	Scratch string         // where it is until it gets its name
	Row     schema.RawFile // its size and sum
}

// Write writes the file under a scratch name, syncs it to the disk, and compares it with the files that it was made of.
func (w *Rewrite) Write(ctx context.Context, dir string, group int64) (err error) {
	w.About = About{Format: format}
	w.Scratch = filepath.Join(dir, w.Final.Source, fmt.Sprintf("%s%d", atomicfile.Scratch, w.Final.Seq))
	out, err := NewWriter(w.Scratch, group)
	if err != nil {
		return err
	}
	for _, f := range w.Of {
		for row, err := range w.rows(ctx, dir, f) {
			if err == nil {
				err = out.Append(row)
			}
			if err != nil {
				out.Abandon()
				return err
			}
		}
		w.About.Parts = append(w.About.Parts, f.About.Parts...)
		w.About.Replaces = append(w.About.Replaces, f.String())
		w.About.Earlier = append(w.About.Earlier, f.About.Replaced()...)
		w.About.Removed += f.About.Removed
	}
	w.About.locate(w.Final)
	w.About.Removed += int64(len(w.Remove))
	if err := out.end(metaParts, w.About); err != nil {
		out.Abandon()
		return err
	}
	if w.Row, err = out.Finish(); err == nil {
		err = w.check(ctx, dir)
	}
	if err != nil {
		out.Remove()
	}
	return err
}

// rows yields the rows of an old file as the new file must have them.
func (w *Rewrite) rows(ctx context.Context, dir string, f Found) iter.Seq2[*schema.RawRow, error] {
	return func(yield func(*schema.RawRow, error) bool) {
		part, n := 0, int64(0)
		for row, err := range rowsOf(ctx, f.In(dir), w.Batch) {
			for err == nil && n >= f.About.Parts[part].First+f.About.Parts[part].Rows {
				part++
			}
			n++
			if err == nil && w.Remove[versionOf(row, f.About.Parts[part].Seq)] && row.ValueType != schema.RawGone {
				row.ValueType, row.Value = schema.RawRemoved, nil
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

func versionOf(row *schema.RawRow, seq int64) VersionID {
	id := VersionID{row.Store, row.Table, row.ConversationID, row.KeyType, row.Key, "", seq}
	if row.KeyBytes != nil {
		id.Key = string(row.KeyBytes)
	}
	if row.Hash != nil {
		id.Hash = *row.Hash
	}
	return id
}

// check compares the new file with the old files, row by row.
func (w *Rewrite) check(ctx context.Context, dir string) error {
	got, stop := iter.Pull2(rowsOf(ctx, w.Scratch, w.Batch))
	defer stop()
	removed, before := int64(0), int64(0)
	for _, f := range w.Of {
		before += f.About.Removed
		for want, err := range w.rows(ctx, dir, f) {
			if err != nil {
				return err
			}
			row, err, ok := got()
			if err != nil {
				return err
			}
			if !ok || !reflect.DeepEqual(row, want) {
				return fmt.Errorf("%s is not what was written into it: nothing was changed; look at the disk, and run it again", w.Scratch)
			}
			if row.ValueType == schema.RawRemoved {
				removed++
			}
		}
	}
	if _, err, more := got(); err != nil || more {
		return errors.Join(err, fmt.Errorf("%s holds more than was written into it", w.Scratch))
	}
	if removed != before+int64(len(w.Remove)) {
		return fmt.Errorf("%d values were to be removed from the raw layer, and %d are: nothing was changed; 'pipeline check --deep' says what is amiss", len(w.Remove), removed-before)
	}
	return nil
}
