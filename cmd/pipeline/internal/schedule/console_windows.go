package schedule

import "syscall"

// HideConsole hides the window that the Task Scheduler opens for a program of the console. Programs that are started then use it too, hidden.
func HideConsole() {
	window, _, _ := syscall.NewLazyDLL("kernel32.dll").NewProc("GetConsoleWindow").Call()
	if window != 0 {
		const hide = 0 // SW_HIDE
		_, _, _ = syscall.NewLazyDLL("user32.dll").NewProc("ShowWindow").Call(window, hide)
	}
}
