//go:build unix

package main

import "syscall"

// restrictFileModes keeps every file that is made here to its owner: histories hold what people typed.
func restrictFileModes() { syscall.Umask(0o077) }
