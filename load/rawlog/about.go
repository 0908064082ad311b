package rawlog

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/parquet/file"
)

// This file reads the metadata of the raw layer's files. A load writes one file for each source. Maintenance may write some of them anew as one file, a
// rewritten file. It holds the same rows in the same order; some have lost their values. Its name has the load number 0, which no load has.
//
// A rewritten file that is complete and has its name replaces the files that it names, even if they still exist, and even if the warehouse does not know of
// it. So a kill at any moment loses no row and counts none twice, and the next load or maintenance removes the replaced files.

// These are the names of the files' metadata, which is JSON: a Load in a file that a load wrote, an About in a rewritten file.
const (
	metaLoad  = "pipeline.load"
	metaParts = "pipeline.parts"
)

// ErrFormat says that a later version of the tool wrote the file.
var ErrFormat = errors.New("not known")

// format is the version of About. A file with a later one is not read.
const format = 1

// About is the metadata of a file.
type About struct {
	Format   int64    `json:"format"`
	Parts    []Part   `json:"parts"`    // in the order of their rows
	Replaces []string `json:"replaces"` // paths of the files that it was made of
	Earlier  []string `json:"earlier"`  // of those that these were made of: a warehouse from a backup may name them
	Removed  int64    `json:"removed"`  // versions whose values retention removed
}

// Part is the consecutive rows of a file that one load wrote.
type Part struct {
	Seq  int64 `json:"seq"` // number of the file that the load wrote: later ones hold later versions
	Rows int64 `json:"rows"`
	Load Load  `json:"load"`

	First int64  `json:"-"` // number of its first row in the file, from 0
	Path  string `json:"-"` // of the file
}

// Rows returns the number of rows in the file.
func (a *About) Rows() (n int64) {
	for _, p := range a.Parts {
		n += p.Rows
	}
	return n
}

// Replaced returns the paths of all files that the file replaces.
func (a *About) Replaced() []string { return slices.Concat(a.Replaces, a.Earlier) }

// ReadAbout reads the metadata of a file. It returns an error if the file is not complete.
func ReadAbout(dir string, of Path) (about About, err error) {
	f, err := file.OpenParquetFile(of.In(dir), false)
	if err != nil {
		return about, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := about.read(f, of); err != nil {
		return about, err
	}
	if about.Rows() != f.NumRows() {
		return about, fmt.Errorf("it has %d rows, and says that it has %d", f.NumRows(), about.Rows())
	}
	about.locate(of)
	return about, nil
}

// locate sets the place of each part in the file. The parts follow each other.
func (a *About) locate(of Path) {
	first := int64(0)
	for i := range a.Parts {
		a.Parts[i].First, a.Parts[i].Path = first, of.String()
		first += a.Parts[i].Rows
	}
}

func (a *About) read(f *file.Reader, of Path) error {
	meta := f.MetaData().KeyValueMetadata()
	if text := meta.FindValue(metaLoad); text != nil {
		part := Part{Seq: of.Seq, Rows: f.NumRows()}
		if err := json.Unmarshal([]byte(*text), &part.Load); err != nil {
			return err
		}
		if wrote := part.Load; wrote.LoadID > 0 && wrote.LoadID != of.Load || wrote.Source.SourceID != "" && wrote.Source.SourceID != of.Source {
			return fmt.Errorf("it is another file, of load %d of source %s", wrote.LoadID, wrote.Source.SourceID)
		}
		a.Parts = []Part{part}
		return nil
	}
	text := meta.FindValue(metaParts)
	if text == nil {
		return errors.New("it does not say which load wrote it")
	}
	if err := json.Unmarshal([]byte(*text), a); err != nil {
		return err
	}
	if a.Format > format || len(a.Parts) == 0 {
		return fmt.Errorf("%w: it is of format %d, this version of the tool knows %d: use the version that wrote it", ErrFormat, a.Format, format)
	}
	return nil
}

// A Found is a file of the layer that counts, with its metadata.
type Found struct {
	Path
	About About
	Err   error // why it cannot be read
}

// Rewritten returns the complete rewritten files of a list, and the paths of all files that they replace.
func Rewritten(dir string, files []Path) (whole map[string]*About, replaced map[string]bool) {
	whole, replaced = map[string]*About{}, map[string]bool{}
	for _, f := range files {
		if !f.IsRewritten() {
			continue
		}
		about, err := ReadAbout(dir, f)
		if err != nil {
			continue
		}
		whole[f.String()] = &about
		for _, path := range about.Replaced() {
			replaced[path] = true
		}
	}
	return whole, replaced
}

// Layout lists the files that count, with their metadata. It leaves out replaced files.
func Layout(dir string) (out []Found, err error) {
	files, err := List(dir)
	if err != nil {
		return nil, err
	}
	_, replaced := Rewritten(dir, files)
	for _, f := range files {
		if !replaced[f.String()] {
			found := Found{Path: f}
			found.About, found.Err = ReadAbout(dir, f)
			out = append(out, found)
		}
	}
	return out, nil
}

// Parts returns the parts of files, in the order in which loads wrote them.
func Parts(files []Found) (out []Part) {
	for _, f := range files {
		out = append(out, f.About.Parts...)
	}
	slices.SortFunc(out, func(a, b Part) int { return int(a.Seq - b.Seq) })
	return out
}
