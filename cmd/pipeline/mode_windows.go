package main

import "os"

// restrictFileModes does nothing: on Windows, files in a user's profile belong to that user.
func restrictFileModes() {}

var limitSignals []os.Signal

// survivesLimits does nothing: Windows has no such limits.
func survivesLimits() {}
