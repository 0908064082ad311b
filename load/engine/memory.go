package engine

import (
	"os"
	"sync"
	"sync/atomic"
)

// small is how many bytes the files that the engine reads have together, at most, for their work to be small: what it frees may stay with the process.
const small = 32 << 20

var (
	expectMuch = sync.OnceFunc(func() { much.Store(true); returnFreed(0) })
	much       atomic.Bool // freed memory is returned
)

// lingering is how many milliseconds freed memory stays with the process if there is room for it: until the next rows of the same statement need it.
const lingering = 10

// Linger makes the engine return freed memory a little later, from now on and for the whole process, if it returned it at once.
func Linger() {
	if much.Load() {
		returnFreed(lingering)
	}
}

// Reads tells the engine which files it is about to read. If they are large, it returns the memory that it frees at once, from now on and for the whole
// process. It does so for rows, too, when there are many, see Appender.
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
