//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"

	"pipeline/load/objects"
)

// restrictFileModes lets only the owner read files that this program makes: histories hold what people typed. What is
// pushed into a folder is for the others of a share: package objects has noted the user's umask for it, and a variable
// tells it to the programs and timers that this one starts.
func restrictFileModes() {
	_ = os.Setenv(objects.UmaskVariable, objects.Umask())
	syscall.Umask(0o077)
}

// apart lets a program that is started live on when the terminal ends this one.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// limitSignals also ask the program to end: the system sends them at a limit of processor time, before it kills.
var limitSignals = []os.Signal{syscall.SIGXCPU}

// survivesLimits turns a file that reaches its largest size (ulimit -f) into an error of the write. Otherwise the
// signal would end the program without a message if it hits a thread of the engine.
func survivesLimits() { signal.Notify(make(chan os.Signal, 1), syscall.SIGXFSZ) }
