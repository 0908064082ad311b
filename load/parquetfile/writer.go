// Package parquetfile writes a Parquet file out of rows in memory, which are structs of a table.
//
// It knows Arrow's writers of columns, and the compression. It must never know which table it writes, what its rows mean, or where the file is.
package parquetfile

import (
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/file"
	parquetschema "github.com/apache/arrow/go/v17/parquet/schema"

	"pipeline/sql/schema"
)

// Options say how the columns of a file are written.
type Options struct {
	NoDictionary []string // names of columns of which hardly two values are equal
	NoStatistics []string // names of columns by which nobody filters
}

// A Writer writes one file.
type Writer struct {
	out *file.Writer
}

// pageBatch is how many values the library takes before it looks whether a page is full. Its own number is 1024: then pages of values become several times
// as large as intended, and the buffers for them are a quarter of the raw layer's cost.
const pageBatch = 64

// NewWriter begins a file of a table's rows. The library panics if out returns an error.
func NewWriter(out io.Writer, t schema.Table, o Options) (*Writer, error) {
	if err := registerCodec(); err != nil {
		return nil, err
	}
	properties := []parquet.WriterProperty{parquet.WithCompression(compress.Codecs.Zstd), parquet.WithCompressionLevel(level), parquet.WithBatchSize(pageBatch)}
	for _, name := range o.NoDictionary {
		properties = append(properties, parquet.WithDictionaryFor(name, false))
	}
	for _, name := range o.NoStatistics {
		properties = append(properties, parquet.WithStatsFor(name, false))
	}
	var fields parquetschema.FieldList
	for _, c := range t.Columns {
		field, err := fieldOf(c)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", c.Name, err)
		}
		fields = append(fields, field)
	}
	root, err := parquetschema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		return nil, err
	}
	return &Writer{file.NewParquetWriter(out, root, file.WithWriterProps(parquet.NewWriterProperties(properties...)))}, nil
}

// fieldOf declares a column.
func fieldOf(c schema.Column) (parquetschema.Node, error) {
	repetition := parquet.Repetitions.Required
	if c.Nullable {
		repetition = parquet.Repetitions.Optional
	}
	var logical parquetschema.LogicalType
	physical := parquet.Types.Int64
	switch c.Type {
	case "VARCHAR":
		logical, physical = parquetschema.StringLogicalType{}, parquet.Types.ByteArray
	case "BLOB":
		logical, physical = parquetschema.NoLogicalType{}, parquet.Types.ByteArray
	case "BIGINT":
		logical = parquetschema.NewIntLogicalType(64, true)
	case "TIMESTAMPTZ":
		logical = parquetschema.NewTimestampLogicalType(true, parquetschema.TimeUnitMillis)
	default:
		return nil, fmt.Errorf("no file has a column of type %s", c.Type)
	}
	return parquetschema.NewPrimitiveNodeLogical(c.Name, repetition, logical, physical, -1, -1)
}

// Write writes the rows of a group as a row group.
func (w *Writer) Write(g *Group) error {
	out := w.out.AppendRowGroup()
	for i := range g.columns {
		c := &g.columns[i]
		next, err := out.NextColumn()
		if err != nil {
			return err
		}
		switch next := next.(type) {
		case *file.ByteArrayColumnChunkWriter:
			_, err = next.WriteBatch(c.bytes, c.levels, nil)
		case *file.Int64ColumnChunkWriter:
			_, err = next.WriteBatch(c.ints, c.levels, nil)
		}
		if err != nil {
			return fmt.Errorf("column %s: %w", g.table.Columns[i].Name, err)
		}
	}
	return out.Close()
}

// Close ends the file. name and text are metadata of the file.
func (w *Writer) Close(name, text string) error {
	if err := w.out.AppendKeyValueMetadata(name, text); err != nil {
		return err
	}
	return w.out.Close()
}
