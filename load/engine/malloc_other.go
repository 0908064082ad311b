//go:build !linux || !cgo

package engine

// oneArena does nothing: it is for the C library of Linux.
func oneArena() {}

// returnFreed does nothing: the engine's own allocator is in its Linux builds alone.
func returnFreed(int) {}

// Trim does nothing: it is for the C library of Linux.
func Trim() {}
