package engine

// #include <stdlib.h>
import "C"

import "unsafe"

// An arena is memory outside Go's heap, to which the engine may point. All of it is freed at once.
type arena struct {
	blocks []unsafe.Pointer
	next   unsafe.Pointer // the free part of the last block
	left   int            // its size in bytes
}

// arenaBlock is the size of a block in bytes. What is larger gets a block of its own.
const arenaBlock = 256 << 10

// copy copies bytes into the arena and returns where they are.
func (a *arena) copy(b []byte) unsafe.Pointer {
	if len(b) > a.left {
		a.left = max(arenaBlock, len(b))
		a.next = C.malloc(C.size_t(a.left)) // it never returns nil: Go ends the process
		a.blocks = append(a.blocks, a.next)
	}
	p := a.next
	copy(unsafe.Slice((*byte)(p), len(b)), b)
	a.next, a.left = unsafe.Add(p, len(b)), a.left-len(b)
	return p
}

func (a *arena) free() {
	for _, block := range a.blocks {
		C.free(block)
	}
	a.blocks, a.next, a.left = a.blocks[:0], nil, 0
}
