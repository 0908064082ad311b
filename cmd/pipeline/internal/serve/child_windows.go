package serve

import (
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

// ownGroup puts a child into a process group of its own. If the server is ended, the child finishes its run.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

// interrupt sends Ctrl-Break, the only one that a separate group can receive.
func interrupt(p *os.Process) error {
	return windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(p.Pid))
}

// killedBy is fixed: Windows has no signals.
func killedBy(*os.ProcessState) int { return 128 }
