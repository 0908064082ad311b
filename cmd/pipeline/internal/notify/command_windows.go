package notify

import (
	"os/exec"
	"syscall"
)

func ownGroup(*exec.Cmd) {}

// shellLine hands the line to cmd as it is: cmd does not read quotes as other programs do.
func shellLine(cmd *exec.Cmd, line string) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd /S /C "` + line + `"`}
}
