package rawlog

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"reflect"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"

	"pipeline/load/tool/atomicfile"
	"pipeline/sql/schema"
)

// This file merges several files of the raw layer into one.

// rowsOf yields the rows of a file in their order.
func rowsOf(ctx context.Context, path string) iter.Seq2[*schema.RawRow, error] {
	return func(yield func(*schema.RawRow, error) bool) {
		if err := eachRow(ctx, path, func(row *schema.RawRow) bool { return yield(row, nil) }); err != nil {
			yield(nil, fmt.Errorf("read %s: %w", path, err))
		}
	}
}

// eachRow reads a file column by column, and not by the package pqarrow, which would bring gRPC into the program. Of
// each column one page is unpacked at a time.
func eachRow(ctx context.Context, path string, f func(*schema.RawRow) bool) (err error) {
	in, err := file.OpenParquetFile(path, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	want, got := schema.RawLayer().Columns, in.MetaData().Schema
	if got.NumColumns() != len(want) {
		return fmt.Errorf("it has %d columns, a file of the raw layer %d", got.NumColumns(), len(want))
	}
	for c := range want {
		if got.Column(c).Name() != want[c].Name {
			return fmt.Errorf("its column %d is %s, not %s", c, got.Column(c).Name(), want[c].Name)
		}
	}
	for g := range in.NumRowGroups() {
		group := in.RowGroup(g)
		columns := make([]file.ColumnChunkReader, len(want))
		for c := range columns {
			if columns[c], err = group.Column(c); err != nil {
				return err
			}
		}
		for range group.NumRows() {
			row, err := nextRow(columns)
			if err := errors.Join(err, ctx.Err()); err != nil {
				return err
			}
			if !f(row) {
				return nil
			}
		}
	}
	return nil
}

// nextRow reads a row. Arrow panics if the data is damaged; nextRow returns this as an error.
func nextRow(columns []file.ColumnChunkReader) (row *schema.RawRow, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("it is damaged: %v; 'pipeline check --deep' says what to do", p)
		}
	}()
	row = new(schema.RawRow)
	for c, column := range columns {
		if err := setNext(reflect.ValueOf(row).Elem().Field(c), column); err != nil {
			return nil, err
		}
	}
	return row, nil
}

// setNext sets a field to the next value of a column.
func setNext(field reflect.Value, column file.ColumnChunkReader) error {
	var (
		level        [1]int16
		bytes        [1]parquet.ByteArray
		number       [1]int64
		rows, values = int64(0), 0
		err          error
	)
	switch c := column.(type) {
	case *file.ByteArrayColumnChunkReader:
		rows, values, err = c.ReadBatch(1, bytes[:], level[:], nil)
	case *file.Int64ColumnChunkReader:
		rows, values, err = c.ReadBatch(1, number[:], level[:], nil)
	default:
		return fmt.Errorf("a column of type %s", column.Type())
	}
	if err != nil || rows == 0 {
		return errors.Join(fmt.Errorf("column %s ends before its last row", column.Descriptor().Name()), err)
	}
	if values == 0 { // NULL
		return nil
	}
	if field.Kind() == reflect.Pointer {
		field.Set(reflect.New(field.Type().Elem()))
		field = field.Elem()
	}
	switch _, isNumber := column.(*file.Int64ColumnChunkReader); {
	case isNumber:
		field.SetInt(number[0]) // it panics if the field is none of a number, and so does SetBytes
	case field.Kind() == reflect.String:
		field.SetString(string(bytes[0]))
	default:
		field.SetBytes(append([]byte{}, bytes[0]...)) // an empty one is not NULL
	}
	return nil
}

// A Merge is a file of the raw layer that holds the rows of several files of its source, in their order.
type Merge struct {
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
	m.Parts = located(m.Parts)
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
			for row, err := range rowsOf(ctx, f.In(dir)) {
				if !yield(row, err) || err != nil {
					return
				}
			}
		}
	}
}

// check compares the new file with the old files, row by row.
func (m *Merge) check(ctx context.Context, dir string) error {
	got, stop := iter.Pull2(rowsOf(ctx, m.Scratch))
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
