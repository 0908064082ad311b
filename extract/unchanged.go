package extract

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/zeebo/xxh3"
)

// This file avoids opening workspace stores that have not changed: there may be thousands, most of them small. A store
// with nothing but rows that conversations share is compared, byte by byte, with the file of the last read. File times
// and counters are not used: a clock that was set back, or a backup that restores old times, cannot hide a change.

// maxWhole is the largest size of a file that is compared byte by byte. Up to this size, opening the file as a database
// costs more than reading it.
const maxWhole = 1 << 20

// wholeState is a hash over every byte of a store's file, the file's identity, and the workspace.json beside it. It is
// "" if that would not be enough: somebody may be writing, or the file is too large.
func (f storeLocation) wholeState(path string, buffer []byte) (state, journalMode string, size int64) {
	data := readWhole(path, buffer)
	if len(data) < headBytes || f.JSONErr != nil || isThere(path+walEnd) || isThere(path+journalEnd) {
		return "", "", 0
	}
	h := xxh3.New()
	hashText(h, fileID(path))
	hashNumber(h, int64(len(data)))
	_, _ = h.Write(data)
	if f.JSON == nil {
		hashNumber(h, -1)
	}
	hashText(h, string(f.JSON))
	return sumOf(h), look{db: fileLook{head: data[:headBytes]}}.journalMode(), int64(len(data))
}

// sharedOnly reports whether a store holds only rows that conversations share.
func (s *store) sharedOnly() bool { return len(s.index)+len(s.keys)+len(s.kept) == 0 }

// wholeState returns the whole state of the file that was read, or "" if the store has more to report than its shared
// rows.
func (s *store) wholeState(buffer []byte) (state string) {
	if s.snap.info.Method == MethodInPlace && buffer != nil && len(s.snap.info.Warnings)+len(s.headers) == 0 {
		state, _, _ = s.file.wholeState(s.snap.info.Path, buffer)
	}
	return state
}

// readWhole reads a small file to its end; nil if it cannot, or if the file is not small. The bytes are valid until the
// buffer is used again.
func readWhole(path string, buffer []byte) []byte {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxWhole {
		return nil
	}
	file, err := OpenShared(path)
	if err != nil {
		return nil
	}
	defer file.Close() // the file was only read
	n, err := io.ReadFull(file, buffer)
	if !errors.Is(err, io.ErrUnexpectedEOF) { // it is empty, cannot be read, or has grown
		return nil
	}
	return buffer[:n]
}

// isThere reports whether something, perhaps unreadable, is at a path.
func isThere(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// asKnown returns the caller's report of a store that has not changed, byte for byte; nil if the store has to be
// opened.
func (c *cursor) asKnown(f storeLocation, o OpenOptions) *StoreReport {
	if o.Known == nil || o.Skip[f.name] != nil || o.Copy[f.name] || o.Salvage[f.name] {
		return nil
	}
	path, err := canonical(f.path)
	if err != nil {
		return nil
	}
	if far, err := isRemoteFS(path); far || err != nil { // a remote file system may show changes late
		return nil
	}
	state, mode, size := f.wholeState(path, c.wholeBuffer())
	if state == "" {
		return nil
	}
	known := o.Known(f.name, state)
	if known == nil {
		return nil
	}
	report := *known
	report.Store, report.State, report.SharedOnly, report.AsBefore = f.name, state, true, true
	report.Info = StoreInfo{Path: path, JournalMode: mode, Method: MethodInPlace, Bytes: size}
	return &report
}

func (c *cursor) wholeBuffer() []byte {
	if c.buffer == nil {
		c.buffer = make([]byte, maxWhole+1)
	}
	return c.buffer
}
