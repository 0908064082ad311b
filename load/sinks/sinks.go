// Package sinks publishes the tables of a committed warehouse as files for other programs.
//
// A publication is a folder, v-N, that is written under another name, gets its name by one rename, and is then the one that the link current leads to.
// How that goes, which files there are and when older publications are removed is the same for every sink. What a file of it looks like, and how one
// is read back, is the sink's own.
//
// It knows tables and files. It must never know what the rows mean, how they came into the warehouse, or who asks for a publication.
package sinks

import (
	"time"

	"pipeline/sql/schema"
)

// A Sink is a form in which tables are published. all.go has one line for each.
type Sink interface {
	// About says what the sink is called.
	About() About
	// Copy is the statement by which the engine writes a file.
	Copy(f File) string
	// Scan is what stands behind FROM to read files of a table: with the table's columns, of its types, but that JSON is text.
	Scan(t schema.Table, files []string) (string, error)
}

// About is what a sink is called.
type About struct {
	Name      string // of its flag, its key in a pipeline's file, and its command
	Title     string // as people write it
	Extension string // of its files
	For       string // whom the files are for
	Example   string // for a shell: reads messages below ~/cursor-<name>
	Details   string // what somebody who reads the files has to know of them, for the help of the command
}

// A File is a table, or a part of one, that is to be written.
type File struct {
	Table   schema.Table
	Columns []string    // expressions of SQL, one for each column of the table: JSON is text
	From    string      // what stands behind FROM: the rows, and their order
	Path    string      // where the file is to be
	About   [][2]string // what the file may say of itself
}

// Named is the sink of a name; nil if there is none.
func Named(name string) Sink {
	for _, s := range All() {
		if s.About().Name == name {
			return s
		}
	}
	return nil
}

// DefaultKeep is how long a publication stays after another took its place: who was led to it reads it to its end.
const DefaultKeep = time.Hour

// A Target is a folder in which a sink publishes.
type Target struct {
	Sink Sink
	Dir  string
	Keep time.Duration // how long a publication stays after another took its place; 0: DefaultKeep, less: not at all
}

func (t Target) title() string { return t.Sink.About().Title }

// IsFirst reports the sink that was the only one for long: JSON that scripts read has fields of its own for it.
func (t Target) IsFirst() bool { return t.Sink == All()[0] }
