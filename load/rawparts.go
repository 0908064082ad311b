package load

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/apache/arrow/go/v17/parquet/file"
)

// This file knows what a file of the raw layer says of itself. A load writes one for each source. Housekeeping writes some of them anew as one
// file, which holds the same rows in the same order, some of them without their values: a rewritten file. Its name has the load number 0, which
// no load has.
//
// A rewritten file that is whole and in its place takes the place of those that it names, whether or not they are still there and whether or not
// the warehouse knows of it: whoever is killed meanwhile leaves nothing twice and nothing lost, and the next load or housekeeping ends the job.

// Names of the files' metadata, each JSON: a RawLoad in what a load wrote, a rawAbout in what was rewritten.
const (
	metaLoad  = "pipeline.load"
	metaParts = "pipeline.parts"
)

// errRawFormat is a file of a later version of the tool.
var errRawFormat = errors.New("not known")

// rawFormat is the version of rawAbout: a file of a later one is not read.
const rawFormat = 1

// rawAbout is what a file says of itself.
type rawAbout struct {
	Format   int64     `json:"format"`
	Parts    []rawPart `json:"parts"`    // in the order of their rows
	Replaces []string  `json:"replaces"` // paths of the files that it was made of
	Earlier  []string  `json:"earlier"`  // of those that these were made of: a warehouse from a backup may name them
	Removed  int64     `json:"removed"`  // versions whose values retention removed
}

// rawPart is what one load wrote: consecutive rows of a file.
type rawPart struct {
	Seq  int64   `json:"seq"` // number of the file that the load wrote: later ones hold later versions
	Rows int64   `json:"rows"`
	Load RawLoad `json:"load"`

	first int64 // number of its first row in the file, from 0
	path  string
}

// rows is how many there are.
func (a *rawAbout) rows() (n int64) {
	for _, p := range a.Parts {
		n += p.Rows
	}
	return n
}

// replaced are the paths of all files whose place it takes.
func (a *rawAbout) replaced() []string { return slices.Concat(a.Replaces, a.Earlier) }

// rewritten tells a file of housekeeping from one of a load.
func (p rawPath) rewritten() bool { return p.load == 0 }

// in is the file's path on the disk.
func (p rawPath) in(dir string) string { return filepath.Join(dir, p.source, p.name) }

// aboutFile reads what a file says of itself. One that is not whole gives an error.
func aboutFile(dir string, of rawPath) (about rawAbout, err error) {
	f, err := file.OpenParquetFile(of.in(dir), false)
	if err != nil {
		return about, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := about.read(f, of); err != nil {
		return about, err
	}
	if about.rows() != f.NumRows() {
		return about, fmt.Errorf("it has %d rows, and says that it has %d", f.NumRows(), about.rows())
	}
	first := int64(0)
	for i := range about.Parts {
		about.Parts[i].first, about.Parts[i].path = first, of.String()
		first += about.Parts[i].Rows
	}
	return about, nil
}

func (a *rawAbout) read(f *file.Reader, of rawPath) error {
	meta := f.MetaData().KeyValueMetadata()
	if text := meta.FindValue(metaLoad); text != nil {
		part := rawPart{Seq: of.seq, Rows: f.NumRows()}
		if err := json.Unmarshal([]byte(*text), &part.Load); err != nil {
			return err
		}
		if wrote := part.Load; wrote.LoadID > 0 && wrote.LoadID != of.load || wrote.Source.SourceID != "" && wrote.Source.SourceID != of.source {
			return fmt.Errorf("it is another file, of load %d of source %s", wrote.LoadID, wrote.Source.SourceID)
		}
		a.Parts = []rawPart{part}
		return nil
	}
	text := meta.FindValue(metaParts)
	if text == nil {
		return errors.New("it does not say which load wrote it")
	}
	if err := json.Unmarshal([]byte(*text), a); err != nil {
		return err
	}
	if a.Format > rawFormat || len(a.Parts) == 0 {
		return fmt.Errorf("%w: it is of format %d, this version of the tool knows %d: use the version that wrote it", errRawFormat, a.Format, rawFormat)
	}
	return nil
}

// A rawFound is a file of the layer that counts, and what it says of itself.
type rawFound struct {
	rawPath
	about rawAbout
	err   error // why it cannot be read
}

// rawRewritten are the rewritten files of a list that are whole, and the paths of all files whose place they take.
func rawRewritten(dir string, files []rawPath) (whole map[string]*rawAbout, replaced map[string]bool) {
	whole, replaced = map[string]*rawAbout{}, map[string]bool{}
	for _, f := range files {
		if !f.rewritten() {
			continue
		}
		about, err := aboutFile(dir, f)
		if err != nil {
			continue
		}
		whole[f.String()] = &about
		for _, path := range about.replaced() {
			replaced[path] = true
		}
	}
	return whole, replaced
}

// rawLayout lists the files that count, with what they say of themselves: none whose place another one has taken.
func rawLayout(dir string) (out []rawFound, err error) {
	files, err := rawFiles(dir)
	if err != nil {
		return nil, err
	}
	_, replaced := rawRewritten(dir, files)
	for _, f := range files {
		if !replaced[f.String()] {
			found := rawFound{rawPath: f}
			found.about, found.err = aboutFile(dir, f)
			out = append(out, found)
		}
	}
	return out, nil
}

// rawParts are the parts of files in the order in which loads wrote them.
func rawParts(files []rawFound) (out []rawPart) {
	for _, f := range files {
		out = append(out, f.about.Parts...)
	}
	slices.SortFunc(out, func(a, b rawPart) int { return int(a.Seq - b.Seq) })
	return out
}
