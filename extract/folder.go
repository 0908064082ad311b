package extract

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"time"

	"github.com/zeebo/xxh3"
)

// folderSnapshot is the Snapshot of a folder's files, in one store. Each file is an owner of its own, and is read if
// its size or time has changed.
type folderSnapshot struct {
	StillSnapshot
	dir    string
	names  []string
	mayGo  bool // a file may have gone since it was listed, and then counts as not there
	most   int64
	rows   func(name string, written time.Time, text []byte) ([]*Document, error)
	report StoreReport
}

func (s *folderSnapshot) Conversations(ctx context.Context) iter.Seq2[*Conversation, error] {
	return func(yield func(*Conversation, error) bool) {
		for _, name := range s.names {
			if ctx.Err() != nil {
				yield(nil, ctx.Err())
				return
			}
			info, err := os.Stat(filepath.Join(s.dir, name))
			if s.mayGo && isMissing(err) {
				continue
			}
			if err != nil {
				s.report.Err = newStoreError(filepath.Join(s.dir, name), err)
				continue
			}
			if !yield(s.file(name, info), nil) {
				return
			}
		}
	}
}

// file is a group of rows: those of a file, by the file's name. The file is read when they are used, once.
func (s *folderSnapshot) file(name string, info os.FileInfo) *Conversation {
	c := &Conversation{Store: s.report.Store, ID: validName(name), Loose: true, rows: 1}
	if time.Since(info.ModTime()) >= minAge {
		h := xxh3.New()
		hashFile(h, info.Size(), info.ModTime())
		c.Fingerprint = sumOf(h)
	}
	var docs []*Document
	c.Parts = func(yield func(*Document, error) bool) {
		if docs == nil {
			text, err := readAtMost(filepath.Join(s.dir, name), s.most)
			if err == nil {
				docs, err = s.rows(name, info.ModTime(), text)
			}
			if err != nil {
				docs = nil
				yield(nil, newStoreError(filepath.Join(s.dir, name), err))
				return
			}
			s.report.RowsRead += int64(len(docs))
		}
		Rows(docs)(yield)
	}
	return c
}

// readAtMost reads a file, if it is not too large.
func readAtMost(path string, most int64) ([]byte, error) {
	text, err := readUpTo(path, most+1)
	if err == nil && int64(len(text)) > most {
		return nil, fmt.Errorf("it is larger than the %d bytes that are read", most)
	}
	return text, err
}

// Leave leaves a file as it is that cannot be read: the others are read.
func (s *folderSnapshot) Leave(_ string, err error) bool {
	s.report.Err = err
	return true
}

func (s *folderSnapshot) Stores() []StoreReport { return []StoreReport{s.report} }
