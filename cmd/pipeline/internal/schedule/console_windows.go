package schedule

import "syscall"

// HideConsole hides the window that the Task Scheduler opens for a console program. Programs that this program starts
// use the same hidden window.
func HideConsole() {
	window, _, _ := syscall.NewLazyDLL("kernel32.dll").NewProc("GetConsoleWindow").Call()
	if window != 0 {
		const hide = 0 // SW_HIDE
		_, _, _ = syscall.NewLazyDLL("user32.dll").NewProc("ShowWindow").Call(window, hide)
	}
}
