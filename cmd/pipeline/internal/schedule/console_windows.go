package schedule

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// HideConsole leaves the window that the Task Scheduler opens for a console program. It closes then; Windows Terminal
// would not let it be hidden. Programs that this program starts would each open another one, so this program takes a
// console without a window. Only a program that is started can get one: cmd, until this program has it, too.
// (conhost.exe --headless would show no window at all, but it ends with 0 whatever its program ends with.)
func HideConsole() {
	cmd := exec.Command("cmd")
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd /D /C "echo.& set /P wait="`,
		CreationFlags: windows.CREATE_NO_WINDOW}
	in, err := cmd.StdinPipe()
	if err != nil {
		return
	}
	out, err := cmd.StdoutPipe()
	if err != nil || cmd.Start() != nil {
		return
	}
	_, _ = out.Read(make([]byte, 1)) // what prints has its console
	system := windows.NewLazySystemDLL("kernel32.dll")
	_, _, _ = system.NewProc("FreeConsole").Call()
	_, _, _ = system.NewProc("AttachConsole").Call(uintptr(cmd.Process.Pid))
	_ = in.Close()
	_ = cmd.Wait()
}
