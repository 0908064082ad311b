//go:build !windows

package schedule

// HideConsole does nothing: no other system opens a window for a program.
func HideConsole() {}
