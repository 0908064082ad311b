//go:build !linux || !cgo

package load

// oneArena is for the C library of Linux.
func oneArena() {}
