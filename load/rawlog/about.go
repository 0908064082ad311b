package rawlog

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/parquet/file"
)

// This file knows what a file of the raw layer says of itself. A load writes one for each source. Maintenance writes some of them anew as one
// file, which holds the same rows in the same order, some of them without their values: a rewritten file. Its name has the load number 0, which
// no load has.
//
// A rewritten file that is whole and in its place takes the place of those that it names, whether or not they are still there and whether or not
// the warehouse knows of it: whoever is killed meanwhile leaves nothing twice and nothing lost, and the next load or maintenance ends the job.

// Names of the files' metadata, each JSON: a Load in what a load wrote, a About in what was rewritten.
const (
	metaLoad  = "pipeline.load"
	metaParts = "pipeline.parts"
)

// ErrFormat is a file of a later version of the tool.
var ErrFormat = errors.New("not known")

// format is the version of About: a file of a later one is not read.
const format = 1

// About is what a file says of itself.
type About struct {
	Format   int64    `json:"format"`
	Parts    []Part   `json:"parts"`    // in the order of their rows
	Replaces []string `json:"replaces"` // paths of the files that it was made of
	Earlier  []string `json:"earlier"`  // of those that these were made of: a warehouse from a backup may name them
	Removed  int64    `json:"removed"`  // versions whose values retention removed
}

// Part is what one load wrote: consecutive rows of a file.
type Part struct {
	Seq  int64 `json:"seq"` // number of the file that the load wrote: later ones hold later versions
	Rows int64 `json:"rows"`
	Load Load  `json:"load"`

	First int64  `json:"-"` // number of its first row in the file, from 0
	Path  string `json:"-"` // of the file
}

// Rows is how many there are.
func (a *About) Rows() (n int64) {
	for _, p := range a.Parts {
		n += p.Rows
	}
	return n
}

// Replaced are the paths of all files whose place it takes.
func (a *About) Replaced() []string { return slices.Concat(a.Replaces, a.Earlier) }

// ReadAbout reads what a file says of itself. One that is not whole gives an error.
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

// locate has the parts know where in a file they are: they follow each other.
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

// A Found is a file of the layer that counts, and what it says of itself.
type Found struct {
	Path
	About About
	Err   error // why it cannot be read
}

// Rewritten are the rewritten files of a list that are whole, and the paths of all files whose place they take.
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

// Layout lists the files that count, with what they say of themselves: none whose place another one has taken.
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

// Parts are the parts of files in the order in which loads wrote them.
func Parts(files []Found) (out []Part) {
	for _, f := range files {
		out = append(out, f.About.Parts...)
	}
	slices.SortFunc(out, func(a, b Part) int { return int(a.Seq - b.Seq) })
	return out
}
