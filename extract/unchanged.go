package extract

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/zeebo/xxh3"
)

// This file spares the opening of workspace stores: there may be thousands of them, most of them small and as they were. A store that holds nothing
// but rows that conversations share is compared byte by byte with the file that was read last. No time and no counter is asked: a clock that was set
// back, or a backup with its old times, hides nothing.

// maxWhole is up to which size a store's file is compared byte by byte. Opening such a file as a database costs more than reading it.
const maxWhole = 1 << 20

// storePlace is a store before it is opened.
type storePlace struct {
	name string
	path string
	Workspace
}

// wholeState stands for every byte of a store's file, for which file it is, for the workspace.json beside it, and for which rows are looked at. It is ""
// where that is not all that there is to know: somebody may be writing, or the file is large.
func (f storePlace) wholeState(path string, level RawLevel, buffer []byte) (state, journalMode string, size int64) {
	data := readWhole(path, buffer)
	if len(data) < headBytes || f.JSONErr != nil || isThere(path+walEnd) || isThere(path+journalEnd) {
		return "", "", 0
	}
	h := xxh3.New()
	hashText(h, fileID(path))
	hashNumber(h, int64(level))
	hashNumber(h, int64(len(data)))
	_, _ = h.Write(data)
	if f.JSON == nil {
		hashNumber(h, -1)
	}
	hashText(h, string(f.JSON))
	return sumOf(h), look{db: fileLook{head: data[:headBytes]}}.journalMode(), int64(len(data))
}

// sharedOnly reports that a store holds no rows but those that conversations share.
func (s *store) sharedOnly() bool { return len(s.index)+len(s.keys)+len(s.kept) == 0 }

// wholeState is that of the file that was read, where nothing else is to be said of the store.
func (s *store) wholeState(buffer []byte) (state string) {
	if s.snap.info.Method == MethodInPlace && buffer != nil && len(s.snap.info.Warnings)+len(s.headers) == 0 {
		state, _, _ = s.file.wholeState(s.snap.info.Path, s.raw, buffer)
	}
	return state
}

// readWhole reads a small file to its end; nil if it is no such file. The bytes are valid until the buffer is used again.
func readWhole(path string, buffer []byte) []byte {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxWhole {
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close() // it was only read
	n, err := io.ReadFull(file, buffer)
	if !errors.Is(err, io.ErrUnexpectedEOF) { // it is empty, cannot be read, or has grown
		return nil
	}
	return buffer[:n]
}

// isThere reports whatever could be a file.
func isThere(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// asKnown returns what the caller knows of a store that is, byte for byte, as it was; nil if it has to be opened.
func (c *cursor) asKnown(f storePlace, o OpenOptions) *StoreReport {
	if o.Known == nil || o.Skip[f.name] != nil || o.Copy[f.name] || o.Salvage[f.name] {
		return nil
	}
	path, err := canonical(f.path)
	if err != nil {
		return nil
	}
	if far, err := isRemoteFS(path); far || err != nil { // it may be told late what such a file holds
		return nil
	}
	state, mode, size := f.wholeState(path, o.Raw, c.wholeBuffer())
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
