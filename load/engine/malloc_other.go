//go:build !linux || !cgo

package engine

// tameAllocators is for the allocators of Linux.
func tameAllocators() {}
