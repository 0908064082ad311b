// Package parquetfile writes a Parquet file out of rows in memory, which are structs of a table. Columns are plain (no
// dictionaries), and pages are compressed by zstd: then a text is copied once on its way from the row to the
// compressor, and the file is as small.
//
// It knows pages and the library's metadata. It must never know which table it writes, what its rows mean, or where the
// file is.
package parquetfile

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"sync/atomic"

	"github.com/DataDog/zstd"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/metadata"
	parquetschema "github.com/apache/arrow/go/v17/parquet/schema"

	"pipeline/sql/schema"
)

// Options say how the columns of a file are written.
type Options struct {
	NoStatistics []string // names of columns by which nobody filters
	AsEngine     bool     // the columns are as the engine would write them: each may be NULL, times are in microseconds
}

// level is the level of compression: the fastest one. The zstd library in C takes 0.6 of the time of the one in Go, for
// the same size.
const level = 1

// A Writer writes one file.
type Writer struct {
	options    Options
	press      *press
	to         *output
	properties *parquet.WriterProperties
	about      *metadata.FileMetaDataBuilder
	groups     int16
}

// A press compresses pages.
type press struct {
	zstd.Ctx
	page, compressed []byte
}

// keptPage is how many bytes for a page a press keeps: a page ends with the value that fills it.
const keptPage = 2 * pageSize

// output counts what is written to the file. Its Write never returns an error, because the library would panic.
type output struct {
	io.Writer
	written int64
	err     atomic.Pointer[error] // the first; nothing is written after it
}

func (o *output) Write(b []byte) (int, error) {
	o.written += int64(len(b))
	if o.err.Load() == nil {
		if _, err := o.Writer.Write(b); err != nil {
			o.err.Store(&err)
		}
	}
	return len(b), nil
}

// Tell returns the place in the file.
func (o *output) Tell() int64 { return o.written }

// Failure returns the first error of the output. It may be called while another goroutine writes.
func (w *Writer) Failure() error {
	if err := w.to.err.Load(); err != nil {
		return *err
	}
	return nil
}

// magic begins and ends a file.
const magic = "PAR1"

// NewWriter begins a file of a table's rows.
func NewWriter(out io.Writer, t schema.Table, o Options) (*Writer, error) {
	var fields parquetschema.FieldList
	for _, c := range t.Columns {
		field, err := fieldOf(c, o)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", c.Name, err)
		}
		fields = append(fields, field)
	}
	root, err := parquetschema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		return nil, err
	}
	w := &Writer{options: o, press: &press{Ctx: zstd.NewCtx()}, to: &output{Writer: out},
		properties: parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Zstd),
			parquet.WithDictionaryDefault(false))}
	w.about = metadata.NewFileMetadataBuilder(parquetschema.NewSchema(root), w.properties, nil)
	_, err = w.to.Write([]byte(magic))
	return w, err
}

// Knows tells whether a file can have the columns of a table: each is of a type that NewWriter knows.
func Knows(t schema.Table) bool {
	return !slices.ContainsFunc(t.Columns, func(c schema.Column) bool {
		_, err := fieldOf(c, Options{})
		return err != nil
	})
}

// fieldOf declares a column.
func fieldOf(c schema.Column, o Options) (parquetschema.Node, error) {
	repetition, unit := parquet.Repetitions.Required, parquetschema.TimeUnitMillis
	if o.AsEngine {
		unit = parquetschema.TimeUnitMicros
	}
	if c.Nullable || o.AsEngine {
		repetition = parquet.Repetitions.Optional
	}
	var logical parquetschema.LogicalType
	physical := parquet.Types.Int64
	switch c.Type {
	case "VARCHAR", "JSON":
		logical, physical = parquetschema.StringLogicalType{}, parquet.Types.ByteArray
	case "BLOB":
		logical, physical = parquetschema.NoLogicalType{}, parquet.Types.ByteArray
	case "BIGINT":
		logical = parquetschema.NewIntLogicalType(64, true)
	case "BOOLEAN":
		logical, physical = parquetschema.NoLogicalType{}, parquet.Types.Boolean
	case "TIMESTAMPTZ":
		logical = parquetschema.NewTimestampLogicalType(true, unit)
	default:
		return nil, fmt.Errorf("no file has a column of type %s", c.Type)
	}
	return parquetschema.NewPrimitiveNodeLogical(c.Name, repetition, logical, physical, -1, -1)
}

// Write writes the rows of a group as a row group.
func (w *Writer) Write(g *Group) error {
	rows, begin := w.about.AppendRowGroup(), w.to.Tell()
	for i := range g.columns {
		if err := w.column(&g.columns[i], g.rows, rows.NextColumnChunk(), int16(i),
			!slices.Contains(w.options.NoStatistics, g.table.Columns[i].Name)); err != nil {
			return fmt.Errorf("column %s: %w", g.table.Columns[i].Name, err)
		}
	}
	rows.SetNumRows(g.rows)
	w.groups++
	return rows.Finish(w.to.Tell()-begin, w.groups-1)
}

// column writes the pages of a column of a row group.
func (w *Writer) column(c *column, rows int, chunk *metadata.ColumnChunkMetaDataBuilder, ordinal int16,
	statistics bool) error {
	pages, err := file.NewPageWriter(w.to, compress.Codecs.Zstd, level, chunk, w.groups, ordinal,
		memory.DefaultAllocator, false, nil, nil)
	if err != nil {
		return err
	}
	p := w.press
	for row, value := 0, 0; row < rows; {
		var to, toValue int
		p.page, to, toValue = c.appendPage(p.page[:0], row, value, rows)
		if bound := zstd.CompressBound(len(p.page)); bound > len(p.compressed) {
			p.compressed = make([]byte, bound)
		}
		packed, err := p.CompressLevel(p.compressed, p.page, level)
		if err != nil {
			return err
		}
		page := file.NewDataPageV1(memory.NewBufferBytes(packed), int32(to-row), parquet.Encodings.Plain,
			parquet.Encodings.RLE, parquet.Encodings.RLE, int32(len(p.page)))
		if _, err := pages.WriteDataPage(page); err != nil {
			return err
		}
		row, value = to, toValue
	}
	if cap(p.page) > keptPage { // a value that large is rare
		p.page, p.compressed = nil, nil
	}
	if statistics {
		chunk.SetStats(c.statistics(rows))
	}
	return pages.Close(false, false)
}

// Close ends the file. about are the names and texts of its metadata. The caller closes the output.
func (w *Writer) Close(about ...[2]string) error {
	for _, entry := range about {
		if err := w.about.AppendKeyValueMetadata(entry[0], entry[1]); err != nil {
			return err
		}
	}
	all, err := w.about.Finish()
	if err != nil {
		return err
	}
	n, err := all.WriteTo(w.to, nil)
	if err != nil {
		return err
	}
	_, err = w.to.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(n)), magic...))
	return err
}
