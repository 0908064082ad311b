//go:build !linux || !cgo

package engine

// returnFreed does nothing: the engine's own allocator is in its Linux builds alone.
func returnFreed(int) {}

// freed says that nobody knows how much memory is freed and not returned.
func freed() int { return -1 }

// returnAll does nothing for the same reason.
func returnAll() {}

// Trim does nothing: it is for the C library of Linux.
func Trim() {}
