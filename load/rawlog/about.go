package rawlog

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/parquet/file"
)

// This file reads the metadata of the raw layer's files.

// These are the names of the files' metadata, which is JSON: a Load in a file that a load wrote, a list of Part in a
// merged file.
const (
	metaLoad  = "pipeline.load"
	metaParts = "pipeline.parts"
)

// Part is the consecutive rows of a file that one load wrote.
type Part struct {
	Seq  int64 `json:"seq"` // number of the file that the load wrote: later ones hold later versions
	Rows int64 `json:"rows"`
	Load Load  `json:"load"`

	First int64 `json:"-"` // number of its first row in the file, from 0
}

// RowsIn returns the number of rows in a file of these parts.
func RowsIn(parts []Part) (n int64) {
	for _, p := range parts {
		n += p.Rows
	}
	return n
}

// ReadParts reads the metadata of a file: what each load wrote of it. It returns an error if the file is not complete.
func ReadParts(dir string, of Path) (parts []Part, err error) {
	f, err := file.OpenParquetFile(of.In(dir), false)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if parts, err = read(f, of); err != nil {
		return nil, err
	}
	if RowsIn(parts) != f.NumRows() {
		return nil, fmt.Errorf("it has %d rows, and says that it has %d", f.NumRows(), RowsIn(parts))
	}
	return located(parts), nil
}

// located sets where each part begins in a file. The parts follow each other.
func located(parts []Part) []Part {
	first := int64(0)
	for i := range parts {
		parts[i].First = first
		first += parts[i].Rows
	}
	return parts
}

func read(f *file.Reader, of Path) (parts []Part, err error) {
	meta := f.MetaData().KeyValueMetadata()
	if text := meta.FindValue(metaLoad); text != nil {
		part := Part{Seq: of.Seq, Rows: f.NumRows()}
		if err := json.Unmarshal([]byte(*text), &part.Load); err != nil {
			return nil, err
		}
		if wrote := part.Load; wrote.LoadID > 0 && wrote.LoadID != of.Load ||
			wrote.Source.SourceID != "" && wrote.Source.SourceID != of.Source {
			return nil, fmt.Errorf("it is another file, of load %d of source %s", wrote.LoadID, wrote.Source.SourceID)
		}
		return []Part{part}, nil
	}
	text := meta.FindValue(metaParts)
	if text == nil {
		return nil, errors.New("it does not say which load wrote it")
	}
	if err := json.Unmarshal([]byte(*text), &parts); err != nil {
		return nil, err
	}
	if len(parts) == 0 {
		return nil, errors.New("it does not say which loads wrote it")
	}
	return parts, nil
}

// A Found is a file of the layer that counts, with its metadata.
type Found struct {
	Path
	Parts []Part
	Err   error // why it cannot be read
}

// Layout lists the files that count, with their metadata.
func Layout(dir string) (out []Found, err error) {
	files, err := List(dir)
	if err != nil {
		return nil, err
	}
	files, _ = Split(files)
	for _, f := range files {
		found := Found{Path: f}
		found.Parts, found.Err = ReadParts(dir, f)
		out = append(out, found)
	}
	return out, nil
}

// Parts returns the parts of files, in the order in which loads wrote them.
func Parts(files []Found) (out []Part) {
	for _, f := range files {
		out = append(out, f.Parts...)
	}
	slices.SortFunc(out, func(a, b Part) int { return int(a.Seq - b.Seq) })
	return out
}
