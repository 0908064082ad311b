//go:build !linux || !cgo

package load

// tameAllocators is for the allocators of Linux.
func tameAllocators() {}
