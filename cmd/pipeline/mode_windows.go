package main

import "os"

// restrictFileModes does nothing: a file in the user's profile is the user's on Windows.
func restrictFileModes() {}

var limitSignals []os.Signal

// survivesLimits does nothing: Windows has no such limits.
func survivesLimits() {}
