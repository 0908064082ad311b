// Package sinks publishes the tables of a committed warehouse as files for other programs.
//
// A publication is a folder, v-N. It is written under another name and renamed when it is complete; then the link
// current is switched to it. Every sink shares these steps, the list of files, and the rules by which older
// publications are removed. A sink decides only the form of a file, and how one is read back.
//
// It knows tables and files. It must never know what the rows mean, how they came into the warehouse, or who asks for a
// publication.
package sinks

import (
	"time"

	"pipeline/sql/schema"
)

// A Sink is a format in which tables are published. all.go has one line for each.
type Sink interface {
	// About returns the names of the sink.
	About() About
	// Copy returns the statement with which the engine writes a file.
	Copy(f File) string
	// Scan returns the text after FROM that reads files of a table. It has the table's columns with their types, but
	// JSON is text.
	Scan(t schema.Table, files []string) (string, error)
}

// About has the names of a sink.
type About struct {
	Name      string // of its flag, its key in a pipeline's file, and its command
	Title     string // as people write it
	Extension string // of its files
	For       string // whom the files are for
	Example   string // for a shell: reads messages below ~/cursor-<name>
	Details   string // what somebody who reads the files has to know of them, for the help of the command
}

// A File is a table, or a part of one, that has to be written.
type File struct {
	Table   schema.Table
	Columns []string // expressions of SQL, one for each column of the table: JSON is text
	// PartitionBy names columns of the rows, which are not written: then the file is a folder, with a file for each of
	// their values, in folders named as Hive names them.
	PartitionBy []string
	From        string      // what stands behind FROM: the rows, and their order
	Path        string      // where the file is to be
	About       [][2]string // what the file may say of itself
}

// Named returns the sink with a name, or nil if there is none.
func Named(name string) Sink {
	for _, s := range All() {
		if s.About().Name == name {
			return s
		}
	}
	return nil
}

// DefaultKeep is how long a publication is kept after another became current. A reader that has opened it can read it
// to the end.
const DefaultKeep = time.Hour

// A Target is a folder in which a sink publishes.
type Target struct {
	Sink Sink
	Dir  string
	Keep time.Duration // how long a publication stays after another took its place; 0: DefaultKeep, less: not at all

	Redaction *Redaction // what takes secrets out of texts; nil: they are published as they are
}

func (t Target) title() string { return t.Sink.About().Title }

// IsFirst reports whether the sink is the first of All. For long it was the only sink, so the JSON output has fields of
// its own for it, and scripts read them.
func (t Target) IsFirst() bool { return t.Sink == All()[0] }
