package main

import (
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

// restrictFileModes does nothing: on Windows, files in a user's profile belong to that user.
func restrictFileModes() {}

// apart lets a program that is started live on when the terminal ends this one.
func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

var limitSignals []os.Signal

// survivesLimits does nothing: Windows has no such limits.
func survivesLimits() {}
