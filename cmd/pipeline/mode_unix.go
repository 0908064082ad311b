//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// restrictFileModes keeps every file that is made here to its owner: histories hold what people typed.
func restrictFileModes() { syscall.Umask(0o077) }

// limitSignals ask the program to end too: the first word of a limit of processor time, before the system kills.
var limitSignals = []os.Signal{syscall.SIGXCPU}

// survivesLimits makes a file that reaches its largest size (ulimit -f) an error of whoever writes it. A thread of the engine that meets the signal
// would end the program without a word otherwise.
func survivesLimits() { signal.Notify(make(chan os.Signal, 1), syscall.SIGXFSZ) }
