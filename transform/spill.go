package transform

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"pipeline/sql/schema"
)

// An Aside is where the rows of a large conversation are set aside until their order is known: bytes are appended, and
// then read.
type Aside interface {
	io.Writer
	io.ReaderAt
	io.Closer
}

// An AsideError says that rows could not be set aside, or not be read again. It says nothing of the store.
type AsideError struct{ Err error }

func (e *AsideError) Error() string {
	return "set rows aside until their order is known: " + e.Err.Error()
}
func (e *AsideError) Unwrap() error { return e.Err }

// A spillFile holds the rows of messages, and others that may be large, in packed form. A nil one holds nothing: nobody
// will ask for the rows.
type spillFile struct {
	open    func() (Aside, error)
	file    Aside  // nil until the first rows come
	pending []byte // what was not written yet
	written int64
	memory  []byte // for what is read: rows refer to it
	taken   body   // that get returned
	err     error  // the first
}

// newSpillFile returns an empty spill file. open makes the place for its bytes; nil: they stay in memory.
func newSpillFile(open func() (Aside, error)) *spillFile {
	if open == nil {
		open = func() (Aside, error) { return &inMemory{}, nil }
	}
	return &spillFile{open: open}
}

// place is where rows are in the spill file.
type place struct {
	at   int64
	size int
}

// pendingBytes is how much is written at a time.
const pendingBytes = 256 << 10

// beside is what emit needs of a body beside its rows.
type beside struct {
	Calls, Attachments, Placeholders, Given int64
	Older                                   bool
	Wrote, Started, Finished                *schema.Millis
}

var (
	besidePacking     = schema.NewPacking[beside]()
	messagePacking    = schema.NewPacking[schema.Message]()
	callPacking       = schema.NewPacking[schema.ToolCall]()
	attachmentPacking = schema.NewPacking[schema.Attachment]()
	checkpointPacking = schema.NewPacking[schema.Checkpoint]()
)

// put sets aside what emit needs of a body.
func (s *spillFile) put(b *body) place {
	if s == nil || s.err != nil {
		return place{}
	}
	to := besidePacking.Append(s.pending, &beside{int64(len(b.calls)), int64(len(b.attachments)), int64(b.placeholders),
		int64(b.given), b.older, b.wrote, b.started, b.finished})
	to = messagePacking.Append(to, &b.message)
	for i := range b.calls {
		to = callPacking.Append(to, &b.calls[i])
	}
	for i := range b.attachments {
		to = attachmentPacking.Append(to, &b.attachments[i])
	}
	return s.keep(to)
}

// keep takes pending, to which something was appended, and returns where that is.
func (s *spillFile) keep(pending []byte) place {
	at := place{s.written + int64(len(s.pending)), len(pending) - len(s.pending)}
	if s.pending = pending; len(pending) >= pendingBytes {
		s.flush()
	}
	return at
}

// putRows sets rows of one table aside.
func putRows[R any](s *spillFile, p schema.Packing[R], rows []R) place {
	if s == nil || s.err != nil {
		return place{}
	}
	to := s.pending
	for i := range rows {
		to = p.Append(to, &rows[i])
	}
	return s.keep(to)
}

// flush writes what is pending.
func (s *spillFile) flush() {
	if s.file == nil && s.err == nil {
		if file, err := s.open(); err != nil {
			s.err = err
		} else {
			s.file = file
		}
	}
	if s.err == nil {
		_, s.err = s.file.Write(s.pending)
	}
	s.written += int64(len(s.pending))
	s.pending = s.pending[:0]
}

// fetch returns what was kept, in memory that stays.
func (s *spillFile) fetch(at place) ([]byte, error) {
	if len(s.pending) > 0 {
		s.flush()
	}
	if len(s.memory) < at.size {
		s.memory = make([]byte, max(at.size, pendingBytes))
	}
	from := s.memory[:at.size:at.size]
	s.memory = s.memory[at.size:]
	if s.err == nil {
		_, s.err = s.file.ReadAt(from, at.at)
	}
	return from, s.failure()
}

// getRows returns rows that putRows set aside.
func getRows[R any](s *spillFile, p schema.Packing[R], at place) (rows []R, err error) {
	from, err := s.fetch(at)
	for err == nil && len(from) > 0 {
		var row R
		from = p.Read(from, &row)
		rows = append(rows, row)
	}
	return rows, err
}

// get returns a body as far as emit needs it. It is valid until the next call; its texts stay.
func (s *spillFile) get(at place) (*body, error) {
	from, err := s.fetch(at)
	if err != nil {
		return nil, err
	}
	var r beside
	from = besidePacking.Read(from, &r)
	b := &s.taken
	*b = body{placeholders: int(r.Placeholders), given: int(r.Given), older: r.Older, wrote: r.Wrote,
		started: r.Started, finished: r.Finished, calls: empty(b.calls, int(r.Calls)),
		attachments: empty(b.attachments, int(r.Attachments))}
	from = messagePacking.Read(from, &b.message)
	for i := range b.calls {
		from = callPacking.Read(from, &b.calls[i])
	}
	for i := range b.attachments {
		from = attachmentPacking.Read(from, &b.attachments[i])
	}
	b.id = b.message.MessageID
	return b, nil
}

// empty returns so many empty rows, in the memory of others.
func empty[R any](rows []R, n int) []R {
	rows = slices.Grow(rows[:0], n)[:n]
	clear(rows)
	return rows
}

// failure returns why rows could not be set aside.
func (s *spillFile) failure() error {
	if s == nil || s.err == nil {
		return nil
	}
	return &AsideError{s.err}
}

func (s *spillFile) close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

// inMemory is an Aside for a caller that has no files.
type inMemory struct{ bytes.Buffer }

func (m *inMemory) ReadAt(p []byte, at int64) (int, error) {
	if n := copy(p, m.Bytes()[at:]); n < len(p) {
		return n, fmt.Errorf("read %d bytes at %d: %w", len(p), at, io.EOF)
	}
	return len(p), nil
}

func (m *inMemory) Close() error { return nil }
