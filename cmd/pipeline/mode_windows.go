package main

// restrictFileModes does nothing: a file in the user's profile is the user's on Windows.
func restrictFileModes() {}
