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
	expectMuch = sync.OnceFunc(func() { much.Store(true); returnFreed(int(lingers.Load())) })
	much       atomic.Bool  // freed memory is returned
	lingers    atomic.Int64 // after so many milliseconds
)

// These are milliseconds for which freed memory may stay with the process.
const (
	Briefly = 10    // until the next rows of the same statement need it
	AWhile  = 1_000 // until other statements need it
)

// kept is how many bytes of freed memory may stay with the process between two batches of rows, if there is room for
// it. The engine returns memory only when it is asked for more, and so keeps much of it for longer than it is told to:
// without this, a first load took 75 MB more.
const kept = 32 << 20

// KeepFreedMemory says for how many milliseconds there is room for memory that the engine has just freed. It returns it
// so much later, if it returned it at once, from now on and for the whole process. To take it anew costs up to a
// fourteenth of a first load, and a tenth of a night.
func KeepFreedMemory(ms int) {
	lingers.Store(int64(ms))
	if much.Load() {
		returnFreed(ms)
	}
}

// written is called when a batch of rows is written.
func written() {
	if !much.Load() || lingers.Load() == 0 {
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
