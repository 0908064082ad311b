//go:build !windows

package schedule

// HideConsole does nothing: only Windows opens a window for a program.
func HideConsole() {}
