// Package btree reads the tables and indexes of a SQLite file that does not change, without SQLite.
//
// A load reads every row of a store in the order of its keys. SQLite asks the operating system for one page at a time, and its driver takes a lock and a call for
// each column: together they cost more than all that is done with the values afterwards. A File reads windows of several pages, and hands each value over once.
//
// It knows what the file format promises (sqlite.org/fileformat2.html): pages, b-trees, records. It knows no SQL, no journals, no locks. What does not fit together is
// ErrDamaged: the checks are those that SQLite makes when it follows a page.
package btree

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
)

// ErrDamaged says that the file's pages do not fit together.
var ErrDamaged = errors.New("the pages of the SQLite file do not fit together")

// ErrUnknown says that the file is no SQLite file of the usual kind: it may be sound, and SQLite may be able to read it.
var ErrUnknown = errors.New("this is no SQLite file of the usual kind")

const (
	headerBytes = 100
	windowBytes = 32 << 10
	apartBytes  = 8 << 10 // of a window where rows lie apart
	windowCount = 128
	maxDepth    = 20 // SQLite's own limit
)

// A File is a SQLite file. Its methods may be used by several goroutines.
type File struct {
	from   io.ReaderAt
	page   int    // bytes of a page
	usable int    // bytes of a page that hold content
	pages  uint32 // in the file
	log    *Log   // pages that were written since; nil if there are none

	mu      sync.Mutex
	slots   []window
	slotOf  map[uint32]int // by the window's number
	clock   uint64
	perSlot uint32 // pages of a window
}

// A window is a part of the file in memory.
type window struct {
	used  uint64
	no    uint32
	bytes []byte
}

// Open reads the header of a file of that size in bytes. from must not change until the last read, but for pages that the log has; nil is no log.
func Open(from io.ReaderAt, size int64, log *Log) (*File, error) {
	var h [headerBytes]byte
	if _, err := from.ReadAt(h[:], 0); err != nil {
		return nil, fmt.Errorf("read the header: %w", err)
	}
	page := int(binary.BigEndian.Uint16(h[16:]))
	if page == 1 {
		page = 1 << 16
	}
	usable := page - int(h[20])
	if string(h[:16]) != "SQLite format 3\x00" || page < 512 || page&(page-1) != 0 || usable < 480 || log == nil && size%int64(page) != 0 {
		return nil, ErrUnknown
	}
	pages := uint32(min(size/int64(page), 1<<32-2))
	if log != nil && len(log.pages) > 0 {
		if pages = log.count; log.page != page {
			return nil, ErrUnknown
		}
	}
	f := &File{from: from, page: page, usable: usable, pages: pages, log: log}
	return f.windows(windowBytes), nil
}

// Apart returns the file for reading rows that lie apart: what is beside them is not read.
func (f *File) Apart() *File { return f.windows(apartBytes) }

// windows returns the file with windows of a size.
func (f *File) windows(size int) *File {
	return &File{from: f.from, page: f.page, usable: f.usable, pages: f.pages, log: f.log,
		slots: make([]window, 0, windowCount), slotOf: map[uint32]int{}, perSlot: uint32(max(1, size/f.page))}
}

// logged returns the content of a page that the log has; nil if the file has it.
func (f *File) logged(no uint32) ([]byte, error) {
	if no == 0 || no > f.pages {
		return nil, fmt.Errorf("%w: there is no page %d", ErrDamaged, no)
	}
	if page := f.log.at(no); page != nil {
		return page[:f.usable], nil
	}
	return nil, nil
}

// at returns the content of a page. It is valid until the next call, and only while mu is held.
func (f *File) at(no uint32) ([]byte, error) {
	if page, err := f.logged(no); page != nil || err != nil {
		return page, err
	}
	w := (no - 1) / f.perSlot
	slot, held := f.slotOf[w]
	if !held {
		var err error
		if slot, err = f.fill(w); err != nil {
			return nil, err
		}
	}
	f.clock++
	f.slots[slot].used = f.clock
	begin := int((no-1)%f.perSlot) * f.page
	if begin+f.page > len(f.slots[slot].bytes) {
		return nil, fmt.Errorf("%w: page %d is cut short", ErrDamaged, no)
	}
	return f.slots[slot].bytes[begin : begin+f.usable], nil
}

// fill reads a window in the place of the one that was not used for the longest time.
func (f *File) fill(no uint32) (slot int, err error) {
	if len(f.slots) < windowCount {
		slot = len(f.slots)
		f.slots = append(f.slots, window{bytes: make([]byte, int(f.perSlot)*f.page)})
	} else {
		for i := range f.slots {
			if f.slots[i].used < f.slots[slot].used {
				slot = i
			}
		}
		delete(f.slotOf, f.slots[slot].no)
	}
	w := &f.slots[slot]
	w.bytes, w.used, w.no = w.bytes[:cap(w.bytes)], 0, 0
	n, err := f.from.ReadAt(w.bytes, int64(no)*int64(len(w.bytes)))
	if w.bytes = w.bytes[:n]; err != nil && !errors.Is(err, io.EOF) {
		return 0, fmt.Errorf("read pages: %w", err)
	}
	w.no = no
	f.slotOf[no] = slot
	return slot, nil
}

// copyOf returns a copy of a page's content, in the memory of the last one.
func (f *File) copyOf(no uint32, memory []byte) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	page, err := f.at(no)
	return append(memory[:0], page...), err
}

// A run is pages that follow each other in the file and were read at once, for one reader.
type run struct {
	first uint32
	last  uint32 // up to which the next run reads
	bytes []byte
}

// What lies between two wanted pages of a run costs less to read than another call.
const (
	runPages = 16
	runGap   = 3
)

func (r *run) has(f *File, no uint32) bool {
	return no >= r.first && no-r.first < uint32(len(r.bytes)/f.page)
}

// page returns the content of a page, valid until the next call. If the run has it not, it is read, and what follows it up to last.
func (r *run) page(f *File, no uint32) ([]byte, error) {
	if page, err := f.logged(no); page != nil || err != nil {
		return page, err
	}
	if !r.has(f, no) {
		size := int(max(no, r.last)-no+1) * f.page
		r.first, r.bytes = no, slices.Grow(r.bytes[:0], size)[:size]
		n, err := f.from.ReadAt(r.bytes, int64(no-1)*int64(f.page))
		if r.bytes = r.bytes[:n]; n < f.page {
			return nil, fmt.Errorf("read page %d: %w", no, err)
		}
	}
	begin := int(no-r.first) * f.page
	return r.bytes[begin : begin+f.usable], nil
}
