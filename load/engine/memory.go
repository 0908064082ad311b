package engine

import (
	"os"
	"sync"
	"sync/atomic"
)

// small is how many bytes the files that the engine reads have together, at most, for their work to be small: what it
// frees may stay with the process.
const small = 32 << 20

var (
	expectMuch = sync.OnceFunc(func() { much.Store(true); returnFreed(delay()) })
	much       atomic.Bool // freed memory is returned
	room       atomic.Bool // but not at once
)

// lingering is how many milliseconds freed memory stays with the process if there is room for it: until the next rows
// of the same statement need it.
const lingering = 10

// kept is how many bytes of freed memory may stay with the process between two batches of rows, if there is room for
// it. The engine returns memory only when it is asked for more, and so keeps much of it for longer than it is told to:
// without this, a first load took 75 MB more.
const kept = 32 << 20

func delay() (ms int) {
	if room.Load() {
		return lingering
	}
	return 0
}

// KeepFreedMemory says whether there is room for memory that the engine has just freed. If there is, the engine returns
// it a little later, if it returned it at once, from now on and for the whole process. To take it anew costs up to a
// fourteenth of a first load.
func KeepFreedMemory(ok bool) {
	room.Store(ok)
	if much.Load() {
		returnFreed(delay())
	}
}

// written is called when a batch of rows is written.
func written() {
	if !much.Load() || !room.Load() {
		return
	}
	if n := freed(); n < 0 || n > kept {
		returnAll()
	}
}

// Reads tells the engine which files it is about to read. If they are large, it returns the memory that it frees at
// once, from now on and for the whole process. It does so for rows, too, when there are many, see Appender.
func Reads(paths ...string) {
	var bytes int64
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil { // a file that cannot be read is an error of its reader
			bytes += info.Size()
		}
	}
	if bytes > small {
		expectMuch()
	}
}
