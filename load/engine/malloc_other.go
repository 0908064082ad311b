//go:build !linux || !cgo

package engine

// returnFreed does nothing: the engine's own allocator is in its Linux builds alone.
func returnFreed(int) {}

// Trim does nothing: it is for the C library of Linux.
func Trim() {}
